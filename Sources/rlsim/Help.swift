/// The texts of `--help`.
enum Help {
  /// The whole program.
  static func overview() -> String {
    var text = """
      rlsim: a deterministic simulator of Apple's run loops. Lua scripts in, a trace out.

      Usage:
        rlsim SCRIPT.lua [-- ARG...]   the same as rlsim run

      """
    for command in Command.all { text += "  rlsim \(command.synopsis)\n" }
    text += "\nCommands:\n"
    let width = Command.all.map(\.name.count).max() ?? 0
    for command in Command.all {
      text += "  \(command.name.padded(to: width))   \(command.summary)\n"
    }
    return text + """

      A script named - is read from standard input. 'rlsim COMMAND --help' tells a command's options, 'rlsim --version'
      the version.

      Exit codes: 0 ended well, 1 a finding (fault, failed test, difference), 2 usage, missing file or syntax error,
      3 an error in the script, 4 a limit, 5 nothing to run, 70 a defect of rlsim, 130 interrupted.

      """
  }

  /// One command.
  static func of(_ command: Command) -> String {
    var text = "Usage: rlsim \(command.synopsis)\n\n\(command.summary)\n\nOptions:\n"
    let left = command.options.map { option in
      (option.short.map { "-\($0), " } ?? "") + "--\(option.name)\(option.argument)"
    }
    let width = min(28, left.map(\.count).max() ?? 0)
    for (option, left) in zip(command.options, left) {
      let lines = option.help.split(separator: "\n")
      text += "  \(left.padded(to: width))  \(lines.first ?? "")\n"
      for line in lines.dropFirst() { text += String(repeating: " ", count: width + 4) + line + "\n" }
    }
    text += "  \("-h, --help".padded(to: width))  this text\n"
    if !command.details.isEmpty { text += "\n" + command.details + "\n" }
    return text
  }
}

extension String {
  /// The text with spaces up to a width.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
