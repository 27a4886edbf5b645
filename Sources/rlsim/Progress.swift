import RunLoopTrace

/// One line on a terminal that says how far a command is, on standard error; nothing elsewhere.
struct Progress {
  let isShown = Platform.isTerminal(Platform.standardError)

  func show(_ text: @autoclosure () -> String) {
    if isShown { write("\r\u{1B}[K\(Shown.line(text()))") }
  }

  /// Takes the line away, before something else is written.
  func clear() { if isShown { write("\r\u{1B}[K") } }

  private func write(_ text: String) { _ = Platform.write(text, to: Platform.standardError) }
}
