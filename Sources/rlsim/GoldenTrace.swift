/// What a golden file holds: the trace, and the exit code at the end of its last line when it is not 0.
enum GoldenTrace {
  static func make(trace: [UInt8], exitCode: Int32) -> [UInt8] {
    guard exitCode != 0 else { return trace }
    let hasBreak = trace.last == UInt8(ascii: "\n")
    let text = hasBreak ? trace.dropLast() : trace[...]
    return text + Array(" exit=\(exitCode)\n".utf8)
  }

  /// A golden file without the exit code at its end.
  static func trace(_ golden: [UInt8]) -> [UInt8] {
    guard let space = golden.lastIndex(of: UInt8(ascii: " ")), golden[space...].starts(with: " exit=".utf8) else {
      return golden
    }
    return golden[..<space] + [UInt8(ascii: "\n")]
  }
}
