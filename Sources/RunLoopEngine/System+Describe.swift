/// What each thread is doing and what keeps each loop alive, as text for people (`--explain`, `rl.describe`).

extension System {
  /// Every thread, with its loop.
  mutating func describe() -> String {
    var text = ""
    for thread in threads.indices { text += describe(ThreadID(thread)) }
    return text
  }

  /// One thread, with its loop if it has one. Lines end in a line break.
  mutating func describe(_ thread: ThreadID) -> String {
    let record = threads[thread.index]
    var text = "thread \(names[record.name]): \(doing(record))\(missed(by: thread.rawValue))\n"
    text += describeHolds(thread)
    if record.loop >= 0 { text += describe(LoopID(rawValue: record.loop)) }
    return text
  }

  private func doing(_ record: ThreadRecord) -> String {
    let place = names.text(of: record.waitPosition, after: " at ")
    switch record.state {
    case .new: return "new, not started"
    case .ready: return working > 0 && working == configuration.cores ? "ready, waits for a processor" : "ready"
    case .running: return record.waitPosition.line > 0 && busyThread >= 0 ? "running\(place)" : "running"
    case .ended: return "ended"
    case .blocked:
      switch record.wait {
      case .loop: return "waits in its run loop"
      case .sleep: return "sleeps\(alarmText(record))\(place)"
      case .work: return "works\(alarmText(record))\(place)"
      case .join(let target): return "waits for the end of \(names[threads[Int(target)].name])\(place)"
      case .room(let port): return "waits for room in port \(names[ports[Int(port)].name])\(place)"
      case .perform(let target): return "waits for its perform on \(names[threads[Int(target)].name])\(place)"
      case .mainQueue: return "waits for its block on the main queue\(place)"
      case .semaphore(let semaphore):
        return "waits for semaphore \(names[semaphores[Int(semaphore)].name])\(alarmText(record))\(place)"
      case .condition(let lock):
        return "waits for condition \(names[locks[Int(lock)].name])\(alarmText(record))\(place)"
      case .lock(let lock), .spin(let lock), .retake(let lock), .once(let lock), .readLock(let lock),
        .writeLock(let lock):
        return "waits for \(lockText(lock))\(alarmText(record))\(place)"
      case .lockWhen(let lock, let value):
        return
          "waits for \(lockText(lock)) with condition \(value); it has \(locks[Int(lock)].value)\(alarmText(record))\(place)"
      case .none: return "blocked"
      }
    }
  }

  private func alarmText(_ record: ThreadRecord) -> String {
    guard record.alarm >= 0, let date = agenda.date(of: record.alarm) else { return "" }
    return " until \(dateText(date))"
  }

  /// One loop: what it runs, and for each mode what is in it. Lines end in a line break.
  mutating func describe(_ loop: LoopID) -> String {
    let record = loops[loop.index]
    var text = "  loop of \(names[threads[Int(record.thread)].name]): "
    if record.isGone {
      text += "gone with its thread\n"
    } else if record.activation < 0 {
      text += "not running\n"
    } else {
      text += "runs \(activations(record).joined(separator: ", inside ")), "
      text += "\(record.isWaiting ? "waiting" : "awake")\n"
    }
    var counts = record.wakeCounts
    counts[Int(WakeReason.timer.rawValue)] = record.timerWakes
    let reasons: [(WakeReason, String)] = [
      (.timer, "timer"), (.port, "port"), (.wakeUp, "wakeUp"), (.timeout, "timeout"), (.stop, "stop"),
      (.mainQueue, "mainQueue"), (.nothing, "nothing"),
    ]
    let wakes = reasons.filter { counts[Int($0.0.rawValue)] > 0 }.map { "\($0.1) \(counts[Int($0.0.rawValue)])" }
    if !wakes.isEmpty {
      let vain = record.wakeCounts[LoopRecord.wakesForNothing]
      text += "    woken by: \(wakes.joined(separator: ", "))\(vain > 0 ? "; for nothing \(vain)" : "")\n"
    }
    for mode in record.modes { text += describeMode(mode) }
    if record.thread == 0 {
      text += "    main queue: \(length(firstQueued)) queued\(isInMainQueueBlock ? ", inside one of its blocks" : "")\n"
    }
    return text
  }

  private func activations(_ record: LoopRecord) -> [String] {
    var found: [String] = []
    var activation = record.activation
    while activation >= 0 {
      let frame = frames[Int(activation)]
      var text = "mode \(names[modes[Int(frame.mode)].name])"
      if frame.deadline != .distantFuture, frame.deadline != .distantPast {
        text += " until \(dateText(frame.deadline))"
      }
      if frame.isStopped { text += " (stopped)" }
      found.append(text)
      activation = frame.previous
    }
    return found
  }

  private func length(_ first: Int32) -> Int {
    var count = 0
    var block = first
    while block >= 0 {
      count += 1
      block = blocks[Int(block)].next
    }
    return count
  }

  private mutating func describeMode(_ mode: Int32) -> String {
    let record = modes[Int(mode)]
    let isRunning =
      loops[Int(record.loop)].activation >= 0
      && frames[Int(loops[Int(record.loop)].activation)].mode == mode
    var parts: [String] = []
    for source in record.sources {
      let state = sources[Int(source)].isSignalled ? "signalled" : "silent"
      parts.append("source \(names[sources[Int(source)].name]) (\(state))")
    }
    for port in record.ports {
      parts.append("port \(names[ports[Int(port)].name]) (\(ports[Int(port)].messages.count) queued)")
    }
    for entry in record.timers.sorted(through: .distantFuture) {
      let isFiring = places.timers[Int(entry.timer)].isFiring
      let name = names[places.details[Int(entry.timer)].name]
      parts.append("timer \(name) (\(isFiring ? "firing" : "at \(dateText(entry.fire.nanoseconds))"))")
    }
    var blockCount = 0
    var block = loops[Int(record.loop)].firstBlock
    while block >= 0 {
      if modeList(blocks[Int(block)].modes, includes: mode) { blockCount += 1 }
      block = blocks[Int(block)].next
    }
    if blockCount > 0 { parts.append("blocks: \(blockCount)") }
    var performCount = 0
    var perform = threads[Int(loops[Int(record.loop)].thread)].firstPerform
    while perform >= 0 {
      if modeList(performs[Int(perform)].request.modes, includes: mode) { performCount += 1 }
      perform = performs[Int(perform)].next
    }
    if performCount > 0 { parts.append("performs: \(performCount)") }
    for observer in record.observers { parts.append("observer \(names[observers[Int(observer)].name])") }
    let label = "\(names[record.name])\(record.isCommon ? " (common)" : "")\(isRunning ? " (running)" : "")"
    let alive = isEmpty(mode) ? "; empty: a run would finish at once" : ""
    return "    mode \(label): \(parts.isEmpty ? "nothing" : parts.joined(separator: ", "))\(alive)\n"
  }

  /// As in the trace, but for the date that has a name.
  private func dateText(_ date: Nanoseconds) -> String {
    date == .distantFuture ? "the distant future" : date.traceText
  }
}

extension Agenda {
  /// When an entry is due.
  func date(of slot: Int32) -> Nanoseconds? {
    entry(of: slot)?.nanoseconds
  }
}
