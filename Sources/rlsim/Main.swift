/// The command line: finds the command, runs it, and ends with its exit code.
@main
enum Main {
  static func main() {
    Platform.prepare()
    let code = run(Array(CommandLine.arguments.dropFirst()))
    Platform.endIfTerminated()
    // A closed pipe wants no more and is told nothing.
    let failure = Platform.outputFailure
    guard failure != 0, !Platform.isClosedPipe(failure) else { Platform.exit(code) }
    Platform.printError("rlsim: cannot write to standard output: \(Platform.errorText(failure))\n")
    Platform.exit(.usage)
  }

  /// Runs one command line, without the program's name.
  static func run(_ arguments: [String]) -> ExitCode {
    do throws(UsageError) {
      return try dispatch(arguments)
    } catch {
      Platform.printError("rlsim: \(error.message)\n")
      return .usage
    }
  }

  private static func dispatch(_ arguments: [String]) throws(UsageError) -> ExitCode {
    guard let first = arguments.first else {
      Platform.printError(Help.overview())
      return .usage
    }
    switch first {
    case "--help", "-h":
      Platform.print(Help.overview())
      return .success
    case "help":
      guard arguments.count > 1 else {
        Platform.print(Help.overview())
        return .success
      }
      return try dispatch([arguments[1], "--help"])
    case "--version", "-V":
      Platform.print("rlsim \(Version.text)\n")
      return .success
    default: break
    }
    if first == "-v" { throw UsageError("unknown option '-v'; did you mean '-V' (--version)?") }
    if let command = Command.named(first) {
      return try command.invoke(Array(arguments.dropFirst()))
    }
    if first.hasPrefix("-") || first.hasSuffix(".lua") || first.contains("/") || Platform.exists(first) {
      return try Command.run.invoke(arguments)
    }
    var message = "unknown command or missing script '\(first)'"
    if let near = Command.nearest(to: first) { message += "; did you mean '\(near)'?" }
    throw UsageError(message + " ('rlsim --help' lists the commands)")
  }
}

/// The version of the program.
enum Version {
  static let text = "1.0.0"
}
