import RunLoopEngine
import RunLoopTrace

/// What a script is run with.
public struct ScriptOptions: Sendable {
  /// The script's text.
  public var source: [UInt8]
  /// What messages and traces call it: a file name.
  public var chunkName: String
  /// Where `require` looks first; nil refuses it.
  public var scriptDirectory: String?
  /// The last folder where `require` looks, going up: a beginning of `scriptDirectory`. nil: it does not go up.
  public var scriptRoot: String?
  /// The texts of the files that the script requires, as far as they are known before it runs: a schedule belongs to
  /// them as to the script itself.
  public var requiredTexts: [[UInt8]] = []
  /// `rl.args`.
  public var arguments: [String] = []
  /// How the simulation behaves and what it traces. The script may change some of it (`rl.semantics`, `rl.machine`, `rl.trace`).
  public var configuration = Configuration()
  /// Whether `rl.semantics` is overruled: the command line has named a profile.
  public var profileIsFixed = false
  /// The categories that the command line shows: when any, exactly these.
  public var shownCategories: EventCategories = .none
  /// The categories that the command line hides.
  public var hiddenCategories: EventCategories = .none
  /// Bytes of Lua memory.
  public var maximumMemory = 1 << 30
  /// Lua instructions between two scheduling points.
  public var maximumInstructions: UInt64 = 500_000_000
  /// Events, of those that are traced; the run ends as `limit` when there are more.
  public var maximumTraceEvents = 10_000_000
  /// Asked now and then; true ends the run as `interrupted`.
  public var shouldStop: (@Sendable () -> Bool)?

  /// A script that is run as the command line does without options; `require` is refused.
  public init(source: [UInt8], chunkName: String) {
    self.source = source
    self.chunkName = chunkName
  }
}

/// How the run of a script ended.
public struct Outcome: Sendable {
  /// The ways in which it can end; each has its exit code in `rlsim`'s `ExitCode`.
  public enum Kind: Hashable, Sendable {
    /// In one of the ways of semantics 5.
    case ended(EndReason)
    /// The script does not compile; nothing was run.
    case syntaxError
    /// An error that nothing caught, or a trap in the simulated library.
    case scriptError
    /// More memory, instructions or trace than allowed. (Steps and virtual time: `ended(.limit)`.)
    case limit
    /// The consumer took no more.
    case outputGone
    /// `ScriptOptions.shouldStop` said so.
    case interrupted
  }

  public var kind: Kind
  /// What went wrong, in words.
  public var message: String?
  /// Lua's traceback of an error.
  public var traceback: String?

  public init(_ kind: Kind, message: String? = nil, traceback: String? = nil) {
    self.kind = kind
    self.message = message
    self.traceback = traceback
  }

  /// Message and traceback as a program prints them, each with a line break at its end; empty when there are none.
  package var printedText: String {
    var text = message.map { $0.isEmpty ? "" : "rlsim: \(Shown.saying($0))\n" } ?? ""
    guard let traceback, !traceback.isEmpty else { return text }
    if !traceback.hasPrefix("stack traceback:") { text += "stack traceback:\n" }
    return text + (traceback.hasSuffix("\n") ? traceback : traceback + "\n")
  }
}
