/// A system as a value: copies of it, for snapshots.

extension System {
  /// A system once more, independent of the other.
  ///
  /// - Complexity: O(size).
  static func clone(of other: UnsafeMutablePointer<System>) -> System {
    var copy = System(like: other.pointee)
    copy.assign(other)
    return copy
  }

  /// Becomes a copy of a system of the same kind, in the memory that it has: an explorer goes back and forth between
  /// states of one run all the time.
  ///
  /// - Parameter other: by a pointer: to borrow a system whole, the compiler would move all of it.
  /// - Complexity: O(size).
  mutating func assign(_ other: UnsafeMutablePointer<System>) {
    assignPools(other)
    configuration = other.pointee.configuration
    random = other.pointee.random
    now = other.pointee.now
    tick = other.pointee.tick
    sequence = other.pointee.sequence
    freeFrame = other.pointee.freeFrame
    freeCell = other.pointee.freeCell
    freeReadyPort = other.pointee.freeReadyPort
    freeBlock = other.pointee.freeBlock
    freePerform = other.pointee.freePerform
    freeReader = other.pointee.freeReader
    if !modeLists.isEmpty || !other.pointee.modeLists.isEmpty { modeLists = other.pointee.modeLists }
    freePool = other.pointee.freePool
    freePost = other.pointee.freePost
    freeRequest = other.pointee.freeRequest
    if !messagePorts.isEmpty || !other.pointee.messagePorts.isEmpty { messagePorts = other.pointee.messagePorts }
    if !registeredPorts.isEmpty || !other.pointee.registeredPorts.isEmpty {
      registeredPorts = other.pointee.registeredPorts
    }
    hasFewCores = other.pointee.hasFewCores
    working = other.pointee.working
    spinAlarms = other.pointee.spinAlarms
    coreHolder = other.pointee.coreHolder
    isMachineSet = other.pointee.isMachineSet
    isMultiThreaded = other.pointee.isMultiThreaded
    firstQueued = other.pointee.firstQueued
    mainQueueIsReady = other.pointee.mainQueueIsReady
    lastQueued = other.pointee.lastQueued
    isInMainQueueBlock = other.pointee.isInMainQueueBlock
    firstReady = other.pointee.firstReady
    lastReady = other.pointee.lastReady
    choosesReady = other.pointee.choosesReady
    if choosesReady { readyTree.assign(other.pointee.readyTree) }
    upcoming = other.pointee.upcoming
    unarmedMode = other.pointee.unarmedMode
    quietUntil = other.pointee.quietUntil
    living = other.pointee.living
    progress = other.pointee.progress
    steps = other.pointee.steps
    nextRest = other.pointee.nextRest
    failedExpectations = other.pointee.failedExpectations
    ending = other.pointee.ending
    Bits.assign(&endDetail, &other.pointee.endDetail)
    Bits.assign(&endMessage, &other.pointee.endMessage)
    if !trapParts.isEmpty || !other.pointee.trapParts.isEmpty { trapParts = other.pointee.trapParts }
    busyThread = other.pointee.busyThread
    if !lostCalls.isEmpty || !other.pointee.lostCalls.isEmpty { lostCalls = other.pointee.lostCalls }
    if !unrun.isEmpty || !other.pointee.unrun.isEmpty { unrun = other.pointee.unrun }
    moreUnrun = other.pointee.moreUnrun
    commonRun = other.pointee.commonRun
    isClosed = other.pointee.isClosed
    hasBegun = other.pointee.hasBegun
    callout = other.pointee.callout
    result = other.pointee.result
    Bits.assign(&names, &other.pointee.names)
    pendingTexts.assign(other.pointee.pendingTexts)
    freeMessages.assign(other.pointee.freeMessages)
    activeObservers.assign(other.pointee.activeObservers)
    freeReplyPorts.assign(other.pointee.freeReplyPorts)
    events.assign(other.pointee.events)
    text.assign(other.pointee.text)
    releasedValues.assign(other.pointee.releasedValues)
    exploration.assign(other.pointee.exploration)
    stillFrame = -1
  }

  private mutating func assignPools(_ other: UnsafeMutablePointer<System>) {
    agenda.assign(other.pointee.agenda)
    threads.assign(other.pointee.threads)
    loops.assign(other.pointee.loops)
    assignModes(other)
    sources.assign(other.pointee.sources)
    ports.assign(other.pointee.ports)
    places.assign(other.pointee.places)
    observers.assign(other.pointee.observers)
    delayedPerforms.assign(other.pointee.delayedPerforms)
    frames.assign(other.pointee.frames)
    cells.assign(other.pointee.cells)
    readyPorts.assign(other.pointee.readyPorts)
    blocks.assign(other.pointee.blocks)
    performs.assign(other.pointee.performs)
    heldMessages.assign(other.pointee.heldMessages)
    objects.assign(other.pointee.objects)
    pools.assign(other.pointee.pools)
    notificationObservers.assign(other.pointee.notificationObservers)
    posts.assign(other.pointee.posts)
    requests.assign(other.pointee.requests)
    locks.assign(other.pointee.locks)
    semaphores.assign(other.pointee.semaphores)
    atomics.assign(other.pointee.atomics)
    cellsOfMemory.assign(other.pointee.cellsOfMemory)
    readers.assign(other.pointee.readers)
  }

  private mutating func assignModes(_ other: UnsafeMutablePointer<System>) {
    if modes.count == other.pointee.modes.count {
      for mode in modes.indices {
        let timers = modes[mode].timers
        modes[mode].timers = other.pointee.modes[mode].timers
        modes.update(mode, other.pointee.modes)
        modes[mode].timers = timers
        modes[mode].timers.assign(other.pointee.modes[mode].timers)
      }
    } else {
      for mode in modes.indices { modes[mode].timers.free() }
      modes.assign(other.pointee.modes)
      for mode in modes.indices { modes[mode].timers = other.pointee.modes[mode].timers.clone() }
    }
  }
}
