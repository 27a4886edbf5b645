/// The passes that nobody notices, at once.
///
/// After a timer has fired, the rest of the pass, the next pass up to its wait, and the wait itself often come to this:
/// the clock goes to the next timer of the same mode, and it fires. That is so when nothing is traced or observed on the
/// way, nothing is queued or signalled, no other thread can run, and nothing else is due before. Then this does what the
/// twelve steps would have done, and no more; a test holds both against each other.
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
    now = date
    tick = 0
    progress &+= 1
    steps &+= 1
    frames[frame].servedMainQueueLast = false
    frames[frame].wakeReason = .timer
    loops[Int(frames[frame].loop)].timerWakes += 1
    return next.timer
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
