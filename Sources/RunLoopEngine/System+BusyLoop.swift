/// A thread that goes round and round while the clock stands still, and whom that keeps waiting (semantics 5: `busyLoop`).
///
/// Threads have their turns one after the other, and time moves only when none can run: so one that never waits keeps all
/// the others from what they would do, also from what it may be looking for.
extension System {
  /// Ends the run: a thread's passes or runs were too many without a callout and without a step of the clock.
  ///
  /// - Parameter position: where the script asked for the last one.
  @inline(never)
  mutating func endInBusyLoop(_ thread: Int32, at position: Position) {
    guard ending == nil else { return }
    busyThread = thread
    threads[Int(thread)].waitPosition = position
    finish(.fault)
    let place = names.text(of: position, before: ": ")
    let name = names[threads[Int(thread)].name]
    let loop = threads[Int(thread)].loop
    let isEmpty = loop >= 0 && loops[Int(loop)].activation < 0
    let why = isEmpty ? "; each run ends at once, as there is nothing in its mode to wait for" : ""
    endMessage =
      "\(place)\(name) runs its loop again and again, \(configuration.busyLoopLimit) times without a callout and without a "
      + "step of the clock\(why)\(advice(against: thread))"
  }

  /// Posts the fault of a run that has ended so.
  ///
  /// - Parameter ready: the threads that were ready then.
  mutating func reportBusyLoop(ready: [Int32]) {
    let loop = threads[Int(busyThread)].loop
    var parts = [("thread", names[threads[Int(busyThread)].name])]
    if loop >= 0, loops[Int(loop)].activation >= 0 {
      parts.append(("mode", names[modes[Int(frames[Int(loops[Int(loop)].activation)].mode)].name]))
    }
    parts.append(("passes", "\(configuration.busyLoopLimit)"))
    parts += place(threads[Int(busyThread)].waitPosition)
    if !ready.isEmpty { parts.append(("ready", list(ready, separator: ","))) }
    postFault(.busyLoop, busyThread, parts)
  }

  /// The threads that would go on if they had a turn.
  mutating func readyThreads() -> [Int32] {
    var found: [Int32] = []
    for thread in threads.indices where threads[thread].state == .ready && Int32(thread) != busyThread {
      if threads[thread].isParked, !couldGoOn(Int32(thread)) { continue }
      found.append(Int32(thread))
    }
    return found
  }

  /// What keeps others from their turns while a thread does not wait, and what to do about it; a text that goes on with a
  /// semicolon, empty when nobody else is there.
  mutating func advice(against thread: Int32) -> String {
    let ready = readyThreads().filter { $0 != thread }
    if !ready.isEmpty {
      let who = "\(list(ready, separator: ", ")) \(ready.count == 1 ? "was" : "were")"
      return "; meanwhile \(who) ready and got no turn: a thread that does not wait gives others none. Call rl.yield() "
        + "in the loop, or wait for what it looks for (join, a condition, a semaphore, a run with a date ahead and a source "
        + "or port); 'rlsim explore' and --seed take turns"
    }
    let others = threads.indices.filter { index in
      guard Int32(index) != thread, threads[index].state == .blocked else { return false }
      return threads[index].alarm >= 0
    }
    guard !others.isEmpty else { return "" }
    let who = "\(list(others.map { Int32($0) }, separator: ", ")) \(others.count == 1 ? "waits" : "wait")"
    return "; \(who) for a later moment, which does not come while a thread does not wait. Wait for it (rl.sleep, "
      + "join, a run with a date ahead), or let time pass in the loop (rl.work)"
  }

  /// Names of threads; of many, the first ones and how many more there are.
  private func list(_ threads: [Int32], separator: String) -> String {
    let most = 3
    var parts = threads.prefix(most).map { names[self.threads[Int($0)].name] }
    if threads.count > most { parts.append("+\(threads.count - most)") }
    return parts.joined(separator: separator)
  }
}
