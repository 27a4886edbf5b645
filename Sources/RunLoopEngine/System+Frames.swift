/// The frames of a thread, innermost first, and the batches that they work through.

extension System {
  // MARK: Frames

  /// Why a thread cannot call one more function from within those that it is in; nil when it can, or when there is none to
  /// call. Asked before anything has happened.
  mutating func refusal(toCall function: HostValue, on thread: Int32) -> OperationFailure? {
    guard function != .none, threads[Int(thread)].depth >= configuration.maximumDepth else { return nil }
    return .nestedTooDeep(configuration.maximumDepth)
  }

  @discardableResult
  mutating func push(_ kind: Frame.Kind, on thread: Int32, fromHost: Bool) -> Int {
    let below = threads[Int(thread)].top
    let index: Int
    if freeFrame >= 0 {
      index = Int(freeFrame)
      freeFrame = frames[index].below
      frames[index] = Frame(kind: kind, fromHost: fromHost, below: below)
    } else {
      index = frames.count
      frames.append(Frame(kind: kind, fromHost: fromHost, below: below))
    }
    threads[Int(thread)].top = Int32(truncatingIfNeeded: index)
    threads[Int(thread)].depth += 1
    return index
  }

  mutating func pop(_ thread: Int32) {
    let index = threads[Int(thread)].top
    threads[Int(thread)].top = frames[Int(index)].below
    threads[Int(thread)].depth -= 1
    frames[Int(index)].below = freeFrame
    freeFrame = index
  }

  /// Gives up the frames from the innermost to the operation that the host waits for: an error went through them.
  mutating func unwind(_ thread: Int32) {
    while threads[Int(thread)].top >= 0 {
      if unwindOne(thread) { return }
    }
  }

  /// Gives up the innermost frame; says whether the host waits for it.
  @discardableResult
  mutating func unwindOne(_ thread: Int32) -> Bool {
    let frame = Int(threads[Int(thread)].top)
    abandon(frame, thread)
    let fromHost = frames[frame].fromHost
    pop(thread)
    return fromHost
  }

  /// Puts back what a frame holds, when an error leaves it.
  private mutating func abandon(_ frame: Int, _ thread: Int32) {
    switch frames[frame].kind {
    case .activation: abandonActivation(frame, thread)
    case .notification: abandonNotification(frame, thread)
    case .blocks: abandonBlocks(frame)
    case .mainQueue: abandonMainQueue(frame, thread)
    case .performs: abandonPerforms(frame, thread)
    case .receive: abandonReceive(frame)
    case .synchronized, .once: abandonGuard(frame, thread)
    case .posting: abandonPosting(frame)
    case .request: abandonRequest(frame)
    case .scheduling: abandonScheduling(frame, thread)
    case .cancelling: abandonCancelling(frame, thread)
    case .handFire: endHandFire(frames[frame].item)
    case .poolScope: release(frames[frame].value)
    case .thread, .operation, .foundationRun, .inlinePerform, .conditionWait, .draining, .wait:
      freeCells(frames[frame].list)
    }
  }

  // MARK: Batches

  /// A new cell, the last of its list.
  mutating func makeCell(_ a: Int32, _ b: Int32 = -1) -> Int32 {
    let index = freeCell
    if index >= 0 {
      freeCell = cells[Int(index)].next
      cells[Int(index)] = Cell(a: a, b: b, next: -1)
      return index
    }
    cells.append(Cell(a: a, b: b, next: -1))
    return Int32(cells.count - 1)
  }

  /// Adds a cell at the end of a batch whose first and last cells are given.
  mutating func addCell(_ a: Int32, _ b: Int32 = -1, first: inout Int32, last: inout Int32) {
    let index = makeCell(a, b)
    if last >= 0 { cells[Int(last)].next = index } else { first = index }
    last = index
  }

  /// Takes the first cell of a frame's batch; nil at its end.
  mutating func takeCell(_ frame: Int) -> (a: Int32, b: Int32)? {
    let index = frames[frame].list
    guard index >= 0 else { return nil }
    let cell = cells[Int(index)]
    frames[frame].list = cell.next
    cells[Int(index)].next = freeCell
    freeCell = index
    return (cell.a, cell.b)
  }

  mutating func freeCells(_ first: Int32) {
    var index = first
    while index >= 0 {
      let next = cells[Int(index)].next
      cells[Int(index)].next = freeCell
      freeCell = index
      index = next
    }
  }

  // MARK: Host values

  /// Gives a host value up: nothing here refers to it any more.
  mutating func release(_ value: HostValue) {
    if value != .none { releasedValues.append(value) }
  }
}
