import Dispatch
import RunLoopEngine

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A real mutex and the condition variable that goes with it.
final class Monitor {
  let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  func tryLock() -> Bool { pthread_mutex_trylock(mutex) == 0 }
  func lock() { pthread_mutex_lock(mutex) }
  func unlock() { pthread_mutex_unlock(mutex) }
  func signal(all: Bool) { _ = all ? pthread_cond_broadcast(condition) : pthread_cond_signal(condition) }

  /// Locks, at most for some seconds.
  func lock(atMost seconds: Double) -> Bool {
    #if canImport(Darwin)
      // There is no timed lock there.
      var left = seconds
      while !tryLock() {
        if left <= 0 { return false }
        usleep(500)
        left -= 0.0005
      }
      return true
    #else
      var time = moment(in: seconds)
      return pthread_mutex_timedlock(mutex, &time) == 0
    #endif
  }

  /// Waits for a signal; false when the time is over. nil: without end.
  func wait(atMost seconds: Double?) -> Bool {
    guard let seconds else { return pthread_cond_wait(condition, mutex) == 0 }
    var time = moment(in: seconds)
    return pthread_cond_timedwait(condition, mutex, &time) == 0
  }
}

/// A lock of the script. Who holds it is kept beside the real one, under the run's lock, for messages and events.
final class LiveLock {
  let name: NameID
  let kind: LockKind
  let real = Monitor()
  let readWrite = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
  var holder: ThreadID?
  var depth: Int64 = 0
  var readers: [ThreadID] = []
  /// Who waits to write, the longest first.
  var waitingWriters: [ThreadID] = []
  /// The number of a condition lock.
  var value: Int64
  /// How many threads wait for the condition and were not signalled.
  var sleepers = 0
  /// The `once` has run.
  var isDone = false

  init(_ name: NameID, _ kind: LockKind, _ value: Int64) {
    self.name = name
    self.kind = kind
    self.value = value
    #if canImport(Darwin)
      pthread_rwlock_init(readWrite, nil)
    #else
      // Glibc's own choice is that readers who keep coming keep a writer out.
      var attributes = pthread_rwlockattr_t()
      pthread_rwlockattr_init(&attributes)
      pthread_rwlockattr_setkind_np(&attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
      pthread_rwlock_init(readWrite, &attributes)
      pthread_rwlockattr_destroy(&attributes)
    #endif
  }
}

/// A semaphore of the script.
final class LiveSemaphore {
  let name: NameID
  let real: DispatchSemaphore

  init(_ name: NameID, _ value: Int64) {
    self.name = name
    real = DispatchSemaphore(value: Int(value))
  }
}

/// Threads, by their handles, under a lock of its own that is held for a moment only.
final class HandleSet: @unchecked Sendable {
  private let monitor = Monitor()
  private var handles: Set<UInt> = []

  private func locked<Result>(_ body: () -> Result) -> Result {
    monitor.lock()
    defer { monitor.unlock() }
    return body()
  }

  func insert(_ handle: UInt) { locked { _ = handles.insert(handle) } }
  func remove(_ handle: UInt) { locked { _ = handles.remove(handle) } }
  func contains(_ handle: UInt) -> Bool { locked { handles.contains(handle) } }
}
