import RunLoopEngine
import RunLoopScript
import RunLoopTrace

/// One run of a script by a schedule.
public final class Replay {
  private let run: ScriptRun
  /// What the schedule and the script disagree about, in a sentence; nil when they agree.
  public private(set) var disagreement: String?
  /// Switches away from threads that could have gone on.
  public private(set) var preemptions = 0
  public var session: Session { run.session }

  /// Prepares a run.
  ///
  /// - Parameter consumer: is given the events.
  public init(_ options: ScriptOptions, _ settings: Schedule.Settings, consumer: (any TraceConsumer)? = nil) {
    run = ScriptRun(options, settings)
    run.maximumSteps = .max
    if let consumer { run.observer = { _ = consumer.consume($0) } }
  }

  /// Runs to the end.
  public func go(_ schedule: Schedule) -> Outcome {
    go { index, point in index < schedule.symbols.count ? schedule.symbols[index] : nil }
  }

  /// Runs to the end by a schedule of readable decisions.
  public func go(_ schedule: NamedSchedule) -> Outcome {
    var isFollowing = true
    return go { [self] index, point in
      guard isFollowing, index < schedule.decisions.count else { return nil }
      let decision = schedule.decisions[index]
      let place = point.enabled.firstIndex { run.name(of: $0) == decision.thread }
      if let place {
        let operation = run.describeNext(of: point.enabled[place])
        if disagreement == nil, operation != decision.operation {
          disagreement = "step \(index + 1): \(decision.thread) was about to \(decision.operation), now \(operation)"
        }
        return UInt32(place) + UInt32(point.enabled.count) * decision.alternative
      }
      disagreement = disagreement ?? "step \(index + 1): \(decision.thread) cannot go on"
      isFollowing = false
      return nil
    }
  }

  private func go(_ symbol: (Int, ChoicePoint) -> UInt32?) -> Outcome {
    var point = ChoicePoint()
    var step = StepRecord()
    var last: Int32 = -1
    var index = 0
    run.start()
    while true {
      run.look(after: last, into: &point)
      guard let first = point.enabled.first else { break }
      let count = UInt32(point.enabled.count)
      let choice = symbol(index, point) ?? 0
      if choice / count > 255 { disagreement = disagreement ?? "step \(index + 1): no such choice" }
      let actor = point.enabled[Int(choice % count)]
      if last > clockActor, actor != last, first == last {
        preemptions += 1
        run.session.simulation.postSwitch(from: ThreadID(rawValue: last - 1), to: ThreadID(rawValue: actor - 1))
      }
      step.clear()
      run.take(actor, Int32(min(choice / count, 255)), into: &step)
      last = actor
      index += 1
    }
    return run.record.outcome ?? Outcome(.limit, message: "the run was broken off")
  }
}
