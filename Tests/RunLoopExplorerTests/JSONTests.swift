import Testing

@testable import RunLoopExplorer

@Suite struct JSONTests {
  @Test func whatIsWrittenIsReadBack() throws {
    let value = JSON.object([
      .init("text", .string("a \"quoted\" \\ line\n\u{1}é")), .init("numbers", .array([.integer(-3), .number(0.25)])),
      .init("nothing", .null), .init("yes", .bool(true)), .init("empty", .object([])), .init("none", .array([])),
    ])
    #expect(try JSON(Array(value.text.utf8)) == value)
    #expect(
      try JSON(Array(" [ 1 , 2.5e1,\n\"\\u00e9\\ud83d\\ude00\" ] ".utf8))
        == .array([.integer(1), .number(25), .string("é😀")]))
  }

  @Test(
    arguments: [
      ("", "line 1: the text ends too early"), ("{\"a\":1", "line 1: a comma or a closing brace is missing"),
      ("[1\n2]", "line 2: a comma or a closing bracket is missing"), ("[1] 2", "line 1: something follows the value"),
      ("{a:1}", "line 1: a name in quotation marks is missing"), ("[x]", "line 1: a value is missing"),
      ("\"a", "line 1: the text ends too early"), ("{\"a\" 1}", "line 1: a colon is missing"),
    ]) func whatIsWrongIsSaid(text: String, message: String)
  {
    #expect(throws: JSON.Malformed(message: message)) { try JSON(Array(text.utf8)) }
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
