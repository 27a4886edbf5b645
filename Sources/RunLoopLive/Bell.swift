#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Rung once, by a thread or in a signal's handler, and from then on heard by whoever asks or waits: a pipe with a byte.
struct Bell: Sendable {
  private let hearing: Int32
  private let ringing: Int32

  /// Without descriptors for it, it is never heard.
  init() {
    var ends: (Int32, Int32) = (-1, -1)
    let failed = withUnsafeMutableBytes(of: &ends) { pipe($0.baseAddress?.assumingMemoryBound(to: Int32.self)) } != 0
    (hearing, ringing) = failed ? (-1, -1) : ends
  }

  /// Allowed in the handler of a signal.
  func ring() {
    let number = errno
    var byte: UInt8 = 1
    _ = write(ringing, &byte, 1)
    errno = number
  }

  var isRung: Bool { isHeard(within: 0) }

  /// Waits for it, at most for some seconds; whether it was rung.
  func wait(atMost seconds: Double) -> Bool {
    if hearing < 0 { usleep(useconds_t(min(seconds, 0.1) * 1e6)) }
    return isHeard(within: Int32(min(seconds * 1000 + 1, 1e9)))
  }

  private func isHeard(within milliseconds: Int32) -> Bool {
    var end = pollfd(fd: hearing, events: Int16(POLLIN), revents: 0)
    return hearing >= 0 && poll(&end, 1, milliseconds) > 0
  }
}
