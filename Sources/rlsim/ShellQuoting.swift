/// Writes a word so that a POSIX shell reads it back as it is.
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
  var quoted = "'"
  for character in word.unicodeScalars {
    if character == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(character) }
  }
  return quoted + "'"
}

/// A command that a POSIX shell reads back as these words.
func shellCommand(_ words: [String]) -> String { words.map(shellQuoted).joined(separator: " ") }

/// Splits a line into words as a shell does: quotes `'` and `"`, and `\`; nothing is expanded.
///
/// - Throws: when a quote is not closed.
func shellWords(_ line: some StringProtocol) throws(UsageError) -> [String] {
  var words: [String] = []
  var word: String?
  var quote: Character?
  var escaped = false
  for character in line {
    if escaped {
      word = (word ?? "") + String(character)
      escaped = false
    } else if character == "\\" && quote != "'" {
      escaped = true
    } else if let open = quote {
      if character == open { quote = nil } else { word?.append(character) }
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
  if quote != nil || escaped { throw UsageError("a quote is not closed in: \(line)") }
  if let done = word { words.append(done) }
  return words
}
