import RunLoopLive

/// The program behind `rlsim live`: apart, so that a simulation does not load the library that it never calls.
@main
enum Main {
  static func main() { LiveProgram.main(Array(CommandLine.arguments.dropFirst())) }
}
