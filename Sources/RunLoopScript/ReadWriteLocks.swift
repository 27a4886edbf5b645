import CLuaHost
import RunLoopEngine

/// Locks of many readers or one writer.
enum ReadWriteLocks {
  static let functions: [APIFunction] = [
    .function(
      "readWriteLock", fields: [.optional("name", .name, default: "`readWriteLock1`, …", "its name in the trace")],
      gives: ("rl.ReadWriteLock", "the new lock"),
      doc: "Makes a lock that many threads can hold for reading, or one for writing."
    ) { session, arguments throws(APIError) in
      let lock = session.simulation.makeLock(.readWriteLock, name: try session.name(arguments, 0, .readWriteLock))
      return .value(.object(.readWriteLock, lock.rawValue))
    },
    .method(
      .readWriteLock, "readLock", options: .position,
      doc: "Takes it for reading, or waits while a thread holds it for writing or waits to."
    ) { _, arguments in .operation(.readLock(arguments.lock)) },
    .method(
      .readWriteLock, "writeLock", options: .position,
      doc: "Takes it for writing, or waits until nobody holds it. Meanwhile new readers wait too."
    ) { _, arguments in .operation(.writeLock(arguments.lock)) },
    .method(
      .readWriteLock, "tryReadLock", options: .position, gives: ("boolean", "whether it was taken"),
      doc: "Takes it for reading if that needs no waiting."
    ) { _, arguments in .operation(.tryReadLock(arguments.lock)) },
    .method(
      .readWriteLock, "tryWriteLock", options: .position, gives: ("boolean", "whether it was taken"),
      doc: "Takes it for writing if that needs no waiting."
    ) { _, arguments in .operation(.tryWriteLock(arguments.lock)) },
    .method(
      .readWriteLock, "unlock", options: .position,
      doc: "Gives back what this thread holds, for reading or for writing. An error when it holds nothing."
    ) { _, arguments in .operation(.unlock(arguments.lock)) },
  ]
}
