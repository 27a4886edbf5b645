import RunLoopEngine
import Testing

private let shown = Show.callouts.and(.message, .messageSend, .messageReply).without(.runExit)

/// A thread that serves the message port M.
@Body
private func server(@Body receive: () -> [Instruction]) -> [Instruction] {
  let body = receive()
  spawn("s") {
    messagePort("M") { body }
    run(100)
  }
  yield()
}

@Suite("2.4 Message ports")
struct MessagePortTests {
  @Test("A request runs the caller's loop in its mode until the reply has come")
  func reply() {
    simulate {
      server {
        work(1)
        returns(7)
      }
      timer("t", at: 0.5, in: "reply")
      timer("u", at: 0.6)
      show(request("M", 4, "hello"))
    }.expect(shown, "M>4:hello [s] M<4:hello @0.5 [main] t#1 @1 [s] M=4 [main] '7'")
  }

  @Test("Without a mode no reply is wanted, and the caller does not wait")
  func noReply() {
    simulate {
      server { returns(7) }
      show(request("M", 1, mode: nil))
      sleep(until: 1)
    }.expect(shown, "M>1:m 'none' [s] M<1:m")
  }

  @Test("A reply that comes after the timeout is lost")
  func receiveTimeout() {
    simulate {
      server {
        work(1)
        returns(7)
      }
      show(request("M", 1, receive: 0.5))
      show(request("M", 2, receive: 0))
      sleep(until: 3)
    }.expect(
      shown, "M>1:m [s] M<1:m @0.5 [main] 'receiveTimeout' M>2:m 'receiveTimeout' @1 [s] M=1(lost) M<2:m @2 M=2(lost)")
  }

  @Test("A full queue is waited for until the send timeout")
  func sendTimeout() {
    simulate {
      server { work(1) }
      times(6) { request("M", 0, mode: nil) }
      sleep(until: 0.1)
      show(request("M", 1, send: 0.5, mode: nil))
      show(request("M", 2, send: 0, mode: nil))
      show(request("M", 3, send: 5))
    }.expect(
      Show(kinds: [.log, .portFull, .messageReply]),
      "M:full @0.1 M:full @0.6 'sendTimeout' M:full 'sendTimeout' M:full @7 [s] M=3 [main] '0'")
  }

  @Test("An invalid port refuses; one that becomes invalid tells who waits")
  func invalid() {
    simulate {
      server {
        on(2) { invalidate("M") }
        returns(7)
      }
      show(request("M", 1))
      spawn("v") { show(request("M", 3)) }
      show(request("M", 2))
      show(request("M", 4))
      sleep(until: 1)
    }.expect(.logs, "'7' 'becameInvalid' 'invalid' [v] 'becameInvalid'")
  }

  @Test("A stop does not end the wait for a reply")
  func stopWhileWaiting() {
    simulate {
      server {
        work(1)
        returns(7)
      }
      timer("t", at: 0.5, in: "reply") { stop() }
      show(request("M", 1))
    }.expect(shown, "M>1:m [s] M<1:m @0.5 [main] t#1 @1 [s] M=1 [main] '7'")
  }

  @Test("A port that is served by its own caller in the reply's mode answers")
  func ownPort() {
    simulate {
      messagePort("M", in: "reply") { returns(7) }
      show(request("M", 1))
    }.expect(shown, "M>1:m M<1:m M=1 '7'")
  }

  @Test("An error in the callback answers nothing; one in the wait leaves the request")
  func errors() {
    simulate {
      spawn("s") {
        messagePort("M") {
          on(1) { raise() }
          work(1)
          returns(7)
        }
        protected { run(100) }
        run(100)
      }
      yield()
      show(request("M", 1, receive: 0.5))
      timer("t", at: 0.7, in: "reply") { raise() }
      protected { request("M", 2) }
      log("left")
      sleep(until: 2)
      show(request("M", 3))
    }.expect(.logs, "@0.5 'receiveTimeout' @0.7 'left' @3 '7'")
  }

  @Test("Replies find their callers, whoever is served first")
  func manyCallers() {
    for seed in [nil, 1, 2, 3] as [UInt64?] {
      let machine = simulate(seed: seed) {
        server {
          work(0.1)
          returns(7)
        }
        sleep(until: 0.01)
        for name in ["a", "b", "c"] {
          spawn(name, joinable: true) { times(4) { show(request("M", 1)) } }
        }
        for name in ["a", "b", "c"] { join(name) }
      }
      #expect(machine.trace(.logs).split(separator: " ").count { $0 == "'7'" } == 12)
      machine.expect(.returned)
    }
  }
}
