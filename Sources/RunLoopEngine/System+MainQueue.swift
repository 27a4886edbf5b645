/// The main queue (semantics 2.5, 2.2 steps 8 and 11).
extension System {
  /// Queues a block for the main queue; `waiter` is the thread of a `sync`.
  mutating func queueOnMain(_ callback: HostValue, waiter: Int32, _ position: Position) {
    tick &+= 1
    appendToMainQueue(makeBlock(BlockRecord(callback: callback, position: position, waiter: waiter)))
  }

  /// Puts a block at the queue's end; a main loop that waits in a common mode sees it.
  mutating func appendToMainQueue(_ block: Int32) {
    let isFirst = lastQueued < 0
    if isFirst { firstQueued = block } else { blocks[Int(lastQueued)].next = block }
    lastQueued = block
    // 2.8: without classes of service, as under `linux`, the queue sends a wake-up for each block; elsewhere one of no
    // higher class that joins others relies on theirs.
    guard isFirst || configuration.profile == .linux else { return }
    mainQueueIsReady = true
    let loop = threads[0].loop
    guard loop >= 0, loops[Int(loop)].isWaiting else { return }
    let activation = Int(loops[Int(loop)].activation)
    if frames[activation].servesMainQueue { becameReady(ReadyEntry.mainQueue, frames[activation].mode) }
  }

  /// Takes every block that is queued now.
  mutating func beginMainQueue(_ activation: Int, _ thread: Int32) {
    let frame = push(.mainQueue, on: thread, fromHost: false)
    frames[frame].list = firstQueued
    firstQueued = -1
    lastQueued = -1
    isInMainQueueBlock = true
  }

  mutating func stepMainQueue(_ frame: Int, _ thread: Int32) -> Flow {
    finishQueuedBlock(frame)
    let block = frames[frame].list
    guard block >= 0 else {
      isInMainQueueBlock = false
      return .done
    }
    frames[frame].list = blocks[Int(block)].next
    frames[frame].item = blocks[Int(block)].waiter
    tick &+= 1
    post(.queue, thread, subject: .mainThread)
    // 2.8: the timer behind a delayed block wakes the queue once more when it is done.
    if blocks[Int(block)].isDelayed, configuration.profile == .linux { mainQueueIsReady = true }
    callout = Callout(kind: .block, callback: blocks[Int(block)].callback)
    freeBlock(block)
    return .call
  }

  /// The thread whose `sync` block has run goes on.
  ///
  /// - Parameter outcome: how its wait ends.
  private mutating func finishQueuedBlock(_ frame: Int, outcome: Int8 = 1) {
    let waiter = frames[frame].item
    guard waiter >= 0 else { return }
    frames[frame].item = -1
    wake(waiter, outcome: outcome)
  }

  /// An error, or the end of the thread, left a block: those after it go back to the front of the queue.
  mutating func abandonMainQueue(_ frame: Int, _ thread: Int32) {
    isInMainQueueBlock = false
    finishQueuedBlock(frame, outcome: threads[Int(thread)].isExiting ? -1 : 1)
    let first = frames[frame].list
    guard first >= 0 else { return }
    var last = first
    while blocks[Int(last)].next >= 0 { last = blocks[Int(last)].next }
    blocks[Int(last)].next = firstQueued
    if firstQueued < 0 { lastQueued = last }
    firstQueued = first
    mainQueueIsReady = true
  }
}
