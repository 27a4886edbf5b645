import RunLoopEngine
import Testing

@Suite("4 Threads")
struct ThreadTests {
  @Test("4 A callback that ends its thread never returns: its timer or observer stays valid, and is called no more")
  func exitInsideCallbacks() {
    let machine = simulate {
      timer("t", at: 0.2, every: 0.3, in: nil) { on(1) { exitThread() } }
      timer("once", at: 0.2, in: nil) { exitThread() }
      observer("o", .beforeWaiting, repeats: false, in: nil) { exitThread() }
      for name in ["t", "once", "o"] {
        spawn("w-\(name)") {
          source("K-\(name)")
          add(name)
          run()
        }
      }
      sleep(until: 1)
      for name in ["t", "once", "o"] {
        add(name)
        show(contains(name))
      }
      run(1)
    }
    machine.expect(
      .callouts.without(.runExit), "[w-o] o/BW @0.2 [w-t] t#1 [w-once] once#1 @1 [main] 'true' 'true' 'true'")
  }

  @Test("4 The main chunk is the main thread; a thread is new, then runs, and ends")
  func life() {
    simulate {
      thread("w") {
        show(state("w", .isExecuting))
        sleep(until: 1)
      }
      show(state("main", .isExecuting))
      show(state("w", .isExecuting))
      start("w")
      show(state("w", .isExecuting))
      show(state("w", .isFinished))
      sleep(until: 2)
      show(state("w", .isExecuting))
      show(state("w", .isFinished))
    }.expect(
      .logs.and(.threadStart, .threadExit),
      """
      start 'true' 'false' 'true' 'false' [w] start 'true' @1 exit @2 [main] 'false' 'true' exit
      """)
  }

  @Test("4 Ending runs, in order: the return of the entry, cancel of the loop's sources, release of joiners")
  func endInOrder() {
    simulate {
      spawn("w", joinable: true) {
        source("S", cancel: { log("cancel") })
        perform("f", on: "w")
        log("returns")
      }
      join("w")
    }.expect(
      .callouts.and(.sourceCancel, .threadExit, .threadJoin),
      "[w] 'returns' -S/default 'cancel' drop(f) exit [main] joined(w) exit")
  }

  @Test("4 The process ends when main has returned and every joinable thread has ended; detached ones are ended")
  func processEnd() {
    let machine = simulate {
      spawn("d") { sleep(until: 9) }
      spawn("j", joinable: true) { sleep(until: 5) }
      thread("never", joinable: true) {}
    }
    machine.expect(
      Show(kinds: [.threadExit, .threadTerminate, .end]), "exit @5 [j] exit [d] terminated [-] end(returned)")
    machine.expect(.returned)
  }

  @Test("4 Joining a detached thread, oneself, or a thread twice is an error")
  func joinErrors() {
    simulate {
      spawn("d") {}
      spawn("j", joinable: true) { join("j") }
      spawn("w") { join("j") }
      sleep(until: 1)
      join("d")
      join("j")
      detach("d")
      detach("j")
    }.expect(.logs, "[j] '!joinSelf' @1 [main] '!joinDetached' '!joinTwice' '!alreadyDetached' '!joinTwice'")
  }

  @Test("4 A thread can be joined after its end, and detached before")
  func joinAfterEnd() {
    let machine = simulate {
      spawn("j", joinable: true) {}
      spawn("k", joinable: true) { sleep(until: 9) }
      sleep(until: 1)
      join("j")
      log("joined")
      detach("k")
    }
    machine.expect(.logs, "@1 'joined'")
    machine.expect(Show(kinds: [.end, .threadTerminate]), "@1 [k] terminated [-] end(returned)")
  }

  @Test("4 A thread is started once; one that was cancelled before never runs")
  func startedOnce() {
    simulate {
      spawn("w") { log("w") }
      start("w")
      thread("c", joinable: true) { log("c") }
      cancelThread("c")
      show(state("c", .isCancelled))
      start("c")
      show(state("c", .isFinished))
      join("c")
    }.expect(.logs.and(.threadCancel), "'!alreadyStarted' cancel(c) 'true' 'true'")
  }

  @Test("4 Threads at the same instant run in the order in which they became ready, each until it gives way")
  func readyOrder() {
    simulate {
      for name in ["a", "b", "c"] {
        spawn(name) {
          log("1")
          yield()
          log("2")
          sleep(until: 1)
          log("3")
        }
      }
      log("main")
      sleep(until: 1)
      log("main")
    }.expect(
      .logs,
      """
      'main' [a] '1' [b] '1' [c] '1' [a] '2' [b] '2' [c] '2' @1 [main] 'main'
      """)
  }

  @Test("4 What does not block does not give way")
  func noGivingWay() {
    simulate {
      source("S")
      port("P")
      spawn("w") { log("w") }
      signal("S")
      send("P")
      wakeUp()
      block {}
      async {}
      run(0)
      log("main")
      sleep(until: 1)
    }.expect(.logs, "'main' [w] 'w'")
  }

  @Test("4 exitThread ends a thread from wherever it is, with the same end")
  func exitFromCallback() {
    simulate {
      spawn("w", joinable: true) {
        source("S", cancel: { log("cancel") })
        timer("t", at: 1) {
          run(1, in: "nowhere")
          exitThread()
          log("never")
        }
        RunLoopEngineTests.run()
        log("never")
      }
      join("w")
    }.expect(
      .callouts.and(.sourceCancel, .threadExit, .threadJoin).without(.runExit),
      "@1 [w] t#1 -S/default 'cancel' exit [main] joined(w) exit")
  }

  @Test("4 An error that nothing catches ends the whole process")
  func uncaughtError() {
    let machine = simulate {
      spawn("w", joinable: true) { sleep(until: 9) }
      timer("t", at: 1) { raise() }
      run(2)
      log("never")
    }
    machine.expect(.callouts.and(.end), "@1 t#1 =error [-] end(fault,detail=error)")
    machine.expect(.fault)
  }

  @Test("4 An error that is caught leaves the runs it went through, and the loop can be run again")
  func caughtError() {
    simulate {
      source("K", in: "m")
      observer("o", .entry) { on(1, 3) { raise() } }
      protected { run(1) }
      timer("t", at: 1) {
        protected { run(1, in: "nowhere") }
        run(0.5)
        raise()
      }
      protected { run(2) }
      show(currentMode())
      run(0.5)
    }.expect(
      .passes,
      """
      E o/E =error
      E o/E BT BS BW @1 AW:timer t#1 =finished E o/E =error =error 'none'
      E o/E BT BS BW @1.5 AW:timeout X =timedOut
      """)
  }

  @Test("4 An error in a block leaves the blocks after it in the queue")
  func errorInBlock() {
    simulate {
      block(in: "m") { log("x") }
      block { raise() }
      block { log("a") }
      async { raise() }
      async { log("q") }
      protected { run(0) }
      block { log("b") }
      protected { run(0) }
      run(0)
      run(0, in: "m")
    }.expect(.logs, "'a' 'b' 'q' 'x'")
  }

  @Test("4 An error in a perform leaves the requests after it in the queue; exitThread drops them, with their error")
  func errorInPerform() {
    simulate {
      perform("f", on: "main") { raise() }
      perform("g", on: "main")
      perform("h", on: "main")
      protected { run(0) }
      perform("i", on: "main")
      run(0)
    }.expect(.callouts, "f() =error g() h() i() =timedOut")
    simulate {
      spawn("w") {
        sleep(until: 1)
        run(5)
      }
      spawn("v") { perform("g", on: "w", wait: true) }
      perform("f", on: "w") { exitThread() }
      sleep(until: 0.5)
      perform("h", on: "w")
      sleep(until: 2)
    }.expect(
      .callouts, "@1 [w] f(main) =exited drop(g) drop(h) [v] '!targetThreadExited'")
  }

  @Test("2.5 A thread that ends inside a function which another waits for: that one gets the error")
  func exitInPerform() {
    simulate {
      spawn("w") {
        sleep(until: 1)
        run(5)
      }
      spawn("v") {
        perform("f", on: "w", wait: true) { exitThread() }
        log("on")
      }
      sleep(until: 0.5)
      perform("g", on: "w", wait: true)
    }.expect(.callouts, "@1 [w] f(v) =exited drop(g) [v] '!targetThreadExited' 'on' [main] '!targetThreadExited'")
  }

  @Test("4 A repeating timer whose callback was left by an error goes on along its grid; a one-shot is done")
  func errorInTimer() {
    simulate {
      timer("t", at: 1, every: 1) { on(1) { raise() } }
      timer("u", at: 1.5) { raise() }
      protected { run(3) }
      protected { run(3) }
      run(1)
    }.expect(.callouts, "@1 t#1 =error @1.5 u#1 =error @2 t#2 @2.5 =timedOut")
  }

  @Test("4 An error in a perform or a block of the main queue releases the thread that waits for it")
  func errorReleasesWaiter() {
    simulate {
      spawn("v") {
        sync { raise() }
        log("v")
      }
      spawn("w") {
        perform("f", on: "main", wait: true) { raise() }
        log("w")
      }
      sleep(until: 1)
      protected { run(1) }
      protected { run(1) }
      sleep(until: 5)
    }.expect(.logs, "@1 [w] 'w' [v] 'v'")
  }
}
