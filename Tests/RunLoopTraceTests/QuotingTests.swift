import Testing

@testable import RunLoopEngine
@testable import RunLoopTrace

@Suite struct QuotingTests {
  private func value(_ bytes: [UInt8]) -> String {
    var buffer = ByteBuffer()
    bytes.withUnsafeBufferPointer { buffer.append(value: $0) }
    return buffer.text()
  }

  private func value(_ text: String) -> String { value(Array(text.utf8)) }

  @Test func plainValuesStayAsTheyAre() {
    for text in ["a", "timer1", "a=b", "a\\b", "a'b", "é", "日本語", "😀", "a,b;c", "-"] { #expect(value(text) == text) }
  }

  @Test func spacesQuotesAndTheEmptyTextNeedQuotes() {
    #expect(value("") == "\"\"")
    #expect(value("a b") == "\"a b\"")
    #expect(value("say \"hi\"") == "\"say \\\"hi\\\"\"")
    #expect(value("\"") == "\"\\\"\"")
    #expect(value("a \\ b") == "\"a \\\\ b\"")
    #expect(value("é b") == "\"é b\"")
  }

  @Test func controlCharactersAreEscaped() {
    #expect(value("a\nb") == "\"a\\nb\"")
    #expect(value("a\tb") == "\"a\\009b\"")
    #expect(value("a\u{0}1") == "\"a\\0001\"")
    #expect(value("\u{7F}") == "\"\\127\"")
    #expect(value("\u{9B}31m") == "\"\\194\\15531m\"")
  }

  @Test(
    arguments: [
      [0xFF], [0x80], [0xC3], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xF0, 0x9F],
    ] as [[UInt8]])
  func bytesThatAreNoUTF8AreEscaped(_ bytes: [UInt8]) {
    let escapes = bytes.map { "\\" + String(repeating: "0", count: 3 - "\($0)".count) + "\($0)" }.joined()
    #expect(value([0x61] + bytes + [0x62]) == "\"a\(escapes)b\"")
  }

  /// Every single character: what is quoted is quoted for a reason, and nothing escapes the validator.
  @Test func validCharactersAreRecognised() {
    for code in stride(from: UInt32(0xA0), through: 0x10FFFF, by: 7) {
      guard let scalar = Unicode.Scalar(code) else { continue }
      let text = String(scalar)
      if value(text) != text { Issue.record("U+\(String(code, radix: 16)) was quoted") }
    }
  }

  @Test func automaticNamesAgreeWithTheEngine() {
    var names = NameTable()
    for kind in NameKind.allCases {
      let name = names.automatic(kind)
      var buffer = ByteBuffer()
      buffer.append(raw: name, in: names)
      #expect(buffer.text() == names[name])
    }
  }
}
