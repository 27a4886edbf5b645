import CLuaHost
@preconcurrency import CoreFoundation
import RunLoopEngine
import RunLoopScript

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Threads: each is a pthread, with another one that waits until the library has taken its loop apart.
extension LiveRun {
  /// What a new pthread is handed.
  private final class Start {
    let run: LiveRun
    let thread: LiveThread

    init(_ run: LiveRun, _ thread: LiveThread) {
      self.run = run
      self.thread = thread
    }

    static func from(_ start: UnsafeMutableRawPointer?) -> Start {
      Unmanaged<Start>.fromOpaque(UnsafeRawPointer(start.unsafelyUnwrapped)).takeUnretainedValue()
    }
  }

  func liveThread(_ id: ThreadID) -> LiveThread {
    if let thread = threads[id] { return thread }
    let thread = LiveThread(id)
    threads[id] = thread
    return thread
  }

  // MARK: Life

  func start(_ id: ThreadID, _ position: Position) -> OperationResult {
    let thread = liveThread(id)
    if thread.isStarted { return .failure(.alreadyStarted(id, thread.startedAt)) }
    thread.startedAt = position
    if thread.isCancelled {
      // As NSThread has it: its entry is never run.
      thread.hasEnded(at: session.simulation.now)
      session.simulation.noteEnd(of: id)
      stateChanged()
      return .none
    }
    follow(session.simulation.willStartThread(on: current.id), on: current.id)
    // An observer may have started it.
    if thread.isStarted { return .failure(.alreadyStarted(id, thread.startedAt)) }
    thread.doing = .running
    session.simulation.noteStart(of: id)
    makeThread(for: thread, hasLock: true) { start in
      let start = Start.from(start)
      LiveRun.keep(start.run, start.thread)
    }
    return .none
  }

  /// Starts the thread, and notes its end when it is gone with all that belongs to it.
  private static func keep(_ run: LiveRun, _ thread: LiveThread) {
    let handle = run.makeThread(for: thread, hasLock: false) { start in
      let start = Start.from(start)
      start.run.begin(start.thread)
    }
    pthread_join(handle, nil)
    run.lock()
    run.update()
    run.releaseLoops(of: thread)
    run.byHandle = run.byHandle.filter { $0.value !== thread }
    run.goOn(thread)
    // What the last callbacks autoreleased.
    run.follow(run.session.simulation.drainPools(of: thread.id), on: thread.id)
    run.end(of: thread)
    run.unlock()
  }

  /// A pthread for a thread of the script; the run ends where the system has no more of them.
  @discardableResult
  private func makeThread(
    for thread: LiveThread, hasLock: Bool, _ body: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
  ) -> pthread_t {
    let start = Unmanaged.passRetained(Start(self, thread)).toOpaque()
    do throws(SystemThread.Failure) {
      return try SystemThread.start(start, body)
    } catch {
      if !hasLock { lock() }
      update()
      let name = session.simulation.names[session.simulation.name(of: thread.id)]
      note("the system makes no thread for '\(name)' (\(error.message)): the run ends here")
      finish(.limit, detail: "threads")
    }
  }

  /// The body of a thread's pthread.
  private func begin(_ thread: LiveThread) {
    lock()
    session.currentThread = thread.id
    byHandle[Self.handle] = thread
    update()
    runScript(thread)
    unwind(thread)
    letGoOfLoop(thread)
    if let host = session.luaHost {
      clh_stand_in(host, thread.id.rawValue)
      clh_put_aside(host, &thread.aside)
    }
    unlock()
  }

  /// Runs a thread's coroutine to its end.
  func runScript(_ thread: LiveThread) {
    let status = session.runCurrentThread()
    if status != CLH_FINISHED { fail(status) }
    update()
  }

  /// A thread has run its entry, or left it: its pools are drained, and its end is announced.
  func unwind(_ thread: LiveThread) {
    follow(session.simulation.drainPools(of: thread.id), on: thread.id)
    follow(session.simulation.willEnd(thread.id), on: thread.id)
  }

  /// A thread has ended.
  func end(of thread: LiveThread) {
    dropPerforms(of: thread)
    session.simulation.post(.threadExit, thread.id)
    thread.hasEnded(at: session.simulation.now)
    session.simulation.noteEnd(of: thread.id)
    if thread.id != .main, let host = session.luaHost { clh_end(host, thread.id.rawValue) }
    stateChanged()
  }

  /// `rl.exitThread`: unwinds the library's frames as the system does.
  func exit(_ value: HostValue) -> OperationResult {
    let thread = current
    thread.results = value
    abandonRuns(of: thread, by: .exited)
    unwind(thread)
    if thread.id == .main {
      end(of: thread)
      waitForOthers(thread)
    }
    letGoOfLoop(thread)
    if let host = session.luaHost { clh_put_aside(host, &thread.aside) }
    unlock()
    pthread_exit(nil)
  }

  /// The thread's loop goes with it, and its timers and observers then belong to none: nobody may hold on to it.
  private func letGoOfLoop(_ thread: LiveThread) {
    guard let loop = loops[session.simulation.loop(of: thread.id)] else { return }
    loop.loop = nil
    holdLoop(thread)
  }

  // MARK: Join and flags

  func join(_ id: ThreadID, _ position: Position) -> OperationResult {
    let target = liveThread(id)
    if target === current { return .failure(.joinSelf) }
    guard isJoinable(target) else {
      return .failure(.joinDetached(id, detached: target.detachedAt, started: target.startedAt))
    }
    if let place = target.joinedAt { return .failure(.joinTwice(id, place)) }
    target.joinedAt = position
    _ = wait(.join(id)) { target.hasEnded }
    session.simulation.post(.threadJoin, current.id, subject: session.simulation.name(of: id))
    defer { target.results = .none }
    return .lastValue(target.results)
  }

  func detach(_ id: ThreadID, _ position: Position) -> OperationResult {
    let target = liveThread(id)
    guard isJoinable(target) else {
      return .failure(.alreadyDetached(id, detached: target.detachedAt, started: target.startedAt))
    }
    if let place = target.joinedAt { return .failure(.joinTwice(id, place)) }
    session.simulation.noteDetach(of: id)
    target.detachedAt = position
    stateChanged()
    return .none
  }

  func cancel(_ id: ThreadID) -> OperationResult {
    session.simulation.post(.threadCancel, current.id, subject: session.simulation.name(of: id))
    liveThread(id).isCancelled = true
    return .none
  }

  func query(_ query: ThreadQuery, _ id: ThreadID) -> OperationResult {
    let thread = liveThread(id)
    switch query {
    case .isCancelled: return .bool(thread.isCancelled)
    case .isFinished: return .bool(thread.hasEnded)
    case .isExecuting: return .bool(thread.isStarted && !thread.hasEnded)
    }
  }
}

/// The session's calls.
extension LiveRun: Performer {
  package func callBegins(on kind: ObjectKind?, _ object: Int32) {
    update()
    // What comes may be a trap of the library: nothing that was before is lost.
    session.deliverEvents()
    refresh(kind, object)
  }

  package func entry() -> Callout {
    session.simulation.post(.threadStart, current.id)
    return session.simulation.entry(of: current.id)
  }

  package func entryReturned(_ results: HostValue) { current.results = results }

  package func clockIsRead() { update() }

  package func callEnds() {
    objectsWereMade()
    for value in session.simulation.releasedValues { session.release(value) }
    session.simulation.releasedValues.removeAll()
    if session.simulation.isMachineSimulated {
      note("the machine is the one that this runs on: cores, quantum and spuriousWakeups are simulated only")
    }
    calls &+= 1
    guard calls & 63 == 0 else { return }
    session.deliverEvents()
    if let outcome = session.mustLeave {
      if case .interrupted = outcome.kind { finishStopped(traceback: "") }
      finished(End(outcome: outcome, notes: notes))
    }
    // A script that asks again and again lets the others have their turn.
    blocking(.running) { _ = sched_yield() }
  }
}
