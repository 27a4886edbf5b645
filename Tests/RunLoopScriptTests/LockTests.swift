import RunLoopEngine
import Testing

@testable import RunLoopScript

/// Synchronisation, seen through scripts.
@Suite struct LockTests {
  private func check(_ script: String, _ logs: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    let run = Run(script)
    #expect(run.error == nil, sourceLocation: sourceLocation)
    #expect(run.logs == logs, sourceLocation: sourceLocation)
  }

  @Test func mutexes() {
    let run = Run(
      """
      local m = rl.mutex{ name = "m" }
      rl.log(m.name, rl.mutex().name, rl.recursiveMutex{}.name, rl.spinLock{}.name)
      local worker = rl.thread("worker", function()
        m:lock()
        rl.sleep(1)
        m:unlock()
      end)
      worker:start()
      rl.yield()
      rl.log(m:tryLock(), m:lockBefore(0.5), rl.now(), m:lockBefore(2), rl.now())
      m:unlock()
      m:lock()
      """)
    #expect(run.logs == ["m mutex1 recursiveMutex1 spinLock1", "false false 0.5 true 1.0"])
    #expect(
      run.lines.filter { $0.contains("lock") } == [
        "0.000000000 worker lock m", "0.000000000 main lock.busy m holder=worker",
        "0.000000000 main lock.wait m holder=worker", "0.500000000 main lock.busy m holder=worker timedOut=true",
        "0.500000000 main lock.wait m holder=worker", "1.000000000 worker unlock m", "1.000000000 main lock m",
        "1.000000000 main unlock m", "1.000000000 main lock m",
      ])
  }

  @Test func recursiveMutexes() {
    let run = Run("local m = rl.recursiveMutex{ name = 'm' }\nm:lock() m:lock() rl.log(m:tryLock())\nm:unlock()")
    #expect(run.logs == ["true"])
    #expect(
      run.lines.filter { $0.contains("lock m") } == [
        "0.000000000 main lock m", "0.000000000 main lock m depth=2", "0.000000000 main lock m depth=3",
        "0.000000000 main unlock m depth=3",
      ])
  }

  @Test func readWriteLocks() {
    check(
      """
      local l = rl.readWriteLock{}
      l:readLock()
      rl.log(l:tryReadLock(), l:tryWriteLock())
      l:unlock()
      local writer = rl.thread("writer", function() l:writeLock() rl.log("writer") rl.sleep(1) l:unlock() end)
      local reader = rl.thread("reader", function() l:readLock() rl.log("reader", rl.now()) l:unlock() end)
      writer:start()
      rl.yield()
      reader:start()
      rl.log(l:tryReadLock())
      l:unlock()
      writer:join()
      reader:join()
      rl.log(l:tryWriteLock())
      """, ["true false", "false", "writer", "reader 1.0", "true"])
  }

  @Test func conditions() {
    let run = Run(
      """
      local c, ready = rl.condition{ name = "c" }, false
      rl.detach("worker", function()
        rl.sleep(1)
        c:lock()
        ready = true
        c:signal()
        c:unlock()
        c:broadcast()
      end)
      c:lock()
      rl.log(c:waitUntil(0.5), rl.now())
      while not ready do c:wait() end
      c:unlock()
      rl.log(rl.now())
      """)
    #expect(run.logs == ["false 0.5", "1.0"])
    #expect(
      run.lines.filter { $0.contains(" c") && !$0.contains("log") }.dropFirst() == [
        "0.000000000 main condition.wait c", "0.500000000 main condition.wake c timedOut=true",
        "0.500000000 main condition.wait c", "1.000000000 worker lock c", "1.000000000 worker condition.signal c",
        "1.000000000 worker unlock c", "1.000000000 worker condition.signal c broadcast=true lost=true",
        "1.000000000 main condition.wake c", "1.000000000 main unlock c",
      ])
  }

  @Test func spuriousWakeups() {
    let script = """
      local c, wakes = rl.condition{ name = "c" }, 0
      rl.detach("worker", function() rl.sleep(1) c:lock() ready = true c:signal() c:unlock() end)
      ready = false
      c:lock()
      while not ready do c:wait() wakes = wakes + 1 end
      rl.log(wakes, rl.now())
      """
    #expect(Run(script).logs == ["1 1.0"])
    let run = Run(script) { $0.configuration.spuriousWakeups = true }
    #expect(run.logs == ["2 1.0"])
    #expect(run.lines.contains("0.000000000 main condition.wake c spurious=true"))
  }

  @Test func conditionLocks() {
    let run = Run(
      """
      local l = rl.conditionLock{ name = "l", condition = 1 }
      rl.log(l:condition(), l:lockWhen(2, 0), l:tryLock())
      l:unlockWith(2)
      rl.log(l:lockWhen(2), l:condition())
      l:unlock()
      local taker = rl.thread("taker", function() rl.log(l:lockWhen(7, 1), l:lockWhen(7), rl.now()) l:unlockWith(0) end)
      taker:start()
      rl.sleep(2)
      l:lock()
      l:unlockWith(7)
      taker:join()
      rl.log(l:condition(), l:lockBefore(9))
      """)
    #expect(run.logs == ["1 false true", "true 2", "false true 2.0", "0 true"])
    #expect(run.lines.contains("0.000000000 taker lock.wait l condition=7"))
    #expect(run.lines.contains("2.000000000 main unlock l condition=7"))
  }

  @Test func semaphores() {
    let run = Run(
      """
      local s = rl.semaphore{ name = "s", value = 1 }
      rl.log(s:wait(), s:wait(0), s:wait(1), s:signal(), s:wait())
      rl.detach("worker", function() rl.sleep(2) rl.log(s:signal()) end)
      rl.log(s:wait(), rl.now())
      """)
    #expect(run.logs == ["true false false false true", "true", "true 3.0"])
    #expect(run.lines.contains("1.000000000 main semaphore.wake s timedOut=true"))
  }

  @Test func synchronizedGoesByIdentity() {
    let run = Run(
      """
      local a, b = {}, {}
      rl.log(rl.synchronized(a, function() return rl.synchronized(a, function() return 1, nil, 3 end) end))
      rl.log(select("#", rl.synchronized(b, function() end)))
      rl.log(pcall(rl.synchronized, "a", function() error("no", 0) end))
      rl.log(pcall(rl.synchronized, "a", function() rl.synchronized("a", function() error({}) end) end))
      rl.synchronized(1, function() rl.synchronized(1.0, function() end) end)
      rl.synchronized(rl.mainThread, function() rl.synchronized(rl.currentThread(), function() end) end)
      rl.detach("worker", function() rl.synchronized("a", function() rl.log("worker") end) end)
      rl.synchronized("b", function() rl.sleep(1) end)
      """)
    #expect(run.error == nil)
    #expect(run.logs == ["1 nil 3", "0", "false no", "false table: 1", "worker"])
    #expect(run.lines.contains("0.000000000 main lock synchronized1 depth=2"))
    #expect(run.lines.contains("0.000000000 main lock synchronized3 depth=2"))
    #expect(run.lines.contains("0.000000000 main lock synchronized4 depth=2"))
    #expect(run.lines.contains("0.000000000 worker lock a"))
  }

  @Test func onceForAll() {
    check(
      """
      local token, count = {}, 0
      local function bump() rl.sleep(1) count = count + 1 end
      local other = rl.thread("other", function() return rl.once(token, bump) end)
      other:start()
      rl.yield()
      rl.log(rl.once(token, bump), rl.now(), count)
      rl.log(other:join(), rl.once(token, bump), count)
      rl.log(pcall(rl.once, "x", function() error("no", 0) end))
      rl.log(rl.once("x", function() end), rl.once("x", error), rl.once("y", function() end))
      """, ["false 1.0 1", "true false 1", "false no", "true false true"])
  }

  @Test func atomics() {
    let run = Run(
      """
      local a = rl.atomic{ name = "a", value = 1 }
      rl.log(a:load(), a:add(2), a:exchange(1.5), a:load(), a:compareExchange(1, 0), a:compareExchange(1.5, 7), a:load())
      a:store(3)
      rl.memoryBarrier()
      rl.log(a:add(0.5), math.type(rl.atomic{}:load()))
      """
    ) { $0.shownCategories = [.init(.access), .init(.log)] }
    #expect(run.logs == ["1 3 3 1.5 false true 7", "3.5 integer"])
    #expect(
      run.lines.dropLast().filter { $0.contains("atomic ") } == [
        "0.000000000 main atomic a op=load value=1", "0.000000000 main atomic a op=add value=3",
        "0.000000000 main atomic a op=exchange value=1.5", "0.000000000 main atomic a op=load value=1.5",
        "0.000000000 main atomic a op=compareExchange value=1.5 failed=true",
        "0.000000000 main atomic a op=compareExchange value=7", "0.000000000 main atomic a op=load value=7",
        "0.000000000 main atomic a op=store value=3", "0.000000000 main atomic a op=add value=3.5",
        "0.000000000 main atomic atomic1 op=load value=0",
      ])
  }

  @Test func sharedMemory() {
    let script = """
      local value = { text = "x" }
      local s = rl.shared{ name = "s", value = value }
      rl.log(s:get() == value, s:get().text)
      s:set(2)
      rl.log(s:get())
      s:set()
      rl.log(s:get(), rl.shared{}:get())
      for i = 1, 1000 do s:set(("x"):rep(i)) end
      rl.log(#s:get())
      """
    check(script, ["true x", "2", "nil nil", "1000"])
    let run = Run(String(script.prefix { $0 != "f" })) { $0.shownCategories = EventCategories(.access) }
    #expect(
      run.lines.prefix(6) == [
        "0.000000000 main shared.get s", "0.000000000 main shared.get s", "0.000000000 main shared.set s value=2",
        "0.000000000 main shared.get s", "0.000000000 main shared.set s value=nil", "0.000000000 main shared.get s",
      ])
  }

  @Test func seededRunsOfLocksAreTheSameEveryTime() {
    let script = """
      local m, c, s, x = rl.mutex{}, rl.condition{}, rl.semaphore{ value = 1 }, rl.shared{ value = 0 }
      local threads = {}
      for i = 1, 4 do
        threads[i] = rl.thread("t" .. i, function()
          for j = 1, 3 do
            m:lock() x:set(x:get() + 1) m:unlock()
            s:wait() rl.yield() s:signal()
            rl.synchronized("o", function() rl.once("o", function() rl.log(i) end) end)
            c:lock() c:broadcast() c:waitUntil(rl.now() + 0.1) c:unlock()
          end
        end)
        threads[i]:start()
      end
      for i = 1, 4 do threads[i]:join() end
      rl.log(x:get())
      """
    for seed: UInt64 in 0..<5 {
      let first = Run(script) {
        $0.configuration.seed = seed
        $0.shownCategories = .all
      }
      let second = Run(script) {
        $0.configuration.seed = seed
        $0.shownCategories = .all
      }
      #expect(first.error == nil)
      #expect(first.lines == second.lines)
      #expect(first.logs.last == "12")
    }
  }

  /// Without events a free lock is taken on the spot, which must make no difference.
  @Test(arguments: [
    "m:lock() rl.log(m:tryLock()) m:unlock() rl.log(m:tryLock()) m:unlock() m:unlock()",
    "m:lock() m:lock()",
    "m:lock(1)",
    "m.lock()",
    "m.lock(rl.spinLock{})",
    "other:start() rl.yield() m:lock() rl.log('main') m:unlock() other:join() rl.log(m:tryLock())",
    "other:start() rl.yield() rl.log(m:tryLock(), m:lockBefore(0.5), rl.now()) m:unlock()",
    "local r = rl.recursiveMutex{} for i = 1, 3 do r:lock() end for i = 1, 4 do r:unlock() end",
    "m:lock() n = rl.thread('n', function() n:lock() end) n:start() n:join()",
    "m:lock() other:start() other:join()",
    "for i = 1, 10000 do m:lock() m:unlock() end rl.log(rl.nanoseconds())",
  ])
  func untracedLocksAreTheSame(script: String) {
    let whole = """
      local m = rl.mutex{ name = "m" }
      local other = rl.thread("other", function() m:lock() rl.sleep(1) rl.log("other") m:unlock() end)
      \(script)
      """
    let traced = Run(whole)
    let untraced = Run(whole) { $0.hiddenCategories = EventCategories(.lock) }
    #expect(traced.outcome.kind == untraced.outcome.kind)
    #expect(traced.outcome.message == untraced.outcome.message)
    #expect(traced.lines.filter { !$0.contains("lock") } == untraced.lines.filter { !$0.contains("lock") })
    #expect(traced.lines.filter { $0.contains("fault") } == untraced.lines.filter { $0.contains("fault") })
  }

  @Test func anErrorAfterAWaitNamesItsOwnFunction() {
    let script = """
      local m = rl.mutex{}
      for i = 1, 3 do rl.thread("t" .. i, function() for j = 1, 9 do rl.yield() end end):start() end
      m:unlock()
      """
    for seed: UInt64 in 0..<10 {
      let run = Run(script) { $0.configuration.seed = seed }
      #expect(run.error?.hasPrefix("script.lua:3: mutex:unlock: ") == true)
    }
  }
}
