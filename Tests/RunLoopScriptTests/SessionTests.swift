import RunLoopEngine
import RunLoopTrace
import Testing

@testable import RunLoopScript

@Suite struct SessionTests {
  @Test func logsOfTheMainChunkAreTraced() {
    let run = Run("rl.log('hello', 1, nil, true)")
    #expect(run.outcome.kind == .ended(.returned))
    #expect(
      run.lines == [
        "0.000000000 main thread.start", "0.000000000 main log hello 1 nil true",
        "0.000000000 main thread.exit", "0.000000000 - end reason=returned",
      ])
  }

  @Test func syntaxErrorsRunNothing() {
    let run = Run("rl.log('x'\nrl.log(")
    #expect(run.outcome.kind == .syntaxError)
    #expect(run.outcome.message == "script.lua:2: ')' expected (to close '(' at line 1) near 'rl'")
    #expect(run.lines.isEmpty)
  }

  @Test func anUncaughtErrorEndsTheRunWithItsPlaceAndTraceback() {
    let run = Run(
      "local function f() error('no way') end\nrl.thread('worker', function() f() end):start()\nrl.sleep(1)")
    #expect(run.outcome.kind == .scriptError)
    #expect(run.outcome.message == "script.lua:1: no way")
    #expect(run.outcome.traceback?.contains("script.lua:2") == true)
    #expect(run.lines.last == "0.000000000 - end reason=fault detail=error")
  }

  @Test func anErrorInACalloutLeavesTheRunAndCanBeCaught() {
    let run = Run(
      """
      local loop = rl.currentLoop()
      loop:scheduleTimer{ after = 1, fire = function() error("oops", 0) end }
      rl.log(pcall(loop.run, loop))
      rl.log(loop:currentMode(), rl.now())
      """)
    #expect(run.outcome.kind == .ended(.returned))
    #expect(run.logs == ["false oops", "nil 1.0"])
    #expect(run.lines.contains { $0.hasPrefix("1.000000000 main run.exit mode=default") })
  }

  @Test func eventsComeInBatchesAndAllOfThem() {
    let run = Run("for i = 1, 5000 do rl.log(i) end")
    #expect(run.logs == (1...5000).map(String.init))
  }

  @Test func aGoneOutputStopsTheRun() {
    var options = ScriptOptions(source: Array("while true do rl.log('x') end".utf8), chunkName: "script.lua")
    options.maximumInstructions = 0
    let recorder = Recorder()
    recorder.remainingBatches = 3
    #expect(Session(options).run(consumer: recorder).kind == .outputGone)
  }

  @Test func interruptionStopsTheRun() {
    let run = Run("while true do rl.sleep(1) end") { $0.shouldStop = { true } }
    #expect(run.outcome.kind == .interrupted)
  }

  @Test func limitsEndTheRunWithAMessage() {
    let trace = Run("while true do rl.log('x') end") { $0.maximumTraceEvents = 2000 }
    #expect(trace.outcome.kind == .limit)
    #expect(
      trace.outcome.message == "more than 2000 trace events (--max-trace; --until SECONDS ends a run that has no end)")
    #expect(trace.lines.last == "0.000000000 - end reason=limit detail=trace")
    #expect(trace.logs.count == 2000)
    let instructions = Run("while true do end") { $0.maximumInstructions = 100_000 }
    #expect(instructions.outcome.kind == .limit)
    #expect(instructions.outcome.message?.contains("--max-instructions") == true)
    let memory = Run("local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end") { $0.maximumMemory = 8 << 20 }
    #expect(memory.outcome.kind == .limit)
    #expect(memory.outcome.message?.contains("--max-memory") == true)
    let objects = Run("while true do rl.thread('t', print) end") {
      $0.maximumMemory = 8 << 20
    }
    #expect(objects.outcome.kind == .limit)
    #expect(
      objects.outcome.message
        == "not enough memory: the simulation's objects take more than 8388608 bytes (--max-memory)")
    #expect(objects.lines.last == "0.000000000 - end reason=limit detail=memory")
    let name = Run("rl.mutex{ name = ('x'):rep(70000) }")
    #expect(
      name.error == "script.lua:1: rl.mutex: a name must not be longer than 65535 bytes; this one has 70000")
    let steps = Run("while true do rl.yield() end") { $0.configuration.maximumSteps = 1000 }
    #expect(steps.outcome.kind == .ended(.limit))
    #expect(steps.outcome.message == "more than 1000 steps (--max-steps)")
  }

  @Test("Long texts are handed over before they fill the memory")
  func longTextsAreHandedOver() {
    final class Consumer: TraceConsumer {
      var most = 0
      var total = 0
      func consume(_ simulation: borrowing Simulation) -> Bool {
        most = max(most, simulation.text.count)
        total += simulation.text.count
        return true
      }
    }
    let script = "local s = ('x'):rep(300000) for i = 1, 100 do rl.log(s) end"
    let options = ScriptOptions(source: Array(script.utf8), chunkName: "script.lua")
    let consumer = Consumer()
    #expect(Session(options).run(consumer: consumer).kind == .ended(.returned))
    #expect(consumer.total == 30_000_000)
    #expect((1 << 20..<1_500_000).contains(consumer.most))
  }

  @Test func argumentsAndConstantsAreInRl() {
    let run = Run(
      "rl.log(#rl.args, rl.args[1], rl.distantFuture, rl.distantPast, rl.mainThread, rl.mainQueue.name, rl.mainLoop.name)"
    ) { $0.arguments = ["a b"] }
    #expect(run.logs == ["1 a b inf -inf thread main mainQueue main"])
  }

  @Test func failedExpectationsAreFaultsWithTheirPlace() {
    let run = Run("rl.expect(1 == 1)\nrl.expect(nil, 'must be')\nrl.log(rl.expect(false))")
    #expect(run.outcome.kind == .ended(.fault))
    #expect(run.lines.contains("0.000000000 main expect.fail \"must be\" at=script.lua:2"))
    #expect(run.logs == ["false"])
  }

  @Test func theCommandLineChoosesWhatIsTraced() {
    let script = "rl.trace{ show = { 'log', 'thread' }, hide = 'thread' }\nrl.log('a')\nrl.currentLoop():runInMode('x')"
    #expect(Run(script).lines.count { $0.contains("run.enter") } == 0)
    #expect(Run(script) { $0.shownCategories = EventCategories(.run) }.logs.isEmpty)
    #expect(Run(script) { $0.hiddenCategories = EventCategories(.log) }.logs.isEmpty)
  }

  @Test func theProfileIsChosenBeforeAnythingRuns() {
    #expect(Run("rl.semantics('linux')").session.simulation.configuration.profile == .linux)
    #expect(
      Run("rl.semantics('linux')") { $0.profileIsFixed = true }.session.simulation.configuration.profile == .apple)
    let late = Run("rl.sleep(1)\nrl.semantics('linux')")
    #expect(
      late.error
        == "script.lua:2: rl.semantics: the profile must be chosen before a thread starts, a run loop runs or time passes"
    )
  }

  @Test func seededRunsAreTheSameEveryTime() {
    let script = """
      for i = 1, 3 do rl.thread("t" .. i, function() for j = 1, 3 do rl.log(i, j) rl.yield() end end):start() end
      local port = rl.port{}
      rl.currentLoop():addPort(port)
      rl.detach("sender", function() port:send("text of the message") end)
      rl.currentLoop():runInMode("default", 1)
      """
    let first = Run(script) { $0.configuration.seed = 7 }
    let second = Run(script) { $0.configuration.seed = 7 }
    #expect(first.lines == second.lines)
    #expect(first.outcome.kind == .ended(.returned))
  }
}
