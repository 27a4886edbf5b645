@preconcurrency import CoreFoundation
import RunLoopEngine

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The clock of a live run: the real one, in the script's seconds.
struct LiveClock: Sendable {
  /// Real seconds for each second of the script.
  let scale: Double
  private let start: Int64
  /// Where numbers of nanoseconds end, 292 years: with a small scale it comes within hours.
  private static let end = 9.223_372_036_854_775e18
  private let absoluteStart: CFAbsoluteTime

  init(scale: Double) {
    self.scale = scale
    start = Self.monotonic
    absoluteStart = CFAbsoluteTimeGetCurrent()
  }

  private static var monotonic: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Script time.
  var now: Nanoseconds {
    let passed = Self.monotonic - start
    if scale == 1 { return passed }
    let time = (Double(passed) / scale).rounded()
    return time < Self.end ? Nanoseconds(time) : .distantFuture
  }

  /// A date of the script, as the library has dates.
  func absolute(_ date: Nanoseconds) -> CFAbsoluteTime { absoluteStart + real(date) }

  /// A date of the library, as the script has dates; rounded, as the library's have their errors.
  func date(_ absolute: CFAbsoluteTime) -> Nanoseconds {
    let seconds = (absolute - absoluteStart) / scale
    guard abs(seconds) < 9e9 else { return seconds > 0 ? .distantFuture : .distantPast }
    let grain = scale < 1 ? 1e4 : 1e6
    return Nanoseconds(seconds: (seconds * grain).rounded() / grain)
  }

  /// Script time as real seconds.
  func real(_ time: Nanoseconds) -> Double { time.seconds * scale }

  /// Sleeps until a date of the script.
  func sleep(until date: Nanoseconds) {
    while true {
      let left = min(real(date - min(date, now)), 3600)
      guard left > 0 else { return }
      var time = timespec(tv_sec: Int(left), tv_nsec: Int((left - left.rounded(.down)) * 1e9))
      nanosleep(&time, nil)
    }
  }
}
