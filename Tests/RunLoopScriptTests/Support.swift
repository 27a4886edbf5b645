import RunLoopEngine
import RunLoopTrace

@testable import RunLoopScript

/// Takes a trace as lines of text.
final class Recorder: TraceConsumer {
  private let format = TextTrace(style: TextTrace.Style())
  private var buffer = ByteBuffer()
  private var threadNames: [NameID] = []
  /// Batches to take before the output is gone.
  var remainingBatches = Int.max

  func consume(_ simulation: borrowing Simulation) -> Bool {
    for event in simulation.events where Int(event.thread.rawValue) >= threadNames.count {
      for index in threadNames.count...Int(event.thread.rawValue) {
        threadNames.append(simulation.name(of: ThreadID(rawValue: Int32(index))))
      }
    }
    let context = TraceContext(
      names: simulation.names, text: simulation.text, threadNames: threadNames,
      configuration: simulation.configuration)
    format.write(simulation.events[...], context, into: &buffer)
    remainingBatches -= 1
    return remainingBatches > 0
  }

  var lines: [String] { buffer.text().split(separator: "\n").map(String.init) }
}

/// A script that was run.
struct Run {
  let outcome: Outcome
  /// All lines of the trace, without the last one ("end").
  let lines: [String]
  let session: Session

  init(_ script: String, change: (inout ScriptOptions) -> Void = { _ in }) {
    var options = ScriptOptions(source: Array(script.utf8), chunkName: "script.lua")
    change(&options)
    let recorder = Recorder()
    session = Session(options)
    outcome = session.run(consumer: recorder)
    lines = recorder.lines
  }

  /// What `rl.log` wrote.
  var logs: [String] {
    lines.compactMap { line in
      line.split(separator: " ", maxSplits: 3).count == 4 && line.split(separator: " ")[2] == "log"
        ? String(line.split(separator: " ", maxSplits: 3)[3]) : nil
    }
  }

  /// The error that ended it, without its place.
  var error: String? {
    outcome.kind == .scriptError || outcome.kind == .syntaxError ? outcome.message : nil
  }
}
