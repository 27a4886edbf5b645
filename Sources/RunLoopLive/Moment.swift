#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The moment in some real seconds, as a timed wait for a mutex or a condition wants it.
///
/// - Parameter seconds: any; from none to three years are kept.
func moment(in seconds: Double) -> timespec {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  let nanoseconds = Int64(time.tv_nsec) + Int64(max(0, min(seconds, 1e8)) * 1e9)
  time.tv_sec += Int(nanoseconds / 1_000_000_000)
  time.tv_nsec = Int(nanoseconds % 1_000_000_000)
  return time
}
