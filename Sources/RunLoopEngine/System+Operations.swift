/// Carrying out the operations of a script.

extension System {
  mutating func execute(_ operation: Operation, _ thread: Int32, _ position: Position) -> Step {
    switch operation {
    case .startThread(let target): return startThread(target.rawValue, thread, position)
    case .startDetached(let target): return startThread(target.rawValue, thread, position, gives: .thread(target))
    case .join(let target): return join(target.rawValue, thread, position)
    case .detach(let target): return detach(target.rawValue)
    case .cancelThread(let target): return cancelThread(target.rawValue, thread, position)
    case .sleep(let date): return sleep(until: date, .sleep, thread, position)
    case .work(let time):
      if hasFewCores { return workOnCore(time, thread, position) }
      return sleep(until: now.saturatingAdd(time), .work, thread, position)
    case .yield: return yieldThread(thread)
    case .exitThread(let value): return exitThread(value, thread)
    case .threadState(let target, let asked): return .result(.bool(query(asked, target.rawValue)))

    case .runInMode(let loop, let mode, let seconds, let returnAfterSourceHandled):
      if let failure = cannotRun(loop, thread) { return .result(.failure(failure)) }
      threads[Int(thread)].pendingPosition = position
      let flow = beginRun(loop.rawValue, mode, seconds, returnAfterSourceHandled, thread, fromHost: true)
      switch flow {
      case .done: return .result(result)
      case .pause: return giveWay(thread) ? advance(thread) : .parked
      case .again, .call, .raise: return advance(thread)
      }
    case .run(let loop): return run(.run, loop, .defaultMode, .distantFuture, thread, position)
    case .runMode(let loop, let mode, let date): return run(.runMode, loop, mode, date, thread, position)
    case .runUntil(let loop, let date): return run(.runUntil, loop, .defaultMode, date, thread, position)
    case .runForever(let loop): return run(.runForever, loop, .defaultMode, .distantFuture, thread, position)
    case .acceptInput(let loop, let mode, let date): return run(.acceptInput, loop, mode, date, thread, position)
    case .limitDate(let loop, let mode):
      guard loops[loop.index].thread == thread else { return .result(.none) }
      return run(.limitDate, loop, mode, .distantPast, thread, position)

    case .stop(let loop): return stop(loop.rawValue, thread, position)
    case .wakeUp(let loop): return wakeUp(loop.rawValue, thread)
    case .isWaiting(let loop): return .result(.bool(loops[loop.index].isWaiting))
    case .currentMode(let loop):
      let activation = loops[loop.index].activation
      return .result(.name(activation < 0 ? .none : modes[Int(frames[Int(activation)].mode)].name))
    case .addCommonMode(let loop, let name): return addCommonMode(loop.rawValue, name, thread)
    case .add(let item, let loop, let mode):
      tick &+= 1
      return add(item, loop.rawValue, mode, thread)
    case .remove(let item, let loop, let mode):
      tick &+= 1
      return remove(item, loop.rawValue, mode, thread)
    case .contains(let item, let loop, let mode): return .result(.bool(contains(item, loop.rawValue, mode)))
    case .performBlock(let loop, let modes, let block):
      return performBlock(loop.rawValue, modes, block, thread, position)
    case .nextTimerFireDate(let loop, let mode):
      return .result(nextTimerFireDate(loop.rawValue, mode).map { .date($0) } ?? .none)

    case .signal(let source): return signal(source.rawValue, thread, position)
    case .isSignalled(let source): return .result(.bool(sources[source.index].isSignalled))
    case .invalidate(let item):
      tick &+= 1
      return invalidate(item, thread)
    case .send(let port, let message, let text, let date, let replyTo):
      let message = Message(value: message, text: Array(textBytes(text)), replyTo: replyTo.rawValue)
      return send(port.rawValue, message, until: date, thread, position)

    case .fireTimer(let timer): return fireByHand(timer.rawValue, thread)
    case .setNextFireDate(let timer, let date): return setNextFireDate(timer.rawValue, date, thread)
    case .setTolerance(let timer, let tolerance):
      setTolerance(timer.rawValue, tolerance)
      return .result(.none)

    case .mainQueueAsync(let block):
      queueOnMain(block, waiter: -1, position)
      return .result(.none)
    case .mainQueueSync(let block): return mainQueueSync(block, thread, position)
    case .mainQueueAfter(let delay, let block):
      let index = makeBlock(BlockRecord(callback: block, position: position))
      if delay <= 0 {
        appendToMainQueue(index)
      } else {
        blocks[Int(index)].isDelayed = true
        let date = now.saturatingAdd(delay)
        makesDate()
        if date != .distantFuture { _ = agenda.schedule(.mainQueue, index, at: date) }
      }
      return .result(.none)
    case .perform(let target, let request): return perform(target.rawValue, request, thread, position)
    case .performAfterDelay(let delay, let request): return performAfterDelay(delay, request, thread)

    case .lock(let lock): return self.lock(lock.rawValue, thread, position)
    case .tryLock(let lock): return tryLock(lock.rawValue, thread, position)
    case .lockBefore(let lock, let date): return self.lock(lock.rawValue, before: date, thread, position)
    case .unlock(let lock): return unlock(lock.rawValue, value: nil, thread)
    case .readLock(let lock): return readLock(lock.rawValue, isTry: false, thread, position)
    case .writeLock(let lock): return writeLock(lock.rawValue, isTry: false, thread, position)
    case .tryReadLock(let lock): return readLock(lock.rawValue, isTry: true, thread, position)
    case .tryWriteLock(let lock): return writeLock(lock.rawValue, isTry: true, thread, position)
    case .breakLock(let lock): return breakLock(lock.rawValue, thread)
    case .lockWhen(let lock, let value, let date):
      return self.lock(lock.rawValue, when: value, before: date, thread, position)
    case .unlockWith(let lock, let value): return unlock(lock.rawValue, value: value, thread)
    case .conditionValue(let lock): return .result(.number(.integer(locks[lock.index].value)))
    case .waitForCondition(let lock): return waitForCondition(lock.rawValue, until: nil, thread, position)
    case .waitForConditionUntil(let lock, let date):
      return waitForCondition(lock.rawValue, until: date, thread, position)
    case .signalCondition(let lock, let all): return signalCondition(lock.rawValue, all: all, thread, position)
    case .waitForSemaphore(let semaphore, let date):
      return waitForSemaphore(semaphore.rawValue, until: date, thread, position)
    case .signalSemaphore(let semaphore): return signalSemaphore(semaphore.rawValue, thread)
    case .synchronized(let lock, let function): return synchronized(lock.rawValue, function, thread, position)
    case .once(let lock, let function): return once(lock.rawValue, function, thread, position)
    case .atomic(let atomic, let action): return change(atomic.rawValue, action, thread)
    case .memoryBarrier: return .result(.none)
    case .getShared(let shared): return getShared(shared.rawValue, thread)
    case .setShared(let shared, let value, let text): return setShared(shared.rawValue, value, text, thread)

    case .request(let asked): return request(asked, thread, position)
    case .findMessagePort(let name): return .result(.port(messagePort(named: name)))
    case .registerPort(let name, let port): return registerPort(name, port)
    case .lookUpPort(let name): return .result(.port(registeredPort(name)))
    case .unregisterPort(let name): return unregisterPort(name)

    case .addNotificationObserver(let token): return addNotificationObserver(token)
    case .removeNotificationObserver(let token): return removeNotificationObserver(token)
    case .postNotification(let name, let sender, let info): return postNotification(name, sender, info, thread)

    case .retain(let object): return retain(object.rawValue)
    case .release(let object): return release(object.rawValue, thread, position)
    case .autorelease(let object): return autorelease(object.rawValue, thread)
    case .drain(let pool): return drain(pool.rawValue, thread, position)
    case .autoreleasePool(let function): return autoreleasePool(function, thread)

    case .setPriority(let target, let priority): return setPriority(target.rawValue, priority)
    case .setStackSize(let target, let size): return setStackSize(target.rawValue, size)

    case .look: return .result(.none)

    case .takeSources, .takeBlocks, .takePort, .takeMainQueue, .retakeLock, .endThread:
      defect("a look of the run loop's own was made by a script")
    }
  }

  private mutating func run(
    _ kind: FoundationRun, _ loop: LoopID, _ mode: NameID, _ date: Nanoseconds, _ thread: Int32, _ position: Position
  ) -> Step {
    if let failure = cannotRun(loop, thread) { return .result(.failure(failure)) }
    threads[Int(thread)].pendingPosition = position
    return beginFoundationRun(kind, loop.rawValue, mode, date, thread)
  }

  /// A thread runs its own loop only, and not without end inside each other.
  private func cannotRun(_ loop: LoopID, _ thread: Int32) -> OperationFailure? {
    if loops[loop.index].thread != thread { return .notCurrentLoop(loop) }
    if threads[Int(thread)].depth >= configuration.maximumDepth { return .nestedTooDeep(configuration.maximumDepth) }
    return nil
  }

  /// `loop:addCommonMode(mode)`: the mode gets all common items.
  private mutating func addCommonMode(_ loop: Int32, _ name: NameID, _ thread: Int32) -> Step {
    guard !loops[Int(loop)].isGone else { return callOnGoneLoop(loop, thread, "addCommonMode") }
    tick &+= 1
    guard makeCommon(loop, name) else { return .result(.none) }
    if hasCommonPerforms(loop) { makeMode(loop, name) }
    var added: [Int32] = []
    for item in loops[Int(loop)].commonItems where canAdd(item, to: loop) {
      if case .source(let source) = item { added.append(source.rawValue) } else { insert(item, loop, name) }
    }
    return added.isEmpty ? .result(.none) : schedule(added, loop, [name], thread)
  }
}
