/// Blocks queued for a run loop (semantics 2.5, __CFRunLoopDoBlocks).

extension System {
  /// `loop:performBlock(modes, fn)`: queues, and wakes nobody. The modes exist from then on, also one that is named as the
  /// label of the common ones: it cannot be run, and is empty but for such a block.
  mutating func performBlock(
    _ loop: Int32, _ list: ModeList, _ callback: HostValue, _ thread: Int32, _ position: Position
  ) -> Step {
    guard !loops[Int(loop)].isGone else {
      release(callback)
      return callOnGoneLoop(loop, thread, "performBlock")
    }
    tick &+= 1
    for name in names(in: list) { makeMode(loop, name) }
    let block = makeBlock(BlockRecord(callback: callback, modes: list, position: position))
    if loops[Int(loop)].lastBlock >= 0 {
      blocks[Int(loops[Int(loop)].lastBlock)].next = block
    } else {
      loops[Int(loop)].firstBlock = block
    }
    loops[Int(loop)].lastBlock = block
    return .result(.none)
  }

  mutating func makeBlock(_ record: BlockRecord) -> Int32 {
    if freeBlock >= 0 {
      let block = freeBlock
      freeBlock = blocks[Int(block)].next
      blocks[Int(block)] = record
      return block
    }
    blocks.append(record)
    return Int32(blocks.count - 1)
  }

  mutating func freeBlock(_ block: Int32) {
    blocks[Int(block)].callback = .none
    blocks[Int(block)].next = freeBlock
    freeBlock = block
  }

  /// Takes the whole queue as it is now and begins to run what is for the current mode; false when nothing is.
  mutating func beginBlocks(_ activation: Int, _ thread: Int32) -> Bool {
    let loop = Int(frames[activation].loop)
    guard loops[loop].firstBlock >= 0 else { return false }
    let mode = frames[activation].mode
    let frame = push(.blocks, on: thread, fromHost: false)
    frames[frame].loop = Int32(loop)
    frames[frame].mode = mode
    frames[frame].list = loops[loop].firstBlock
    loops[loop].firstBlock = -1
    loops[loop].lastBlock = -1
    return true
  }

  mutating func stepBlocks(_ frame: Int, _ thread: Int32) -> Flow {
    while frames[frame].list >= 0 {
      let block = frames[frame].list
      frames[frame].list = blocks[Int(block)].next
      guard modeList(blocks[Int(block)].modes, includes: frames[frame].mode) else {
        keep(block, frame)
        continue
      }
      tick &+= 1
      post(.block, thread, mode: modes[Int(frames[frame].mode)].name)
      callout = Callout(kind: .block, callback: blocks[Int(block)].callback)
      freeBlock(block)
      frames[Int(loops[Int(frames[frame].loop)].activation)].isWokenInVain = false
      return .call
    }
    putBackKept(frame)
    return .done
  }

  private mutating func keep(_ block: Int32, _ frame: Int) {
    blocks[Int(block)].next = -1
    if frames[frame].lastKept >= 0 {
      blocks[Int(frames[frame].lastKept)].next = block
    } else {
      frames[frame].kept = block
    }
    frames[frame].lastKept = block
  }

  /// Blocks kept for other modes go before those queued meanwhile.
  private mutating func putBackKept(_ frame: Int) {
    guard frames[frame].kept >= 0 else { return }
    let loop = Int(frames[frame].loop)
    blocks[Int(frames[frame].lastKept)].next = loops[loop].firstBlock
    if loops[loop].firstBlock < 0 { loops[loop].lastBlock = frames[frame].lastKept }
    loops[loop].firstBlock = frames[frame].kept
  }

  /// The loop is gone: what is queued there is never run.
  mutating func dropBlocks(of loop: Int32) {
    var block = loops[Int(loop)].firstBlock
    loops[Int(loop)].firstBlock = -1
    loops[Int(loop)].lastBlock = -1
    while block >= 0 {
      let next = blocks[Int(block)].next
      release(blocks[Int(block)].callback)
      freeBlock(block)
      block = next
    }
  }

  /// An error left a block: those after it go back into the queue.
  mutating func abandonBlocks(_ frame: Int) {
    while frames[frame].list >= 0 {
      let block = frames[frame].list
      frames[frame].list = blocks[Int(block)].next
      keep(block, frame)
    }
    putBackKept(frame)
  }
}
