/// The passes that nobody notices, at once.
///
/// After a timer has fired, the rest of the pass, the next pass up to its wait, and the wait itself often come to this:
/// the clock goes to the next timer of the same mode, and it fires. That is so when nobody observes the way, nothing is
/// queued or signalled, no other thread can run, and nothing else is due before. Then this does what the twelve steps
/// would have done, and no more; a test holds both against each other.
extension System {
  /// Goes to the next fire of the same loop: the timer that is due then. nil when the steps have to be taken one by one.
  @inline(__always)
  mutating func quietPass(_ frame: Int, _ thread: Int32) -> Int32? {
    let mode = Int(frames[frame].mode)
    guard unarmedMode == frames[frame].mode, modes[mode].alarm < 0, isQuiet(frame, mode, thread) else { return nil }
    let next = modes[mode].timers.first
    let date = next.fire.nanoseconds
    guard date > now, date <= quietUntil, !places.timers[Int(next.timer)].isFiring,
      agenda.isEmpty || agenda.first.nanoseconds > date, modes[mode].timers.isRootAlone(through: date)
    else { return nil }
    if traces(.activity) { postQuietPass(mode, thread, until: date) }
    now = date
    tick = 0
    progress &+= 1
    steps &+= 1
    frames[frame].servedMainQueueLast = false
    frames[frame].wakeReason = .timer
    loops[Int(frames[frame].loop)].timerWakes += 1
    return next.timer
  }

  /// What a callout's end leads to when it has called nothing: the end of its fire and the next fire, at once. That is
  /// the batch's next one, or else, when this one came by a quiet pass, that of another quiet pass: what that looks at is
  /// then as it was at the last one, but for the dates.
  ///
  /// nil: nothing of the kind, and `calloutReturned` goes on.
  @inline(__always)
  mutating func fireNextQuietly(_ thread: Int32, moreEventsThan count: Int) -> QuietFire? {
    let frame = Int(stillFrame)
    guard frame >= 0 else { return nil }
    if frames[frame].list >= 0 { return fireNextOfBatch(frame, thread, moreEventsThan: count) }
    let mode = frames[frame].mode
    let timer = frames[frame].item
    let ended = Int(timer)
    let period = places.timers[ended].period
    // Only repeating timers of a single mode. The timer is the heap's first: no other was due when it fired.
    guard period > 0, now < .distantFuture - period, places.timers[ended].more < 0,
      modes[Int(mode)].timers.first.timer == timer
    else { return nil }

    // The fire ends (endFire): it came on its date, so the next point of the grid is one interval later.
    let next = Instant(now + period, tick: frames[frame].fired.tick)
    places.timers[ended].isFiring = false
    places.timers[ended].date = next.nanoseconds
    places.timers[ended].fire = next
    let callback = modes[Int(mode)].timers.repositionRoot(
      next, sequence: nextSequence(), mode: mode, places: &places)

    // The pass up to the next fire (quietPass), unless it has to be taken step by step.
    let first = modes[Int(mode)].timers.first
    let date = first.fire.nanoseconds
    let index = Int(first.timer)
    guard callback != .none, places.timers[index].isPlain, date <= quietUntil,
      agenda.isEmpty || agenda.first.nanoseconds > date,
      steps &+ 1 < configuration.maximumSteps
    else {
      tick &+= 1
      stillFrame = -1
      frames[frame].item = -1
      frames[frame].activationStep = .nextTimer
      return nil
    }
    if traces(.activity) { postQuietPass(Int(mode), thread, until: date) }
    now = date
    tick = 0
    progress &+= 2
    steps &+= 2
    loops[Int(frames[frame].loop)].timerWakes += 1

    // The fire begins (beginFire).
    postFire(first.timer, scheduled: date, thread)
    forgetMissed(index)
    countFire(index)
    places.timers[index].isFiring = true
    frames[frame].item = first.timer
    frames[frame].fired = first.fire
    return QuietFire(
      timer: TimerID(rawValue: first.timer), needsHost: holds(moreEventsThan: count), callback: callback)
  }

  /// Whether the rest of a batch of timers may be fired at once, as long as the host asks for nothing.
  func batchIsStill(_ frame: Int, _ mode: Int, _ thread: Int32) -> Bool {
    frames[frame].list >= 0 && modes[mode].tolerant == 0 && configuration.quietPasses && !isExplored
      && threads[Int(thread)].pool < 0
  }

  /// Goes on with a batch of timers that are due at the same nanosecond, but for its last one.
  ///
  /// The timer port has been ready since the batch's first fire, as the next timer is due. To make it ready again at each
  /// fire, as the steps do, changes nothing while nothing else becomes ready.
  @inline(never)
  private mutating func fireNextOfBatch(_ frame: Int, _ thread: Int32, moreEventsThan count: Int) -> QuietFire? {
    let mode = frames[frame].mode
    let ended = frames[frame].item
    let cell = Int(frames[frame].list)
    let timer = cells[cell].a
    let index = Int(timer)
    let period = places.timers[Int(ended)].period
    let second = modes[Int(mode)].timers.second()
    guard cells[cell].next >= 0, second >= 0, frames[frame].fired.nanoseconds == now, period > 0,
      now < .distantFuture - period, places.timers[Int(ended)].more < 0, modes[Int(mode)].timers.first.timer == ended,
      modes[Int(mode)].timers[second].timer == timer, places.timers[index].fire.nanoseconds == now,
      places.timers[index].isPlain,
      steps &+ 1 < configuration.maximumSteps
    else { return nil }
    // The fire ends (endFire).
    let next = Instant(now + period, tick: frames[frame].fired.tick)
    places.timers[Int(ended)].isFiring = false
    places.timers[Int(ended)].date = next.nanoseconds
    places.timers[Int(ended)].fire = next
    tick &+= 1
    modes[Int(mode)].timers.repositionRoot(next, sequence: nextSequence(), mode: mode, places: &places)
    // The next one begins (takeDueTimer, beginFire).
    _ = takeCell(frame)
    progress &+= 1
    steps &+= 1
    postFire(timer, scheduled: now, thread)
    forgetMissed(index)
    countFire(index)
    places.timers[index].isFiring = true
    frames[frame].item = timer
    frames[frame].fired = places.timers[index].fire
    return QuietFire(
      timer: TimerID(rawValue: timer), needsHost: holds(moreEventsThan: count), callback: places.timers[index].callback)
  }

  /// The notifications of a pass that begins now and wakes up for a timer at `date`.
  @inline(never)
  private mutating func postQuietPass(_ mode: Int, _ thread: Int32, until date: Nanoseconds) {
    var event = event(.beforeTimers, thread)
    event.mode = modes[mode].name
    events.append(event)
    event.kind = .beforeSources
    events.append(event)
    event.kind = .beforeWaiting
    events.append(event)
    event.kind = .afterWaiting
    event.time = date
    event.a = WakeReason.timer.rawValue
    events.append(event)
  }

  /// Whether nothing but timers can be noticed or happen in the loop.
  @inline(__always)
  private mutating func isQuiet(_ frame: Int, _ mode: Int, _ thread: Int32) -> Bool {
    let loop = Int(frames[frame].loop)
    return firstReady < 0 && frames[frame].deadline > now && frames[frame].list < 0 && !frames[frame].isStopped
      && !frames[frame].poll
      && modes[mode].observerMask.isEmpty && modes[mode].signalled == 0 && modes[mode].firstReady < 0
      && modes[mode].tolerant == 0 && !modes[mode].timers.isEmpty && !modes[mode].timerIsReady
      && loops[loop].firstBlock < 0 && threads[Int(thread)].firstPerform < 0
      && (!mainQueueIsReady || !frames[frame].servesMainQueue) && steps < configuration.maximumSteps
      && !frames[frame].handled
  }
}
