/// Whether two states of a system behave the same from here on: for the question whether a run comes back to where it was.
///
/// Everything is compared but what has no say in what happens: numbers that only grow and order what comes by what is
/// there already (the tick, the sequence, what the agenda counts), and counts that are kept for people. So two states may
/// be called different that are not, but never the other way round.
extension Simulation {
  /// Whether the two go on in the same way, whatever is chosen. Meant for two moments of one run, at a choice.
  ///
  /// - Complexity: O(size).
  public func isSameState(as other: Simulation) -> Bool { shared.pointee.isSame(as: other.shared.pointee) }

  /// Callouts and steps of the clock so far.
  public var progress: UInt64 { shared.pointee.progress }

  /// The next moment that something is due; nil: nothing is.
  public var nextDue: Nanoseconds? {
    let system = shared
    return system.pointee.agenda.isEmpty ? nil : system.pointee.agenda.first.nanoseconds
  }

  /// Ends the run: its threads go round in a circle.
  ///
  /// - Parameter circle: who takes which steps in it, as the fault's line says it.
  public mutating func endInLivelock(_ circle: [(thread: ThreadID, steps: String)]) {
    own.pointee.endInLivelock(circle)
  }
}

extension System {
  fileprivate func isSame(as other: borrowing System) -> Bool {
    areThreadsSame(as: other) && areLoopsSame(as: other) && areItemsSame(as: other) && areListsSame(as: other)
      && areServicesSame(as: other) && isSchedulerSame(as: other)
  }

  private func areThreadsSame(as other: borrowing System) -> Bool {
    guard now == other.now, progress == other.progress, threads.count == other.threads.count else { return false }
    for index in threads.indices {
      var a = threads[index]
      var b = other.threads[index]
      // How often it found nothing to do: only `busyLoop` counts that.
      a.idlePasses = 0
      b.idlePasses = 0
      a.progressSeen = 0
      b.progressSeen = 0
      if a != b { return false }
    }
    return pendingTexts == other.pendingTexts && frames.isSame(as: other.frames) && freeFrame == other.freeFrame
      && agenda.isSame(as: other.agenda)
  }

  private func areLoopsSame(as other: borrowing System) -> Bool {
    guard loops.count == other.loops.count, modes.count == other.modes.count else { return false }
    for index in loops.indices {
      var a = loops[index]
      var b = other.loops[index]
      a.wakeCounts = []
      b.wakeCounts = []
      a.timerWakes = 0
      b.timerWakes = 0
      if a != b { return false }
    }
    for index in modes.indices where !modes[index].isSame(as: other.modes[index]) { return false }
    return unarmedMode == other.unarmedMode
  }

  private func areItemsSame(as other: borrowing System) -> Bool {
    sources.isSame(as: other.sources) && ports.isSame(as: other.ports) && places.isSame(as: other.places)
      && observers.isSame(as: other.observers) && delayedPerforms.isSame(as: other.delayedPerforms)
      && locks.isSame(as: other.locks) && readers.isSame(as: other.readers) && freeReader == other.freeReader
      && semaphores.isSame(as: other.semaphores) && atomics.isSame(as: other.atomics)
      && cellsOfMemory.isSame(as: other.cellsOfMemory) && objects.isSame(as: other.objects)
  }

  private func areListsSame(as other: borrowing System) -> Bool {
    cells.isSame(as: other.cells) && freeCell == other.freeCell && readyPorts.isSame(as: other.readyPorts)
      && freeReadyPort == other.freeReadyPort && blocks.isSame(as: other.blocks)
      && freeBlock == other.freeBlock && performs.isSame(as: other.performs) && freePerform == other.freePerform
      && heldMessages.isSame(as: other.heldMessages) && freeMessages == other.freeMessages
      && modeLists == other.modeLists && firstQueued == other.firstQueued && lastQueued == other.lastQueued
      && mainQueueIsReady == other.mainQueueIsReady && isInMainQueueBlock == other.isInMainQueueBlock
  }

  private func areServicesSame(as other: borrowing System) -> Bool {
    pools.isSame(as: other.pools) && freePool == other.freePool
      && notificationObservers.isSame(as: other.notificationObservers) && activeObservers == other.activeObservers
      && posts.isSame(as: other.posts) && freePost == other.freePost && requests.isSame(as: other.requests)
      && freeRequest == other.freeRequest && freeReplyPorts == other.freeReplyPorts
      && messagePorts == other.messagePorts && registeredPorts == other.registeredPorts
  }

  private func isSchedulerSame(as other: borrowing System) -> Bool {
    firstReady == other.firstReady && lastReady == other.lastReady && upcoming == other.upcoming
      && random == other.random && working == other.working && coreHolder == other.coreHolder
      && spinAlarms == other.spinAlarms && isMachineSet == other.isMachineSet
      && isMultiThreaded == other.isMultiThreaded && living == other.living
      && failedExpectations == other.failedExpectations && ending == other.ending && busyThread == other.busyThread
      && isClosed == other.isClosed && exploration.spuriousLeft == other.exploration.spuriousLeft
      && exploration.moments == other.exploration.moments && exploration.isAtChoice == other.exploration.isAtChoice
      && exploration.isFrozen == other.exploration.isFrozen && releasedValues == other.releasedValues
  }

  fileprivate mutating func endInLivelock(_ circle: [(thread: ThreadID, steps: String)]) {
    finish(.fault, "")
    for (thread, steps) in circle {
      postFault(
        .livelock, thread.rawValue, [("thread", names[threads[thread.index].name]), ("repeats", steps)])
    }
    close()
  }
}

extension ModeRecord {
  fileprivate func isSame(as other: ModeRecord) -> Bool {
    name == other.name && loop == other.loop && isCommon == other.isCommon && sources == other.sources
      && signalled == other.signalled && ports == other.ports && observers == other.observers
      && observerMask == other.observerMask && timers.isSame(as: other.timers) && tolerant == other.tolerant
      && firstReady == other.firstReady && lastReady == other.lastReady && readyTimer == other.readyTimer
      && readyWakeUp == other.readyWakeUp && readyMainQueue == other.readyMainQueue
      && timerIsReady == other.timerIsReady
      && softDeadline == other.softDeadline && hardDeadline == other.hardDeadline && alarm == other.alarm
  }
}
