import RunLoopEngine

/// Finds what woke or started what: a signal and its perform, a send and its receive, a wake-up and the end of a wait, an
/// unlock and the lock it made possible.
struct TimelineCauses {
  /// Where an arrow begins.
  struct Arrow {
    var title: String
    var from: TimelinePoint
  }

  private enum Kind: Hashable {
    case signal, wakeUp, stop, unlock, semaphore
  }

  private struct Key: Hashable {
    var kind: Kind
    var name: NameID
  }

  /// The first of its kind that nothing has answered to.
  private var pending: [Key: TimelinePoint] = [:]
  /// Messages on their way, by port, oldest first.
  private var messages: [NameID: [TimelinePoint]] = [:]
  /// Signals of conditions on their way, one for each waiter that they wake, oldest first.
  private var signals: [NameID: [TimelinePoint]] = [:]
  /// How many wait for a condition, or were woken and have not gone on yet.
  private var waiters: [NameID: Int] = [:]
  /// Where a thread was woken for the pass that it makes: when somebody asked it to perform something.
  private var wakes: [Int: (moment: Moment, hasBegun: Bool)] = [:]
  /// Which lane a thread's name belongs to.
  private var lanes: [NameID: Int] = [:]
  /// What a lane waits for.
  private var blocked: [Int: NameID] = [:]

  /// The arrows that end at an event, which may itself be the beginning of others.
  mutating func arrows(_ event: Event, at point: TimelinePoint, _ context: TraceContext) -> [Arrow] {
    lanes[context.threadName(event.thread)] = point.lane
    switch event.kind {
    case .sourceSignal: begin(.signal, event.subject, point)
    case .source: return end(.signal, event.subject, "signal")
    case .portSend, .messageSend: messages[event.subject, default: []].append(point)
    case .port, .message:
      guard let first = messages[event.subject]?.first else { return [] }
      messages[event.subject]?.removeFirst()
      return [Arrow(title: "send", from: first)]
    case .loopWakeUp where event.flags & 1 == 0: begin(.wakeUp, event.subject, point)
    // One that came while the loop was awake has woken nobody: the last one counts.
    case .loopStop where event.flags & 1 == 0: pending[Key(kind: .stop, name: event.subject)] = point
    case .afterWaiting:
      let reason = WakeReason(rawValue: event.a)
      wakes[point.lane] = reason == .wakeUp ? (point.moment, false) : nil
      let wakeUp = end(.wakeUp, context.threadName(event.thread), "wakeUp")
      let stop = end(.stop, context.threadName(event.thread), "stop")
      return reason == .wakeUp ? wakeUp : reason == .stop ? stop : []
    case .beforeTimers: wakes[point.lane] = wakes[point.lane].flatMap { $0.hasBegun ? nil : ($0.moment, true) }
    case .perform:
      // The request itself is no event: where it wakes the thread, it was made at that moment.
      guard let lane = lanes[event.other], lane != point.lane else { return [] }
      let moment = wakes[point.lane]?.moment ?? point.moment
      return [Arrow(title: "perform", from: TimelinePoint(lane: lane, moment: moment))]
    case .lockWait: blocked[point.lane] = event.subject
    case .lockBusy: blocked[point.lane] = nil
    case .unlock, .lockBreak: pending[Key(kind: .unlock, name: event.subject)] = point
    case .lock:
      let waited = blocked.removeValue(forKey: point.lane) == event.subject
      let unlock = end(.unlock, event.subject, "unlock")
      return waited ? unlock : []
    case .conditionWait: waiters[event.subject, default: 0] += 1
    // The two flags: nobody waited, and a broadcast.
    case .conditionSignal where event.flags & 1 == 0:
      let onTheirWay = signals[event.subject]?.count ?? 0
      let woken = event.flags & 2 == 0 ? 1 : max(0, waiters[event.subject, default: 0] - onTheirWay)
      signals[event.subject, default: []] += Array(repeating: point, count: woken)
    case .conditionWake:
      waiters[event.subject, default: 0] -= 1
      guard event.flags == 0, let first = signals[event.subject]?.first else { return [] }
      signals[event.subject]?.removeFirst()
      return [Arrow(title: "signal", from: first)]
    // Who is woken is told right after it: an earlier signal has woken nobody.
    case .semaphoreSignal: pending[Key(kind: .semaphore, name: event.subject)] = point
    case .semaphoreWake where event.flags == 0: return end(.semaphore, event.subject, "signal")
    default: break
    }
    return []
  }

  private mutating func begin(_ kind: Kind, _ name: NameID, _ point: TimelinePoint) {
    let key = Key(kind: kind, name: name)
    if pending[key] == nil { pending[key] = point }
  }

  private mutating func end(_ kind: Kind, _ name: NameID, _ title: String) -> [Arrow] {
    pending.removeValue(forKey: Key(kind: kind, name: name)).map { [Arrow(title: title, from: $0)] } ?? []
  }
}
