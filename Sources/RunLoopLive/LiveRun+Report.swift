import CLuaHost
import RunLoopEngine
import RunLoopScript

/// What each thread was doing when a run was ended from outside. From the books alone: the library may be held up, too.
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
            + (isInCallback(thread) ? ", in a callback of a source that may hold its loop" : "")
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
    case .library: "waits in the library for a run loop\(holders(but: thread))"
    case .end: "has ended; the process waits for joinable threads"
    }
  }

  /// Whether a schedule or cancel callback of a source is under way: the library may hold the loop's lock meanwhile.
  private func isInCallback(_ thread: LiveThread) -> Bool {
    if case .library = thread.doing { thread.loopHolds > 1 } else { thread.loopHolds > 0 }
  }

  private func holders(but thread: LiveThread) -> String {
    let others = threads.values.filter { $0 !== thread && isInCallback($0) }.map { name($0.id) }.sorted()
    return others.isEmpty ? "" : ", which \(others.joined(separator: " or ")) may hold"
  }

  private func loopState(_ thread: LiveThread) -> String {
    guard let loop = loops[session.simulation.loop(of: thread.id)] else { return "" }
    let depth = loop.runs.count > 1 ? ", \(loop.runs.count) runs inside each other" : ""
    return (loop.waits.contains(loop.runs.count) ? ", waiting" : ", awake") + depth
      + (loop.mode.isNone ? "" : ", current mode \(session.simulation.names[loop.mode])")
  }

  private func name(_ thread: ThreadID) -> String { session.simulation.names[session.simulation.name(of: thread)] }
}
