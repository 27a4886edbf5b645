import RunLoopTrace

/// Writes a word so that a POSIX shell reads it back as it is: with control characters in it as `$'…'`, so that a terminal
/// shows them and does not obey them.
func shellQuoted(_ word: String) -> String {
  let plain = word.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-_./=:,@%+".utf8.contains(byte)
    }
  }
  if plain && !word.isEmpty { return word }
  if Shown.line(word) != word { return dollarQuoted(word) }
  var quoted = "'"
  for character in word.unicodeScalars {
    if character == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(character) }
  }
  return quoted + "'"
}

private func dollarQuoted(_ word: String) -> String {
  var quoted = "$'"
  for scalar in word.unicodeScalars {
    switch scalar {
    case "'", "\\": quoted += "\\\(scalar)"
    case "\n": quoted += "\\n"
    case "\t": quoted += "\\t"
    case "\u{0}"..<" ", "\u{7F}"..<"\u{A0}":
      for byte in String(scalar).utf8 {
        let digits = String(byte, radix: 8)
        quoted += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      }
    default: quoted.unicodeScalars.append(scalar)
    }
  }
  return quoted + "'"
}

/// A command that a POSIX shell reads back as these words.
func shellCommand(_ words: [String]) -> String { words.map(shellQuoted).joined(separator: " ") }

/// Splits a line into words as a shell does: quotes `'`, `"` and `$'`, and `\`; nothing is expanded.
///
/// - Throws: when a quote is not closed.
func shellWords(_ line: some StringProtocol) throws(UsageError) -> [String] {
  var words: [String] = []
  var word: String?
  var quote: Character?
  var rest = Substring(line)
  while let character = rest.popFirst() {
    if character == "\\" && quote != "'" {
      guard let next = rest.popFirst() else { throw UsageError("a quote is not closed in: \(line)") }
      // Between double quotes it stands for itself in front of all else.
      let isKept = quote == "\"" && !"$`\"\\".contains(next)
      word = (word ?? "") + (isKept ? "\\" : "") + String(next)
    } else if let open = quote {
      if character == open { quote = nil } else { word?.append(character) }
    } else if character == "$", rest.first == "'" {
      rest.removeFirst()
      guard let text = dollarUnquoted(&rest) else { throw UsageError("a quote is not closed in: \(line)") }
      word = (word ?? "") + text
    } else if character == "'" || character == "\"" {
      quote = character
      word = word ?? ""
    } else if character.isWhitespace {
      if let done = word { words.append(done) }
      word = nil
    } else {
      word = (word ?? "") + String(character)
    }
  }
  if quote != nil { throw UsageError("a quote is not closed in: \(line)") }
  if let done = word { words.append(done) }
  return words
}

/// Reads what stands behind `$'`, and takes the quote at its end; nil when there is none.
private func dollarUnquoted(_ rest: inout Substring) -> String? {
  var bytes: [UInt8] = []
  while let character = rest.popFirst() {
    if character == "'" { return String(decoding: bytes, as: UTF8.self) }
    guard character == "\\" else {
      bytes += character.utf8
      continue
    }
    let digits = rest.prefix(3).prefix { ("0"..."7").contains($0) }
    if let byte = UInt8(digits, radix: 8) {
      bytes.append(byte)
      rest.removeFirst(digits.count)
    } else if let next = rest.popFirst() {
      bytes += (next == "n" ? "\n" : next == "t" ? "\t" : String(next)).utf8
    }
  }
  return nil
}
