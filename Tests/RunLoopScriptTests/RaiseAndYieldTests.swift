import RunLoopEngine
import Testing

@testable import RunLoopScript

/// No error and no yield of Lua crosses a Swift frame: every callback raises and yields, every function of the table is
/// called wrongly, also while memory runs out (architecture, rule 4). What must hold is that the run ends in an ordinary
/// way: a jump over Swift's frames would crash or leave the engine in the middle of something.
@Suite struct RaiseAndYieldTests {
  /// A function `callback(kind, f)` for each kind of callback: it brings `f` to be called, and gives what the calls gave.
  private static let callbacks = """
    local loop = rl.currentLoop()
    local function observe(activities, f)
      local o = rl.observer{ activities = activities, handler = f }
      loop:addObserver(o)
      local ok, e = pcall(loop.runInMode, loop, "default", 0)
      o:invalidate()
      if not ok then error(e, 0) end
    end
    local kinds = {
      timer = function(f)
        local t = rl.timer{ after = 0.1, fire = f }
        loop:addTimer(t) loop:runInMode("default", 1) t:invalidate()
      end,
      handFire = function(f) rl.timer{ after = 1, fire = f }:fire() end,
      source = function(f)
        local s = rl.source{ perform = f }
        loop:addSource(s) s:signal() loop:runInMode("default", 0) s:invalidate()
      end,
      schedule = function(f) local s = rl.source{ schedule = f } loop:addSource(s) s:invalidate() end,
      cancel = function(f) local s = rl.source{ cancel = f } loop:addSource(s) s:invalidate() end,
      port = function(f)
        local p = rl.port{ receive = f }
        loop:addPort(p) p:send(1) loop:runInMode("default", 0) p:invalidate()
      end,
      observer = function(f)
        observe({ "entry" }, f)
      end,
      exitObserver = function(f)
        observe({ "exit" }, f)
      end,
      block = function(f) loop:performBlock(f) loop:runInMode("default", 0) end,
      mainQueue = function(f) rl.mainQueue:async(f) loop:runInMode("default", 0.1) end,
      perform = function(f) rl.mainThread:perform(f) loop:runInMode("default", 0) end,
      inline = function(f) rl.mainThread:perform(f, { wait = true }) end,
      delayed = function(f) rl.performAfterDelay(0.1, f) loop:runInMode("default", 0.2) end,
      coroutine = function(f) local ok, e = coroutine.resume(coroutine.create(f)) if not ok then error(e, 0) end end,
      wrap = function(f) coroutine.wrap(f)() end,
      thread = function(f) local t = rl.thread("t", function() pcall(f) end) t:start() t:join() end,
    }
    local names = {}
    for name in pairs(kinds) do names[#names + 1] = name end

    """

  @Test func anErrorInEveryCallbackComesOutOfTheCallThatLedThere() {
    let run = Run(
      Self.callbacks + """
        local keep = rl.source{ name = "keep" }
        loop:addSource(keep)
        for _, name in ipairs(names) do
          local ok, message = pcall(kinds[name], function() error("from " .. name, 0) end)
          if name == "thread" then rl.expect(ok, name)
          else rl.expect(not ok and message:find("from " .. name, 1, true), name .. ": " .. tostring(message)) end
          rl.expect(loop:currentMode() == nil, name .. " left a run")
        end
        rl.log("through")
        """)
    #expect(run.logs == ["through"])
    #expect(run.outcome.kind == .ended(.returned), "\(run.lines.suffix(5)) \(run.outcome.message ?? "")")
  }

  @Test func everyCallbackMayBlockAndNestAndYieldToACoroutine() {
    let run = Run(
      Self.callbacks + """
        local keep = rl.source{ name = "keep" }
        loop:addSource(keep)
        for _, outer in ipairs(names) do
          for _, inner in ipairs(names) do
            local reached = 0
            kinds[outer](function()
              rl.sleep(0.01) rl.work(0.01) rl.yield()
              if rl.currentThread():isMain() and not (outer == "mainQueue" and inner == "mainQueue") then
                kinds[inner](function() rl.sleep(0.01) reached = reached + 1 end)
              else reached = reached + 1 end
            end)
            rl.expect(reached >= 1, outer .. " in " .. inner .. " " .. reached)
          end
        end
        rl.log("through")
        """)
    #expect(run.logs == ["through"])
    #expect(run.outcome.kind == .ended(.returned), "\(run.lines.suffix(5)) \(run.outcome.message ?? "")")
  }

  /// A coroutine that left a callback could be gone on with in another thread, where the engine would end a frame that
  /// is not its own.
  @Test func noCoroutineTakesACallbackToAnotherThread() {
    let run = Run(
      Self.callbacks + """
        local keep, refused = rl.source{ name = "keep" }, 0
        loop:addSource(keep)
        for _, name in ipairs(names) do
          local co = coroutine.create(function()
            kinds[name](function()
              local ok, message = pcall(coroutine.yield)
              if not ok and message:find("attempt to yield", 1, true) then refused = refused + 1 end
              return ok
            end)
          end)
          coroutine.resume(co)
          local t = rl.thread("other", function()
            if coroutine.status(co) ~= "dead" then rl.synchronized(loop, function() coroutine.resume(co) end) end
          end)
          t:start()
          t:join()
          rl.expect(coroutine.status(co) == "dead", name)
          rl.expect(loop:currentMode() == nil, name .. " left a run")
        end
        rl.log(refused, #names)
        """)
    // All but the two whose callback is a coroutine of its own, which may yield.
    #expect(run.logs == ["14 16"])
    #expect(run.outcome.kind == .ended(.returned), "\(run.lines.suffix(5)) \(run.outcome.message ?? "")")
  }

  /// Calls every function with nothing, with nonsense, and (methods) on the wrong object.
  private static let misuse: String = {
    var script = """
      local objects, nonsense = {}, { nil, 1, -1, 0/0, math.huge, "x", {}, function() end, true, rl.timer{} }
      local function try(f, ...) pcall(f, ...) end
      objects.thread, objects.loop = rl.thread("w", function() end), rl.currentLoop()
      objects.source, objects.port = rl.source{}, rl.port{}
      objects.timer, objects.observer = rl.timer{ after = 1 }, rl.observer{ handler = function() end }
      objects.mainQueue = rl.mainQueue

      """
    let excluded: Set<String> = ["exitThread", "wait", "runForever", "sleepUntil", "run", "join", "lock", "sync"]
    for function in APITable.functions where !excluded.contains("\(function.name)") {
      if let owner = function.owner {
        script += """
          if objects.\(owner.name) then
            local object = objects.\(owner.name)
            try(object.\(function.name)) try(object.\(function.name), object) try(object.\(function.name), rl.mainThread)
            for n = 1, 10 do try(object.\(function.name), object, nonsense[n], nonsense[11 - n]) end
          end

          """
      } else {
        script += """
          try(rl.\(function.name)) try(rl.\(function.name), {})
          for n = 1, 10 do try(rl.\(function.name), nonsense[n], nonsense[11 - n]) end

          """
      }
    }
    return script + "rl.log('through')\n"
  }()

  @Test func everyFunctionCalledWronglyRaisesAndNothingBreaks() {
    let run = Run(Self.misuse) { $0.configuration.until = 1_000_000_000_000 }
    #expect(run.logs.last == "through", "\(run.lines.suffix(3)) \(run.outcome.message ?? "")")
  }

  @Test func memoryMayRunOutAnywhere() {
    var ends: Set<String> = []
    for cap in stride(from: 60_000, through: 400_000, by: 1_709) {
      for script in [
        Self.misuse, Self.callbacks + "for _, n in ipairs(names) do pcall(kinds[n], function() rl.log(n) end) end",
      ] {
        let run = Run(script) {
          $0.maximumMemory = cap
          $0.configuration.until = 1_000_000_000_000
        }
        ends.insert("\(run.outcome.kind)")
      }
    }
    #expect(ends.contains("limit"))
    #expect(ends.allSatisfy { $0 == "limit" || $0.hasPrefix("ended") }, "\(ends)")
  }
}
