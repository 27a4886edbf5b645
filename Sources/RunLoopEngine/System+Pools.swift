/// Reference-counted objects and autorelease pools (semantics 4, script-api "Memory").
///
/// Each thread has a stack of pools. Those of the thread itself and of its callouts are made when something is put into
/// them: a callout that autoreleases nothing costs one comparison.
extension System {
  // MARK: Objects

  /// Makes an object with one reference.
  mutating func makeObject(name: NameID, dealloc: HostValue) -> ObjectID {
    noteMade(.object, objects.count)
    objects.append(ObjectRecord(name: name, dealloc: dealloc))
    return ObjectID(objects.count - 1)
  }

  mutating func retain(_ object: Int32) -> Step {
    tick &+= 1
    if let failure = useAfterDealloc(object) { return .result(.failure(failure)) }
    objects[Int(object)].count += 1
    return .result(.none)
  }

  mutating func release(_ object: Int32, _ thread: Int32, _ position: Position) -> Step {
    tick &+= 1
    if let failure = cannotRelease(object) { return .result(.failure(failure)) }
    if objects[Int(object)].count == 1, let failure = refusal(toCall: objects[Int(object)].dealloc, on: thread) {
      return .result(.failure(failure))
    }
    guard giveUp(object, thread, position) else { return .result(.none) }
    let frame = push(.draining, on: thread, fromHost: true)
    frames[frame].live = .max
    frames[frame].step = 1
    return advance(thread)
  }

  /// Puts the object into the innermost pool. Once too often is no fault yet: a `retain` before the drain makes up for it.
  mutating func autorelease(_ object: Int32, _ thread: Int32, _ position: Position) -> Step {
    tick &+= 1
    if let failure = useAfterDealloc(object) { return .result(.failure(failure)) }
    objects[Int(object)].pending += 1
    objects[Int(object)].autoreleasePosition = position
    let pool = innermostPool(thread)
    let cell = makeCell(object)
    if pools[pool].last >= 0 { cells[Int(pools[pool].last)].next = cell } else { pools[pool].first = cell }
    pools[pool].last = cell
    return .result(.none)
  }

  private func useAfterDealloc(_ object: Int32) -> OperationFailure? {
    let record = objects[Int(object)]
    return record.count > 0 ? nil : .objectIsGone(ObjectID(rawValue: object), record.position)
  }

  /// The last reference cannot be given up by hand when a pool will give it up, too: nobody could retain it before.
  private func cannotRelease(_ object: Int32) -> OperationFailure? {
    if let failure = useAfterDealloc(object) { return failure }
    let record = objects[Int(object)]
    let isPools = record.count == 1 && record.pending > 0
    return isPools ? .overReleased(ObjectID(rawValue: object), record.autoreleasePosition) : nil
  }

  /// A pool gives up a reference of an object that is gone: the process ends, as it would by a bad access.
  private mutating func trapOverRelease(_ object: Int32, _ thread: Int32) -> Flow {
    let record = objects[Int(object)]
    let name = names[record.name]
    trap(
      [("reason", "objectReleasedOnceTooOften"), ("object", name)], thread, at: record.autoreleasePosition,
      "object '\(name)' was autoreleased more often than it had references: it was gone before its pool was drained")
    return .pause
  }

  /// Gives up a reference; true when it was the last one and `callout` is to be made.
  private mutating func giveUp(_ object: Int32, _ thread: Int32, _ position: Position) -> Bool {
    let index = Int(object)
    objects[index].count -= 1
    guard objects[index].count == 0 else { return false }
    objects[index].position = position
    post(.dealloc, thread, subject: objects[index].name)
    callout = Callout(kind: .dealloc, callback: objects[index].dealloc)
    objects[index].dealloc = .none
    return callout.callback != .none
  }

  // MARK: The stack of pools

  /// Makes a pool that a script drains, the innermost of its thread.
  mutating func pushPool(name: NameID, on thread: ThreadID) -> PoolID {
    PoolID(rawValue: pushPool(name, poolLevel(thread.rawValue), isHeld: true, thread.rawValue))
  }

  private mutating func pushPool(_ name: NameID, _ level: Int32, isHeld: Bool, _ thread: Int32) -> Int32 {
    let below = threads[Int(thread)].pool
    let height = below < 0 ? 0 : pools[Int(below)].height + 1
    let record = PoolRecord(name: name, thread: thread, below: below, height: height, level: level, isHeld: isHeld)
    let pool: Int32
    if !isHeld, freePool >= 0 {
      pool = freePool
      freePool = pools[Int(pool)].below
      pools[Int(pool)] = record
    } else {
      pool = Int32(pools.count)
      pools.append(record)
    }
    threads[Int(thread)].pool = pool
    return pool
  }

  private mutating func popPool(_ thread: Int32, _ position: Position) {
    let pool = Int(threads[Int(thread)].pool)
    threads[Int(thread)].pool = pools[pool].below
    pools[pool].isDrained = true
    pools[pool].position = position
    guard !pools[pool].isHeld else { return }
    pools[pool].below = freePool
    freePool = Int32(pool)
  }

  /// The pool for what is autoreleased now: the innermost one, or that of the present callout, made now.
  private mutating func innermostPool(_ thread: Int32) -> Int {
    let level = poolLevel(thread)
    let present = threads[Int(thread)].pool
    if present >= 0, pools[Int(present)].level >= level { return Int(present) }
    return Int(pushPool(level == 1 ? .topPool : .calloutPool, level, isHeld: false, thread))
  }

  /// The depth of the innermost frame that gives its callouts a pool, now that the script runs.
  private mutating func poolLevel(_ thread: Int32) -> Int32 {
    guard configuration.poolPerCallout else { return 1 }
    var level = threads[Int(thread)].depth
    var frame = threads[Int(thread)].top
    while level > 1, !frames[Int(frame)].kind.hasPoolPerCallout {
      frame = frames[Int(frame)].below
      level -= 1
    }
    return max(1, level)
  }

  // MARK: Draining

  /// `pool:drain()`: the pool and all above it. Never refused for its depth: what is left would be drained, and would call
  /// the same functions again, where the error goes.
  mutating func drain(_ pool: Int32, _ thread: Int32, _ position: Position) -> Step {
    tick &+= 1
    let record = pools[Int(pool)]
    if record.isDrained { return .result(.failure(.poolIsDrained(PoolID(rawValue: pool), record.position))) }
    guard record.thread == thread else {
      return .result(.failure(.poolOfOtherThread(PoolID(rawValue: pool), ThreadID(rawValue: record.thread))))
    }
    let frame = beginDrain(from: record.height, thread, fromHost: true)
    frames[frame].item = pool
    threads[Int(thread)].waitPosition = position
    return advance(thread)
  }

  /// Begins to drain the pools of a thread from a height on, innermost first.
  @discardableResult
  mutating func beginDrain(from height: Int32, _ thread: Int32, fromHost: Bool = false) -> Int {
    let frame = push(.draining, on: thread, fromHost: fromHost)
    frames[frame].live = height
    return frame
  }

  /// A callout has returned and some pool of its thread is there: drains the callout's own.
  mutating func drainAfterCallout(_ thread: Int32) {
    let height = calloutPoolHeight(thread)
    if height < .max { beginDrain(from: height, thread) }
  }

  /// Where the pools of the innermost frame's callout begin; `max` when it has none.
  mutating func calloutPoolHeight(_ thread: Int32) -> Int32 {
    let kind = frames[Int(threads[Int(thread)].top)].kind
    guard configuration.poolPerCallout, kind.hasPoolPerCallout else { return .max }
    var height = Int32.max
    var pool = threads[Int(thread)].pool
    while pool >= 0, pools[Int(pool)].level >= threads[Int(thread)].depth {
      height = pools[Int(pool)].height
      pool = pools[Int(pool)].below
    }
    return height
  }

  /// An error has left a callout: its pool is drained, then the frames are given up down to the operation that the host
  /// waits for.
  mutating func leaveCallout(_ thread: Int32) -> Step {
    let top = Int(threads[Int(thread)].top)
    var height = Int32.max
    switch frames[top].kind {
    case .draining:
      // A dealloc callback failed: what is left in the pools is released all the same.
      frames[top].isRaising = true
      return advance(thread)
    case .poolScope: height = frames[top].live
    default: if threads[Int(thread)].pool >= 0 { height = calloutPoolHeight(thread) }
    }
    guard height < .max else {
      unwind(thread)
      return .raise
    }
    let frame = beginDrain(from: height, thread)
    frames[frame].isRaising = true
    return advance(thread)
  }

  mutating func stepDraining(_ frame: Int, _ thread: Int32) -> Flow {
    if frames[frame].step == 1 {
      frames[frame].step = 0
      return .call
    }
    let position = frames[frame].fromHost ? threads[Int(thread)].waitPosition : .unknown
    while threads[Int(thread)].pool >= 0 {
      let pool = Int(threads[Int(thread)].pool)
      guard pools[pool].height >= frames[frame].live else { break }
      let cell = pools[pool].first
      if !pools[pool].isAnnounced, cell >= 0 || Int32(pool) == frames[frame].item {
        pools[pool].isAnnounced = true
        post(.poolDrain, thread, subject: pools[pool].name)
      }
      guard cell >= 0 else {
        popPool(thread, position)
        continue
      }
      let object = cells[Int(cell)].a
      pools[pool].first = cells[Int(cell)].next
      if pools[pool].first < 0 { pools[pool].last = -1 }
      cells[Int(cell)].next = freeCell
      freeCell = cell
      objects[Int(object)].pending -= 1
      if objects[Int(object)].count == 0 { return trapOverRelease(object, thread) }
      if giveUp(object, thread, position) { return .call }
    }
    if frames[frame].isRaising { return .raise }
    if frames[frame].fromHost { result = .none }
    return .done
  }

  // MARK: rl.autoreleasePool

  /// `rl.autoreleasePool(fn)`: calls a function within a pool of its own.
  mutating func autoreleasePool(_ function: HostValue, _ thread: Int32) -> Step {
    if let failure = refusal(toCall: function, on: thread) {
      release(function)
      return .result(.failure(failure))
    }
    tick &+= 1
    let pool = pushPool(automaticName(.pool), poolLevel(thread), isHeld: false, thread)
    let frame = push(.poolScope, on: thread, fromHost: true)
    frames[frame].live = pools[Int(pool)].height
    callout = Callout(kind: .guarded, callback: function)
    return advance(thread)
  }

  mutating func stepPoolScope(_ frame: Int, _ thread: Int32) -> Flow {
    switch frames[frame].step {
    case 0:
      frames[frame].step = 1
      return .call
    case 1:
      frames[frame].step = 2
      beginDrain(from: frames[frame].live, thread)
      return .again
    default:
      result = .results(frames[frame].value)
      return .done
    }
  }
}

extension Frame.Kind {
  /// Whether each callout of such a frame has an autorelease pool: those that a run loop makes as it runs.
  @inline(__always)
  var hasPoolPerCallout: Bool {
    switch self {
    case .activation, .notification, .blocks, .performs, .mainQueue, .receive: true
    default: false
    }
  }
}
