@preconcurrency import CoreFoundation

#if canImport(Darwin)
  // The task's port is a variable there.
  @preconcurrency import Darwin
#else
  import Glibc
#endif

/// What makes a source of version 1 ready: a descriptor that counts, or on Darwin a Mach port.
///
/// The library's wait reads the descriptor, or receives the Mach message: one notice, one wake.
struct PortChannel {
  #if canImport(Darwin)
    private let port: mach_port_t

    init() {
      var port = mach_port_t()
      mach_port_allocate(mach_task_self_, MACH_PORT_RIGHT_RECEIVE, &port)
      mach_port_insert_right(mach_task_self_, port, port, mach_msg_type_name_t(MACH_MSG_TYPE_MAKE_SEND))
      self.port = port
    }

    func notice() {
      var header = mach_msg_header_t()
      header.msgh_bits = UInt32(MACH_MSG_TYPE_COPY_SEND)
      let size = mach_msg_size_t(MemoryLayout<mach_msg_header_t>.size)
      header.msgh_size = size
      header.msgh_remote_port = port
      mach_msg(&header, MACH_SEND_MSG | MACH_SEND_TIMEOUT, size, 0, 0, 0, 0)
    }

    /// Whether there is a notice that was not read.
    var isNoticed: Bool {
      var status = mach_port_status_t()
      var count = mach_msg_type_number_t(MemoryLayout<mach_port_status_t>.size / MemoryLayout<natural_t>.size)
      let result = withUnsafeMutablePointer(to: &status) {
        $0.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
          mach_port_get_attributes(mach_task_self_, port, MACH_PORT_RECEIVE_STATUS, $0, &count)
        }
      }
      return result == KERN_SUCCESS && status.mps_msgcount > 0
    }

    /// For the callback's info, which is all that it is given.
    var number: Int32 { Int32(bitPattern: port) }

    /// Gives the channel up, when its source is invalid.
    func close() {
      mach_port_mod_refs(mach_task_self_, port, MACH_PORT_RIGHT_RECEIVE, -1)
      mach_port_deallocate(mach_task_self_, port)
    }
  #else
    private let descriptor: Int32

    init() { descriptor = Library.eventDescriptor(0, Library.closeOnExec | Library.nonBlocking) }

    func notice() {
      var one: UInt64 = 1
      _ = write(descriptor, &one, 8)
    }

    /// Whether there is a notice that was not read.
    var isNoticed: Bool {
      var end = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return poll(&end, 1, 0) > 0
    }

    var number: Int32 { descriptor }

    /// Gives the channel up, when its source is invalid.
    func close() { _ = Glibc.close(descriptor) }
  #endif

  /// A source for this channel.
  ///
  /// - Parameter info: of the callback; its `channel` gives this number.
  func makeSource(order: Int64, info: UnsafeMutableRawPointer) -> CFRunLoopSource? {
    var context = CFRunLoopSourceContext1()
    context.version = 1
    context.info = info
    #if canImport(Darwin)
      context.getPort = { info in mach_port_t(bitPattern: PortInfo.from(info).number) }
      context.perform = { _, _, _, info in
        PortInfo.from(info).receive()
        return nil
      }
    #else
      context.getPort = { info in PortInfo.from(info).number }
      context.perform = { info in PortInfo.from(info).receive() }
    #endif
    return withUnsafeMutablePointer(to: &context) {
      $0.withMemoryRebound(to: CFRunLoopSourceContext.self, capacity: 1) {
        CFRunLoopSourceCreate(nil, CFIndex(order), $0)
      }
    }
  }
}

/// What the library hands back to the callbacks of a port.
final class PortInfo {
  let number: Int32
  let receive: () -> Void

  /// - Parameter receive: called when the library has seen the channel.
  init(_ channel: PortChannel, receive: @escaping () -> Void) {
    number = channel.number
    self.receive = receive
  }

  static func from(_ info: UnsafeMutableRawPointer?) -> PortInfo {
    Unmanaged<PortInfo>.fromOpaque(UnsafeRawPointer(info.unsafelyUnwrapped)).takeUnretainedValue()
  }
}
