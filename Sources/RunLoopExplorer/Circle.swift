import RunLoopEngine
import RunLoopScript

/// The words for the steps of a circle.
enum Circle {
  private static let maximum = 6

  /// For each thread its steps, each once, in the order of their text: the same wherever the circle is entered.
  static func words(
    _ steps: ArraySlice<ScriptRun.Taken>, _ run: ScriptRun
  ) -> [(thread: ThreadID, steps: String)] {
    var texts: [Int32: Set<String>] = [:]
    for step in steps where step.actor != clockActor {
      let words = OperationText.describe(step.operation, run.session.simulation)
      texts[step.actor, default: []].insert("\(words) at \(run.placeText(step.position))")
    }
    return texts.keys.sorted().map { actor in
      let lines = texts[actor, default: []].sorted()
      let more = lines.count > maximum ? ", ..." : ""
      return (ThreadID(rawValue: actor - 1), lines.prefix(maximum).joined(separator: ", ") + more)
    }
  }
}
