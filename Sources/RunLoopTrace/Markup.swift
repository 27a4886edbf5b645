/// Text as XML and HTML have it; characters that they cannot have become U+FFFD.
///
/// - Parameter asOneLine: whether line breaks and tabs are written as references, which an attribute keeps.
package func escapedMarkup(_ text: String, asOneLine: Bool = false) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "\n", "\t": result += asOneLine ? "&#\(scalar.value);" : String(scalar)
    case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}
