import RunLoopEngine
import RunLoopExplorer
import RunLoopScript

/// The exit codes of every command (command-line.md).
struct ExitCode: RawRepresentable, Equatable, Sendable {
  let rawValue: Int32

  /// Ended well; all tests pass; nothing found.
  static let success = ExitCode(rawValue: 0)
  /// A finding: a fault, a failed test, a difference.
  static let finding = ExitCode(rawValue: 1)
  /// Wrong usage, a missing file, a syntax error in the script, an output that cannot be written.
  static let usage = ExitCode(rawValue: 2)
  /// The script raised an error that nobody caught.
  static let scriptError = ExitCode(rawValue: 3)
  /// A limit was reached.
  static let limit = ExitCode(rawValue: 4)
  /// No script or test matched.
  static let nothingToRun = ExitCode(rawValue: 5)
  /// A defect of rlsim itself.
  static let defect = ExitCode(rawValue: 70)
  /// Ctrl-C, as a shell has it: 128 + SIGINT.
  static let interrupted = ExitCode(rawValue: 130)
}

extension ExitCode {
  /// The exit code of a run.
  init(_ outcome: Outcome.Kind) {
    switch outcome {
    case .ended(.returned), .ended(.idle), .ended(.until): self = .success
    case .ended(.fault): self = .finding
    case .ended(.limit), .limit: self = .limit
    case .syntaxError: self = .usage
    case .scriptError: self = .scriptError
    // A closed pipe ends the program quietly; a full disk is told apart by the output's error.
    case .outputGone: self = .success
    case .interrupted: self = .interrupted
    }
  }

  /// The exit code of an exploration.
  init(_ report: ExploreReport) {
    if report.wasInterrupted {
      self = .interrupted
    } else if !report.notes.isEmpty {
      self = .defect
    } else {
      switch report.verdict {
      case .holds: self = .success
      case .fails: self = .finding
      case .inconclusive: self = .limit
      }
    }
  }

  /// Whether the command that repeats a run with this code is worth telling.
  var isFailure: Bool { self == .finding || self == .scriptError || self == .limit || self == .defect }
}
