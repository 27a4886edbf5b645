import RunLoopEngine

/// What the handles of a batch of events stand for.
public struct TraceContext {
  /// Names of modes, objects and files.
  public let names: NameTable
  /// Where `Event.textStart` points into.
  public let text: [UInt8]
  /// The name of each thread, by its handle.
  public let threadNames: [NameID]
  /// What the simulation was made with.
  public let configuration: Configuration

  /// A context of its own, for events that come from no simulation.
  public init(names: NameTable, text: [UInt8], threadNames: [NameID], configuration: Configuration = Configuration()) {
    self.names = names
    self.text = text
    self.threadNames = threadNames
    self.configuration = configuration
  }

  /// The name of an event's thread; `none` for events of no thread.
  @inline(__always)
  func threadName(_ thread: ThreadID) -> NameID {
    let index = Int(thread.rawValue)
    return index >= 0 && index < threadNames.count ? threadNames[index] : .none
  }

  /// Calls `body` with an event's text.
  @inline(__always)
  func withText<R>(of event: Event, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    text.withUnsafeBufferPointer {
      let start = Int(event.textStart)
      return body(UnsafeBufferPointer(rebasing: $0[start..<start + Int(event.textLength)]))
    }
  }

  /// An event's text as a string.
  func string(textOf event: Event) -> String { withText(of: event) { String(decoding: $0, as: UTF8.self) } }
}

/// A way to write a trace.
///
/// A format is made for one trace: `begin` once, `write` for each batch, `finish` once after the last event. It may write
/// at any of these moments; formats that need the whole trace write it all in `finish`.
public protocol TraceFormat: AnyObject {
  /// Starts the trace. Called right before the first events, when the script has had its say about the profile.
  func begin(_ configuration: Configuration, into buffer: inout ByteBuffer)
  /// Writes a batch of events.
  func write(_ events: ArraySlice<Event>, _ context: TraceContext, into buffer: inout ByteBuffer)
  /// Ends the trace. Also called when the run broke off.
  func finish(into buffer: inout ByteBuffer)
}

/// Takes the events of a running simulation.
public protocol TraceConsumer: AnyObject {
  /// Renders `simulation.events`; called in batches.
  ///
  /// - Returns: false when the output is gone (closed pipe, full disk): the run then stops.
  func consume(_ simulation: borrowing Simulation) -> Bool
}
