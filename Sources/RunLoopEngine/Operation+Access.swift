/// What operations touch, for reduction and race detection (architecture, rule 5).

/// How an operation touches an object.
public struct Access: Hashable, Sendable {
  /// The kinds of object that operations touch. All that is in a run loop (its modes, their items, its blocks and
  /// requests) is one object with the loop, which goes by its thread.
  public enum Kind: Int64, Sendable {
    case thread = 1
    case loop, lock, semaphore, atomic, shared, object, names, notifications
    /// A thread's start, and who joins or detaches it.
    case life
    /// Whether a thread has a run loop.
    case loopOfThread
    /// For whose ends the process waits.
    case living
    /// The counter of a kind of automatic name.
    case counter
    /// The processors of a limited machine, and who waits for one.
    case cores
    /// What a host keeps for all threads, by numbers of its own.
    case hidden
    /// Whether the process waits for the end of a thread.
    case awaited
    /// The dictionary of a thread.
    case dictionary
  }

  /// The kind and the number of the object, or `everything`.
  public var object: Int64
  public var mode: AccessMode

  /// Stands for all objects at once.
  public static let everything: Int64 = -1

  init(_ object: Int64, _ mode: AccessMode) {
    self.object = object
    self.mode = mode
  }

  init(_ kind: Kind, _ id: Int32, _ mode: AccessMode) {
    self.init(kind.rawValue << 32 | Int64(UInt32(bitPattern: id)), mode)
  }

  /// Whether the order of the two can matter: they touch the same object, and one changes it; or one touches everything.
  public func conflicts(with other: Access) -> Bool {
    if object == Self.everything || other.object == Self.everything { return true }
    return object == other.object && (mode == .change || other.mode == .change)
  }
}

extension Operation {
  /// What the operation touches when a thread makes it now; nil: nothing that another thread could notice.
  ///
  /// A failed `tryLock` and a failed `compareExchange` only read.
  public func access(by thread: ThreadID, in simulation: borrowing Simulation) -> Access? {
    simulation.access(of: self, by: thread)
  }
}

extension System {
  mutating func access(of operation: Operation, by thread: Int32) -> Access? {
    switch operation {
    case .sleep, .work, .yield, .exitThread, .memoryBarrier, .autoreleasePool: return nil

    case .startThread(let other), .startDetached(let other), .detach(let other), .cancelThread(let other),
      .setPriority(let other, _), .setStackSize(let other, _):
      return Access(.thread, other.rawValue, .change)
    case .join(let other), .threadState(let other, _): return Access(.thread, other.rawValue, .read)

    case .runInMode(let loop, _, _, _), .run(let loop), .runMode(let loop, _, _), .runUntil(let loop, _),
      .runForever(let loop), .acceptInput(let loop, _, _), .limitDate(let loop, _), .stop(let loop), .wakeUp(let loop),
      .addCommonMode(let loop, _), .performBlock(let loop, _, _), .takeSources(let loop), .takeBlocks(let loop),
      .takePort(let loop):
      return access(loop, .change)
    case .add(let item, let loop, _), .remove(let item, let loop, _): return membership(of: item, loop)
    case .isWaiting(let loop), .currentMode(let loop), .contains(_, let loop, _), .nextTimerFireDate(let loop, _):
      return access(loop, .read)

    case .signal(let source): return access(.source(source), .change)
    case .isSignalled(let source): return access(.source(source), .read)
    case .invalidate(let item): return access(item, .change)
    case .send(let port, _, _, _, _): return access(.port(port), .change)
    case .fireTimer(let timer), .setNextFireDate(let timer, _), .setTolerance(let timer, _):
      return access(.timer(timer), .change)

    case .mainQueueAsync, .mainQueueSync, .mainQueueAfter, .takeMainQueue: return Access(.loop, 0, .change)
    case .perform(let target, _): return Access(.loop, target.rawValue, .change)
    case .performAfterDelay: return Access(.loop, thread, .change)

    case .look(let subject): return access(subject)
    case .endThread: return Access(.thread, thread, .change)

    case .request: return Access(Access.everything, .change)
    case .registerPort, .unregisterPort: return Access(.names, 0, .change)
    case .findMessagePort, .lookUpPort: return Access(.names, 0, .read)
    case .addNotificationObserver, .removeNotificationObserver: return Access(.notifications, 0, .change)
    case .postNotification: return Access(.notifications, 0, .read)
    case .retain(let object), .release(let object), .autorelease(let object):
      return Access(.object, object.rawValue, .change)
    case .drain: return Access(Access.everything, .change)

    case .lock(let lock), .unlock(let lock), .readLock(let lock), .writeLock(let lock), .breakLock(let lock),
      .unlockWith(let lock, _), .waitForCondition(let lock), .waitForConditionUntil(let lock, _),
      .signalCondition(let lock, _), .synchronized(let lock, _), .retakeLock(let lock):
      return Access(.lock, lock.rawValue, .change)
    case .tryLock(let lock), .tryReadLock(let lock), .tryWriteLock(let lock), .lockBefore(let lock, _),
      .lockWhen(let lock, _, _):
      return Access(.lock, lock.rawValue, canTake(operation, thread) || !isTry(operation) ? .change : .read)
    case .once(let lock, _): return Access(.lock, lock.rawValue, locks[lock.index].isDone ? .read : .change)
    case .conditionValue(let lock): return Access(.lock, lock.rawValue, .read)
    case .waitForSemaphore(let semaphore, let date):
      let isRead = semaphores[semaphore.index].value == 0 && date <= now
      return Access(.semaphore, semaphore.rawValue, isRead ? .read : .change)
    case .signalSemaphore(let semaphore): return Access(.semaphore, semaphore.rawValue, .change)
    case .atomic(let atomic, let action): return Access(.atomic, atomic.rawValue, mode(of: action, atomic))
    case .getShared(let shared): return Access(.shared, shared.rawValue, .read)
    case .setShared(let shared, _, _): return Access(.shared, shared.rawValue, .change)
    }
  }

  private mutating func access(_ loop: LoopID, _ mode: AccessMode) -> Access {
    Access(.loop, loops[loop.index].thread, mode)
  }

  /// An item is part of the loop that it is in. One in several loops, or in none yet, touches everything: what it does
  /// must not seem apart from its joining a loop.
  mutating func access(_ item: Item, _ mode: AccessMode) -> Access {
    let found = loops(of: item)
    guard let first = found.first, found.allSatisfy({ $0 == first }) else { return Access(Access.everything, mode) }
    return access(LoopID(rawValue: first), mode)
  }

  /// nil: the clock, which is no object of the engine's.
  mutating func access(_ subject: Subject) -> Access? {
    switch subject {
    case .item(let item): access(item, .read)
    case .loop(let loop): access(loop, .read)
    case .loopOf(let thread): Access(.loopOfThread, thread.rawValue, .read)
    case .newLoop(let thread): Access(.loopOfThread, thread.rawValue, .change)
    case .thread(let thread): Access(.thread, thread.rawValue, .read)
    case .portNames: Access(.names, 0, .read)
    case .newPortName: Access(.names, 0, .change)
    case .dictionary(let thread): Access(.dictionary, thread.rawValue, .change)
    case .everything: Access(Access.everything, .read)
    case .time: nil
    }
  }

  /// Adding an item to a loop, or removing it: everything, when it is in another loop too.
  private mutating func membership(of item: Item, _ loop: LoopID) -> Access {
    let isElsewhere = loops(of: item).contains { $0 != loop.rawValue }
    return isElsewhere ? Access(Access.everything, .change) : access(loop, .change)
  }

  private mutating func loops(of item: Item) -> [Int32] {
    switch item {
    case .source(let source): return sources[source.index].modes.map { modes[Int($0)].loop }
    case .port(let port): return ports[port.index].modes.map { modes[Int($0)].loop }
    case .timer(let timer): return places.timers[timer.index].loop >= 0 ? [places.timers[timer.index].loop] : []
    case .observer(let observer): return observers[observer.index].loop >= 0 ? [observers[observer.index].loop] : []
    }
  }

  private mutating func mode(of action: AtomicAction, _ atomic: AtomicID) -> AccessMode {
    switch action {
    case .load: .read
    case .store, .add, .exchange: .change
    case .compareExchange(let expected, _): atomics[atomic.index].value.equals(expected) ? .change : .read
    }
  }

  // MARK: Enabled

  /// Whether an operation that a thread is about to make can be done at once; one that waits until a date can, for the
  /// date ends it, and so can one that would be refused.
  mutating func isEnabled(_ operation: Operation, _ thread: Int32) -> Bool {
    switch operation {
    case .join(let other):
      return other.rawValue == thread || !threads[other.index].isJoinable || threads[other.index].isJoined
        || threads[other.index].state == .ended
    case .send(let port, _, _, let date, _):
      return date != .distantFuture || !ports[port.index].isValid || hasRoom(port.rawValue)
    case .lock, .readLock, .writeLock, .synchronized, .retakeLock: return canTake(operation, thread)
    case .lockBefore(_, let date), .lockWhen(_, _, let date):
      return date != .distantFuture || canTake(operation, thread)
    case .once(let lock, _):
      let owner = locks[lock.index].owner
      return locks[lock.index].isDone || owner < 0 || owner == thread
    case .waitForSemaphore(let semaphore, let date):
      return date != .distantFuture || semaphores[semaphore.index].value > 0
    default: return true
    }
  }

  private mutating func isTry(_ operation: Operation) -> Bool {
    switch operation {
    case .tryLock, .tryReadLock, .tryWriteLock: true
    case .lockBefore(_, let date), .lockWhen(_, _, let date): date <= now
    default: false
    }
  }

  /// Whether a lock is to be had at once, or would be refused.
  private mutating func canTake(_ operation: Operation, _ thread: Int32) -> Bool {
    switch operation {
    case .lock(let lock), .lockBefore(let lock, _), .synchronized(let lock, _), .retakeLock(let lock):
      locks[lock.index].owner < 0 || locks[lock.index].owner == thread
    case .tryLock(let lock):
      locks[lock.index].owner < 0 || (locks[lock.index].owner == thread && locks[lock.index].kind.isRecursive)
    case .lockWhen(let lock, let value, _):
      locks[lock.index].owner == thread || (locks[lock.index].owner < 0 && locks[lock.index].value == value)
    case .readLock(let lock):
      locks[lock.index].owner == thread || (locks[lock.index].owner < 0 && locks[lock.index].waiters.first < 0)
    case .tryReadLock(let lock): locks[lock.index].owner < 0 && locks[lock.index].waiters.first < 0
    case .writeLock(let lock):
      (locks[lock.index].owner < 0 && locks[lock.index].firstReader < 0)
        || hold(lock, by: ThreadID(rawValue: thread)) != nil
    case .tryWriteLock(let lock): locks[lock.index].owner < 0 && locks[lock.index].firstReader < 0
    default: true
    }
  }
}

/// How an operation touches an object, for reduction and race detection.
public enum AccessMode: UInt8, Sendable {
  /// Conflicts with changes only.
  case read
  /// Conflicts with every access of the same object.
  case change
}
