/// Strings that are paths.
extension String {
  /// What stands after the last slash.
  var baseName: String { split(separator: "/").last.map(String.init) ?? self }

  /// What stands before the last slash; `.` without one.
  var directoryName: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }

  /// A path without `./`, doubled slashes and a slash at the end.
  var normalizedPath: String {
    let parts = split(separator: "/").filter { $0 != "." }
    let path = (hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    return path.isEmpty ? "." : path
  }
}
