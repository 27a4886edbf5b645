import CLuaHost
import RunLoopEngine
import RunLoopScript

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The watch over a run: ends it at the date that was asked for, when it hangs, and by Ctrl-C.
///
/// The watching thread rings a bell, and then wants the run's lock. Whoever is first ends the run: the watching thread
/// when all others wait, or the thread that computes in Lua, which asks for the bell every now and then.
extension LiveRun {
  /// Why the run is ended from outside.
  enum Stop {
    case until
    case timeout
    case signal
  }

  /// Real seconds for a thread that has the lock to come to a place where it asks.
  private static var patience: Double { 3 }

  func startWatch() {
    do throws(SystemThread.Failure) {
      try SystemThread.start(Unmanaged.passRetained(self).toOpaque()) { run in
        Unmanaged<LiveRun>.fromOpaque(UnsafeRawPointer(run.unsafelyUnwrapped)).takeUnretainedValue().watch()
      }
    } catch {
      note("the system makes no thread that could end the run (\(error.message)): it is not begun")
      finish(.limit, detail: "threads")
    }
    // The library's waits are not disturbed by signals: they are the watching thread's.
    Interrupt.listen(false)
  }

  private func watch() -> Never {
    Interrupt.listen(true)
    let stop = waitForStop()
    noteStop(stop)
    bell.ring()
    if !lockSoon(stop) { leaveWithoutLock() }
    update()
    finishStopped()
  }

  private func waitForStop() -> Stop {
    let timeout = Nanoseconds(seconds: options.timeout / clock.scale)
    let date = min(options.until, timeout)
    while clock.now < date {
      if Interrupt.bell.wait(atMost: min(clock.real(date - clock.now), 3600)) { return .signal }
    }
    return options.until <= timeout ? .until : .timeout
  }

  /// The run's lock, if it can be had; false: nobody gives it up.
  private func lockSoon(_ stop: Stop) -> Bool {
    let pause = 0.002
    var left = Self.patience
    var stop = stop
    while left > 0 {
      if lockIfFree() { return true }
      if case .signal = stop {
        usleep(useconds_t(pause * 1e6))
      } else if Interrupt.bell.wait(atMost: pause) {
        stop = .signal
        noteStop(stop)
      } else if !Self.outputTakesMore {
        // A reader that does not read (a pager) holds the run up: nothing of the trace is to be lost.
        continue
      }
      left -= pause
    }
    return false
  }

  private static var outputTakesMore: Bool {
    var end = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
    return poll(&end, 1, 0) > 0
  }

  // MARK: The end

  /// The run is over, as the watch has it; under the lock.
  ///
  /// - Parameter traceback: where the current thread computes, empty: in a call of the API; nil: all threads wait.
  func finishStopped(traceback: String? = nil) -> Never {
    let report = report(traceback)
    var end: End
    switch stop {
    case .signal, nil: end = End(outcome: session.interrupt(), notes: notes, signal: Interrupt.signal)
    case .until: end = End(outcome: session.outcome(of: .until), notes: notes)
    case .timeout:
      notes.append(Self.text(ofTimeout: options.timeout))
      end = End(outcome: session.outcome(of: .limit, detail: "timeout"), notes: notes)
    }
    end.report = report
    end.outcome.traceback = traceback
    finished(end)
  }

  private static func text(ofTimeout seconds: Double) -> String {
    "the run had not ended after \(seconds) s (--timeout)"
  }

  /// A thread keeps the lock, so nothing of the run may be looked at.
  private func leaveWithoutLock() -> Never {
    let why =
      Self.outputTakesMore
      ? "a thread is in a call that takes its time" : "standard output takes nothing more, its reader does not read"
    var end = End(outcome: Outcome(.interrupted), notes: [], signal: Interrupt.signal)
    switch stop {
    case .signal, nil: end.notes = ["what each thread was doing is not known: \(why)"]
    case .until:
      end.outcome = Outcome(.limit)
      end.notes = ["the run does not end where it was told to (--until): \(why)"]
    case .timeout:
      end.outcome = Outcome(.limit)
      end.notes = [Self.text(ofTimeout: options.timeout) + ", and does not stop: \(why)"]
    }
    end.isAbandoned = true
    finished(end)
  }
}
