/// The deadline of an activation (semantics 2.2, step 3).

extension System {
  /// More than about 5·10⁸ s mean no deadline (TIMER_INTERVAL_LIMIT); 0 and less a poll.
  mutating func setDeadline(_ frame: Int, _ loop: Int32) {
    let seconds = frames[frame].deadline
    readsClock()
    if seconds <= 0 {
      frames[frame].deadline = .distantPast
    } else if seconds > 504_911_232_000_000_000 {
      frames[frame].deadline = .distantFuture
    } else {
      let date = now.saturatingAdd(seconds)
      frames[frame].deadline = date
      if date != .distantFuture {
        makesDate()
        frames[frame].alarm = agenda.schedule(.deadline, loop, at: date)
      }
    }
  }

  mutating func clearDeadline(_ frame: Int) {
    guard frames[frame].alarm >= 0 else { return }
    changesDates()
    agenda.cancel(frames[frame].alarm)
    frames[frame].alarm = -1
  }
}
