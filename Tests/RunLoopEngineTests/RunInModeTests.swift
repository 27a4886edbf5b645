import RunLoopEngine
import Testing

@Suite("2.2 runInMode")
struct RunInModeTests {
  // MARK: 1 to 3

  @Test("2.2.1 An unknown or empty mode, or common, returns finished at once, with no notification")
  func finishedAtOnce() {
    simulate {
      observer("o", .all, in: "empty")
      observer("p", .all, in: "common")
      run(1, in: "nowhere")
      run(1, in: "empty")
      run(1, in: "common")
    }.expect(.passes.and(.runEnter), "run(nowhere) =finished run(empty) =finished run(common) =finished")
  }

  @Test("2.2.2 The run makes its mode current, and notifies entry")
  func entryAndCurrentMode() {
    simulate {
      source("K", in: "m")
      observer("o", [.entry, .exit], in: "m") { show(currentMode()) }
      timer("t", at: 1) {
        show(currentMode())
        run(0.5, in: "m")
        show(currentMode())
      }
      show(currentMode())
      run(2)
      show(currentMode())
    }.expect(
      .callouts,
      """
      'none' @1 t#1 'default' o/E 'm' @1.5 o/X 'm' =timedOut 'default' @2 =timedOut 'none'
      """)
  }

  @Test("2.2.2 The new activation has its own stopped flag")
  func ownStoppedFlag() {
    simulate {
      timer("t", at: 1) {
        stop()
        run(0.5)
      }
      run(3)
    }.expect(
      .passes, "E BT BS BW @1 AW:timer t#1 E BT BS BW @1.5 AW:timeout X =timedOut X =stopped")
  }

  @Test("2.2.3 A stop by an entry observer is cleared, and the run goes to its exit with stopped")
  func stopInEntry() {
    simulate {
      observer("o", .entry, repeats: false) { stop() }
      run(2)
      run(1)
    }.expect(
      .passes,
      """
      E o/E X =stopped
      E BT BS BW AW:stop BT BS BW @1 AW:timeout X =timedOut
      """)
  }

  @Test("2.2.3 The deadline is now, after the entry observers, plus seconds")
  func deadlineAfterEntry() {
    simulate {
      observer("o", .entry) { work(1) }
      run(2)
    }.expect(.callouts, "o/E @3 =timedOut")
  }

  @Test("2.2.3 Seconds of 0 and less mean poll")
  func poll() {
    simulate {
      run(0)
      run(-1)
      run(-.infinity)
    }.expect(.passes, "E BT BS X =timedOut E BT BS X =timedOut E BT BS X =timedOut")
  }

  @Test("2.2.3 More than about 5e8 seconds mean no deadline")
  func noDeadline() {
    simulate {
      run(5e8)
      spawn("w") {
        sleep(until: 1.5e9)
        stop("main")
      }
      run(6e8)
    }.expect(.callouts, "@500000000 =timedOut @1500000000 =stopped")
  }

  // MARK: 4 to 8

  @Test("2.2.4 Each pass stops ignoring wake-ups, notifies beforeTimers, then beforeSources")
  func passBegins() {
    simulate {
      observer("o", .beforeTimers) { on(1) { wakeUp() } }
      observer("p", .beforeSources) { on(2) { wakeUp() } }
      run(1)
    }.expect(
      .passes,
      """
      E BT o/BT BS p/BS BW AW:wakeUp BT o/BT BS p/BS BW AW:wakeUp BT o/BT BS p/BS BW
      @1 AW:timeout X =timedOut
      """)
  }

  @Test("2.2.5 The queued blocks for the mode run after beforeSources and before the sources")
  func blocksBeforeSources() {
    simulate {
      source("S")
      signal("S")
      block {}
      run(1)
    }.expect(.passes, "E BT BS block S BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.2.6 Signalled sources are performed by order, then by the moment of their first signal")
  func sourceOrder() {
    simulate {
      source("A", order: 2)
      source("B", order: 1)
      source("C", order: 1)
      source("D", order: 0)
      source("E", order: 7)
      for name in ["A", "C", "B", "C", "E"] { signal(name) }
      run(0)
    }.expect(.callouts, "C B A E =timedOut")
  }

  @Test("2.2.6 The moment that counts is the first signal since the last perform")
  func momentSinceLastPerform() {
    simulate {
      source("A")
      source("B")
      signal("A")
      signal("B")
      run(0)
      signal("B")
      signal("A")
      signal("B")
      run(0)
    }.expect(.callouts, "A B =timedOut B A =timedOut")
  }

  @Test("2.2.6 Only signalled sources of the mode that are valid are collected")
  func onlySignalledSources() {
    simulate {
      source("A")
      source("B")
      source("C", in: "m")
      source("D")
      for name in ["B", "C", "D"] { signal(name) }
      invalidate("D")
      run(0)
    }.expect(.callouts, "B =timedOut")
  }

  @Test("2.2.6 A source that is no longer signalled is not performed; handled is the outcome of the last one tried")
  func unsignalledMeanwhile() {
    simulate {
      source("A", order: 0, in: "m") { run(0, in: "m", one: true) }
      source("B", order: 1, in: "m")
      signal("A")
      signal("B")
      run(1, in: "m")
    }.expect(
      .passes, "E BT BS A E BT BS B X =handledSource BW @1 AW:timeout X =timedOut")
  }

  @Test("2.2.6 A source unsignalled before the last one does not undo handled")
  func unsignalledBeforeLast() {
    simulate {
      source("A", order: 0, in: "m") { run(0, in: "m", one: true) }
      source("B", order: 1, in: "m")
      source("C", order: 2, in: "m")
      for name in ["A", "B", "C"] { signal(name) }
      run(1, in: "m")
    }.expect(
      .passes, "E BT BS A E BT BS B X =handledSource C BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.2.6 A source of the batch that was invalidated is not performed, and does not count as handled")
  func invalidatedInBatch() {
    simulate {
      source("A", order: 0) { invalidate("B") }
      source("B", order: 1)
      signal("A")
      signal("B")
      run(1)
    }.expect(.passes, "E BT BS A BW @1 AW:timeout X =timedOut")
  }

  @Test("2.2.6 A source of the batch that was only removed is performed")
  func removedInBatch() {
    simulate {
      source("A", order: 0) { remove("B") }
      source("B", order: 1)
      signal("A")
      signal("B")
      run(1)
    }.expect(.passes, "E BT BS A B BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.2.6 The signal is cleared before the perform, so a source may be performed inside itself")
  func performInsideItself() {
    simulate {
      source("S") {
        show(isSignalled("S"))
        on(1) {
          signal("S")
          run(0, one: true)
        }
      }
      signal("S")
      run(1, one: true)
    }.expect(.callouts, "S 'false' S 'false' =handledSource =handledSource")
  }

  @Test("2.2.6 With returnAfterSourceHandled the pass stops after the first performed source")
  func oneSource() {
    simulate {
      source("A", order: 2)
      source("B", order: 1)
      source("C", order: 1)
      for name in ["A", "C", "B"] { signal(name) }
      times(4) { run(0, one: true) }
    }.expect(
      .passes,
      """
      E BT BS C X =handledSource E BT BS B X =handledSource E BT BS A X =handledSource E BT BS X =timedOut
      """)
  }

  @Test("2.2.6 A source signalled by another's perform waits for the next pass")
  func signalledByPerform() {
    simulate {
      source("A", order: 0) { signal("B") }
      source("B", order: 1)
      signal("A")
      run(1)
    }.expect(.passes, "E BT BS A BT BS B BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.2.7 After a handled source the blocks run again, and the wait is a poll")
  func blocksAfterSources() {
    simulate {
      port("P")
      source("S") { block {} }
      send("P")
      signal("S")
      run(1)
    }.expect(.passes, "E BT BS S block P<m BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.2.7 When no source was handled the blocks do not run again before the wait")
  func noBlocksWithoutSource() {
    simulate {
      port("P")
      send("P")
      block { block {} }
      run(1)
    }.expect(.passes, "E BT BS block BW AW:P P<m block BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.2.8 The first pass counts as one that served the main queue")
  func mainQueueInFirstPass() {
    simulate {
      async {}
      run(1)
    }.expect(.passes, "E BT BS BW AW:mainQueue queue BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.2.8 The main queue is served with no sleep notifications when the previous pass did not serve it")
  func mainQueueWithoutSleep() {
    simulate {
      timer("t", at: 0.5) { async {} }
      run(1)
    }.expect(.passes, "E BT BS BW @0.5 AW:timer t#1 BT BS queue BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.2.8 After a pass that served the main queue, the next one sleeps before it looks there")
  func mainQueueTwice() {
    simulate {
      timer("t", at: 0.5) { async { async {} } }
      run(1)
    }.expect(
      .passes,
      "E BT BS BW @0.5 AW:timer t#1 BT BS queue BT BS BW AW:mainQueue queue BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.2.8 Wake-ups are ignored while the main queue is served at once")
  func wakeUpInQueueBlock() {
    simulate {
      timer("t", at: 0.5) { async { wakeUp() } }
      run(1)
    }.expect(
      .passes.and(.loopWakeUp),
      "E BT BS BW @0.5 AW:timer t#1 BT BS queue wake(main,ignored) BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.2.8 The main queue is not served in a mode that is not common, nor by another thread")
  func mainQueueElsewhere() {
    simulate {
      source("K", in: "m")
      async {}
      run(1, in: "m")
      spawn("w") {
        source("L")
        run(1)
      }
      sleep(until: 3)
      run(0)
    }.expect(
      .passes,
      """
      E BT BS BW @1 AW:timeout X =timedOut
      [w] E BT BS BW @2 AW:timeout X =timedOut
      @3 [main] E BT BS queue X =timedOut
      """)
  }

  // MARK: 9

  @Test("2.2.9 Unless it polls, the loop notifies beforeWaiting, and waits for one live port")
  func oneLivePort() {
    simulate {
      port("P")
      port("Q")
      send("P")
      send("Q")
      run(1, one: true)
      run(0, one: true)
    }.expect(.passes, "E BT BS BW AW:P P<m X =handledSource E BT BS Q<m X =handledSource")
  }

  @Test("2.2.9 The loop is waiting during the wait, and not in any observer")
  func isWaitingInWait() {
    simulate {
      observer("o", .all) { show(isWaiting()) }
      timer("t", at: 1) { show(isWaiting()) }
      spawn("w") {
        sleep(until: 0.5)
        show(isWaiting("main"))
      }
      run(1.5)
      show(isWaiting())
    }.expect(
      .callouts,
      """
      o/E 'false' o/BT 'false' o/BS 'false' o/BW 'false' @0.5 [w] 'true'
      @1 [main] o/AW 'false' t#1 'false' o/BT 'false' o/BS 'false' o/BW 'false'
      @1.5 o/AW 'false' o/X 'false' =timedOut 'false'
      """)
  }

  @Test("2.2.9 Ready ports are served first come, first served")
  func readyList() {
    simulate {
      port("P")
      port("Q")
      send("Q")
      send("P")
      run(1)
    }.expect(.callouts, "Q<m P<m @1 =timedOut")
  }

  @Test("2.2.9 A port is listed once; with messages left it is appended again after one was taken")
  func readyListOnce() {
    simulate {
      port("P")
      port("Q")
      send("P", "1")
      send("P", "2")
      send("Q", "3")
      send("P", "4")
      send("Q", "5")
      run(1)
    }.expect(.callouts, "P<1 Q<3 P<2 Q<5 P<4 @1 =timedOut")
  }

  @Test("2.2.9 Each mode has its own list; an entry that is no longer ready is passed over")
  func readyElsewhere() {
    simulate {
      port("P")
      port("Q")
      add("P", in: "m")
      send("P")
      send("Q")
      run(0, in: "m")
      run(1)
    }.expect(.passes, "E BT BS P<m X =timedOut E BT BS BW AW:Q Q<m BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.2.9 The main queue is appended when the wait begins")
  func mainQueueAppended() {
    simulate {
      port("P")
      async {}
      send("P")
      run(1)
    }.expect(.passes, "E BT BS BW AW:P P<m BT BS queue BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.2.9 The main queue is taken out of the list after the wait")
  func mainQueueTakenOut() {
    // Were it left in, it would be live before Q in the second wait.
    simulate {
      port("P")
      port("Q")
      async { async {} }
      send("P", "1")
      observer("o", .afterWaiting) { on(1) { send("Q") } }
      observer("p", .beforeSources) { on(2) { send("P", "2") } }
      run(1)
    }.expect(
      Show.passes.without(.observer),
      """
      E BT BS BW AW:P P<1 BT BS queue BT BS BW AW:Q Q<m BT BS queue BT BS BW AW:P P<2 BT BS BW @1 AW:timeout X
      =timedOut
      """)
  }

  @Test("2.2.9 The timer's port is ready from its date")
  func timerPortByDate() {
    for (sent, order) in [(0.5, "P<m t#1(late=1)"), (1.5, "t#1(late=1) P<m")] {
      simulate {
        port("P")
        timer("t", at: 1)
        spawn("w") {
          sleep(until: sent)
          send("P")
        }
        work(2)
        run(1)
      }.expect(.callouts, "@2 \(order) @3 =timedOut")
    }
  }

  @Test("2.2.9 The port of an overdue timer is ready from the moment it was added")
  func overdueTimerAdded() {
    simulate {
      port("P")
      timer("t", at: 1, in: nil)
      work(2)
      send("P")
      add("t")
      run(1)
      timer("u", at: 2, in: nil)
      add("u")
      send("P")
      run(1)
    }.expect(.callouts, "@2 P<m t#1(late=1) @3 =timedOut u#1 P<m @4 =timedOut")
  }

  @Test("2.2.9 The port of an overdue timer is ready from the moment it was re-armed")
  func overdueTimerRearmed() {
    simulate {
      port("P")
      timer("t", at: 1)
      work(2)
      send("P")
      setNextFireDate("t", 0)
      run(1)
    }.expect(.callouts, "@2 P<m t#1 @3 =timedOut")
  }

  @Test("2.2.9 With poll the wait is a look: nothing ready gives no live port")
  func pollLooks() {
    simulate {
      timer("t", at: 1)
      run(0)
      work(1)
      run(0)
    }.expect(.passes, "E BT BS X =timedOut @1 E BT BS t#1 X =timedOut")
  }

  @Test("2.2.9 A poll takes one port only")
  func pollTakesOne() {
    simulate {
      port("P")
      send("P")
      timer("t", at: 0)
      run(0)
      run(0)
    }.expect(.callouts, "P<m =timedOut t#1 =timedOut")
  }

  @Test("2.2.9 A deadline that comes due triggers the wake-up port")
  func deadlineWakes() {
    simulate { run(1) }.expect(.passes, "E BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.2.9 The wake-up port has its place in the list like any other")
  func wakeUpInList() {
    simulate {
      port("P")
      observer("o", .beforeSources) {
        on(1) {
          send("P")
          wakeUp()
          send("P")
        }
      }
      run(1)
    }.expect(
      Show.passes.without(.observer),
      "E BT BS BW AW:P P<m BT BS BW AW:wakeUp BT BS BW AW:P P<m BT BS BW @1 AW:timeout X =timedOut")
  }

  // MARK: 10 to 12

  @Test("2.2.10 Unless it polled, the loop notifies afterWaiting, and ignores wake-ups from then on")
  func wakeUpInAfterWaiting() {
    simulate {
      observer("o", .afterWaiting) { wakeUp() }
      timer("t", at: 1)
      run(2)
    }.expect(
      .passes.and(.loopWakeUp),
      """
      E BT BS BW @1 AW:timer o/AW wake(main,ignored) t#1 BT BS BW
      @2 AW:timeout o/AW wake(main,ignored) X =timedOut
      """)
  }

  @Test("2.2.11 For a wake-up nothing is served")
  func wakeUpServesNothing() {
    simulate {
      spawn("w") {
        sleep(until: 0.5)
        wakeUp("main")
      }
      run(1)
    }.expect(.passes, "E BT BS BW @0.5 AW:wakeUp BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.2.11 For the timer's port all due timers fire")
  func allDueTimers() {
    simulate {
      timer("x", at: 0.5) { work(1) }
      timer("b", at: 1.2)
      timer("a", at: 1)
      timer("c", at: 1.6)
      run(2)
    }.expect(
      .passes,
      """
      E BT BS BW @0.5 AW:timer x#1 @1.5 BT BS BW AW:timer a#1(late=0.5) b#1(late=0.3) BT BS BW
      @1.6 AW:timer c#1 BT BS BW @2 AW:timeout X =timedOut
      """)
  }

  @Test("2.2.11 For a port one message is received, which counts as handled")
  func oneMessage() {
    simulate {
      port("P")
      send("P", "1")
      send("P", "2")
      run(1, one: true)
      run(1, one: true)
      run(1, one: true)
    }.expect(.callouts, "P<1 =handledSource P<2 =handledSource @1 =timedOut")
  }

  @Test("2.2.11 For the main queue every block that was queued when the serving began runs, which counts as handled")
  func wholeMainQueue() {
    simulate {
      async { async { log("c") } }
      async { log("b") }
      run(1, one: true)
      run(1, one: true)
    }.expect(.callouts, "queue queue 'b' =handledSource queue 'c' =handledSource")
  }

  @Test("2.2.11 A timer, a wake-up or a block is not a handled source")
  func timerIsNotHandled() {
    simulate {
      timer("t", at: 0.5) {
        block {}
      }
      block {}
      spawn("w") {
        sleep(until: 0.7)
        wakeUp("main")
      }
      run(1, one: true)
    }.expect(.callouts, "block @0.5 t#1 block @1 =timedOut")
  }

  @Test("2.2.11 After the serving the queued blocks for the mode run")
  func blocksAfterServing() {
    simulate {
      timer("t", at: 0.5) { block {} }
      port("P") { block {} }
      async { block {} }
      send("P")
      run(1)
    }.expect(
      .passes,
      """
      E BT BS BW AW:P P<m block BT BS queue block BT BS BW @0.5 AW:timer t#1 block BT BS BW @1 AW:timeout X =timedOut
      """)
  }

  @Test("2.2.11 handledSource comes before timedOut and stopped")
  func handledFirst() {
    simulate {
      source("S") {
        stop()
        work(2)
      }
      signal("S")
      run(1, one: true)
      run(1, one: true)
    }.expect(.callouts, "S @2 =handledSource @3 =timedOut")
  }

  @Test("2.2.11 timedOut comes before stopped")
  func timedOutSecond() {
    simulate {
      timer("t", at: 0.5) {
        stop()
        work(1)
      }
      run(1)
      run(1)
    }.expect(.callouts, "@0.5 t#1 @1.5 =timedOut @2.5 =timedOut")
  }

  @Test("2.2.11 stopped comes before finished, and clears the flag")
  func stoppedThird() {
    simulate {
      timer("t", at: 0.5, in: "m") { stop() }
      timer("u", at: 1, in: "m")
      run(2, in: "m")
      run(2, in: "m")
      timer("v", at: 1.5, in: "m") { stop() }
      run(2, in: "m")
    }.expect(.callouts, "@0.5 t#1 =stopped @1 u#1 =finished @1.5 v#1 =stopped")
  }

  @Test("2.2.11 An empty mode finishes the run after the pass, else the next pass begins")
  func finishedLast() {
    simulate {
      timer("t", at: 0.5, in: "m")
      timer("u", at: 1, in: "m")
      run(2, in: "m")
    }.expect(.passes, "E BT BS BW @0.5 AW:timer t#1 BT BS BW @1 AW:timer u#1 X =finished")
  }

  @Test("2.2.12 Exit is notified before the previous mode is current again")
  func exitNotified() {
    simulate {
      source("K", in: "m")
      observer("o", .exit, in: "m") { show(currentMode()) }
      source("S") {
        run(0, in: "m")
        show(currentMode())
      }
      signal("S")
      run(1, one: true)
    }.expect(.passes, "E BT BS S E BT BS X o/X 'm' =timedOut 'default' X =handledSource")
  }

  // MARK: Wake-ups

  @Test("2.2 Wake-ups with no activation are dropped")
  func wakeUpWithoutRun() {
    simulate {
      wakeUp()
      run(1)
      wakeUp()
      run(1)
    }.expect(
      .passes.and(.loopWakeUp),
      """
      wake(main,ignored) E BT BS BW @1 AW:timeout X =timedOut
      wake(main,ignored) E BT BS BW @2 AW:timeout X =timedOut
      """)
  }

  @Test("2.2 Wake-ups while timers and ports are being served are dropped")
  func wakeUpWhileServing() {
    simulate {
      timer("t", at: 0.5) { wakeUp() }
      port("P") { wakeUp() }
      send("P")
      run(1)
    }.expect(
      .passes.and(.loopWakeUp),
      """
      E BT BS BW AW:P P<m wake(main,ignored) BT BS BW @0.5 AW:timer t#1 wake(main,ignored) BT BS BW
      @1 AW:timeout X =timedOut
      """)
  }

  @Test("2.2 A deadline's wake-up is dropped too while wake-ups are ignored")
  func deadlineWhileServing() {
    simulate {
      timer("t", at: 0.5) { work(1) }
      run(1)
      run(1)
    }.expect(
      .passes,
      "E BT BS BW @0.5 AW:timer t#1 @1.5 X =timedOut E BT BS BW @2.5 AW:timeout X =timedOut")
  }

  @Test("2.2 Wake-ups while not ignored stay pending until taken, and are one")
  func wakeUpStaysPending() {
    simulate {
      source("S") {
        wakeUp()
        wakeUp()
      }
      observer("o", .beforeTimers) { on(1) { wakeUp() } }
      signal("S")
      run(1)
    }.expect(
      Show.passes.without(.observer), "E BT BS S BT BS BW @1 AW:timeout X =timedOut")
  }

  @Test("2.2 A wake-up that was not taken in one run is taken in the next")
  func wakeUpLeftOver() {
    simulate {
      source("S") { wakeUp() }
      port("P")
      send("P")
      signal("S")
      run(1, one: true)
      run(1, one: true)
      run(1, one: true)
    }.expect(
      .passes,
      """
      E BT BS S P<m X =handledSource
      E BT BS BW AW:wakeUp BT BS BW @1 AW:timeout X =timedOut
      E BT BS BW @2 AW:timeout X =timedOut
      """)
  }
}
