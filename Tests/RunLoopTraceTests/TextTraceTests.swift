import Testing

@testable import RunLoopEngine
@testable import RunLoopTrace

@Suite struct TextTraceTests {
  @Test func headerTellsVersionProfileAndSeed() {
    var fixture = TraceFixture()
    #expect(fixture.render(TextTrace()) == "rlsim-trace 1 semantics=apple seed=none\n")
    fixture.configuration.profile = .guide
    fixture.configuration.seed = 18_446_744_073_709_551_615
    #expect(fixture.render(TextTrace()) == "rlsim-trace 1 semantics=guide seed=18446744073709551615\n")
  }

  @Test func linesOfTheExampleInTraceMd() {
    var fixture = TraceFixture()
    fixture.add(.afterWaiting, mode: .defaultMode, a: WakeReason.timer.rawValue)
    fixture.add(.timer, subject: "tick", a: 1, b: 100_000_000)
    fixture.add(.timer, subject: "tick", a: 2, b: 200_000_000, c: 2, time: 450_000_000)
    #expect(
      fixture.lines == [
        "0.100000000 main afterWaiting mode=default wake=timer",
        "0.100000000 main timer tick fire=1 scheduled=0.100000000",
        "0.450000000 main timer tick fire=2 scheduled=0.200000000 late=0.250000000 missed=2",
      ])
  }

  @Test func threadEvents() {
    #expect(line(.threadStart) == "thread.start")
    #expect(line(.threadExit) == "thread.exit")
    #expect(line(.threadCancel, subject: "worker") == "thread.cancel worker")
    #expect(line(.threadJoin, subject: "worker") == "thread.join worker")
    #expect(line(.threadTerminate) == "thread.terminate")
  }

  @Test func runEvents() {
    #expect(
      line(.runEnter, mode: .defaultMode, a: 10_000_000_000, flags: 1)
        == "run.enter mode=default seconds=10.000000000 returnAfterSourceHandled=true")
    #expect(line(.runEnter, mode: .tracking, a: 0) == "run.enter mode=tracking seconds=0.000000000")
    #expect(line(.runEnter, mode: .defaultMode, a: -500_000_000) == "run.enter mode=default seconds=-0.500000000")
    #expect(line(.runEnter, mode: .defaultMode, a: .distantFuture) == "run.enter mode=default")
    #expect(line(.runEnter, mode: .defaultMode, a: 500_000_000_000_000_000) == "run.enter mode=default")
    #expect(
      line(.runEnter, mode: .defaultMode, a: 499_999_999_999_999_999)
        == "run.enter mode=default seconds=499999999.999999999")
    #expect(line(.runExit, mode: .defaultMode, a: 1) == "run.exit mode=default result=finished")
    #expect(line(.runExit, mode: .defaultMode, a: 2) == "run.exit mode=default result=stopped")
    #expect(line(.runExit, mode: .defaultMode, a: 3) == "run.exit mode=default result=timedOut")
    #expect(line(.runExit, mode: .defaultMode, a: 4) == "run.exit mode=default result=handledSource")
    #expect(line(.runExit, mode: .defaultMode, a: -1) == "run.exit mode=default result=error")
    #expect(line(.runExit, mode: .defaultMode, a: -2) == "run.exit mode=default result=exited")
  }

  @Test func activityEvents() {
    #expect(line(.entry, mode: .defaultMode) == "entry mode=default")
    #expect(line(.beforeTimers, mode: .defaultMode) == "beforeTimers mode=default")
    #expect(line(.beforeSources, mode: .defaultMode) == "beforeSources mode=default")
    #expect(line(.beforeWaiting, mode: .modalPanel) == "beforeWaiting mode=modalPanel")
    #expect(line(.exit, mode: .defaultMode) == "exit mode=default")
  }

  @Test func reasonsToWake() {
    func wake(_ reason: WakeReason, port: String? = nil) -> String {
      line(.afterWaiting, mode: .defaultMode, other: port, a: reason.rawValue)
    }
    #expect(wake(.timer) == "afterWaiting mode=default wake=timer")
    #expect(wake(.port, port: "requests") == "afterWaiting mode=default wake=port:requests")
    #expect(wake(.port, port: "my port") == "afterWaiting mode=default wake=\"port:my port\"")
    #expect(wake(.wakeUp) == "afterWaiting mode=default wake=wakeUp")
    #expect(wake(.timeout) == "afterWaiting mode=default wake=timeout")
    #expect(wake(.stop) == "afterWaiting mode=default wake=stop")
    #expect(wake(.mainQueue) == "afterWaiting mode=default wake=mainQueue")
    #expect(wake(.nothing) == "afterWaiting mode=default wake=nothing")
  }

  @Test func observerTellsTheActivityByName() {
    for (bit, name) in [
      (1, "entry"), (2, "beforeTimers"), (4, "beforeSources"), (32, "beforeWaiting"), (64, "afterWaiting"),
      (128, "exit"),
    ] {
      #expect(line(.observer, subject: "watch", a: Int64(bit)) == "observer watch activity=\(name)")
    }
  }

  @Test func timerIsLateOnlyAfterItsDate() {
    #expect(line(.timer, subject: "t", a: 1, b: 100_000_001) == "timer t fire=1 scheduled=0.100000001")
    #expect(line(.timer, subject: "t", a: 1, b: 99_999_999) == "timer t fire=1 scheduled=0.099999999 late=0.000000001")
    #expect(
      line(.timer, subject: "t", a: 1, b: -1_500_000_000) == "timer t fire=1 scheduled=-1.500000000 late=1.600000000")
    #expect(line(.timer, subject: "t", a: 1, b: .distantFuture) == "timer t fire=1 scheduled=distantFuture")
    #expect(line(.timer, subject: "t", a: 1, b: .distantPast) == "timer t fire=1 scheduled=distantPast")
  }

  @Test func sourcesAndPorts() {
    #expect(line(.source, subject: "s") == "source s")
    #expect(line(.sourceSignal, subject: "s") == "source.signal s")
    #expect(line(.sourceSchedule, subject: "s", mode: .defaultMode) == "source.schedule s mode=default")
    #expect(line(.sourceCancel, subject: "s", mode: .tracking) == "source.cancel s mode=tracking")
    #expect(line(.port, subject: "p", text: "hello") == "port p message=hello")
    #expect(line(.port, subject: "p", text: "") == "port p message=\"\"")
    #expect(line(.portSend, subject: "p", text: "two words") == "port.send p message=\"two words\"")
    #expect(line(.portFull, subject: "p") == "port.full p")
  }

  @Test func blocksPerformsAndLoops() {
    #expect(line(.block, mode: .defaultMode) == "block mode=default")
    #expect(line(.perform, subject: "stop", other: "main") == "perform stop from=main")
    #expect(line(.perform, subject: "later") == "perform later")
    #expect(line(.performDrop, subject: "stop") == "perform.drop stop")
    #expect(line(.queue) == "queue main")
    #expect(line(.loopStop, subject: "worker") == "loop.stop worker")
    #expect(line(.loopStop, subject: "worker", flags: 1) == "loop.stop worker lost=true")
    #expect(line(.loopWakeUp, subject: "main") == "loop.wakeUp main")
    #expect(line(.loopWakeUp, subject: "main", flags: 1) == "loop.wakeUp main ignored=true")
    #expect(line(.loopGone, subject: "worker", other: "wakeUp") == "loop.gone worker call=wakeUp")
  }

  @Test func locksMemoryAndAccesses() {
    #expect(line(.lock, subject: "m") == "lock m")
    #expect(line(.lockWait, subject: "m", other: "worker") == "lock.wait m holder=worker")
    #expect(line(.unlock, subject: "m") == "unlock m")
    #expect(line(.conditionWait, subject: "c") == "condition.wait c")
    #expect(line(.conditionSignal, subject: "c") == "condition.signal c")
    #expect(line(.conditionWake, subject: "c") == "condition.wake c")
    #expect(line(.conditionWake, subject: "c", flags: 1) == "condition.wake c spurious=true")
    #expect(line(.conditionWake, subject: "c", flags: 2) == "condition.wake c timedOut=true")
    #expect(line(.dealloc, subject: "o") == "dealloc o")
    #expect(line(.poolDrain, subject: "pool1") == "pool.drain pool1")
    #expect(line(.sharedGet, subject: "x") == "shared.get x")
    #expect(line(.sharedSet, subject: "x", text: "3") == "shared.set x value=3")
    #expect(line(.switch, subject: "a", other: "b") == "switch a to=b")
  }

  @Test func logIsWrittenAsItIsOnOneLine() {
    #expect(line(.log, text: "two words, a \"quote\" and a \\") == "log two words, a \"quote\" and a \\")
    #expect(line(.log, text: "one\ntwo") == "log one\\ntwo")
    #expect(line(.log, text: "bell \u{7} é \u{85}") == "log bell \\007 é \\194\\133")
    #expect(line(.log) == "log")
  }

  @Test func faultsAndTheEnd() {
    var fixture = TraceFixture()
    let file = fixture.names.intern("a.lua")
    fixture.add(.expectFail, text: Array("x is 3".utf8), at: Position(file: file, line: 12))
    fixture.add(
      .fault, a: FaultKind.deadlock.rawValue, text: Array("thread=main waits=\"lock b\"".utf8), time: 2_000_000_000,
      thread: .none)
    fixture.add(.end, a: EndReason.fault.rawValue, time: 2_000_000_000, thread: .none)
    fixture.add(.end, a: EndReason.fault.rawValue, text: Array("detail=trap".utf8), time: 2_000_000_000, thread: .none)
    #expect(
      fixture.lines == [
        "0.100000000 main expect.fail \"x is 3\" at=a.lua:12",
        "2.000000000 - fault deadlock thread=main waits=\"lock b\"",
        "2.000000000 - end reason=fault",
        "2.000000000 - end reason=fault detail=trap",
      ])
  }

  @Test func onlyFaultsLeavesTheRestOut() {
    var fixture = TraceFixture()
    fixture.add(.log, text: Array("hello".utf8))
    fixture.add(.end, thread: .none)
    var style = TextTrace.Style()
    style.onlyFaults = true
    #expect(fixture.render(TextTrace(style: style)) == "0.100000000 - end reason=returned\n")
  }

  @Test func threadsHaveTheirNames() {
    var fixture = TraceFixture()
    fixture.threadNames.append(fixture.names.automatic(.thread))
    fixture.threadNames.append(fixture.names.add("my worker"))
    for thread in 0..<3 { fixture.add(.threadStart, thread: ThreadID(rawValue: Int32(thread))) }
    #expect(
      fixture.lines == [
        "0.100000000 main thread.start", "0.100000000 thread1 thread.start", "0.100000000 \"my worker\" thread.start",
      ])
  }
}
