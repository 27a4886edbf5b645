/// The options that a script gives itself: a first comment line `--! rlsim: OPTIONS`, and after `--explore` those of an
/// exploration: `--! rlsim: [OPTION...] [--explore [OPTION...]] [-- ARG...]`.
struct ScriptHeader: Equatable {
  /// The words of a run, as on a command line.
  var words: [String] = []
  /// The words after `--explore`; nil: the script is tested by a run.
  var exploration: [String]?

  private static let mark = "--! rlsim:"

  /// No header.
  init() {}

  /// Reads a script's header; without one there are no options. A `#!` line may stand before it.
  ///
  /// - Throws: what is wrong with the options.
  init(script: [UInt8]) throws(UsageError) {
    var lines = script.prefix(4096).split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
    // A `#!` line, as it is or with its `#` made a comment.
    if lines.first?.starts(with: "#".utf8) == true || lines.first?.starts(with: "--!/".utf8) == true {
      lines.removeFirst()
    }
    let first = String(decoding: lines.first ?? [], as: UTF8.self)
    guard first.hasPrefix(Self.mark) else { return }
    words = try shellWords(first.dropFirst(Self.mark.count))
    let arguments = words.firstIndex(of: "--") ?? words.endIndex
    if let place = words[..<arguments].firstIndex(of: "--explore") {
      exploration = Array(words[(place + 1)..<arguments])
      words.removeSubrange(place..<arguments)
      try checkExploration()
    }
    try check()
  }

  /// Only what changes the trace itself has a place in a header.
  private func check() throws(UsageError) {
    var options = RunOptions()
    let parsed = try parse(words, RunOptions.options, into: &options, command: "run")
    if let operand = parsed.operands.first {
      throw UsageError("'\(operand)' has no place in the header line: it holds options, and arguments after --")
    }
    let plain = RunOptions()
    if parsed.wantsHelp || options.format != .text || options.output != nil || !options.also.isEmpty || options.quiet
      || options.stats || options.align != plain.align || options.color != plain.color
    {
      throw UsageError("the header line holds an option that does not change what happens: \(shellCommand(words))")
    }
  }

  /// Only what decides which interleavings are taken, the same on every machine.
  private func checkExploration() throws(UsageError) {
    var options = ExploreCommandOptions()
    let parsed = try parse(exploration ?? [], ExploreCommandOptions.options, into: &options, command: "explore")
    if let operand = parsed.operands.first {
      throw UsageError("'\(operand)' has no place in the header line: it holds options, and arguments after --")
    }
    if parsed.wantsHelp || !options.isSearchAlone {
      throw UsageError(
        "after --explore the header line holds an option that does not decide which interleavings there are: "
          + shellCommand(exploration ?? []))
    }
  }
}
