import RunLoopTrace

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
  /// - Throws: what is wrong with it, and what is wrong with other lines that start with `--!` and look like one of rlsim's.
  init(_ file: ScriptFile) throws(UsageError) {
    let lines = file.source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let first = file.hasShebang ? 1 : 0
    for (index, line) in lines.enumerated().dropFirst(first) where line.starts(with: "--!".utf8) {
      var text = String(decoding: line, as: UTF8.self)
      while text.last?.isWhitespace == true { text.removeLast() }
      if index == first, text.hasPrefix(Self.mark) {
        do throws(UsageError) {
          try read(text.dropFirst(Self.mark.count))
        } catch {
          throw UsageError("\(file.chunkName):\(index + 1): in the header line: \(error.message)")
        }
      } else if let mistake = Self.mistake(text, isFirst: index == first) {
        throw UsageError("\(file.chunkName):\(index + 1): \(mistake)")
      }
    }
  }

  private mutating func read(_ line: Substring) throws(UsageError) {
    words = try shellWords(line)
    let arguments = words.firstIndex(of: "--") ?? words.endIndex
    if let place = words[..<arguments].firstIndex(of: "--explore") {
      exploration = Array(words[(place + 1)..<arguments])
      words.removeSubrange(place..<arguments)
      try checkExploration()
    }
    try check()
  }

  /// What is wrong with a line that starts with `--!`; nil when it is none of rlsim's.
  private static func mistake(_ text: String, isFirst: Bool) -> String? {
    let word = String(text.dropFirst(3).drop { $0 == " " }.prefix { $0.isLetter }).lowercased()
    switch nearest(to: word, among: ["rlsim", "compare"]) {
    case "rlsim" where text.hasPrefix(mark): return "the header line '\(mark) OPTIONS' has to be the script's first"
    case "rlsim": return "a header line is written '\(mark) OPTIONS'"
    case "compare": return CompareRemark.mistake(in: text)
    default: return nil
    }
  }

  /// Only what changes the trace itself has a place in a header.
  private func check() throws(UsageError) {
    var options = RunOptions()
    let parsed = try parse(words, RunOptions.options, into: &options, command: "run")
    if let operand = parsed.operands.first {
      throw UsageError("'\(operand)' has no place there: it holds options, and arguments after --")
    }
    if parsed.wantsHelp { throw UsageError("'--help' has no place there") }
    let plain = RunOptions()
    let misplaced: [(String, Bool)] = [
      ("format", options.givenFormat != nil), ("output", options.output != nil), ("also", !options.also.isEmpty),
      ("quiet", options.quiet), ("stats", options.stats), ("align", options.align != plain.align),
      ("color", options.color != plain.color), ("scripts", options.scripts != nil),
    ]
    if let (name, _) = misplaced.first(where: \.1) {
      throw UsageError("'--\(name)' does not change what happens: give it on the command line")
    }
  }

  /// Only what decides which interleavings are taken, the same on every machine.
  private func checkExploration() throws(UsageError) {
    var options = ExploreCommandOptions()
    let parsed = try parse(exploration ?? [], ExploreCommandOptions.options, into: &options, command: "explore")
    if let operand = parsed.operands.first {
      throw UsageError("'\(operand)' has no place there: it holds options, and arguments after --")
    }
    if parsed.wantsHelp || !options.isSearchAlone {
      throw UsageError(
        "after --explore there is an option that does not decide which interleavings there are: "
          + shellCommand(exploration ?? []))
    }
  }
}
