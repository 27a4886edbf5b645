/// What scripts do to timers: firing by hand, dates, modes (semantics 2.3).

extension System {
  // MARK: By hand

  /// `timer:fire()`: outside of its schedule; a one-shot is done then.
  mutating func fireByHand(_ timer: Int32, _ thread: Int32) -> Step {
    let record = places.timers[Int(timer)]
    guard record.isValid else { return .result(.none) }
    if let failure = refusal(toCall: record.callback, on: thread) { return .result(.failure(failure)) }
    tick &+= 1
    postFire(timer, scheduled: now, thread)
    countFire(Int(timer))
    forgetMissed(Int(timer))
    let frame = push(.handFire, on: thread, fromHost: true)
    frames[frame].item = timer
    return advance(thread)
  }

  mutating func stepHandFire(_ frame: Int, _ thread: Int32) -> Flow {
    let timer = frames[frame].item
    if frames[frame].step == 0 {
      frames[frame].step = 1
      callout = Callout(kind: .timer, callback: places.timers[Int(timer)].callback, object: timer)
      if callout.callback != .none { return .call }
    }
    endHandFire(timer)
    result = .none
    return .done
  }

  /// A fire by hand is over, or was left by an error, and has been all the same: a one-shot is done.
  mutating func endHandFire(_ timer: Int32) {
    if places.timers[Int(timer)].interval <= 0 { invalidateTimer(timer) }
  }

  // MARK: Dates

  /// `timer:setNextFireDate(date)`: a past date means now; the timer port is armed before another thread's loop is woken
  /// (CFRunLoopTimerSetNextFireDate).
  mutating func setNextFireDate(_ timer: Int32, _ date: Nanoseconds, _ thread: Int32) -> Step {
    let index = Int(timer)
    guard places.timers[index].isValid else { return .result(.none) }
    let present = readNow()
    places.timers[index].date = date
    move(timer, to: date <= now ? present : Instant(date))
    let loop = places.timers[index].loop
    if loop >= 0, loops[Int(loop)].thread != thread { _ = wakeLoop(loop, .wakeUp) }
    return .result(.none)
  }

  /// Puts a timer at another instant, in all of its modes (__CFRepositionTimerInMode).
  mutating func move(_ timer: Int32, to instant: Instant) {
    let index = Int(timer)
    places.timers[index].fire = instant
    let mode = places.firstMode(of: timer)
    guard mode >= 0 else { return }
    reposition(timer, instant, mode)
    guard places.timers[index].more >= 0 else { return }
    for other in places.modes(of: timer).dropFirst() { reposition(timer, instant, other) }
  }

  private mutating func reposition(_ timer: Int32, _ instant: Instant, _ mode: Int32) {
    let place = places.place(of: timer, in: mode)
    modes[Int(mode)].timers.reposition(
      at: place, TimerHeap.Entry(fire: instant, timer: timer, sequence: nextSequence()), mode: mode, places: &places)
    if unarmedMode == mode, modes[Int(mode)].timers.first.fire.nanoseconds > now { return }
    arm(mode)
  }

  /// `timer:setTolerance(s)`: stored only, applied at the next arming; at most half the interval (2.8: not on Linux).
  mutating func setTolerance(_ timer: Int32, _ tolerance: Nanoseconds) {
    guard configuration.profile != .linux else { return }
    let index = Int(timer)
    let period = places.timers[index].period
    let capped = places.timers[index].interval > 0 ? min(max(0, tolerance), period / 2) : max(0, tolerance)
    let change: Int32 = (capped > 0 ? 1 : 0) - (places.details[index].tolerance > 0 ? 1 : 0)
    places.details[index].tolerance = capped
    if change != 0 { for mode in places.modes(of: timer) { modes[Int(mode)].tolerant += change } }
  }

  // MARK: Membership

  mutating func insertTimer(_ timer: Int32, _ loop: Int32, _ mode: Int32) {
    guard places.place(of: timer, in: mode) < 0 else { return }
    if places.timers[Int(timer)].loop < 0 {
      places.timers[Int(timer)].loop = loop
      enterPending(timer, loop)
    }
    places.enter(timer, mode: mode)
    let entry = TimerHeap.Entry(fire: places.timers[Int(timer)].fire, timer: timer, sequence: nextSequence())
    modes[Int(mode)].timers.insert(entry, mode: mode, places: &places)
    if places.details[Int(timer)].tolerance > 0 { modes[Int(mode)].tolerant += 1 }
    arm(mode)
  }

  mutating func removeTimer(_ timer: Int32, _ mode: Int32) {
    let place = places.place(of: timer, in: mode)
    guard place >= 0 else { return }
    modes[Int(mode)].timers.remove(at: place, mode: mode, places: &places)
    places.leave(timer, mode: mode)
    if places.details[Int(timer)].tolerance > 0 { modes[Int(mode)].tolerant -= 1 }
    if places.firstMode(of: timer) < 0 {
      leavePending(timer, places.timers[Int(timer)].loop)
      places.timers[Int(timer)].loop = -1
    }
    arm(mode)
  }

  mutating func invalidateTimer(_ timer: Int32) {
    let index = Int(timer)
    guard places.timers[index].isValid else { return }
    places.timers[index].isValid = false
    if places.firstMode(of: timer) >= 0 {
      let timerModes = places.modes(of: timer)
      forgetCommonItem(.timer(TimerID(rawValue: timer)), timerModes)
      for mode in timerModes { removeTimer(timer, mode) }
    }
    release(places.timers[index].callback)
    places.timers[index].callback = .none
    let perform = places.timers[index].perform
    if perform >= 0 {
      release(delayedPerforms[Int(perform)].request.argument)
      release(delayedPerforms[Int(perform)].request.target)
    }
  }
}
