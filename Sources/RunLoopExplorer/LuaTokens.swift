/// The words of a Lua script, without white space and comments.
struct LuaToken {
  enum Kind { case name, keyword, symbol, other }
  var kind: Kind
  var text: String
  var line: Int
  /// What is between the quotes of a text.
  var string: String?
}

enum LuaTokens {
  private static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil",
    "not",
    "or", "repeat", "return", "then", "true", "until", "while",
  ]

  static func read(_ source: [UInt8]) -> [LuaToken] {
    var reader = Reader(source: source)
    var tokens: [LuaToken] = []
    while let token = reader.next() { tokens.append(token) }
    return tokens
  }

  private struct Reader {
    let source: [UInt8]
    var place = 0
    var line = 1

    init(source: [UInt8]) { self.source = source }

    private func peek(_ offset: Int = 0) -> UInt8 {
      place + offset < source.count ? source[place + offset] : 0
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
      (byte >= 0x61 && byte <= 0x7A) || (byte >= 0x41 && byte <= 0x5A) || byte == 0x5F || byte >= 0x80
    }
    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    mutating func next() -> LuaToken? {
      skip()
      guard place < source.count else { return nil }
      let start = place
      let byte = peek()
      if Self.isLetter(byte) {
        while Self.isLetter(peek()) || Self.isDigit(peek()) { place += 1 }
        let text = String(decoding: source[start..<place], as: UTF8.self)
        return LuaToken(kind: keywords.contains(text) ? .keyword : .name, text: text, line: line)
      }
      if Self.isDigit(byte) {
        while Self.isLetter(peek()) || Self.isDigit(peek()) || peek() == 0x2E { place += 1 }
        return LuaToken(kind: .other, text: "0", line: line)
      }
      if byte == 0x22 || byte == 0x27 { return string(byte) }
      if byte == 0x5B, let level = longBracket() {
        let first = line
        skipLong(level)
        return LuaToken(kind: .other, text: "\"\"", line: first)
      }
      for symbol in ["...", "..", "==", "~=", "<=", ">=", "::", "//", "<<", ">>"]
      where source[place...].starts(with: symbol.utf8) {
        place += symbol.utf8.count
        return LuaToken(kind: .symbol, text: symbol, line: line)
      }
      place += 1
      return LuaToken(kind: .symbol, text: String(decoding: [byte], as: UTF8.self), line: line)
    }

    private mutating func string(_ quote: UInt8) -> LuaToken {
      place += 1
      let start = place
      while place < source.count, peek() != quote {
        if peek() == 0x5C { place += 1 }
        if peek() == 0x0A { line += 1 }
        place += 1
      }
      let text = String(decoding: source[start..<min(place, source.count)], as: UTF8.self)
      place += 1
      return LuaToken(kind: .other, text: "\"\"", line: line, string: text)
    }

    /// White space and comments.
    private mutating func skip() {
      while place < source.count {
        if peek() == 0x0A { line += 1 }
        if peek() <= 0x20 {
          place += 1
        } else if peek() == 0x2D, peek(1) == 0x2D {
          place += 2
          if peek() == 0x5B, let level = longBracket() {
            skipLong(level)
          } else {
            while place < source.count, peek() != 0x0A { place += 1 }
          }
        } else {
          return
        }
      }
    }

    /// The level of a long bracket that begins here.
    private func longBracket() -> Int? {
      var level = 0
      while peek(1 + level) == 0x3D { level += 1 }
      return peek(1 + level) == 0x5B ? level : nil
    }

    private mutating func skipLong(_ level: Int) {
      let end = [0x5D] + [UInt8](repeating: 0x3D, count: level) + [0x5D]
      place += level + 2
      while place < source.count, !source[place...].starts(with: end) {
        if peek() == 0x0A { line += 1 }
        place += 1
      }
      place += end.count
    }
  }
}
