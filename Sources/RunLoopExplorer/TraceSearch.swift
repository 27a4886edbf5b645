import RunLoopEngine
import RunLoopScript
import RunLoopTrace

/// Looks for an interleaving of a script that gives a text trace: goes on wherever the text so far is a beginning of it,
/// in the order of the default policy.
public final class TraceSearch {
  public enum Answer: Sendable { case found, none, unknown }

  private struct Node {
    var enabled: [Int32]
    var next = 0
    var alternative: Int32 = 0
    var alternatives: Int32 = 1
    var last: Int32
    var length: Int
    var snapshot: ScriptRun.Snapshot
  }

  private let run: ScriptRun
  private let wanted: [UInt8]
  private let text = TextCollector()
  private var nodes: [Node] = []
  private var point = ChoicePoint()
  private var step = StepRecord()

  /// - Parameter wanted: the trace, without an exit code at its end.
  public init(_ options: ScriptOptions, _ settings: Schedule.Settings, wanted: [UInt8]) {
    run = ScriptRun(options, settings)
    run.watch.cutsReturns = true
    self.wanted = wanted
    run.observer = { [text] in _ = text.consume($0) }
  }

  /// - Parameter patience: steps after which the answer is that it is not known.
  public func search(patience: Int) -> Answer {
    run.start()
    var last: Int32 = -1
    for _ in 0..<patience {
      run.look(after: last, into: &point)
      if run.record.outcome != nil, text.bytes == wanted { return .found }
      if !point.enabled.isEmpty, wanted.starts(with: text.bytes) {
        nodes.append(
          Node(enabled: point.enabled, last: last, length: text.bytes.count, snapshot: run.save(reusing: nil)))
      } else if !goBack() {
        return .none
      }
      last = takeNext()
    }
    return .unknown
  }

  /// Back to the last place where another way is left; false when there is none.
  private func goBack() -> Bool {
    while let node = nodes.last {
      let place = nodes.count - 1
      nodes[place].alternative += 1
      if nodes[place].alternative >= node.alternatives {
        nodes[place].alternative = 0
        nodes[place].alternatives = 1
        nodes[place].next += 1
      }
      if nodes[place].next < node.enabled.count {
        run.restore(node.snapshot)
        text.cut(to: node.length)
        return true
      }
      nodes.removeLast()
    }
    return false
  }

  private func takeNext() -> Int32 {
    let place = nodes.count - 1
    let actor = nodes[place].enabled[nodes[place].next]
    step.clear()
    run.take(actor, nodes[place].alternative, into: &step)
    nodes[place].alternatives = step.alternatives
    return actor
  }
}
