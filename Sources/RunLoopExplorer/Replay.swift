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

  private let marksSwitches: Bool
  private let maximumWatched = 5_000

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - consumer: is given the events.
  ///   - marksSwitches: whether preemptions are events, too.
  public init(
    _ options: ScriptOptions, _ settings: Schedule.Settings, consumer: (any TraceConsumer)? = nil,
    marksSwitches: Bool = true
  ) {
    self.marksSwitches = marksSwitches
    run = ScriptRun(options, settings)
    run.maximumSteps = .max
    if let consumer { run.observer = { _ = consumer.consume($0) } }
  }

  /// Runs to the end.
  public func go(_ schedule: Schedule) -> Outcome {
    go(schedule.symbols.count) { index, point in index < schedule.symbols.count ? schedule.symbols[index] : nil }
  }

  /// Runs to the end by a schedule of readable decisions.
  public func go(_ schedule: NamedSchedule) -> Outcome {
    var isFollowing = true
    return go(schedule.decisions.count) { [self] index, point in
      guard isFollowing, index < schedule.decisions.count else { return nil }
      let decision = schedule.decisions[index]
      let place =
        point.enabled.firstIndex { run.name(of: $0) == decision.thread && decision.number ?? $0 == $0 }
        // Where threads are made in another order by now.
        ?? point.enabled.firstIndex { [decision.thread, decision.who].contains(run.name(of: $0)) }
      if let place {
        let operation = run.describeNext(of: point.enabled[place])
        if disagreement == nil, operation != decision.operation {
          disagreement = "step \(index + 1): \(decision.who) was about to \(decision.operation), now \(operation)"
        }
        return UInt32(place) + UInt32(point.enabled.count) * decision.alternative
      }
      disagreement = disagreement ?? "step \(index + 1): \(decision.who) cannot go on"
      isFollowing = false
      return nil
    }
  }

  /// - Parameter length: how many steps the schedule has.
  private func go(_ length: Int, _ symbol: (Int, ChoicePoint) -> UInt32?) -> Outcome {
    var point = ChoicePoint()
    var step = StepRecord()
    var last: Int32 = -1
    var index = 0
    // To look for circles takes longer than the steps themselves.
    run.watch.start = length < maximumWatched ? .atOnce : .late
    run.start()
    while true {
      run.look(after: last, into: &point)
      // Circles count when the schedule is at its end: it may lead through some on its way.
      run.watch.endsInLivelock = index + 1 >= length
      if index >= length, run.record.outcome == nil, let first = run.returnedTo {
        let message = "after step \(index) all is as it was after step \(first): the run goes round for ever"
        return Outcome(.limit, message: message)
      }
      guard let first = point.enabled.first else { break }
      let count = UInt32(point.enabled.count)
      let choice = symbol(index, point) ?? 0
      if choice / count > 255 { disagreement = disagreement ?? "step \(index + 1): no such choice" }
      let actor = point.enabled[Int(choice % count)]
      if last > clockActor, actor != last, first == last {
        preemptions += 1
        if marksSwitches {
          run.session.simulation.postSwitch(from: ThreadID(rawValue: last - 1), to: ThreadID(rawValue: actor - 1))
        }
      }
      step.clear()
      run.take(actor, Int32(min(choice / count, 255)), into: &step)
      last = actor
      index += 1
    }
    return run.record.outcome ?? Outcome(.limit, message: "the run was broken off")
  }
}
