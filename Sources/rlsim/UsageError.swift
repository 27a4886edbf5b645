import RunLoopTrace

/// A command line that cannot be carried out: one line that says what is wrong, exit code 2.
struct UsageError: Error, Equatable {
  let message: String
  init(_ message: String) { self.message = Shown.line(Shown.saying(message)) }
}
