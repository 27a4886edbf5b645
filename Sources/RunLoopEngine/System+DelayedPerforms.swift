/// A perform after delay, which its timer carries out.
struct DelayedPerform: Equatable, Sendable {
  var request: PerformRequest
  var timer: Int32
  /// Its neighbours among those of the same loop that are pending.
  var previous: Int32 = -1
  var next: Int32 = -1
}

/// Performs after delay (performSelector:withObject:afterDelay:inModes:).
extension System {
  /// `rl.performAfterDelay`: a one-shot timer of the current loop.
  mutating func performAfterDelay(_ delay: Nanoseconds, _ request: PerformRequest, _ thread: Int32) -> Step {
    let loop = currentLoop(of: ThreadID(rawValue: thread)).rawValue
    let timer = makeDelayedPerform(delay, request)
    for name in names(in: request.modes) { _ = add(.timer(timer), loop, name, thread) }
    return .result(.none)
  }

  /// A one-shot timer for a request; in no loop yet.
  mutating func makeDelayedPerform(_ delay: Nanoseconds, _ request: PerformRequest) -> TimerID {
    let timer = makeTimer(
      name: request.name, fireDate: now.saturatingAdd(max(0, delay)), interval: 0, repeats: false, tolerance: 0,
      order: 0, fire: request.callback)
    delayedPerforms.append(DelayedPerform(request: request, timer: timer.rawValue))
    places.timers[timer.index].perform = Int32(delayedPerforms.count - 1)
    return timer
  }

  /// A timer has entered a loop: if it is for a perform, that is pending from now on, as the latest one.
  mutating func enterPending(_ timer: Int32, _ loop: Int32) {
    let perform = places.timers[Int(timer)].perform
    guard perform >= 0 else { return }
    let last = loops[Int(loop)].lastDelayed
    delayedPerforms[Int(perform)].previous = last
    if last >= 0 { delayedPerforms[Int(last)].next = perform } else { loops[Int(loop)].firstDelayed = perform }
    loops[Int(loop)].lastDelayed = perform
  }

  /// A timer leaves its loop: if it is for a perform, that is not pending any more.
  mutating func leavePending(_ timer: Int32, _ loop: Int32) {
    let perform = places.timers[Int(timer)].perform
    guard perform >= 0 else { return }
    let (previous, next) = (delayedPerforms[Int(perform)].previous, delayedPerforms[Int(perform)].next)
    if previous >= 0 { delayedPerforms[Int(previous)].next = next } else { loops[Int(loop)].firstDelayed = next }
    if next >= 0 { delayedPerforms[Int(next)].previous = previous } else { loops[Int(loop)].lastDelayed = previous }
    delayedPerforms[Int(perform)].previous = -1
    delayedPerforms[Int(perform)].next = -1
  }

  /// The after-delay requests of a thread's loop that have not been carried out, oldest first.
  ///
  /// - Complexity: O(n) in those.
  func pendingDelayedPerforms(of thread: ThreadID) -> [(timer: TimerID, request: PerformRequest)] {
    let loop = threads[thread.index].loop
    guard loop >= 0 else { return [] }
    var found: [(timer: TimerID, request: PerformRequest)] = []
    var perform = loops[Int(loop)].firstDelayed
    while perform >= 0 {
      let record = delayedPerforms[Int(perform)]
      found.append((TimerID(rawValue: record.timer), record.request))
      perform = record.next
    }
    return found
  }
}
