import RunLoopEngine

/// Renders events as the text format, into memory.
public final class TextCollector: TraceConsumer {
  private let format = TextTrace()
  private var buffer = ByteBuffer(capacity: 1 << 12)
  private var hasBegun = false
  /// What was rendered.
  public private(set) var bytes: [UInt8] = []

  /// Nothing rendered yet.
  public init() {}

  public func consume(_ simulation: borrowing Simulation) -> Bool {
    if !hasBegun {
      hasBegun = true
      format.begin(simulation.configuration, into: &buffer)
    }
    let last = simulation.events.reduce(Int32(-1)) { max($0, $1.thread.rawValue) }
    let threads = (0..<max(0, last + 1)).map { simulation.name(of: ThreadID(rawValue: $0)) }
    let context = TraceContext(
      names: simulation.names, text: simulation.text, threadNames: threads, configuration: simulation.configuration)
    format.write(simulation.events[...], context, into: &buffer)
    buffer.withBytes { bytes.append(contentsOf: $0) }
    buffer.truncate(to: 0)
    return true
  }
}
