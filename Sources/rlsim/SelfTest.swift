import RunLoopExplorer
import RunLoopScript

/// Plants one fault of each kind and looks whether it is found, each by the reduced exploration.
enum SelfTest {
  private static let planted: [(kind: String, source: String)] = [
    (
      "deadlock",
      """
      local a, b = rl.mutex{ name = "a" }, rl.mutex{ name = "b" }
      local p = rl.thread("p", function() a:lock() b:lock() b:unlock() a:unlock() end)
      local q = rl.thread("q", function() b:lock() a:lock() a:unlock() b:unlock() end)
      p:start() q:start() p:join() q:join()
      """
    ),
    (
      "lostWakeup",
      """
      local source = rl.source{ name = "source", perform = function() rl.currentLoop():stop() end }
      local ready = rl.semaphore{ name = "ready" }
      local worker = rl.thread("worker", function()
        rl.currentLoop():addSource(source)
        ready:signal()
        rl.currentLoop():run()
      end)
      worker:start()
      ready:wait()
      worker:loop():wakeUp()
      source:signal()
      worker:join()
      """
    ),
    (
      "stuck",
      """
      local c = rl.condition{ name = "c" }
      local waiter = rl.thread("waiter", function() c:lock() c:wait() c:unlock() end)
      local signaller = rl.thread("signaller", function() c:lock() c:signal() c:unlock() end)
      waiter:start() signaller:start() waiter:join() signaller:join()
      """
    ),
    (
      "expectation",
      """
      local x = rl.atomic{ value = 0 }
      local function body() x:store(x:load() + 1) end
      local p, q = rl.thread("p", body), rl.thread("q", body)
      p:start() q:start() p:join() q:join()
      rl.expect(x:load() == 2, "an update was lost")
      """
    ),
    (
      "error",
      """
      local x = rl.atomic{ value = 0 }
      local p = rl.thread("p", function() if x:load() == 1 then error("planted") end end)
      p:start()
      x:store(1)
      x:store(0)
      p:join()
      """
    ),
    (
      "dataRace",
      """
      local x = rl.shared{ name = "x", value = 0 }
      local p = rl.thread("p", function() x:set(1) end)
      p:start() x:set(2) p:join()
      """
    ),
    (
      "lockOrder",
      """
      local a, b = rl.mutex{ name = "a" }, rl.mutex{ name = "b" }
      local p = rl.thread("p", function() a:lock() b:lock() b:unlock() a:unlock() end)
      local q = rl.thread("q", function() b:lock() a:lock() a:unlock() b:unlock() end)
      p:start() p:join() q:start() q:join()
      """
    ),
    (
      "leak",
      """
      local x = rl.atomic{ value = 0 }
      local p = rl.thread("p", function() x:add(1) end)
      p:start() x:add(1)
      """
    ),
    (
      "leak",
      """
      local x = rl.atomic{ value = 0 }
      local p = rl.thread("p", function()
        rl.currentLoop():scheduleTimer{ fireAt = 0, fire = function() if x:load() == 0 then error("planted") end end }
        pcall(function() rl.currentLoop():runInMode("default", 1) end)
      end)
      p:start() x:store(1) p:join()
      """
    ),
    (
      "livelock",
      """
      local a, b = rl.mutex{ name = "a" }, rl.mutex{ name = "b" }
      local function take(first, second)
        while true do
          first:lock()
          if second:tryLock() then break end
          first:unlock()
        end
        second:unlock() first:unlock()
      end
      local p = rl.thread("p", function() take(a, b) end)
      local q = rl.thread("q", function() take(b, a) end)
      p:start() q:start() p:join() q:join()
      """
    ),
  ]

  static func run() -> ExitCode {
    var failures = 0
    for (kind, source) in planted {
      let script = ScriptOptions(source: Array(source.utf8), chunkName: "\(kind).lua")
      let report = Explorer(script, ExploreOptions(), now: ExploreCommand.now).explore()
      let isFound = report.findings.contains { $0.kind == kind && (kind == "lockOrder" || $0.wasReplayed) }
      if !isFound { failures += 1 }
      Platform.print("\(isFound ? "found" : "NOT FOUND") \(kind) (\(report.schedules) schedules)\n")
    }
    return failures == 0 ? .success : .defect
  }
}
