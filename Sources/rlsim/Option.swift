/// An option of a command: how it is written, what it says in the help, and what it does to the command's values.
struct Option<Values>: Sendable {
  enum Argument: Equatable, Sendable {
    case none
    case required(String)
    case optional(String)
  }

  let name: String
  var short: Character?
  let argument: Argument
  /// Made when it is asked for: a run needs none.
  var help: String { makeHelp() }
  private let makeHelp: @Sendable () -> String
  /// Words that may be the argument, for completion.
  var choices: [String] = []
  let apply: @Sendable (inout Values, String) throws(UsageError) -> Void

  /// A flag.
  init(
    _ name: String, short: Character? = nil, _ help: @escaping @autoclosure @Sendable () -> String,
    apply: @escaping @Sendable (inout Values) -> Void
  ) {
    self.name = name
    self.short = short
    makeHelp = help
    argument = .none
    self.apply = { values, _ in apply(&values) }
  }

  /// An option with an argument.
  init(
    _ name: String, short: Character? = nil, _ argument: Argument, choices: [String] = [],
    _ help: @escaping @autoclosure @Sendable () -> String,
    apply: @escaping @Sendable (inout Values, String) throws(UsageError) -> Void
  ) {
    self.name = name
    self.short = short
    self.argument = argument
    self.choices = choices
    makeHelp = help
    self.apply = apply
  }

  /// The option without its effect, for help and completion.
  var description: OptionDescription {
    OptionDescription(name: name, short: short, argument: argument.text, choices: choices, help: help)
  }
}

extension Option.Argument {
  /// What stands after the option's name in the help.
  fileprivate var text: String {
    switch self {
    case .none: ""
    case .required(let name): " \(name)"
    case .optional(let name): "[=\(name)]"
    }
  }
}

/// What help and completions say of an option.
struct OptionDescription: Sendable {
  let name: String
  let short: Character?
  /// With what stands between: ` N`, `[=WHEN]`, or nothing.
  let argument: String
  let choices: [String]
  let help: String
  /// Whether its argument is a list of the choices, with commas between.
  var isList: Bool { argument == " A,B" }
}
