import CLuaHost
import RunLoopEngine
import RunLoopScript

/// What each thread was doing when a run was ended from outside.
extension LiveRun {
  /// - Parameter traceback: where the current thread computes, empty: in a call of the API; nil: all threads wait.
  func report(_ traceback: String?) -> String {
    var text = ""
    for thread in threads.values.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
      let what =
        if let traceback, thread.id == session.currentThread {
          "computes in Lua" + (traceback.isEmpty ? currentPlace : Self.place(in: traceback))
        } else {
          describe(thread) + place(of: thread)
            + (isKeptUp(thread) ? "; it is over, and the thread waits for its turn in Lua" : "")
        }
      text += "\(name(thread.id)): \(what)\n"
    }
    return text
  }

  /// The innermost place of a traceback: of `file:line: in …`, what stands before.
  private static func place(in traceback: String) -> String {
    for line in traceback.split(separator: "\n") where !line.hasPrefix("\t[") {
      if let end = line.firstRange(of: ": in ") {
        return " at \(line[line.index(after: line.startIndex)..<end.lowerBound])"
      }
    }
    return ""
  }

  /// Where the script has made the call in which the thread is.
  private func place(of thread: LiveThread) -> String {
    guard thread.isStarted, !thread.hasEnded, thread.aside.caller != nil, let host = session.luaHost
    else { return "" }
    if case .end = thread.doing { return "" }
    clh_take_up(host, &thread.aside)
    return currentPlace
  }

  /// Where the script has made the call that is carried out.
  private var currentPlace: String {
    guard let host = session.luaHost else { return "" }
    let place = clh_place(host)
    return place.line > 0 ? " at \(String(cString: clh_chunk_name(host, place.chunk))):\(place.line)" : ""
  }

  /// Whether what the thread did has come to its end, but another one computes in Lua.
  private func isKeptUp(_ thread: LiveThread) -> Bool {
    switch thread.doing {
    case .new, .running, .ended, .loop, .end: false
    default: byHandle.contains { $0.value === thread && waiting.contains($0.key) }
    }
  }

  private func describe(_ thread: LiveThread) -> String {
    switch thread.doing {
    case .new: "not started"
    case .running: "runs"
    case .ended: "has ended"
    case .loop(let mode): "runs its loop in mode \(session.simulation.names[mode])\(loopState(thread))"
    case .sleep: "sleeps"
    case .work: "computes"
    case .join(let other): "waits for the end of \(name(other))"
    case .perform(let other): "waits for a perform on \(name(other))"
    case .mainQueue: "waits for a block of the main queue"
    case .lock(let lock): "waits for the lock \(session.simulation.names[lock])"
    case .condition(let condition): "waits for the condition \(session.simulation.names[condition])"
    case .semaphore(let semaphore): "waits for the semaphore \(session.simulation.names[semaphore])"
    case .room(let port): "waits for room in the port \(session.simulation.names[port])"
    case .end: "has ended; the process waits for joinable threads"
    }
  }

  private func loopState(_ thread: LiveThread) -> String {
    guard let loop = loops[session.simulation.loop(of: thread.id)] else { return "" }
    let mode = currentMode(loop)
    let depth = loop.runs.count > 1 ? ", \(loop.runs.count) runs inside each other" : ""
    return (isWaiting(loop) ? ", waiting" : ", awake") + depth
      + (mode.isNone ? "" : ", current mode \(session.simulation.names[mode])")
  }

  private func name(_ thread: ThreadID) -> String { session.simulation.names[session.simulation.name(of: thread)] }
}
