/// Timers (semantics 2.3).

extension System {
  // MARK: Arming the timer port

  /// Arms the timer port of a mode for its next timer that is not firing (__CFArmNextTimerInMode).
  ///
  /// The soft deadline is the first fire instant, the hard one the last moment that every tolerance before it allows;
  /// the port becomes ready at the hard one. Deadlines that have not changed arm nothing anew.
  mutating func arm(_ mode: Int32) {
    let index = Int(mode)
    if unarmedMode == mode { unarmedMode = -1 }
    let (soft, hard) = nextDeadlines(mode)
    defer {
      modes[index].softDeadline = soft
      modes[index].hardDeadline = hard
    }
    if soft == .distantFuture {
      // The library on Linux leaves its timer port as it is: armed, it wakes once for nothing.
      guard configuration.profile != .linux else { return }
      disarm(mode)
      return
    }
    guard soft != modes[index].softDeadline || hard != modes[index].hardDeadline else { return }
    armPort(mode, hard.nanoseconds)
  }

  /// Arms the port when the clock next moves: none of the mode's other timers is due, so until then nobody can tell.
  /// Most often the timer that is firing is back in its place before, and this one arming is saved.
  private mutating func armLater(_ mode: Int32) {
    // A port that is armed or ready for a moment that has passed is seen by the callback. (On Linux it would not even be
    // disarmed by what the callback may do.)
    let isArmed = modes[Int(mode)].timerIsReady || modes[Int(mode)].alarm >= 0
    guard !isArmed, configuration.quietPasses, configuration.profile != .linux else { return arm(mode) }
    if unarmedMode >= 0, unarmedMode != mode { arm(unarmedMode) }
    unarmedMode = mode
  }

  /// Makes up for an arming that was put off.
  mutating func armNow() {
    guard unarmedMode >= 0 else { return }
    let mode = unarmedMode
    unarmedMode = -1
    arm(mode)
  }

  private mutating func armPort(_ mode: Int32, _ date: Nanoseconds) {
    let index = Int(mode)
    if date != .distantFuture { readsClock() }
    // Armed anew, a port that was ready loses its place among the ready ones (2.2 step 9).
    if modes[index].timerIsReady {
      modes[index].timerIsReady = false
      becameUnready(ReadyEntry.timer, mode)
    }
    if date <= now {
      if modes[index].alarm >= 0 {
        changesDates()
        agenda.cancel(modes[index].alarm)
        modes[index].alarm = -1
      }
      timerPortIsReady(mode)
      return
    }
    if date == .distantFuture {
      disarm(mode)
    } else if modes[index].alarm >= 0 {
      makesDate()
      agenda.move(modes[index].alarm, to: date)
    } else {
      makesDate()
      modes[index].alarm = agenda.schedule(.timerPort, mode, at: date)
    }
  }

  private mutating func disarm(_ mode: Int32) {
    let index = Int(mode)
    if modes[index].alarm >= 0 {
      changesDates()
      agenda.cancel(modes[index].alarm)
      modes[index].alarm = -1
    }
    if modes[index].timerIsReady {
      modes[index].timerIsReady = false
      becameUnready(ReadyEntry.timer, mode)
    }
  }

  mutating func timerPortIsReady(_ mode: Int32) {
    modes[Int(mode)].timerIsReady = true
    becameReady(ReadyEntry.timer, mode)
  }

  /// Forgets the deadlines, so that the next arming is made even for equal ones.
  private mutating func forgetDeadlines(_ mode: Int32) {
    modes[Int(mode)].softDeadline = .distantFuture
    modes[Int(mode)].hardDeadline = .distantFuture
  }

  /// The port woke the loop and no timer was due: a tolerance, or a port left armed.
  mutating func rearmAfterNothingFired(_ mode: Int32) {
    forgetDeadlines(mode)
    arm(mode)
  }

  private mutating func nextDeadlines(_ mode: Int32) -> (soft: Instant, hard: Instant) {
    let index = Int(mode)
    guard !modes[index].timers.isEmpty else { return (.distantFuture, .distantFuture) }
    if modes[index].tolerant == 0 {
      let soft = firstNotFiring(index)
      return (soft, soft)
    }
    var deadlines = (soft: Instant.distantFuture, hard: Instant.distantFuture)
    addDeadlines(index, 0, &deadlines)
    return deadlines
  }

  /// The same for a place of the heap and below. Beyond the hard deadline nothing can change it: that subtree is left.
  private mutating func addDeadlines(_ mode: Int, _ place: Int, _ deadlines: inout (soft: Instant, hard: Instant)) {
    let entry = modes[mode].timers[place]
    guard entry.fire <= deadlines.hard, entry.fire.nanoseconds < .distantFuture else { return }
    if !places.timers[Int(entry.timer)].isFiring {
      let tolerance = places.details[Int(entry.timer)].tolerance
      deadlines.soft = min(deadlines.soft, entry.fire)
      deadlines.hard = min(
        deadlines.hard, Instant(entry.fire.nanoseconds.saturatingAdd(tolerance), tick: entry.fire.tick))
    }
    for child in modes[mode].timers.children(of: place) { addDeadlines(mode, child, &deadlines) }
  }

  /// The least fire instant of the timers that are not firing: most often that of the root or the one after it.
  private mutating func firstNotFiring(_ mode: Int) -> Instant {
    let root = modes[mode].timers.first
    if !places.timers[Int(root.timer)].isFiring { return min(root.fire, .distantFuture) }
    let second = modes[mode].timers.second()
    guard second >= 0 else { return .distantFuture }
    let next = modes[mode].timers[second]
    if !places.timers[Int(next.timer)].isFiring { return min(next.fire, .distantFuture) }
    return firstNotFiring(mode, 0, .distantFuture)
  }

  /// The same at a place of the heap and below, when it is before `least`.
  private mutating func firstNotFiring(_ mode: Int, _ place: Int, _ least: Instant) -> Instant {
    guard place < modes[mode].timers.count else { return least }
    let entry = modes[mode].timers[place]
    guard entry.fire < least else { return least }
    if !places.timers[Int(entry.timer)].isFiring { return entry.fire }
    var least = least
    for child in modes[mode].timers.children(of: place) { least = firstNotFiring(mode, child, least) }
    return least
  }

  // MARK: Firing

  /// Collects the timers that are due now, in list order (__CFRunLoopDoTimers); false when there are none.
  mutating func collectDueTimers(_ frame: Int) -> Bool {
    let mode = Int(frames[frame].mode)
    guard !modes[mode].timers.isEmpty else { return false }
    tick &+= 1
    let root = modes[mode].timers.first
    guard root.fire.nanoseconds <= now else { return false }
    if modes[mode].timers.isRootAlone(through: now) {
      guard !places.timers[Int(root.timer)].isFiring else { return false }
      frames[frame].item = root.timer
      return true
    }
    var first: Int32 = -1
    var last: Int32 = -1
    for entry in modes[mode].timers.sorted(through: now) where !places.timers[Int(entry.timer)].isFiring {
      addCell(entry.timer, first: &first, last: &last)
    }
    frames[frame].list = first
    frames[frame].item = -1
    return first >= 0
  }

  /// The next timer of the collected ones: the single one that was due, or the batch's next.
  @inline(__always)
  mutating func takeDueTimer(_ frame: Int) -> Int32? {
    let single = frames[frame].item
    if single >= 0 {
      frames[frame].item = -1
      return single
    }
    return takeCell(frame)?.a
  }

  /// Begins a fire; false when the timer is no longer valid, due or in this loop, or is firing (__CFRunLoopDoTimer).
  mutating func beginFire(_ timer: Int32, _ frame: Int, _ thread: Int32) -> Bool {
    let index = Int(timer)
    let fire = places.timers[index].fire
    guard places.timers[index].isValid, fire.nanoseconds <= now, !places.timers[index].isFiring,
      places.timers[index].loop == frames[frame].loop
    else { return false }
    let period = places.timers[index].period
    let late = now - fire.nanoseconds
    frames[frame].passed = period > 0 && late >= period ? late / period : 0
    countMissed(index, frames[frame].passed)
    postFire(timer, scheduled: fire.nanoseconds, thread)
    forgetMissed(index)
    countFire(index)
    places.timers[index].isFiring = true
    frames[frame].item = timer
    frames[frame].fired = fire
    forgetDeadlines(frames[frame].mode)
    if frames[frame].list < 0 { armLater(frames[frame].mode) } else { arm(frames[frame].mode) }
    if configuration.profile != .linux, places.timers[index].more >= 0 {
      for mode in places.modes(of: timer) where mode != frames[frame].mode { arm(mode) }
    }
    callout = Callout(kind: .timer, callback: places.timers[index].callback, object: timer)
    if places.timers[index].perform >= 0 {
      callout.kind = .perform
      callout.value = delayedPerforms[Int(places.timers[index].perform)].request.argument
    }
    return true
  }

  /// Ends a fire: a one-shot is done; a date set to later than the fired one is kept; otherwise the timer goes to the
  /// first point of its grid after now. False when that ends the process: the library's advance along a grid of no width.
  mutating func endFire(_ frame: Int) -> Bool {
    let timer = frames[frame].item
    let index = Int(timer)
    frames[frame].item = -1
    if places.timers[index].interval <= 0 { invalidateTimer(timer) }
    places.timers[index].isFiring = false
    guard places.timers[index].isValid else { return true }
    tick &+= 1
    let fired = frames[frame].fired
    if fired < places.timers[index].fire {
      arm(frames[frame].mode)
      return true
    }
    guard places.timers[index].period > 0 else {
      let name = names[places.details[index].name]
      let made = places.details[index].origin.position
      trap(
        [("reason", "aTimerIntervalBelowOneNanosecond"), ("timer", name)], loops[Int(frames[frame].loop)].thread,
        at: made.line > 0 ? made : frames[frame].position,
        "the interval of the repeating timer '\(name)' is below one nanosecond")
      return false
    }
    let next = nextGridPoint(index, after: fired, passedBefore: frames[frame].passed)
    places.timers[index].date = next.nanoseconds
    move(timer, to: next)
    return true
  }

  private mutating func nextGridPoint(_ index: Int, after fired: Instant, passedBefore: Int64) -> Instant {
    let period = places.timers[index].period
    if Nanoseconds.distantFuture - period <= fired.nanoseconds { return .distantFuture }
    let late = now - fired.nanoseconds
    let points = late < period ? 0 : late / period
    // Points that passed while the callback ran.
    countMissed(index, points - passedBefore)
    return Instant((fired.nanoseconds + points * period).saturatingAdd(period), tick: fired.tick)
  }

  private mutating func countMissed(_ index: Int, _ count: Int64) {
    guard count > 0 else { return }
    places.timers[index].hasMissed = true
    places.details[index].missed += count
    places.details[index].missedSinceFire += count
  }

  /// A fire begins, which tells of them.
  @inline(__always)
  mutating func forgetMissed(_ index: Int) {
    guard places.timers[index].hasMissed else { return }
    places.timers[index].hasMissed = false
    places.details[index].missedSinceFire = 0
  }

  @inline(__always)
  mutating func postFire(_ timer: Int32, scheduled: Nanoseconds, _ thread: Int32) {
    guard traces(.timer) || traces(.block) else { return }
    postTracedFire(timer, scheduled: scheduled, thread)
  }

  private mutating func postTracedFire(_ timer: Int32, scheduled: Nanoseconds, _ thread: Int32) {
    let record = places.timers[Int(timer)]
    if record.perform >= 0 {
      guard traces(.block) else { return }
      var event = event(.perform, thread)
      event.subject = delayedPerforms[Int(record.perform)].request.name
      events.append(event)
      return
    }
    guard traces(.timer) else { return }
    var event = event(.timer, thread)
    event.subject = places.details[Int(timer)].name
    event.a = Int64(fireCount(TimerID(rawValue: timer))) + 1
    event.b = scheduled
    event.c = places.details[Int(timer)].missedSinceFire
    events.append(event)
  }
}
