import RunLoopEngine
import Testing

@testable import RunLoopScript

@Suite struct APITableTests {
  @Test func everythingIsDocumented() {
    for function in APITable.functions {
      #expect(function.documentation.hasSuffix("."), "\(function.qualifiedName)")
      for parameter in function.allParameters {
        #expect(!parameter.documentation.isEmpty, "\(function.qualifiedName), \(parameter.name)")
      }
    }
    for constant in APITable.constants { #expect(constant.documentation.hasSuffix(".")) }
    for kind in ObjectKind.allCases { #expect(kind.documentation.hasSuffix(".")) }
  }

  @Test func namesAreUnique() {
    let names = APITable.functions.map(\.qualifiedName) + APITable.constants.map { "rl.\($0.name)" }
    #expect(Set(names).count == names.count)
    for function in APITable.functions {
      let names = function.allParameters.map { "\($0.name)" }
      #expect(Set(names).count == names.count, "\(function.qualifiedName)")
    }
  }

  /// Each has a function of C to itself.
  @Test func quickMethodsAreNoMoreThanTheHostHasRoomFor() {
    #expect(APITable.functions.count { $0.quick != .none } <= 32)
  }

  /// The sections of script-api.md that are done.
  @Test func coversTheContract() {
    let wanted = """
      rl.now rl.nanoseconds rl.work rl.sleep rl.sleepUntil rl.yield rl.log rl.expect rl.machine rl.trace rl.semantics
      rl.describe rl.thread rl.detach rl.currentThread rl.exitThread rl.performOnMainThread rl.performInBackground
      rl.performAfterDelay rl.cancelPreviousPerforms rl.currentLoop rl.source rl.port rl.timer rl.observer
      thread:start thread:join thread:detach thread:cancel thread:isCancelled thread:isExecuting thread:isFinished
      thread:isMain thread:loop thread:setPriority thread:priority thread:setStackSize thread:stackSize thread:perform
      loop:run loop:runInMode loop:runMode loop:runUntil loop:runForever loop:stop loop:wakeUp loop:isWaiting
      loop:currentMode loop:modes loop:addCommonMode loop:addSource loop:removeSource loop:containsSource loop:addTimer
      loop:removeTimer loop:containsTimer loop:addObserver loop:removeObserver loop:containsObserver loop:addPort
      loop:removePort loop:containsPort loop:performBlock loop:nextTimerFireDate loop:limitDate loop:acceptInput
      loop:scheduleTimer source:signal source:isSignalled source:invalidate source:isValid port:send port:invalidate
      port:isValid port:replyPort timer:invalidate timer:isValid timer:fire timer:nextFireDate timer:setNextFireDate
      timer:interval timer:doesRepeat timer:tolerance timer:setTolerance timer:fireCount timer:missedCount
      observer:invalidate observer:isValid mainQueue:async mainQueue:sync mainQueue:after
      rl.mutex mutex:lock mutex:unlock mutex:tryLock mutex:lockBefore rl.recursiveMutex recursiveMutex:lock
      recursiveMutex:unlock recursiveMutex:tryLock recursiveMutex:lockBefore rl.readWriteLock readWriteLock:readLock
      readWriteLock:writeLock readWriteLock:tryReadLock readWriteLock:tryWriteLock readWriteLock:unlock rl.spinLock
      spinLock:lock spinLock:unlock spinLock:tryLock spinLock:lockBefore rl.distributedLock distributedLock:tryLock
      distributedLock:unlock distributedLock:breakLock rl.condition condition:lock condition:unlock condition:wait
      condition:waitUntil condition:signal condition:broadcast rl.conditionLock conditionLock:lock conditionLock:unlock
      conditionLock:lockWhen conditionLock:unlockWith conditionLock:condition rl.semaphore semaphore:wait
      semaphore:signal rl.synchronized rl.once rl.atomic atomic:load atomic:store atomic:add atomic:exchange
      atomic:compareExchange rl.memoryBarrier rl.shared shared:get shared:set
      rl.object object:retain object:release object:autorelease rl.autoreleasePool rl.pool pool:drain
      notifications:addObserver notifications:removeObserver notifications:post rl.messagePort rl.remotePort
      messagePort:invalidate messagePort:isValid remotePort:request portServer:register portServer:lookup
      """
    let present = Set(APITable.functions.map(\.qualifiedName))
    for name in wanted.split(whereSeparator: \.isWhitespace) { #expect(present.contains(String(name)), "\(name)") }
  }

  @Test func theDefinitionFileHasEveryFunction() {
    let text = DefinitionFile.render()
    #expect(text.hasPrefix("---@meta\n"))
    #expect(text.contains("---@param mode rl.Mode the mode to run in\n"))
    #expect(text.contains("---@overload fun(name?: string, entry: fun(thread: rl.Thread): ..., "))
    #expect(text.contains("---@overload fun(self: rl.Loop, fn: fun())\nfunction Loop:performBlock(modes, fn) end\n"))
    for function in APITable.functions {
      let owner = function.owner.map { String($0.className.dropFirst(3)) + ":" } ?? "rl."
      #expect(text.contains("function \(owner)\(function.name)("), "\(function.qualifiedName)")
    }
  }

  @Test func theReferencePageHasEveryFunction() {
    let text = ReferencePage.render()
    for function in APITable.functions { #expect(text.contains("\n### `\(ReferencePage.signature(function))`\n")) }
    #expect(text.contains("### `loop:runInMode(mode[, seconds[, returnAfterSourceHandled]])`"))
    #expect(text.contains("### `loop:performBlock([modes, ]fn)`"))
    #expect(text.contains("### `thread:perform(fn[, { … }])`"))
    #expect(text.contains("### `rl.timer{ … }`"))
  }
}

@Suite struct ActivityTests {
  @Test func namesAreThoseOfTheirBits() {
    let names = Activities.each.map { "\($0.name)" }
    #expect(names == ["entry", "beforeTimers", "beforeSources", "beforeWaiting", "afterWaiting", "exit"])
    #expect(Activities.each.map(\.rawValue) == [1, 2, 4, 32, 64, 128])
  }
}
