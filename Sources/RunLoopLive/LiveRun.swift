import CLuaHost
@preconcurrency import CoreFoundation
import RunLoopEngine
import RunLoopScript
import RunLoopTrace

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One run of a script on the real library: real threads, run loops and time.
///
/// There is one Lua state and one lock around it and around everything here; a thread gives the lock up where it blocks.
/// The engine's `Simulation` keeps the books (objects, names, events); what operations say is done on the real thing.
/// A run ends with the process: from whichever thread sees it end, threads that are left are left where they are.
public final class LiveRun: @unchecked Sendable {
  /// What a live run is made with.
  public struct Options: Sendable {
    /// Real seconds for each second of the script.
    public var timeScale = 1.0
    /// Real seconds after which a run that hangs is ended.
    public var timeout = 30.0
    /// Script time at which the run ends.
    public var until: Nanoseconds = .distantFuture
    /// The script's own times, 30 s at most.
    public init() {}
  }

  /// How a run has ended, beside its outcome.
  public struct End {
    /// What ended it, in words where there is something to say.
    public var outcome: Outcome
    /// What was skipped, and why.
    public var notes: [String]
    /// What each thread was doing, when the run was ended from outside.
    public var report: String?
    /// The signal of an interrupted run.
    public var signal: Int32 = 0
    /// A thread of the run could not be stopped: nothing of the run may be touched.
    public var isAbandoned = false
  }

  let session: Session
  let options: Options
  let clock: LiveClock
  let finished: (End) -> Never
  let mutex: UnsafeMutablePointer<pthread_mutex_t>
  let changed: UnsafeMutablePointer<pthread_cond_t>
  /// The handle of the thread that has the lock; only compared with one's own.
  let owner: UnsafeMutablePointer<UInt>
  /// The threads that wait for the lock.
  let waiting = HandleSet()
  /// Rung when the run is to be ended from outside.
  let bell = Bell()
  /// Why; set before the bell is rung.
  private(set) var stop: Stop?

  // Under the lock.
  var threads: [ThreadID: LiveThread] = [:]
  var byHandle: [UInt: LiveThread] = [:]
  var loops: [LoopID: LiveLoop] = [:]
  var loopsByAddress: [UnsafeMutableRawPointer: LiveLoop] = [:]
  var sources: [CFRunLoopSource] = []
  var observers: [CFRunLoopObserver] = []
  var timers: [LiveTimer] = []
  var ports: [LivePort] = []
  var modes: [NameID: CFRunLoopMode] = [:]
  var locks: [LockID: LiveLock] = [:]
  var semaphores: [SemaphoreID: LiveSemaphore] = [:]
  /// Whose callers wait for a reply.
  var requests: [LiveRequest] = []
  var notes: [String] = []
  var calls: UInt32 = 0
  /// How many calls there are, on all threads, that may hold a run loop's lock without the run's.
  var loopHolds = 0

  /// Compiles the script.
  ///
  /// - Parameter finished: told once how it ended, on any thread; ends the process.
  public init(_ scriptOptions: ScriptOptions, _ options: Options, finished: @escaping (End) -> Never) {
    self.options = options
    self.finished = finished
    var scriptOptions = scriptOptions
    scriptOptions.profileIsFixed = true
    scriptOptions.configuration.profile = LiveRun.profile
    scriptOptions.configuration.seed = nil
    scriptOptions.shouldStop = { [bell] in bell.isRung }
    session = Session(scriptOptions, isLive: true)
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    changed = .allocate(capacity: 1)
    pthread_cond_init(changed, nil)
    owner = .allocate(capacity: 1)
    owner.initialize(to: 0)
    clock = LiveClock(scale: options.timeScale)
  }

  /// The profile of this platform.
  public static var profile: Profile {
    #if canImport(Darwin)
      .apple
    #else
      .linux
    #endif
  }

  /// Runs the script. To be called on the process's main thread.
  public func run(consumer: any TraceConsumer) -> Never {
    if let outcome = session.beginLive(consumer: consumer) {
      finished(End(outcome: outcome, notes: []))
    }
    session.performer = self
    let main = LiveThread(.main)
    threads[.main] = main
    main.doing = .running
    session.simulation.noteStart(of: .main)
    lock()
    byHandle[Self.handle] = main
    startWatch()
    runScript(main)
    unwind(main)
    end(of: main)
    waitForOthers(main)
  }

  /// The main chunk has returned: the process lives until the joinable threads have ended.
  func waitForOthers(_ main: LiveThread) -> Never {
    main.doing = .end
    while threads.values.contains(where: { $0.id != .main && $0.isStarted && !$0.hasEnded && isJoinable($0) }) {
      waitForChange(nil)
    }
    update()
    finish(.returned)
  }

  func isJoinable(_ thread: LiveThread) -> Bool { session.simulation.isJoinable(thread.id) }

  // MARK: The end

  /// The run is over.
  func finish(_ reason: EndReason, detail: String = "") -> Never {
    finished(End(outcome: session.outcome(of: reason, detail: detail), notes: notes))
  }

  /// An error or a limit of the host has ended it.
  func fail(_ status: clh_status) -> Never {
    update()
    if status == CLH_LIMITED, let host = session.luaHost, clh_limit(host) == CLH_LIMIT_INTERRUPTED {
      finishStopped(traceback: traceback(host))
    }
    abandonRuns(of: current, by: .error)
    finished(End(outcome: session.outcome(of: status), notes: notes))
  }

  private func traceback(_ host: OpaquePointer) -> String {
    var (message, traceback): (UnsafePointer<CChar>?, UnsafePointer<CChar>?)
    var (messageLength, length) = (0, 0)
    clh_error(host, &message, &messageLength, &traceback, &length)
    return traceback.map { String(decoding: UnsafeRawBufferPointer(start: $0, count: length), as: UTF8.self) } ?? ""
  }

  /// To be called by the watch only, before it rings the bell.
  func noteStop(_ stop: Stop) { self.stop = stop }

  /// Something is not done here: told once.
  func note(_ text: String) { if !notes.contains(text) { notes.append(text) } }

  // MARK: The lock

  static var handle: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      pthread_self()
    #endif
  }

  var current: LiveThread { threads[session.currentThread].unsafelyUnwrapped }

  func lock() {
    if pthread_mutex_trylock(mutex) != 0 {
      waiting.insert(Self.handle)
      pthread_mutex_lock(mutex)
      waiting.remove(Self.handle)
    }
    owner.pointee = Self.handle
  }

  /// Locks, unless another thread has the lock.
  func lockIfFree() -> Bool {
    guard pthread_mutex_trylock(mutex) == 0 else { return false }
    owner.pointee = Self.handle
    return true
  }

  func unlock() {
    owner.pointee = 0
    pthread_mutex_unlock(mutex)
  }

  /// Brings the clock up to date.
  func update() { session.simulation.setTime(clock.now) }

  /// Gives the lock up while the current thread does something that may take long.
  func blocking<Result>(_ doing: LiveThread.Doing, _ body: () -> Result) -> Result {
    let thread = current
    leave(thread, doing)
    let result = body()
    enter(thread)
    return result
  }

  /// What has happened is written first: nothing of it is lost if the library ends the process.
  func leave(_ thread: LiveThread, _ doing: LiveThread.Doing) {
    thread.doing = doing
    session.deliverEvents()
    if let host = session.luaHost { clh_put_aside(host, &thread.aside) }
    unlock()
  }

  private func enter(_ thread: LiveThread) {
    lock()
    goOn(thread)
  }

  func goOn(_ thread: LiveThread) {
    thread.doing = .running
    session.currentThread = thread.id
    if let host = session.luaHost { clh_take_up(host, &thread.aside) }
    update()
  }

  /// Waits until a condition holds; each change of the threads' state looks again. False when the date has come first.
  func wait(_ doing: LiveThread.Doing, before date: Nanoseconds = .distantFuture, until holds: () -> Bool) -> Bool {
    if holds() { return true }
    let thread = current
    thread.doing = doing
    session.deliverEvents()
    if let host = session.luaHost { clh_put_aside(host, &thread.aside) }
    var isInTime = true
    while !holds(), isInTime {
      isInTime = date > clock.now
      if isInTime { waitForChange(date == .distantFuture ? nil : clock.real(date - clock.now)) }
    }
    goOn(thread)
    return isInTime || holds()
  }

  /// Waits on the condition variable, at most for some real seconds.
  private func waitForChange(_ seconds: Double?) {
    owner.pointee = 0
    if let seconds {
      var time = moment(in: seconds)
      pthread_cond_timedwait(changed, mutex, &time)
    } else {
      pthread_cond_wait(changed, mutex)
    }
    owner.pointee = Self.handle
  }

  /// Tells those who wait that something has changed.
  func stateChanged() { pthread_cond_broadcast(changed) }

  /// A callback of the library, on some thread of the script: with the lock, which the thread may have.
  func callback(_ body: (LiveThread) -> Void) {
    if owner.pointee == Self.handle {
      update()
      return body(current)
    }
    lock()
    guard let thread = byHandle[Self.handle] else {
      unlock()
      return
    }
    let before = thread.doing
    goOn(thread)
    body(thread)
    leave(thread, before)
  }

  /// Calls a function of the script. An error in it ends the run: it cannot be raised through the library's frames.
  @discardableResult
  func call(_ callout: Callout) -> HostValue {
    if callout.callback == .none { return .none }
    let (status, value) = session.callNow(callout)
    if status != CLH_OK { fail(status) }
    update()
    return value
  }

  /// The same for what a run loop calls: with an autorelease pool of its own.
  @discardableResult
  func callFromLoop(_ callout: Callout) -> HostValue {
    if callout.callback == .none { return .none }
    let thread = current.id
    session.simulation.beginCallout(on: thread)
    let value = call(callout)
    follow(session.simulation.drainCalloutPool(on: thread), on: thread)
    session.simulation.endCallout(on: thread)
    return value
  }

  /// Does what the books ask for until they are done: the calls of the script's functions.
  @discardableResult
  func follow(_ step: Step?, on thread: ThreadID, for what: String = "") -> OperationResult {
    guard var step else { return .none }
    while true {
      switch step {
      case .call(let callout):
        let value = call(callout)
        step = session.simulation.calloutReturned(on: thread, failed: false, value: value)
      case .result(let result): return result
      default:
        if session.simulation.endDetail == "trap" { finish(.fault, detail: "trap") }
        note("'\(what)' waits for something that only the simulated system has: the run ends here")
        finish(.limit, detail: "unsupported")
      }
    }
  }
}
