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
    case signal, wakeUp, unlock, condition, semaphore
  }

  private struct Key: Hashable {
    var kind: Kind
    var name: NameID
  }

  /// The first of its kind that nothing has answered to.
  private var pending: [Key: TimelinePoint] = [:]
  /// Messages on their way, by port, oldest first.
  private var messages: [NameID: [TimelinePoint]] = [:]
  /// Where a thread woke last: when somebody asked it to perform something.
  private var wakes: [Int: Moment] = [:]
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
    case .afterWaiting:
      wakes[point.lane] = point.moment
      let wakeUp = end(.wakeUp, context.threadName(event.thread), "wakeUp")
      return event.a == WakeReason.wakeUp.rawValue ? wakeUp : []
    case .perform:
      // The request itself is no event: where it wakes the thread, it was made at that moment.
      guard let lane = lanes[event.other], lane != point.lane else { return [] }
      return [Arrow(title: "perform", from: TimelinePoint(lane: lane, moment: wakes[point.lane] ?? point.moment))]
    case .lockWait: blocked[point.lane] = event.subject
    case .unlock, .lockBreak: pending[Key(kind: .unlock, name: event.subject)] = point
    case .lock:
      let waited = blocked.removeValue(forKey: point.lane) == event.subject
      let unlock = end(.unlock, event.subject, "unlock")
      return waited ? unlock : []
    case .conditionSignal: begin(.condition, event.subject, point)
    case .conditionWake where event.flags == 0: return end(.condition, event.subject, "signal")
    case .semaphoreSignal: begin(.semaphore, event.subject, point)
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
