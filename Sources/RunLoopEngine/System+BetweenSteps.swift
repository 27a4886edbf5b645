/// What is done between two steps of the explored mode: at once, and so by no step of its own. What it has to do with that
/// other threads have to do with as well counts for the step before.
extension System {
  /// The next name of a kind. Which thread gets which number shows.
  mutating func automaticName(_ kind: NameKind) -> NameID {
    touch(.counter, kind.rawValue)
    return names.automatic(kind)
  }

  /// Something is looked at that others may change.
  mutating func looks(at subject: Subject) {
    guard isExplored else { return }
    if let access = access(subject) { touch(access.object, access.mode) } else { readsClock() }
  }

  /// The dictionary of a thread is reached, to be used at once.
  mutating func touchDictionary(of thread: Int32, by other: Int32, hasContents: Bool) {
    guard isExplored else { return }
    if thread != other { exploration.dictionariesAreShared = true }
    if hasContents, exploration.dictionariesAreShared { exploration.dependsOnMore = true }
    touch(.dictionary, thread)
  }

  /// Whether a thread was started for whose end nobody waits. O(threads).
  var hasDetachedThreads: Bool {
    mutating get {
      for index in threads.indices where index > 0 && !threads[index].isJoinable && threads[index].state != .new {
        return true
      }
      return false
    }
  }

  /// Whether the end of the process comes too early for some, or just late enough: so that it matters who ends last.
  var endIsRaced: Bool { mutating get { exploration.timeIsFree || hasDetachedThreads } }

  // MARK: What was made

  /// Notes that something was made that steps touch. Handles are given in order, and threads that make things may come in
  /// any; so what is made after the first choice goes by who made it.
  ///
  /// - Parameters:
  ///   - key: a text that it goes by, whoever made it.
  ///   - family: of the text.
  mutating func noteMade(
    _ kind: Access.Kind, _ id: Int, key: UnsafeBufferPointer<UInt8>? = nil, family: UInt64 = 0
  ) {
    guard isExplored, exploration.hasChosen else { return }
    if kind == .thread {
      // The number of a thread tells who it is.
      touch(.counter, NameKind.thread.rawValue)
      return
    }
    let isKnown =
      if let key {
        exploration.made.add(kind, Int32(id), named: key, family: family)
      } else {
        exploration.made.add(kind, Int32(id), by: max(0, exploration.running))
      }
    if !isKnown { touch(Access.everything, .change) }
  }

  // MARK: At the same moment

  /// Threads that become ready as the clock moves go on in the order in which they began to wait, which two steps before
  /// may decide that have nothing to do with each other. It does no harm unless they do what depends on it.
  ///
  /// - Parameter object: touched by the thread that goes on, after the clock has moved.
  mutating func touchAfterMove(_ object: Int64, _ mode: AccessMode) {
    let thread = exploration.running
    // With limited processors, whose turn it is follows from the steps before.
    guard exploration.moments > 0, thread >= 0, !hasFewCores else { return }
    // Who ends last does no harm, when all end at once.
    if object >> 32 == Access.Kind.living.rawValue { return }
    let root = exploration.root(of: thread)
    let access = Access(object, mode)
    var isKnown = false
    for index in exploration.afterMove.indices {
      let other = exploration.afterMove[index]
      if other.root != root, other.access.conflicts(with: access) {
        exploration.dependsOnMore = true
        return
      }
      isKnown = isKnown || other.root == root && other.access == access
    }
    if isKnown { return }
    exploration.afterMove.append(Explored.Later(root: root, access: access))
  }
}

/// What a host looks at for a script, or makes for it, that other threads may look at or change.
public enum Subject: Equatable, Sendable {
  case item(Item)
  /// What is in a loop.
  case loop(LoopID)
  /// Whether a thread has a loop.
  case loopOf(ThreadID)
  /// A thread gets its loop.
  case newLoop(ThreadID)
  /// The settings of a thread.
  case thread(ThreadID)
  /// Which ports have which names.
  case portNames
  /// A port gets a name to be found by.
  case newPortName
  /// What is in the dictionary of a thread, to be used at once.
  case dictionary(ThreadID)
  case time
  case everything
}
