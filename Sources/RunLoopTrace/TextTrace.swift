import RunLoopEngine

/// The text format (trace.md): what a run prints, and what golden files hold.
public final class TextTrace: TraceFormat {
  /// How the lines are dressed for a reader. None of it is in golden files.
  public struct Style: Sendable {
    /// Pads the columns.
    public var aligned = false
    /// Colours by category, with terminal escapes.
    public var colored = false
    /// Leaves out the header and everything but faults and the end.
    public var onlyFaults = false
    /// Plain lines, all of them.
    public init() {}
  }

  let style: Style
  var columns = Columns()
  @exclusivity(unchecked) var writer = LineWriter()

  /// A text trace.
  public init(style: Style = Style()) { self.style = style }

  public func begin(_ configuration: Configuration, into buffer: inout ByteBuffer) {
    if style.onlyFaults { return }
    buffer.append("rlsim-trace 1 semantics=")
    buffer.append(text: configuration.profile.rawValue)
    buffer.append(" seed=")
    if let seed = configuration.seed { buffer.append(decimal: seed) } else { buffer.append("none") }
    buffer.append(UInt8(ascii: "\n"))
  }

  public func write(_ events: ArraySlice<Event>, _ context: TraceContext, into buffer: inout ByteBuffer) {
    let isPlain = !style.aligned && !style.colored && !style.onlyFaults
    for event in events {
      if isPlain {
        writeLine(event, context, into: &buffer)
      } else if !style.onlyFaults || event.kind.category == .fault {
        writeDressed(event, context, into: &buffer)
      }
    }
  }

  public func finish(into buffer: inout ByteBuffer) {}

  @inline(__always)
  private func writeLine(_ event: Event, _ context: borrowing TraceContext, into buffer: inout ByteBuffer) {
    if writer.putRepeated(event, &buffer) { return }
    let lineStart = buffer.count
    var cursor = writer.open(event, context, &buffer)
    let place = cursor.place
    writer.putTime(event.time, &cursor)
    let behindTime = lineStart + (cursor.place - place)
    cursor.put(UInt8(ascii: " "))
    writer.putName(context.threadName(event.thread), context, &cursor)
    writer.putEvent(event.kind, &cursor)
    writer.putRest(event, context, &cursor, &buffer)
    cursor.put(UInt8(ascii: "\n"))
    buffer.advance(to: cursor.place)
    writer.keep(event, buffer, from: behindTime)
  }
}

extension ByteBuffer {
  /// Appends a value that is made of two parts as it is.
  mutating func append(unquoted value: EventValue, _ context: borrowing TraceContext) {
    switch value {
    case .port(let name):
      append("port:")
      append(raw: name, in: context.names)
    case .position(let position):
      append(raw: position.file, in: context.names)
      append(UInt8(ascii: ":"))
      append(decimal: Int64(position.line))
    default: break
    }
  }
}
