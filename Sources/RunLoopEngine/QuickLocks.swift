/// The locks of a simulation during one turn of a thread: what can be done on the spot, without an operation and without
/// asking each time whether the state belongs to a copy as well.
///
/// Good until the simulation is copied, assigned to or swapped, or is gone.
public struct QuickLocks {
  let system: UnsafeMutablePointer<System>

  /// Takes a lock of one holder on the spot, when it is free and nobody would notice how; false: nothing was done, the
  /// operation has to be made.
  ///
  /// - Parameter position: where the script takes it.
  /// - Complexity: O(1).
  public func lock(_ lock: LockID, on thread: ThreadID, at position: Position) -> Bool {
    system.pointee.lockQuickly(lock.rawValue, thread.rawValue, at: position)
  }

  /// Gives a lock back on the spot, when nobody waits for it and nobody would notice how; false as above.
  public func unlock(_ lock: LockID, on thread: ThreadID) -> Bool {
    system.pointee.unlockQuickly(lock.rawValue, thread.rawValue)
  }
}
