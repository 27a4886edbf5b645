import Testing

@testable import RunLoopEngine

@Suite("4 Locks")
struct LockTests {
  @Test("4 A mutex goes to its longest waiter, at the moment of the unlock")
  func firstComeFirstServed() {
    simulate {
      make(.mutex, "m")
      lock("m")
      spawn("a") {
        lock("m")
        log("a")
        unlock("m")
      }
      spawn("b") {
        lock("m")
        log("b")
        unlock("m")
      }
      sleep(until: 1)
      unlock("m")
      show(tryLock("m"))
      sleep(until: 2)
    }.expect(
      .locks,
      """
      lock(m) [a] wait(m,main) [b] wait(m,main) @1 [main] unlock(m) [a] lock(m) [main] busy(m,a) 'false'
      [a] 'a' unlock(m) [b] lock(m) 'b' unlock(m)
      """)
  }

  @Test("4 A lock that is not waited for costs no turn")
  func uncontended() {
    simulate {
      make(.mutex, "m")
      spawn("w") { log("w") }
      lock("m")
      log("main")
      unlock("m")
      yield()
    }.expect(.locks, "lock(m) 'main' unlock(m) [w] 'w'")
  }

  @Test("4 A wait with a date ends then; a past date tries")
  func dates() {
    simulate {
      make(.mutex, "m")
      spawn("w") {
        lock("m")
        sleep(until: 3)
        unlock("m")
      }
      sleep(until: 1)
      show(lock("m", before: 1))
      show(lock("m", before: 2))
      show(lock("m", before: 4))
      show(lock("m", before: 0))
      show(lock("m", before: 9))
    }.expect(
      .locks,
      """
      [w] lock(m) @1 [main] busy(m,w) 'false' wait(m,w) @2 busy(m,w,timedOut) 'false' wait(m,w)
      @3 [w] unlock(m) [main] lock(m) 'true' busy(m,main) 'false' '!lockedTwice'
      """)
  }

  @Test("4 A waiter whose date has passed is in the queue no more")
  func timedOutWaiterLeavesTheQueue() {
    simulate {
      make(.mutex, "m")
      lock("m")
      spawn("a") { show(lock("m", before: 1)) }
      spawn("b") { lock("m") }
      spawn("c") { show(lock("m", before: 1)) }
      sleep(until: 2)
      unlock("m")
      sleep(until: 3)
    }.expect(
      .locks.without(.lockWait),
      "lock(m) @1 [a] busy(m,main,timedOut) 'false' [c] busy(m,main,timedOut) 'false' @2 [main] unlock(m) [b] lock(m)")
  }

  @Test("Unlocking what one does not hold and locking a plain mutex twice are refused")
  func misuse() {
    simulate {
      for kind in [LockKind.mutex, .spinLock, .condition, .conditionLock] {
        make(kind, "m")
        unlock("m")
        lock("m")
        lock("m")
        spawn("w") { unlock("m") }
        yield()
        unlock("m")
        unlock("m")
      }
    }.expect(
      .logs,
      Array(repeating: "'!notHolder' '!lockedTwice' [w] '!notHolder' [main] '!notHolder'", count: 4)
        .joined(separator: " "))
  }

  @Test("A recursive mutex is free after as many unlocks")
  func recursive() {
    simulate {
      make(.recursiveMutex, "m")
      times(2) { lock("m") }
      show(tryLock("m"))
      show(lock("m", before: 0))
      spawn("w") {
        lock("m")
        log("w")
      }
      yield()
      times(3) { unlock("m") }
      yield()
      log("last")
      unlock("m")
      yield()
      unlock("m")
    }.expect(.logs, "'true' 'true' 'last' [w] 'w' [main] '!notHolder'")
  }

  @Test("A distributed lock is tried, and can be broken")
  func distributed() {
    simulate {
      make(.distributedLock, "d")
      spawn("w") {
        show(tryLock("d"))
        show(tryLock("d"))
        sleep(until: 2)
        unlock("d")
      }
      sleep(until: 1)
      show(tryLock("d"))
      breakLock("d")
      show(tryLock("d"))
      sleep(until: 3)
      unlock("d")
      unlock("d")
    }.expect(.logs, "[w] 'true' 'false' @1 [main] 'false' 'true' @2 [w] '!notHolder' @3 [main] '!notHolder'")
  }

  @Test("A waiting writer holds back new readers")
  func writersFirst() {
    simulate {
      make(.readWriteLock, "l")
      readLock("l")
      readLock("l")
      spawn("r") {
        readLock("l")
        unlock("l")
      }
      spawn("w") {
        writeLock("l")
        log("w")
        sleep(until: 2)
        unlock("l")
      }
      spawn("a") {
        show(tryReadLock("l"))
        readLock("l")
        log("a")
      }
      spawn("b") {
        readLock("l")
        log("b")
      }
      sleep(until: 1)
      unlock("l")
      yield()
      unlock("l")
      sleep(until: 3)
    }.expect(.logs, "[a] 'false' @1 [w] 'w' @2 [a] 'a' [b] 'b'")
  }

  @Test("Misuse of a read-write lock is refused")
  func readWriteMisuse() {
    simulate {
      make(.readWriteLock, "l")
      unlock("l")
      readLock("l")
      writeLock("l")
      show(tryWriteLock("l"))
      unlock("l")
      unlock("l")
      writeLock("l")
      writeLock("l")
      readLock("l")
      show(tryReadLock("l"))
      show(tryWriteLock("l"))
      unlock("l")
      show(tryWriteLock("l"))
    }.expect(
      .logs,
      "'!notHolder' '!writeWhileReading' 'false' '!notHolder' '!lockedTwice' '!readWhileWriting' 'false' 'false' 'true'"
    )
  }

  @Test("A condition lock is had when it is free and has the number; the longest waiter for it first")
  func conditionLock() {
    simulate {
      make(.conditionLock, "c", value: 1)
      spawn("a") {
        show(lock("c", when: 2))
        unlock("c", with: 3)
      }
      spawn("b") {
        show(lock("c", when: 1))
        unlock("c", with: 2)
      }
      spawn("c") {
        show(lock("c", when: 9, before: 1))
        show(lock("c", when: 9, before: 0))
        lock("c")
        unlock("c")
      }
      sleep(until: 2)
      show(conditionValue("c"))
    }.expect(
      .locks,
      """
      [a] wait(c=2,) [b] lock(c=1) 'true' unlock(c=2) [a] lock(c=2) [c] wait(c=9,a) [a] 'true' unlock(c=3)
      @1 [c] busy(c,,timedOut) 'false' busy(c,) 'false' lock(c=3) unlock(c=3) @2 [main] '3'
      """)
  }

  @Test("A thread that ends keeps what it holds; who waits for it is stuck")
  func holderEnds() {
    let machine = simulate {
      make(.mutex, "m")
      spawn("w") { lock("m") }
      yield()
      lock("m")
    }
    machine.expect(.locks, "[w] lock(m) [main] wait(m,w) fault(stuck)")
    #expect(
      machine.faults.first?.hasPrefix("thread=main waits=lock:m holder=w since=0.000000000 lockedAt=test:") == true)
    #expect(machine.faults.first?.contains("holderEnded=true") == true)
  }

  @Test("5 deadlock: two locks taken in different orders, told with what each holds")
  func deadlock() {
    let machine = simulate {
      make(.mutex, "m")
      make(.spinLock, "n")
      spawn("w", joinable: true) {
        lock("n", line: 1)
        yield()
        lock("m", line: 2)
      }
      lock("m", line: 3)
      yield()
      lock("n", line: 4)
    }
    machine.expect(.fault)
    #expect(
      machine.faults == [
        "thread=main waits=lock:n holder=w since=0.000000000 lockedAt=test:1 at=test:4 holds=m heldAt=test:3",
        "thread=w waits=lock:m holder=main since=0.000000000 lockedAt=test:3 at=test:2 holds=n heldAt=test:1",
      ])
  }

  @Test("5 deadlock: a writer waits for any of the readers, a reader for the writer before it")
  func deadlockWithReaders() {
    let machine = simulate {
      make(.readWriteLock, "l")
      make(.mutex, "m")
      spawn("r1") {
        readLock("l")
        run(1)
        sleep(until: 100)
      }
      spawn("r2", joinable: true) {
        readLock("l")
        sleep(until: 1)
        lock("m")
      }
      lock("m")
      yield()
      writeLock("l")
    }
    machine.expect(Show(kinds: [.fault]), "@100 fault(deadlock) [r2] fault(deadlock)")
    simulate {
      make(.readWriteLock, "l")
      readLock("l")
      spawn("w", joinable: true) { writeLock("l") }
      yield()
      readLock("l")
    }.expect(Show(kinds: [.fault]), "fault(deadlock) [w] fault(deadlock)")
  }
}

extension Machine {
  /// The texts of the faults.
  var faults: [String] { records.filter { $0.kind == .fault }.map(\.text) }
}
