#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Writes all of some bytes to a descriptor, and waits where that takes no more for the moment.
///
/// - Returns: the system's error number, 0 when all went well.
package func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
  var done = 0
  while done < bytes.count {
    let written = write(descriptor, bytes.baseAddress.unsafelyUnwrapped + done, bytes.count - done)
    if written >= 0 {
      done += written
    } else if errno == EAGAIN {
      // Whoever made the descriptor has it non-blocking: a shell or a program at the other end of the same terminal.
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&waiting, 1, -1)
    } else if errno != EINTR {
      return errno
    }
  }
  return 0
}
