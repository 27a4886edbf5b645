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
    let grammar = EventGrammar.table
    let dressed = style.aligned || style.colored
    for event in events {
      if style.onlyFaults && event.kind.category != .fault { continue }
      if dressed {
        writeDressed(event, grammar[Int(event.kind.rawValue)], context, into: &buffer)
      } else {
        Self.writeLine(event, grammar[Int(event.kind.rawValue)], context, into: &buffer)
      }
    }
  }

  public func finish(into buffer: inout ByteBuffer) {}

  @inline(__always)
  private static func writeLine(
    _ event: Event, _ grammar: EventGrammar, _ context: borrowing TraceContext, into buffer: inout ByteBuffer
  ) {
    buffer.append(seconds: event.time)
    buffer.append(UInt8(ascii: " "))
    buffer.append(context.threadName(event.thread), in: context.names)
    buffer.append(UInt8(ascii: " "))
    buffer.append(grammar.name)
    writeSubject(event, grammar, context, into: &buffer)
    writeKeys(event, grammar, context, into: &buffer)
    buffer.append(UInt8(ascii: "\n"))
  }

  /// Writes a space and what stands after the event's name.
  @inline(__always)
  static func writeSubject(
    _ event: Event, _ grammar: EventGrammar, _ context: borrowing TraceContext, into buffer: inout ByteBuffer
  ) {
    switch grammar.subject {
    case .none: break
    case .name:
      buffer.append(UInt8(ascii: " "))
      buffer.append(event.subject, in: context.names)
    case .text:
      buffer.append(UInt8(ascii: " "))
      context.withText(of: event) { buffer.append(value: $0) }
    case .line:
      if event.textLength > 0 { buffer.append(UInt8(ascii: " ")) }
      context.withText(of: event) { buffer.append(line: $0) }
    case .faultKind:
      buffer.append(UInt8(ascii: " "))
      buffer.append(FaultKind(rawValue: event.a)?.traceName ?? "?")
      if event.textLength > 0 { buffer.append(UInt8(ascii: " ")) }
      context.withText(of: event) { buffer.append(line: $0) }
    case .mainQueue: buffer.append(" main")
    }
  }

  /// Writes ` key=value` for each key that the event has.
  @inline(__always)
  static func writeKeys(
    _ event: Event, _ grammar: EventGrammar, _ context: borrowing TraceContext, into buffer: inout ByteBuffer
  ) {
    var rest = grammar.packedKeys
    while let key = EventKey(rawValue: UInt8(truncatingIfNeeded: rest)) {
      rest >>= 8
      guard let value = key.value(in: event) else { continue }
      buffer.append(UInt8(ascii: " "))
      buffer.append(key.name)
      buffer.append(UInt8(ascii: "="))
      write(value, of: event, context, into: &buffer)
    }
  }

  @inline(__always)
  private static func write(
    _ value: EventValue, of event: Event, _ context: borrowing TraceContext, into buffer: inout ByteBuffer
  ) {
    switch value {
    case .word(let word): buffer.append(word)
    case .name(let name): buffer.append(name, in: context.names)
    case .integer(let number): buffer.append(decimal: number)
    case .seconds(.distantFuture): buffer.append("distantFuture")
    case .seconds(.distantPast): buffer.append("distantPast")
    case .seconds(let nanoseconds): buffer.append(seconds: nanoseconds)
    case .text: context.withText(of: event) { buffer.append(value: $0) }
    case .port, .position: writeCompound(value, context, into: &buffer)
    }
  }

  /// Writes a value that is made of two parts, quoted as one.
  @inline(never)
  private static func writeCompound(
    _ value: EventValue, _ context: borrowing TraceContext, into buffer: inout ByteBuffer
  ) {
    let start = buffer.count
    buffer.append(unquoted: value, context)
    buffer.quoteIfNeeded(from: start)
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
