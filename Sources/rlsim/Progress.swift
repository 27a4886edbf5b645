/// One line on a terminal that says how far a command is, on standard error; nothing elsewhere.
struct Progress {
  let isShown = Platform.isTerminal(Platform.standardError)

  func show(_ text: @autoclosure () -> String) {
    if isShown { Platform.printError("\r\u{1B}[K\(text())") }
  }

  /// Takes the line away, before something else is written.
  func clear() { if isShown { Platform.printError("\r\u{1B}[K") } }
}
