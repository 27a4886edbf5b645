import RunLoopEngine
import Testing

@Suite("2.5 Blocks, performs, main queue")
struct BlockTests {
  // MARK: Blocks

  @Test("2.5 performBlock queues, and does not wake")
  func blockDoesNotWake() {
    simulate {
      spawn("w") {
        sleep(until: 0.5)
        block(of: "main") {}
      }
      run(1)
    }.expect(.passes, "E BT BS BW @1 AW:timeout block X =timedOut")
  }

  @Test("2.5 Running the blocks takes the queue at that moment; blocks queued meanwhile wait for the next chance")
  func blocksQueuedMeanwhile() {
    simulate {
      block {
        log("a")
        block { log("c") }
      }
      block { log("b") }
      run(1)
    }.expect(
      .passes, "E BT BS block 'a' block 'b' BW @1 AW:timeout block 'c' X =timedOut")
  }

  @Test("2.5 Blocks for other modes stay, in order")
  func blocksForOtherModes() {
    simulate {
      block(in: "m") { log("x") }
      block { log("a") }
      block(in: "m") { log("y") }
      block(in: "n", "default") { log("b") }
      block(in: "m", "n") { log("z") }
      block(in: "common") { log("c") }
      run(0)
      run(0, in: "m")
    }.expect(.logs, "'a' 'b' 'c' 'x' 'y' 'z'")
  }

  @Test("2.5 A block for the common modes runs in any of them, and in no other")
  func blockForCommonModes() {
    simulate {
      source("K", in: "m")
      source("L", in: "n")
      addCommonMode("m")
      block(in: "common") {}
      run(0, in: "n")
      run(0, in: "m")
    }.expect(.callouts, "=timedOut block/m =timedOut")
  }

  @Test("2.5 A block for the common modes makes a mode of that name, empty but for such a block, that cannot be run")
  func blockMakesCommonMode() {
    simulate {
      spawn("w") {
        show(runMode("common", before: 0))
        block(in: "common") {}
        log { machine, thread in
          let loop = machine.loop(nil, thread)
          return machine.simulation.modes(of: loop).map { machine.simulation.names[$0] }.joined(separator: " ")
        }
        show(runMode("common", before: 0))
        show(limitDate("common"))
        run(1, in: "common")
        run(0)
        show(runMode("common", before: 0))
        show(limitDate("common"))
        perform("f", on: "w")
        show(runMode("common", before: 0))
      }
      sleep(until: 1)
    }.expect(
      .callouts.without(.performDrop),
      """
      [w] 'false' 'default common' =finished 'true' =finished 'future' =finished block =timedOut 'false' =finished
      'none' 'false'
      """)
  }

  // MARK: Performs

  @Test("2.5 A perform keeps the modes alive while it is pending, and is a handled source")
  func performKeepsAlive() {
    simulate {
      spawn("w") {
        sleep(until: 1)
        run(5)
        run(5)
      }
      perform("f", on: "w")
      perform("g", on: "w", in: ["m"])
      sleep(until: 2)
    }.expect(.passes, "@1 [w] E BT BS f(main) X =finished =finished drop(g)")
  }

  @Test("2.5 A perform is signalled and wakes the loop")
  func performWakes() {
    simulate {
      spawn("w") {
        source("K")
        run(2)
      }
      sleep(until: 1)
      perform("f", on: "w") { log("f") }
      sleep(until: 3)
    }.expect(
      .passes, "[w] E BT BS BW @1 AW:wakeUp BT BS f(main) 'f' BT BS BW @2 AW:timeout X =timedOut")
  }

  @Test("2.5 One perform delivers all requests pending for the mode, in order")
  func performDeliversAll() {
    simulate {
      spawn("w") {
        source("K")
        sleep(until: 1)
        run(5, one: true)
        run(5, in: "m", one: true)
      }
      perform("f", on: "w")
      perform("x", on: "w", in: ["m"])
      perform("g", on: "w")
      perform("y", on: "w", in: ["m", "default"])
      sleep(until: 2)
    }.expect(.passes, "@1 [w] E BT BS f(main) g(main) y(main) X =handledSource E BT BS x(main) X =handledSource")
  }

  @Test("2.5 A request made by a perform waits for the next one")
  func performInPerform() {
    simulate {
      perform("f", on: "main") { perform("g", on: "main") }
      run(0, one: true)
      run(0, one: true)
    }.expect(.callouts, "f() =handledSource g() =handledSource")
  }

  @Test("2.5 A perform stands among the sources by order 0 and the moment of its first request")
  func performAmongSources() {
    simulate {
      source("A", order: -1)
      source("B", order: 0)
      source("C", order: 0)
      source("D", order: 1)
      signal("D")
      signal("C")
      perform("f", on: "main")
      signal("B")
      signal("A")
      run(0)
    }.expect(.callouts, "A C f() B D =timedOut")
  }

  @Test("2.5 A perform with wait on the current thread runs inline")
  func performInline() {
    simulate {
      perform("f", on: "main", wait: true) { log("f") }
      log("after")
    }.expect(.callouts, "f() 'f' 'after'")
  }

  @Test("2.5 A perform with wait on another thread blocks the caller until it has run")
  func performWaits() {
    simulate {
      spawn("w") {
        source("K")
        run(3)
      }
      sleep(until: 1)
      perform("f", on: "w", wait: true) { work(0.5) }
      log("after")
    }.expect(.callouts, "@1 [w] f(main) @1.5 [main] 'after'")
  }

  @Test("2.5 If the target exits first, the waiting caller gets an error; requests without wait are dropped and traced")
  func targetExits() {
    simulate {
      spawn("w") { sleep(until: 2) }
      spawn("v") {
        perform("f", on: "w", wait: true)
        log("after")
      }
      perform("g", on: "w")
      sleep(until: 3)
      perform("h", on: "w")
      perform("i", on: "w", wait: true)
    }.expect(
      .callouts.and(.threadExit).without(.runExit),
      """
      @2 [w] drop(g) drop(f) exit [v] '!targetThreadExited' 'after' exit
      @3 [main] drop(h) drop(i) '!targetThreadHadExited' exit
      """)
  }

  @Test("2.5 performAfterDelay is a one-shot timer of the current loop in the given modes")
  func performAfterDelay() {
    simulate {
      spawn("w") {
        RunLoopEngineTests.performAfterDelay("f", 1) { log("f") }
        RunLoopEngineTests.performAfterDelay("g", 0.5, in: ["m"])
        run(5)
        run(5, in: "m")
      }
      sleep(until: 2)
    }.expect(
      .passes, "[w] E BT BS BW @1 AW:timer f() 'f' X =finished E BT BS BW AW:timer g() X =finished")
  }

  // MARK: Main queue

  @Test("2.5 The main queue is served in common modes only")
  func mainQueueInCommonModes() {
    simulate {
      source("K", in: "m")
      async {}
      run(0.5, in: "m")
      addCommonMode("m")
      run(0.5, in: "m")
    }.expect(.callouts, "@0.5 =timedOut queue @1 =timedOut")
  }

  @Test("2.5 A block queued from another thread wakes the main loop")
  func mainQueueWakes() {
    simulate {
      spawn("w") {
        sleep(until: 0.5)
        async {}
      }
      run(1)
    }.expect(.passes, "E BT BS BW @0.5 AW:mainQueue queue BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.5 The main queue is never served from inside one of its own blocks")
  func mainQueueNotNested() {
    simulate {
      source("K")
      async {
        async {}
        run(0.5)
      }
      run(1)
    }.expect(
      .passes,
      """
      E BT BS BW AW:mainQueue queue E BT BS BW @0.5 AW:timeout X =timedOut BT BS BW AW:mainQueue queue
      BT BS BW @1 AW:timeout X =timedOut
      """)
  }

  @Test("2.5 A nested run outside a block of the main queue serves it")
  func mainQueueNested() {
    simulate {
      timer("t", at: 0.5) {
        async {}
        run(0)
      }
      run(1)
    }.expect(.callouts, "@0.5 t#1 queue =timedOut @1 =timedOut")
  }

  @Test("2.5 sync waits until the block has run, and fails on the main thread")
  func mainQueueSync() {
    simulate {
      sync {}
      spawn("w") {
        sync { work(0.5) }
        log("after")
      }
      run(1)
    }.expect(.callouts, "'!syncOnMainThread' queue @0.5 [w] 'after' @1 [main] =timedOut")
  }

  @Test("2.5 Who waits for a block in which the main thread ends itself gets an error, and others wait on")
  func exitInsideSync() {
    simulate {
      spawn("w", joinable: true) {
        sleep(until: 0.5)
        sync { exitThread() }
        log("after")
      }
      spawn("v", joinable: true) {
        sleep(until: 0.5)
        sync {}
        log("never")
      }
      run(1)
    }.expect(.logs.and(.fault), "@0.5 [w] '!targetThreadExited' 'after' [v] fault(stuck)")
  }

  @Test("2.5 A block can be queued after a delay")
  func mainQueueAfter() {
    simulate {
      after(0.7) { log("b") }
      after(0.5) { log("a") }
      after(0) { log("0") }
      run(1)
    }.expect(.callouts, "queue '0' @0.5 queue 'a' @0.7 queue 'b' @1 =timedOut")
  }
}
