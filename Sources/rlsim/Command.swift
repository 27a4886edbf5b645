import RunLoopTrace

/// A command of the program.
struct Command: Sendable {
  let name: String
  /// How it is called, without the program's name.
  let synopsis: String
  /// One line for the overview.
  let summary: String
  /// Paragraphs for its own help, after the options.
  let details: String
  /// Made when they are asked for: a run needs none, and its start is short.
  var options: [OptionDescription] { makeOptions() }
  private let makeOptions: @Sendable () -> [OptionDescription]
  /// Carries it out, with what stands after its name.
  let invoke: @Sendable ([String]) throws(UsageError) -> ExitCode

  init(
    name: String, synopsis: String, summary: String, details: String,
    options: @escaping @autoclosure @Sendable () -> [OptionDescription],
    invoke: @escaping @Sendable ([String]) throws(UsageError) -> ExitCode
  ) {
    self.name = name
    self.synopsis = synopsis
    self.summary = summary
    self.details = details
    makeOptions = options
    self.invoke = invoke
  }

  /// All commands, in the order of the help.
  static let all: [Command] = [.run, .test, .explore, .replay, .live, .compare, .api, .completions]

  static func named(_ name: String) -> Command? { all.first { $0.name == name } }

  /// The command that is spelt most like a word.
  static func nearest(to word: String) -> String? { RunLoopTrace.nearest(to: word, among: all.map(\.name)) }
}
