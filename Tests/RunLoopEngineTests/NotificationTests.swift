import RunLoopEngine
import Testing

private let shown = Show(kinds: [.notificationPost, .notification, .log, .threadStart, .threadExit, .dealloc])

@Suite("4 Notifications")
struct NotificationTests {
  @Test("Observers are called in order of adding, on the thread that posts")
  func order() {
    simulate {
      observe("n", as: "1") { log("1") }
      observe("n", as: "2") { log("2") }
      observe("other", as: "3") { log("3") }
      spawn("w", joinable: true) { postNotification("n") }
      join("w")
      postNotification("nobody")
    }.expect(
      shown, "start [w] start post(n) note(n) '1' note(n) '2' exit [main] post(nobody) exit")
  }

  @Test("An observer may want the notifications of one sender only")
  func senders() {
    simulate {
      observe("n", as: "1", of: "main") { log("of main") }
      postNotification("n")
      postNotification("n", from: .thread(.main))
      postNotification("n", from: .known(HostValue(rawValue: 9)))
    }.expect(.logs, "'of main'")
  }

  @Test("One that is removed during a post is not called by it any more; removing twice is harmless")
  func removing() {
    simulate {
      observe("n", as: "1") {
        log("1")
        stopObserving("1")
        stopObserving("3")
        observe("n", as: "4") { log("4") }
      }
      observe("n", as: "2") { log("2") }
      observe("n", as: "3") { log("3") }
      postNotification("n")
      stopObserving("3")
      postNotification("n")
    }.expect(.logs, "'1' '2' '2' '4'")
  }

  @Test("An error in an observer leaves the post; the others are not told")
  func error() {
    simulate {
      observe("n", as: "1") { raise() }
      observe("n", as: "2") { log("2") }
      protected { postNotification("n") }
      stopObserving("1")
      postNotification("n")
    }.expect(.logs, "'2'")
  }

  @Test("threadWillExit is posted on the ending thread, after its pools drained, before it has ended")
  func threadWillExit() {
    simulate {
      observe("threadWillExit", as: "1") {
        show(state("w", .isExecuting))
        show(state("w", .isFinished))
        exitThread()
      }
      observe("threadWillExit", as: "2") { log("the others are not told") }
      spawn("w", joinable: true) {
        temporary("a")
        source("S", cancel: { log("cancel") })
      }
      join("w")
    }.expect(
      shown,
      """
      start [w] start dealloc(a) post(threadWillExit) note(threadWillExit) 'true' 'false' 'cancel' exit [main] exit
      """)
  }

  @Test("willBecomeMultiThreaded is posted once, before the first thread starts")
  func willBecomeMultiThreaded() {
    simulate {
      observe("willBecomeMultiThreaded", as: "1") {
        show(state("w", .isExecuting))
        sleep(until: 1)
      }
      spawn("w") {}
      spawn("v") {}
      sleep(until: 2)
    }.expect(
      shown.without(.threadExit),
      "start post(willBecomeMultiThreaded) note(willBecomeMultiThreaded) 'false' @1 [w] start [v] start")
  }

  @Test("A thread that an observer of willBecomeMultiThreaded starts is started once")
  func startedByObserver() {
    simulate {
      observe("willBecomeMultiThreaded", as: "1") { start("w") }
      spawn("w") { log("w") }
      sleep(until: 1)
    }.expect(.logs, "'!alreadyStarted' [w] 'w'")
  }
}
