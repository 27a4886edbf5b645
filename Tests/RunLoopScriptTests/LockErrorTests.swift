import Testing

@testable import RunLoopScript

/// Misuse of locks, and what scripts are told: which thread holds it since when, and where it was taken.
@Suite struct LockErrorTests {
  @Test(arguments: [
    ("rl.semaphore{ value = -1 }", "rl.semaphore: value must not be negative, got -1"),
    (
      "rl.conditionLock{ condition = 1.5 }",
      "rl.conditionLock: field 'condition' must be an integer, got the number 1.5"
    ),
    ("rl.atomic{ value = 'x' }", "rl.atomic: field 'value' must be a number, got a string"),
    ("rl.atomic{}:add()", "atomic:add: argument 1 (value) must be a number, got nil"),
    ("rl.mutex{ nane = 'm' }", "rl.mutex: there is no field 'nane'; did you mean 'name'? (fields: name)"),
    ("rl.mutex{}:unlock()", "mutex:unlock: this thread does not hold mutex 'mutex1': nobody holds it"),
    (
      "rl.recursiveMutex{}:unlock()",
      "recursiveMutex:unlock: this thread does not hold recursive mutex 'recursiveMutex1': nobody holds it"
    ),
    (
      "rl.distributedLock{}:unlock()",
      "distributedLock:unlock: this thread does not hold distributed lock 'distributedLock1': nobody holds it"
    ),
    (
      "rl.readWriteLock{}:unlock()",
      "readWriteLock:unlock: this thread does not hold read-write lock 'readWriteLock1': nobody holds it"
    ),
    (
      "rl.conditionLock{}:unlockWith(1)",
      "conditionLock:unlockWith: this thread does not hold condition lock 'conditionLock1': nobody holds it"
    ),
    (
      "rl.condition{}:wait()",
      "condition:wait: this thread must lock condition 'condition1' before it waits: nobody holds it"
    ),
    (
      "rl.condition{}:waitUntil(1)",
      "condition:waitUntil: this thread must lock condition 'condition1' before it waits: nobody holds it"
    ),
    (
      "rl.synchronized(nil, print)",
      "rl.synchronized: argument 1 (object) must be a value that stands for itself (not nil, not NaN), got nil"
    ),
    (
      "rl.once(0/0, print)",
      "rl.once: argument 1 (token) must be a value that stands for itself (not nil, not NaN), got NaN"
    ),
    ("rl.once('x')", "rl.once: argument 2 (fn) must be a function, got nil"),
  ])
  func isRefused(script: String, message: String) {
    #expect(Run(script).error == "script.lua:1: \(message)")
  }

  /// From its first use on a lock finds its methods in another way, which must not show. With locks out of the trace they
  /// are taken on the spot.
  @Test(arguments: ["", "rl.trace{ hide = { 'lock' } }"])
  func fieldsOfALock(before: String) {
    let run = Run(
      """
      \(before)
      local m, other = rl.mutex{ name = "m" }, rl.condition{ name = "c" }
      local function fails(body)
        local _, why = pcall(body)
        rl.log((why:gsub("^script.lua:%d+: ", "")))
      end
      for _ = 1, 2 do
        fails(function() return m.lok end)
        rl.log(m.name, tostring(m), getmetatable(m), m:lock(), m:tryLock(), m:unlock())
        fails(function() return m[1] end)
        fails(function() m.name = "n" end)
        fails(function() m.lock(other) end)
        fails(function() m.lock() end)
        fails(function() other.lock(m) end)
      end
      """)
    #expect(run.error == nil)
    let once = [
      "mutex has no field 'lok'; did you mean 'lock'?", "m mutex m mutex nil false nil",
      "mutex has no field of type number",
      "cannot assign field 'name': a mutex has only the methods and fields of its kind",
      "mutex:lock: call it with ':' on a mutex", "mutex:lock: call it with ':' on a mutex",
      "condition:lock: call it with ':' on a condition",
    ]
    #expect(run.logs == once + once)
  }

  /// While there is only one chunk the place of a call is found in a shorter way.
  @Test(arguments: ["", "rl.trace{ hide = { 'lock' } }"])
  func placesInSeveralChunks(before: String) {
    let run = Run(
      """
      \(before)
      local m = rl.mutex{ name = "m" }
      local function where()
        local _, why = pcall(m.lock, m)
        m:unlock()
        rl.log(why:match("at (%S+)"))
      end
      m:lock() where()
      local other = load("local m = ...\\n\\nm:lock()", "=other")
      m:lock() where()
      other(m) where()
      m:lock() where()
      pcall(m.lock, m) where()
      """)
    #expect(run.error == nil)
    #expect(run.logs == ["script.lua:8", "script.lua:10", "other:3", "script.lua:12", "script.lua:13"])
  }

  @Test func lockingTwiceSaysSinceWhen() {
    let mutex = Run("local m = rl.mutex{ name = 'm' }\nrl.sleep(0.5)\nm:lock()\nm:lock()")
    #expect(
      mutex.error == "script.lua:4: mutex:lock: this thread would wait for itself for ever: it holds mutex 'm' already "
        + "since 0.500000000 at script.lua:3 (rl.recursiveMutex can be locked again)")
    let spin = Run("local m = rl.spinLock{ name = 'm' }\nm:lock()\nm:lockBefore(1)")
    #expect(
      spin.error
        == "script.lua:3: spinLock:lockBefore: this thread would wait for itself until 1.000000000: it holds spin lock "
        + "'m' already since 0.000000000 at script.lua:2")
  }

  @Test(arguments: [
    "local m = rl.mutex{} m:lock() m:lockBefore(rl.now() + 2)", "local c = rl.condition{} c:lock() c:lockBefore(2)",
    "local k = rl.conditionLock{} k:lock() k:lockWhen(5, 2)", "local k = rl.conditionLock{} k:lock() k:lockBefore(2)",
  ]) func aDateSaysUntilWhenItWouldWait(script: String) {
    #expect(Run(script).error?.contains(" would wait for itself until 2.000000000: ") == true)
  }

  @Test func aPastDateTries() {
    #expect(
      Run("local k = rl.conditionLock{} k:lock() rl.log(k:lockWhen(0, 0), k:lockBefore(0))").logs == ["false false"])
  }

  @Test func aReaderThatIsHeldBackNamesTheWriter() {
    let run = Run(
      """
      local l = rl.readWriteLock{ name = "l" }
      l:readLock()
      rl.detach("w", function() l:writeLock() l:unlock() end)
      rl.detach("r", function() l:tryReadLock() l:readLock() l:unlock() end)
      rl.sleep(1)
      l:unlock()
      """)
    #expect(run.lines.contains("0.000000000 w lock.wait l holder=main"))
    #expect(run.lines.contains("0.000000000 r lock.busy l holder=main writer=w"))
    #expect(run.lines.contains("0.000000000 r lock.wait l holder=main writer=w"))
  }

  @Test func aConditionLockSaysWhichNumberItHas() {
    let run = Run(
      """
      local k = rl.conditionLock{ name = "k", condition = 1 }
      rl.detach("w", function() k:lockWhen(3) end)
      rl.sleep(1)
      rl.log(rl.describe():find("waits for condition lock k with condition 3; it has 1 at script.lua:2", 1, true) ~= nil)
      k:lock()
      k:unlockWith(2)
      rl.currentLoop():runForever()
      """)
    #expect(run.logs == ["true"])
    #expect(
      run.lines.contains("1.000000000 w fault stuck thread=w waits=lock:k condition=3 has=2 at=script.lua:2"),
      "\(run.lines)")
  }

  @Test func unlockingAnothersLockSaysWhoseItIs() {
    let run = Run(
      """
      local m = rl.mutex{ name = "m" }
      rl.detach("worker", function() rl.sleep(0.25)
        m:lock()
        rl.sleep(5) end)
      rl.sleep(1)
      m:unlock()
      """)
    #expect(
      run.error == "script.lua:6: mutex:unlock: this thread does not hold mutex 'm': thread 'worker' holds it since "
        + "0.250000000 at script.lua:3")
  }

  @Test func waitingWithAnothersLockSaysWhoseItIs() {
    let run = Run(
      """
      local c = rl.condition{ name = "c" }
      rl.detach("worker", function() c:lock() rl.sleep(5) end)
      rl.yield()
      c:wait()
      """)
    #expect(
      run.error == "script.lua:4: condition:wait: this thread must lock condition 'c' before it waits: thread 'worker' "
        + "holds it since 0.000000000 at script.lua:2")
  }

  @Test func readWriteMisuseSaysSinceWhen() {
    let upgrade = Run("local l = rl.readWriteLock{ name = 'l' }\nl:readLock()\nl:writeLock()")
    #expect(
      upgrade.error == "script.lua:3: readWriteLock:writeLock: this thread would wait for itself for ever: it holds "
        + "read-write lock 'l' for reading since 0.000000000 at script.lua:2 (unlock first)")
    let read = Run("local l = rl.readWriteLock{ name = 'l' }\nl:writeLock()\nl:readLock()")
    #expect(
      read.error == "script.lua:3: readWriteLock:readLock: this thread would wait for itself for ever: it holds "
        + "read-write lock 'l' for writing since 0.000000000 at script.lua:2")
    let write = Run("local l = rl.readWriteLock{ name = 'l' }\nl:writeLock()\nl:writeLock()")
    #expect(
      write.error == "script.lua:3: readWriteLock:writeLock: this thread would wait for itself for ever: it holds "
        + "read-write lock 'l' already since 0.000000000 at script.lua:2")
  }

  @Test func aOnceInsideItselfIsRefused() {
    let run = Run("rl.once('token', function()\n  rl.once('token', print)\nend)")
    #expect(
      run.error == "script.lua:2: rl.once: this thread would wait for itself for ever: the function of once 'token' is "
        + "running since 0.000000000 at script.lua:1")
  }

  @Test func aBrokenDistributedLockIsNoMoreHeld() {
    let run = Run(
      """
      local d = rl.distributedLock{ name = "d" }
      local worker = rl.thread("worker", function()
        rl.log(d:tryLock())
      end)
      worker:start()
      worker:join()
      rl.log(d:tryLock(), pcall(d.unlock, d))
      d:breakLock()
      rl.log(d:tryLock(), pcall(d.unlock, d))
      """)
    #expect(
      run.logs == [
        "true",
        "false false script.lua:7: distributedLock:unlock: this thread does not hold distributed lock 'd': thread "
          + "'worker' holds it since 0.000000000 at script.lua:3",
        "true true nil",
      ])
    #expect(run.lines.contains("0.000000000 main lock.break d holder=worker"))
  }

  @Test func linuxTrapsOnWaitingUntilTheDistantFuture() {
    let run = Run(
      "rl.semantics('linux')\nlocal c = rl.condition{}\nc:lock()\nc:waitUntil(rl.distantFuture)\nrl.log('not reached')")
    #expect(run.outcome.kind == .scriptError)
    #expect(run.outcome.message == "script.lua:4: a trap ended the process: condition:waitUntil of the distant future")
    #expect(run.logs.isEmpty)
    #expect(
      run.lines.suffix(2) == [
        "0.000000000 - fault trap reason=conditionWaitUntilDistantFuture condition=condition1 thread=main at=script.lua:4",
        "0.000000000 - end reason=fault detail=trap",
      ])
  }

  @Test func deadlocksNameWhoHoldsWhatWithScriptLines() {
    let run = Run(
      """
      local a, b = rl.mutex{ name = "a" }, rl.mutex{ name = "b" }
      local worker = rl.thread("worker", function()
        b:lock()
        rl.sleep(1)
        a:lock()
      end)
      worker:start()
      a:lock()
      rl.sleep(1)
      b:lock()
      """)
    #expect(run.outcome.kind == .ended(.fault))
    #expect(
      run.lines.suffix(3) == [
        "1.000000000 main fault deadlock thread=main waits=lock:b holder=worker since=0.000000000 "
          + "lockedAt=script.lua:3 at=script.lua:10 holds=a heldAt=script.lua:8",
        "1.000000000 worker fault deadlock thread=worker waits=lock:a holder=main since=0.000000000 "
          + "lockedAt=script.lua:8 at=script.lua:5 holds=b heldAt=script.lua:3",
        "1.000000000 - end reason=fault",
      ])
    #expect(
      run.session.simulation.describe(.main).hasPrefix(
        "thread main: waits for mutex b (held by worker since 0.000000000 at script.lua:3) at script.lua:10\n"
          + "  holds mutex a since 0.000000000 at script.lua:8\n"))
  }
}
