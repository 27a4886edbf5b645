import RunLoopEngine
import RunLoopScript

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The watch over a run: ends it at the date that was asked for, when it hangs, and by Ctrl-C.
extension LiveRun {
  func startWatch() {
    let run = Unmanaged.passRetained(self).toOpaque()
    #if canImport(Darwin)
      var handle: pthread_t?
    #else
      var handle = pthread_t()
    #endif
    pthread_create(
      &handle, nil,
      { run in
        #if canImport(Darwin)
          let context = UnsafeRawPointer(run)
        #else
          let context = UnsafeRawPointer(run.unsafelyUnwrapped)
        #endif
        Unmanaged<LiveRun>.fromOpaque(context).takeUnretainedValue().watch()
      }, run)
  }

  private func watch() -> Never {
    let timeout = Nanoseconds(seconds: options.timeout / clock.scale)
    let isWanted = options.until <= timeout
    let date = min(options.until, timeout)
    while clock.now < date {
      guard Interrupt.wait(atMost: min(clock.real(date - clock.now), 3600)) else { continue }
      lock()
      update()
      finished(End(outcome: session.interrupt(), notes: notes, report: report()))
    }
    lock()
    update()
    if isWanted { finish(.until, report: report()) }
    notes.append("the run had not ended after \(options.timeout) s (--timeout)")
    finish(.limit, detail: "timeout", report: report())
  }

  /// What each thread is doing.
  private func report() -> String {
    var text = ""
    for thread in threads.values.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
      text += "\(name(thread.id)): \(describe(thread))\n"
    }
    return text
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
