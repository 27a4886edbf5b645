#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A pthread, whose body has a signature that the pthread_create of both systems can be given.
enum SystemThread {
  /// Why there is none.
  struct Failure: Error {
    /// The system's error number.
    let number: Int32
    var message: String { String(cString: strerror(number)) }
  }

  private final class Box {
    let body: @convention(c) (UnsafeMutableRawPointer?) -> Void
    let context: UnsafeMutableRawPointer

    init(_ body: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void, _ context: UnsafeMutableRawPointer) {
      self.body = body
      self.context = context
    }
  }

  /// Starts a thread, which is handed the context. It can be joined.
  ///
  /// - Throws: when the system has no more of them, or no memory for its stack.
  @discardableResult
  static func start(
    _ context: UnsafeMutableRawPointer, _ body: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
  ) throws(Failure) -> pthread_t {
    let box = Unmanaged.passRetained(Box(body, context))
    #if canImport(Darwin)
      var handle: pthread_t?
      let failure = pthread_create(
        &handle, nil,
        { box in
          let box = Unmanaged<Box>.fromOpaque(box).takeRetainedValue()
          box.body(box.context)
          return nil
        }, box.toOpaque())
      if failure == 0, let handle { return handle }
    #else
      var handle = pthread_t()
      let failure = pthread_create(
        &handle, nil,
        { box in
          let box = Unmanaged<Box>.fromOpaque(UnsafeRawPointer(box.unsafelyUnwrapped)).takeRetainedValue()
          box.body(box.context)
          return nil
        }, box.toOpaque())
      if failure == 0 { return handle }
    #endif
    box.release()
    throw Failure(number: failure)
  }
}
