import Testing

@testable import RunLoopEngine

@Suite("1 Time")
struct TimeTests {
  @Test("1 Conversion from seconds rounds to the nearest nanosecond, once")
  func rounding() {
    let cases: [(Double, Nanoseconds)] = [
      (0, 0), (1, 1_000_000_000), (0.1, 100_000_000), (0.1 + 0.2, 300_000_000), (1.0 / 3, 333_333_333),
      (2.0 / 3, 666_666_667), (0.4e-9, 0), (0.6e-9, 1), (1e-9, 1), (2.5e-9, 3), (-0.4e-9, 0), (-0.6e-9, -1),
      (-1.5, -1_500_000_000), (1e9, 1_000_000_000_000_000_000), (123_456.789012345, 123_456_789_012_345),
    ]
    for (seconds, nanoseconds) in cases {
      #expect(Nanoseconds(seconds: seconds) == nanoseconds, "\(seconds)")
    }
  }

  @Test("1 A number of seconds out of range is the distant future or past, and math.huge is the distant future")
  func distantDates() {
    #expect(Nanoseconds(seconds: .infinity) == .distantFuture)
    #expect(Nanoseconds(seconds: -.infinity) == .distantPast)
    #expect(Nanoseconds(seconds: 1e10) == .distantFuture)
    #expect(Nanoseconds(seconds: -1e10) == .distantPast)
    #expect(Nanoseconds(seconds: 1e300) == .distantFuture)
    #expect(Nanoseconds(seconds: 9.2e9) == 9_200_000_000_000_000_000)
    #expect(Nanoseconds.distantFuture.seconds == .infinity)
    #expect(Nanoseconds.distantPast.seconds == -.infinity)
  }

  @Test("1 Seconds and back is the same moment, up to a hundred days")
  func roundTrip() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<1_000 {
      let nanoseconds = Nanoseconds.random(in: -8_640_000_000_000_000...8_640_000_000_000_000, using: &random)
      #expect(abs(Nanoseconds(seconds: nanoseconds.seconds) - nanoseconds) <= 1)
    }
    for nanoseconds in [0, 1, -1, 999_999_999, 4_000_000_000_000_001] as [Nanoseconds] {
      #expect(Nanoseconds(seconds: nanoseconds.seconds) == nanoseconds)
    }
  }

  @Test("1 Addition holds at the distant dates")
  func saturation() {
    #expect(Nanoseconds.distantFuture.saturatingAdd(1) == .distantFuture)
    #expect(Nanoseconds.distantPast.saturatingAdd(-1) == .distantPast)
    #expect((5 as Nanoseconds).saturatingAdd(.distantFuture) == .distantFuture)
    #expect((5 as Nanoseconds).saturatingAdd(-7) == -2)
  }

  @Test("1 An instant is the pair (nanoseconds, tick), in this order")
  func instants() {
    #expect(Instant(1) < Instant(2))
    #expect(Instant(1, tick: 9) < Instant(2))
    #expect(Instant(2) < Instant(2, tick: 1))
    #expect(Instant(2, tick: 1) < Instant(2, tick: 2))
    #expect(!(Instant(2, tick: 1) < Instant(2, tick: 1)))
    #expect(Instant(.distantFuture - 1, tick: .max) < .distantFuture)
  }

  @Test("1 Time stands still while any thread can run")
  func timeStandsStill() {
    simulate {
      timer("t", at: 0.1)
      spawn("w") {
        times(3) {
          yield()
          log("w")
        }
      }
      times(3) {
        yield()
        log("main")
      }
      run(1)
    }.expect(
      .callouts,
      "'main' [w] 'w' [main] 'main' [w] 'w' [main] 'main' [w] 'w' @0.1 [main] t#1 @1 =timedOut")
  }

  @Test("1 Time moves straight to the next due moment")
  func timeMovesToNext() {
    simulate {
      spawn("w") {
        sleep(until: 0.25)
        log("w")
        sleep(until: 0.25)
        sleep(until: 0)
        log("at once")
        work(1)
        log("w")
      }
      work(1)
      log("main")
      work(0)
      work(-1)
      log("at once")
      sleep(until: 3)
    }.expect(.logs, "@0.25 [w] 'w' 'at once' @1 [main] 'main' 'at once' @1.25 [w] 'w'")
  }

  @Test("1 A thread that works handles no events")
  func workHandlesNothing() {
    simulate {
      timer("t", at: 0.5)
      work(1)
      run(0)
    }.expect(.callouts, "@1 t#1(late=0.5) =timedOut")
  }

  @Test("1 Now is always a little later than a date that has just come due: a deadline ends its run at once")
  func nowIsLater() {
    simulate {
      timer("t", at: 1, every: 1)
      run(1)
      run(1)
    }.expect(
      .passes,
      "E BT BS BW @1 AW:timer t#1 X =timedOut E BT BS BW @2 AW:timer t#2 X =timedOut")
  }

  @Test("1 Nothing is due after the distant future; a timer at it keeps a mode alive and never fires")
  func distantTimer() {
    let machine = simulate {
      timer("t", at: .infinity, in: "m")
      run(1, in: "m")
      run(.infinity, in: "m")
    }
    machine.expect(.callouts, "@1 =timedOut")
    machine.expect(.idle)
  }
}
