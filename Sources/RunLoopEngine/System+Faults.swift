/// How a run ends, and what was wrong with it (semantics 5).

extension System {
  /// An error that nothing caught ended the process.
  mutating func scriptFailed(on thread: ThreadID, message: String) {
    finish(.fault, "error")
    if !isClosed, !message.isEmpty {
      // What a script raised may be of any length.
      postFault(.error, thread.rawValue, [("message", String(message.prefix(1000)))])
    }
    close()
  }

  /// Ends the run, whatever goes on: the host was told to stop.
  mutating func abort(_ reason: EndReason, detail: String) {
    finish(reason, detail)
    close()
  }

  /// Posts what the end of the run leaves to say, once.
  mutating func close() {
    guard !isClosed else { return }
    isClosed = true
    if ending == .returned { terminateThreads() }
    let ready = busyThread >= 0 ? readyThreads() : []
    if isExplored { blockParkedThreads() }
    var isFaulty = ending == .fault
    if endDetail != "error" {
      isFaulty = reportDeadlocks() || isFaulty
      if ending == .idle {
        isFaulty = reportLostWakeups() || isFaulty
        isFaulty = reportStuck() || isFaulty
      }
    }
    if busyThread >= 0 { reportBusyLoop(ready: ready) }
    if endDetail == "trap" { postFault(.trap, -1, trapParts) }
    if failedExpectations > 0 {
      postFault(.expectation, -1, [("failed", "\(failedExpectations)")])
      isFaulty = true
    }
    if isFaulty, ending != .limit { ending = .fault }
    postEnd()
  }

  private mutating func postEnd() {
    var event = event(.end, -1)
    event.a = (ending ?? .idle).rawValue
    if !endDetail.isEmpty {
      let range = addText("detail=\(endDetail)".utf8)
      event.textStart = range.start
      event.textLength = range.length
    }
    events.append(event)
  }

  private mutating func terminateThreads() {
    for thread in threads.indices where threads[thread].state != .ended && threads[thread].state != .new {
      post(.threadTerminate, Int32(thread), subject: .none)
      dropPerforms(Int32(thread))
    }
  }

  // MARK: Faults

  /// Posts one line of a fault.
  mutating func postFault(_ kind: FaultKind, _ thread: Int32, _ parts: [(key: String, value: String)]) {
    let line = parts.map { "\($0.key)=\(quoted($0.value))" }.joined(separator: " ")
    let range = addText(line.utf8)
    var event = event(.fault, thread)
    event.a = kind.rawValue
    event.textStart = range.start
    event.textLength = range.length
    events.append(event)
  }

  func place(_ position: Position) -> [(key: String, value: String)] {
    position.line > 0 ? [("at", names.text(of: position))] : []
  }

  /// Loops that sleep for ever although something is there for them.
  private mutating func reportLostWakeups() -> Bool {
    var found = false
    for loop in loops.indices where loops[loop].isWaiting {
      let thread = loops[loop].thread
      let activation = Int(loops[loop].activation)
      let mode = frames[activation].mode
      let head = [("loop", names[threads[Int(thread)].name]), ("mode", names[modes[Int(mode)].name])]
      for source in modes[Int(mode)].sources where sources[Int(source)].isSignalled && sources[Int(source)].isValid {
        let record = sources[Int(source)]
        postFault(.lostWakeup, thread, head + [("signalled", names[record.name])] + place(record.signalPosition))
        found = true
      }
      var block = loops[loop].firstBlock
      while block >= 0 {
        if modeList(blocks[Int(block)].modes, includes: mode) {
          postFault(.lostWakeup, thread, head + [("queued", "block")] + place(blocks[Int(block)].position))
          found = true
        }
        block = blocks[Int(block)].next
      }
      var perform = threads[Int(thread)].firstPerform
      while perform >= 0 {
        let record = performs[Int(perform)]
        if modeList(record.request.modes, includes: mode) {
          postFault(.lostWakeup, thread, head + [("queued", names[record.request.name])] + place(record.position))
          found = true
        }
        perform = record.next
      }
      if frames[activation].isStopped {
        postFault(.lostWakeup, thread, head + [("stopped", "true")] + place(loops[loop].stopPosition))
        found = true
      }
      let deadline = frames[activation].deadline
      if deadline != .distantFuture, deadline <= now {
        postFault(.lostWakeup, thread, head + [("deadline", "passed")])
        found = true
      }
    }
    return found
  }

  /// Threads that wait for what nobody left can give.
  private mutating func reportStuck() -> Bool {
    var found = false
    for thread in threads.indices where threads[thread].state == .blocked && !threads[thread].isInDeadlock {
      if case .loop = threads[thread].wait { continue }
      postFault(.stuck, Int32(thread), waitParts(Int32(thread), on: awaited(by: Int32(thread)).first ?? -1))
      found = true
    }
    return found
  }
}

/// Writes a value as the text trace does: as it is, or as a Lua string literal when it holds a space, a quote, a control
/// character or nothing at all.
func quoted(_ text: String) -> String {
  let isPlain = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
  if isPlain { return text }
  var literal = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": literal += "\\\""
    case "\\": literal += "\\\\"
    case "\n": literal += "\\n"
    case "\r": literal += "\\r"
    case "\t": literal += "\\t"
    default:
      if scalar.value < 0x20 || scalar.value == 0x7F {
        let digits = String(scalar.value)
        literal += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      } else {
        literal.unicodeScalars.append(scalar)
      }
    }
  }
  return literal + "\""
}
