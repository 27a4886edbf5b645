#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Where a trace is written: a file descriptor behind a buffer of 64 KiB.
///
/// Once a write has failed nothing more is written, and `failure` says why.
public final class TraceOutput {
  /// Why an output is gone.
  public enum Failure: Equatable, Sendable {
    /// Nobody reads any more: no error for a program in a pipe.
    case closedPipe
    /// The system's error number.
    case system(Int32)
  }

  /// What messages call it: a path in quotes, or `standard output`.
  public let name: String
  /// Why the output is gone; nil while it works.
  public private(set) var failure: Failure?
  /// What was rendered and not written yet.
  public var buffer = ByteBuffer(capacity: threshold + (threshold >> 2))
  private let descriptor: Int32
  private let closes: Bool

  /// From so many bytes on the buffer is written.
  public static let threshold = 1 << 16

  /// An output to an open descriptor.
  ///
  /// - Parameter closes: whether the descriptor is closed with the output.
  public init(descriptor: Int32, name: String, closes: Bool = false) {
    self.descriptor = descriptor
    self.name = name
    self.closes = closes
  }

  /// Makes or empties a file.
  ///
  /// - Throws: the system's error.
  public static func file(_ path: String) throws(OutputError) -> TraceOutput {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw OutputError(name: "'\(path)'", number: errno) }
    return TraceOutput(descriptor: descriptor, name: "'\(path)'", closes: true)
  }

  deinit { if closes { _ = close(descriptor) } }

  /// Writes when there is much to write.
  @inline(__always)
  public func flushIfFull() { if buffer.count >= Self.threshold { flush() } }

  /// Writes everything rendered so far.
  public func flush() {
    if failure == nil {
      let number = buffer.withBytes { writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
      if number != 0 { failure = number == EPIPE ? .closedPipe : .system(number) }
    }
    buffer.truncate(to: 0)
  }
}

/// A file that cannot be written.
public struct OutputError: Error {
  /// What messages call the file.
  public let name: String
  /// The system's error number.
  public let number: Int32

  /// An error of the system about an output.
  public init(name: String, number: Int32) {
    self.name = name
    self.number = number
  }

  /// One line for a reader.
  public var message: String { "cannot write the trace to \(name): \(String(cString: strerror(number)))" }
}
