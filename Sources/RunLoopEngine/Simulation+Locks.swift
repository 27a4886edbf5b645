/// Locks, semaphores and what threads share, for the host.

extension Simulation {
  // MARK: Making

  /// Makes a lock.
  ///
  /// - Parameters:
  ///   - value: the number of a condition lock.
  ///   - key: the text that it belongs to, whichever thread uses it first.
  public mutating func makeLock(
    _ kind: LockKind, name: NameID, value: Int64 = 0, key: UnsafeBufferPointer<UInt8>? = nil
  ) -> LockID {
    own.pointee.makeLock(kind, name: name, value: value, key: key)
  }

  /// Makes a semaphore.
  ///
  /// - Parameter value: 0 or more.
  public mutating func makeSemaphore(name: NameID, value: Int64) -> SemaphoreID {
    own.pointee.makeSemaphore(name: name, value: value)
  }

  /// Makes an atomic variable.
  public mutating func makeAtomic(name: NameID, value: AtomicValue) -> AtomicID {
    own.pointee.makeAtomic(name: name, value: value)
  }

  /// Makes a cell of plain memory. The value is given up when it is replaced.
  public mutating func makeShared(name: NameID, value: HostValue) -> SharedID {
    own.pointee.makeShared(name: name, value: value)
  }

  /// Its locks, for the turn of a thread that begins.
  public mutating func locksOfThisTurn() -> QuickLocks { QuickLocks(system: own) }

  // MARK: Reading

  public func name(of lock: LockID) -> NameID { shared.pointee.locks[lock.index].name }
  public func name(of semaphore: SemaphoreID) -> NameID { shared.pointee.semaphores[semaphore.index].name }
  public func name(of atomic: AtomicID) -> NameID { shared.pointee.atomics[atomic.index].name }
  public func name(of cell: SharedID) -> NameID { shared.pointee.cellsOfMemory[cell.index].name }
  /// What kind of lock it is.
  public func kind(of lock: LockID) -> LockKind { shared.pointee.locks[lock.index].kind }
  /// Who holds a lock; of several readers the first. nil: nobody.
  public func hold(_ lock: LockID) -> LockHold? { shared.pointee.firstHold(lock) }
  /// How a thread holds a lock; nil when it does not.
  public func hold(_ lock: LockID, by thread: ThreadID) -> LockHold? { shared.pointee.hold(lock, by: thread) }
}
