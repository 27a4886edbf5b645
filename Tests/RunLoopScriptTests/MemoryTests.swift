import Testing

@testable import RunLoopScript

/// Objects and autorelease pools, seen through scripts.
@Suite struct MemoryTests {
  /// The lines of the trace from the memory category and the log, without time and thread.
  private func story(_ script: String) -> [String] {
    let run = Run("rl.trace{ show = { 'memory', 'log' } }\n" + script)
    #expect(run.error == nil)
    return run.lines.filter { $0.contains(" dealloc ") || $0.contains(" pool.drain ") || $0.contains(" log ") }.map {
      $0.split(separator: " ").dropFirst(2).joined(separator: " ")
    }
  }

  @Test func objectsGoWithTheirLastReference() {
    #expect(
      story(
        """
        local o = rl.object{ name = "o", dealloc = function(...) rl.log("gone", select("#", ...)) end }
        rl.log(o:retain().name)
        o:release()
        rl.log("still there")
        o:release()
        rl.object{}:release()
        """) == ["log o", "log still there", "dealloc o", "log gone 0", "dealloc object1"])
  }

  @Test func poolsByHandAndByFunction() {
    #expect(
      story(
        """
        local pool = rl.pool("mine")
        rl.log(pool.name, rl.object{ name = "a" }:autorelease().name)
        rl.log(rl.autoreleasePool(function()
          rl.object{ name = "b" }:autorelease()
          return 1, nil
        end))
        rl.log(select("#", rl.autoreleasePool(function() end)))
        rl.log(pcall(rl.autoreleasePool, function()
          rl.object{ name = "c" }:autorelease()
          error("oops", 0)
        end))
        pool:drain()
        rl.pool():drain()
        rl.object{ name = "d" }:autorelease()
        """) == [
          "log mine a", "pool.drain pool1", "dealloc b", "log 1 nil", "log 0", "pool.drain pool3", "dealloc c",
          "log false oops", "pool.drain mine", "dealloc a", "pool.drain pool4", "pool.drain top", "dealloc d",
        ])
  }

  @Test func aCalloutHasAPoolUnlessTheMachineHasNone() {
    let script = """
      rl.currentLoop():scheduleTimer{ after = 1, fire = function() rl.object{ name = "o" }:autorelease() end }
      rl.currentLoop():runInMode("default", 2)
      rl.log("end")
      """
    #expect(story(script) == ["pool.drain callout", "dealloc o", "log end"])
    #expect(
      story("rl.machine{ poolPerCallout = false }\n" + script) == ["log end", "pool.drain top", "dealloc o"])
  }

  @Test func anErrorDrainsAndGoesOnWithItsTraceback() {
    let script = """
      local function fire()
        rl.object{ name = "o", dealloc = function() rl.sleep(1) pcall(error, "inner") rl.log("gone") end }:autorelease()
        error("no way")
      end
      rl.currentLoop():scheduleTimer{ after = 1, fire = fire }
      """
    #expect(
      story(script + "\nrl.log(pcall(rl.mainLoop.run, rl.mainLoop))") == [
        "pool.drain callout", "dealloc o", "log gone", "log false script.lua:4: no way",
      ])
    let run = Run(script + "\nrl.mainLoop:run()")
    #expect(run.error == "script.lua:3: no way")
    #expect(run.outcome.traceback?.contains("script.lua:3: in function") == true)
    #expect(run.logs == ["gone"])
  }

  @Test func anErrorInDeallocTakesTheOtherOnesPlace() {
    #expect(
      story(
        """
        local function failing(name) return rl.object{ name = name, dealloc = function() error(name, 0) end } end
        rl.log(pcall(rl.autoreleasePool, function()
          failing("a"):autorelease()
          failing("b"):autorelease()
          error("first", 0)
        end))
        rl.log(pcall(function() failing("c"):release() end))
        """) == ["pool.drain pool1", "dealloc a", "dealloc b", "log false b", "dealloc c", "log false c"])
  }

  @Test func threadsDrainBeforeTheyEnd() {
    #expect(
      story(
        """
        local function object(name) return rl.object{ name = name, dealloc = function() rl.log(rl.currentThread().name) end } end
        local worker = rl.thread("worker", function()
          object("a"):autorelease()
          pcall(function() rl.pool() object("b"):autorelease() rl.exitThread(5) end)
        end)
        worker:start()
        rl.log(worker:join())
        """) == ["pool.drain pool1", "dealloc b", "log worker", "pool.drain top", "dealloc a", "log worker", "log 5"])
    let failing = Run(
      """
      rl.thread("worker", function()
        rl.object{ dealloc = function() error("in dealloc") end }:autorelease()
      end):start()
      """)
    #expect(failing.error == "script.lua:2: in dealloc")
  }

  @Test func deallocRunsInsideCoroutinesToo() {
    #expect(
      story(
        """
        local run = coroutine.wrap(function()
          rl.autoreleasePool(function()
            rl.object{ name = "o", dealloc = function() rl.sleep(1) rl.log(rl.now()) end }:autorelease()
          end)
          return "done"
        end)
        rl.log(run())
        """) == ["pool.drain pool1", "dealloc o", "log 1.0", "log done"])
  }
}
