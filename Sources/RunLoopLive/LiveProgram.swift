import RunLoopEngine
import RunLoopScript
import RunLoopTrace

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The program `rlsim-live`, started by `rlsim live`, which has read the command line and the script: words `KEY=VALUE`,
/// then `--` and the script's arguments.
public enum LiveProgram {
  /// What it was started with.
  private struct Words {
    var values: [String: String] = [:]
    var rest: [String] = []

    init(_ arguments: [String]) {
      for (index, word) in arguments.enumerated() {
        if word == "--" {
          rest = Array(arguments[(index + 1)...])
          return
        }
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        values[String(parts[0])] = parts.count == 2 ? String(parts[1]) : ""
      }
    }

    func number<Number: LosslessStringConvertible>(_ key: String) -> Number? { values[key].flatMap(Number.init) }
    func isSet(_ key: String) -> Bool { values[key] != nil }
  }

  /// Runs the script, and ends the process with the exit code of command-line.md.
  ///
  /// - Parameter arguments: the words, without the program's name.
  public static func main(_ arguments: [String]) -> Never {
    let words = Words(arguments)
    guard let descriptor: Int32 = words.number("source"), let chunk = words.values["chunk"] else {
      tell("rlsim-live is the part of rlsim that 'rlsim live' starts; start that\n")
      leave(2)
    }
    signal(SIGPIPE, SIG_IGN)
    Interrupt.watch()
    var script = ScriptOptions(source: readAll(descriptor), chunkName: chunk)
    script.scriptDirectory = words.values["directory"]
    script.scriptRoot = words.values["root"]
    script.arguments = words.rest
    script.shownCategories = EventCategories(rawValue: words.number("show") ?? 0)
    script.hiddenCategories = EventCategories(rawValue: words.number("hide") ?? 0)
    // A script that computes without end is ended by its timeout, which tells what all threads were doing.
    script.maximumInstructions = 0
    var options = LiveRun.Options()
    options.timeScale = words.number("scale") ?? options.timeScale
    options.timeout = words.number("timeout") ?? options.timeout
    options.until = words.number("until") ?? options.until

    let writer = TraceWriter()
    // The library may end the process at any time.
    writer.isInteractive = true
    let output = TraceOutput(descriptor: 1, name: "standard output")
    writer.add(format(words), to: output)
    let again = words.values["repeat"].map { "repeat with: \($0)\n" } ?? ""
    let run = LiveRun(script, options) { end in
      if end.isAbandoned {
        report(end, again)
        leave(code(of: end))
      }
      _ = writer.finish()
      report(end, again)
      if case .system(let number) = output.failure {
        tell("rlsim: cannot write the trace to standard output: \(String(cString: strerror(number)))\n")
        leave(2)
      }
      leave(output.failure == nil ? code(of: end) : 0)
    }
    Crash.report(on: run.clock, json: words.values["format"] == "jsonl", advice: again)
    run.run(consumer: writer)
  }

  private static func format(_ words: Words) -> any TraceFormat {
    if words.values["format"] == "jsonl" { return JSONLinesTrace() }
    var style = TextTrace.Style()
    style.aligned = words.isSet("aligned")
    style.colored = words.isSet("colored")
    style.onlyFaults = words.isSet("quiet")
    return TextTrace(style: style)
  }

  /// - Parameter advice: how to repeat a run that failed.
  private static func report(_ end: LiveRun.End, _ advice: String) {
    for note in end.notes { tell("rlsim: live: \(note)\n") }
    if let report = end.report { tell(report) }
    if case .interrupted = end.outcome.kind { tell("rlsim: \(end.signal == SIGTERM ? "terminated" : "interrupted")\n") }
    tell(end.outcome.printedText)
    if [1, 3, 4].contains(code(of: end)) { tell(advice) }
  }

  /// The exit codes of command-line.md.
  private static func code(of end: LiveRun.End) -> Int32 {
    switch end.outcome.kind {
    case .ended(.returned), .ended(.idle), .ended(.until), .outputGone: 0
    case .ended(.fault): 1
    case .syntaxError: 2
    case .scriptError: 3
    case .ended(.limit), .limit: 4
    case .interrupted: 128 + end.signal
    }
  }

  // MARK: The system

  private static func readAll(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count > 0 {
        bytes.append(contentsOf: chunk[..<count])
      } else if count == 0 || errno != EINTR {
        return bytes
      }
    }
  }

  private static func tell(_ text: String) {
    var text = Shown.message(text)
    text.withUTF8 { _ = writeAll(UnsafeRawBufferPointer($0), to: 2) }
  }

  /// Ends the process at once: other threads are left where they are, in the library or in Lua.
  private static func leave(_ code: Int32) -> Never { _exit(code) }
}
