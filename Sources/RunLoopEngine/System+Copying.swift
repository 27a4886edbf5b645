/// A system as a value: copies of it, for snapshots.

extension System {
  /// The same system once more, independent of this one.
  ///
  /// - Complexity: O(size).
  func clone() -> System {
    var copy = System(like: self)
    copy.assign(self)
    return copy
  }

  /// Becomes a copy of a system of the same kind, in the memory that it has: an explorer goes back and forth between
  /// states of one run all the time.
  ///
  /// - Complexity: O(size).
  mutating func assign(_ other: borrowing System) {
    assignPools(other)
    configuration = other.configuration
    random = other.random
    now = other.now
    tick = other.tick
    sequence = other.sequence
    freeFrame = other.freeFrame
    freeCell = other.freeCell
    freeBlock = other.freeBlock
    freePerform = other.freePerform
    freeReader = other.freeReader
    if !modeLists.isEmpty || !other.modeLists.isEmpty { modeLists = other.modeLists }
    freePool = other.freePool
    freePost = other.freePost
    freeRequest = other.freeRequest
    if !portNames.isEmpty || !other.portNames.isEmpty { portNames = other.portNames }
    hasFewCores = other.hasFewCores
    working = other.working
    spinAlarms = other.spinAlarms
    coreHolder = other.coreHolder
    isMachineSet = other.isMachineSet
    isMultiThreaded = other.isMultiThreaded
    firstQueued = other.firstQueued
    mainQueueIsReady = other.mainQueueIsReady
    lastQueued = other.lastQueued
    isInMainQueueBlock = other.isInMainQueueBlock
    firstReady = other.firstReady
    lastReady = other.lastReady
    upcoming = other.upcoming
    unarmedMode = other.unarmedMode
    quietUntil = other.quietUntil
    living = other.living
    progress = other.progress
    steps = other.steps
    nextRest = other.nextRest
    failedExpectations = other.failedExpectations
    ending = other.ending
    endDetail = other.endDetail
    endMessage = other.endMessage
    if !trapParts.isEmpty || !other.trapParts.isEmpty { trapParts = other.trapParts }
    busyThread = other.busyThread
    if !lostCalls.isEmpty || !other.lostCalls.isEmpty { lostCalls = other.lostCalls }
    if !unrun.isEmpty || !other.unrun.isEmpty { unrun = other.unrun }
    moreUnrun = other.moreUnrun
    isClosed = other.isClosed
    hasBegun = other.hasBegun
    callout = other.callout
    result = other.result
    names = other.names
    pendingTexts.assign(other.pendingTexts)
    freeMessages.assign(other.freeMessages)
    activeObservers.assign(other.activeObservers)
    freeReplyPorts.assign(other.freeReplyPorts)
    events.assign(other.events)
    text.assign(other.text)
    releasedValues.assign(other.releasedValues)
    exploration.assign(other.exploration)
    stillFrame = -1
  }

  private mutating func assignPools(_ other: borrowing System) {
    agenda.assign(other.agenda)
    threads.assign(other.threads)
    loops.assign(other.loops)
    for mode in modes.indices { modes[mode].timers.free() }
    modes.assign(other.modes)
    for mode in modes.indices { modes[mode].timers = other.modes[mode].timers.clone() }
    sources.assign(other.sources)
    ports.assign(other.ports)
    places.assign(other.places)
    observers.assign(other.observers)
    delayedPerforms.assign(other.delayedPerforms)
    frames.assign(other.frames)
    cells.assign(other.cells)
    blocks.assign(other.blocks)
    performs.assign(other.performs)
    heldMessages.assign(other.heldMessages)
    objects.assign(other.objects)
    pools.assign(other.pools)
    notificationObservers.assign(other.notificationObservers)
    posts.assign(other.posts)
    requests.assign(other.requests)
    locks.assign(other.locks)
    semaphores.assign(other.semaphores)
    atomics.assign(other.atomics)
    cellsOfMemory.assign(other.cellsOfMemory)
    readers.assign(other.readers)
  }
}
