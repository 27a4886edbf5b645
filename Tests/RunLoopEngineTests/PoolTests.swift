import RunLoopEngine
import Testing

private let memory = Show.callouts.and(.dealloc, .poolDrain, .threadExit).without(.runExit)

@Suite("4 Objects and autorelease pools")
struct PoolTests {
  @Test("The last release deallocates, on the thread that makes it; retain puts it off")
  func references() {
    simulate {
      object("o") { log("gone") }
      retain("o")
      release("o")
      log("alive")
      spawn("w", joinable: true) { release("o") }
      join("w")
    }.expect(memory, "'alive' [w] dealloc(o) 'gone' exit [main] exit")
  }

  @Test("A dealloc callback may wait")
  func waitingDealloc() {
    simulate {
      object("o") {
        sleep(until: 1)
        log("gone")
      }
      release("o")
      log("on")
    }.expect(memory, "dealloc(o) @1 'gone' 'on' exit")
  }

  @Test("A use after the dealloc, and a release of what only pools hold, are errors")
  func errors() {
    simulate {
      object("o") { retain("o") }
      release("o")
      for use in [retain("o"), release("o"), autorelease("o")] { use }
      temporary("p")
      release("p")
      autorelease("p")
      retain("p")
      release("p")
      retain("p")
    }.expect(
      memory,
      """
      dealloc(o) '!objectIsGone' '!objectIsGone' '!objectIsGone' '!objectIsGone' '!overReleased'
      drain(top) dealloc(p) exit
      """)
  }

  @Test("What is autoreleased goes when its thread ends, after the entry's return, in order of autorelease")
  func topPool() {
    simulate {
      spawn("w", joinable: true) {
        for name in ["a", "b", "c"] { temporary(name) }
        object("d")
        retain("d")
        autorelease("d")
        source("S", cancel: { log("cancel") })
        log("returns")
      }
      join("w")
      temporary("m")
    }.expect(
      memory,
      """
      [w] 'returns' drain(top) dealloc(a) dealloc(b) dealloc(c) 'cancel' exit [main] drain(top) dealloc(m) exit
      """)
  }

  @Test("A pool made by hand takes what is autoreleased until it is drained, with the pools above it")
  func byHand() {
    simulate {
      pool("P")
      temporary("a")
      pool("Q")
      temporary("b")
      pool("R")
      drain("P")
      log("drained")
      drain("Q")
      pool("E")
      drain("E")
      temporary("c")
    }.expect(
      memory,
      "drain(Q) dealloc(b) drain(P) dealloc(a) 'drained' '!poolIsDrained' drain(E) drain(top) dealloc(c) exit")
  }

  @Test("Another thread's pool cannot be drained")
  func otherThread() {
    simulate {
      pool("P")
      spawn("w") { drain("P") }
      sleep(until: 1)
    }.expect(.logs, "[w] '!poolOfOtherThread'")
  }

  @Test("What a dealloc callback autoreleases goes in the same drain")
  func autoreleaseInDealloc() {
    simulate {
      pool("P")
      temporary("a") { temporary("b") { temporary("c") } }
      temporary("d")
      drain("P")
      log("drained")
    }.expect(memory, "drain(P) dealloc(a) dealloc(d) dealloc(b) dealloc(c) 'drained' exit")
  }

  @Test("Each callout of a loop has a pool, drained after it")
  func calloutPools() {
    simulate {
      observer("o", .beforeSources) { temporary("byObserver") }
      timer("t", at: 1) { temporary("byTimer") }
      source("S") { temporary("bySource") }
      port("P") { temporary("byPort") }
      signal("S")
      send("P")
      perform("f", on: "main") { temporary("byPerform") }
      async { temporary("byQueue") }
      block { temporary("byBlock") }
      run(1.5)
      log("on")
    }.expect(
      Show(kinds: [.dealloc, .poolDrain, .log, .timer, .source, .port, .perform, .queue, .block]),
      """
      drain(callout) dealloc(byObserver) block drain(callout) dealloc(byBlock)
      S drain(callout) dealloc(bySource) f() drain(callout) dealloc(byPerform)
      P<m drain(callout) dealloc(byPort) drain(callout) dealloc(byObserver)
      queue drain(callout) dealloc(byQueue) drain(callout) dealloc(byObserver)
      @1 t#1 drain(callout) dealloc(byTimer) drain(callout) dealloc(byObserver) @1.5 'on'
      """)
  }

  @Test("A callout inside a callout has its own pool; what no loop calls has none")
  func nestedPools() {
    simulate {
      pool("P")
      timer("t", at: 1) {
        temporary("outer")
        source("S", cancel: { temporary("inCancel") })
        invalidate("S")
        timer("u", at: 1) { temporary("inner") }
        run(0)
        log("outer goes on")
      }
      run(2)
      drain("P")
    }.expect(
      memory,
      """
      @1 t#1 u#1 drain(callout) dealloc(inner) 'outer goes on' drain(callout) dealloc(outer) dealloc(inCancel)
      @2 drain(P) exit
      """)
  }

  @Test("Without a pool per callout everything waits for the thread's own")
  func noPoolPerCallout() {
    var configuration = Configuration()
    configuration.poolPerCallout = false
    var machine = Machine(configuration, main: timer("t", at: 1) { temporary("a") } + [run(2), log("on")])
    machine.run()
    machine.expect(memory, "@1 t#1 @2 'on' drain(top) dealloc(a) exit")
  }

  @Test("An error that leaves a callout drains its pool, before it goes on")
  func errorInCallout() {
    simulate {
      protected {
        timer("t", at: 1) {
          temporary("a") { sleep(until: 2) }
          raise()
        }
        run(5)
      }
      show(currentMode())
    }.expect(memory.and(.runExit), "@1 t#1 drain(callout) dealloc(a) @2 =error 'none' exit")
  }

  @Test("An error in a dealloc callback goes on when the rest was released")
  func errorInDealloc() {
    simulate {
      protected {
        pool("P")
        temporary("a") { raise() }
        temporary("b")
        drain("P")
        log("never")
      }
      log("caught")
      protected {
        timer("t", at: 1) {
          temporary("c") { raise() }
          temporary("d")
        }
        run(5)
        log("never")
      }
      protected {
        object("e") { raise() }
        release("e")
        log("never")
      }
    }.expect(
      memory.and(.runExit),
      """
      drain(P) dealloc(a) dealloc(b) 'caught' @1 t#1 drain(callout) dealloc(c) dealloc(d) =error dealloc(e) exit
      """)
  }

  @Test("autoreleasePool calls its function within a pool of its own, and gives what it returns")
  func scope() {
    simulate {
      temporary("before")
      show(
        autoreleasePool {
          temporary("a")
          pool("P")
          temporary("b")
          returns(7)
        })
      protected {
        autoreleasePool {
          temporary("c")
          raise()
        }
      }
      log("on")
      drain("P")
    }.expect(
      memory,
      """
      drain(P) dealloc(b) drain(pool1) dealloc(a) '7' drain(pool2) dealloc(c) 'on' '!poolIsDrained'
      drain(top) dealloc(before) exit
      """)
  }

  @Test("A thread that ends itself drains its pools too")
  func exitThreadDrains() {
    simulate {
      spawn("w", joinable: true) {
        pool("P")
        temporary("a")
        timer("t", at: 1) {
          temporary("b") { exitThread() }
          temporary("c")
          exitThread()
        }
        run(5)
      }
      join("w")
    }.expect(memory, "@1 [w] t#1 drain(callout) dealloc(b) dealloc(c) drain(P) dealloc(a) exit [main] exit")
  }
}
