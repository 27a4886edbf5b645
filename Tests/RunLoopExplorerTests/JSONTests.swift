import Testing

@testable import RunLoopExplorer

@Suite struct JSONTests {
  @Test func whatIsWrittenIsReadBack() throws {
    // In the order of the names, as they are read.
    let value = JSON.object([
      .init("empty", .object([])), .init("none", .array([])), .init("nothing", .null),
      .init("numbers", .array([.integer(-3), .number(0.25)])),
      .init("text", .string("a \"quoted\" \\ line\n\u{1}é")), .init("yes", .bool(true)),
    ])
    #expect(try JSON(Array(value.text.utf8)) == value)
    #expect(
      try JSON(Array(" [ 1 , 2.5e1,\n\"\\u00e9\\ud83d\\ude00\" ] ".utf8))
        == .array([.integer(1), .integer(25), .string("é😀")]))
    for number in [Double.pi, -1e-300, .greatestFiniteMagnitude, 9.1e15, 1 / 3] {
      #expect(try JSON(Array(JSON.number(number).text.utf8)).number == number)
    }
    for number in [Int.max, Int.min, 0] { #expect(try JSON(Array("\(number)".utf8)).integer == number) }
  }

  @Test(
    arguments: ["", "{\"a\":1", "[1\n2]", "[1] 2", "{a:1}", "[x]", "\"a", "{\"a\" 1}", "[1e400]"]
  ) func whatIsNoJSONIsRefused(text: String) {
    #expect(throws: JSON.Malformed()) { try JSON(Array(text.utf8)) }
  }

  @Test func aSealBreaksWhereverOneLetterIsAnother() throws {
    let value = JSON.object([.init("name", .string("é \"}")), .init("numbers", .integers([1, 22, 333]))])
    let text = Array(value.sealedText.utf8)
    #expect(JSON.isSealed(text))
    // It is a member like any other, the last.
    #expect(try JSON(text)["check"]?.string?.count == 16)
    #expect(JSON.isSealed(text + Array(" \r\n".utf8)))
    for place in text.indices {
      var other = text
      other[place] ^= 1
      #expect(!JSON.isSealed(other), "at \(place)")
      #expect(!JSON.isSealed(Array(text[..<place])))
    }
    #expect(!JSON.isSealed(Array(value.text.utf8)))
    #expect(!JSON.isSealed(text + text))
  }

  @Test func aSumDoesNotDependOnTheOrder() {
    let values = (1...1000).map { 1 / Double($0 * $0 + 1) }
    var forward = ExactSum.ofChances
    var backward = ExactSum.ofChances
    for value in values { forward.add(value) }
    for value in values.reversed() { backward.add(value) }
    #expect(forward == backward)
    #expect(abs(forward.value - values.reduce(0, +)) < 1e-12)
    var read = ExactSum.ofChances
    let isRead = read.read(forward.json)
    #expect(isRead)
    #expect(read == forward)
    var counts = ExactSum.ofCounts
    for _ in 0..<3 { counts.add(9_007_199_254_740_992) }
    #expect(counts.value == 27_021_597_764_222_976)
    counts.add(.infinity)
    #expect(counts.value == .infinity)
  }
}
