import RunLoopEngine

/// One JSON object a line: `t` in nanoseconds, `thread`, `event`, `category`, `subject`, then the event's keys.
///
/// Numbers of seconds are JSON numbers with nine decimals, flags are `true`, everything else is a string; dates that never
/// come are the strings `distantFuture` and `distantPast`. The first line is the header, with the version of the format.
public final class JSONLinesTrace: TraceFormat {
  private let onlyFaults: Bool

  /// A trace in JSON lines.
  ///
  /// - Parameter onlyFaults: leaves out the header and everything but faults and the end.
  public init(onlyFaults: Bool = false) { self.onlyFaults = onlyFaults }

  public func begin(_ configuration: Configuration, into buffer: inout ByteBuffer) {
    if onlyFaults { return }
    buffer.append("{\"trace\":\"rlsim\",\"version\":1,\"semantics\":\"")
    buffer.append(text: configuration.profile.rawValue)
    buffer.append("\",\"seed\":")
    if let seed = configuration.seed { buffer.append(decimal: seed) } else { buffer.append("null") }
    buffer.append("}\n")
  }

  public func write(_ events: ArraySlice<Event>, _ context: TraceContext, into buffer: inout ByteBuffer) {
    let grammar = EventGrammar.table
    for event in events where !onlyFaults || event.kind.category == .fault {
      buffer.append(json: event, grammar[Int(event.kind.rawValue)], context)
      buffer.append(UInt8(ascii: "\n"))
    }
  }

  public func finish(into buffer: inout ByteBuffer) {}
}

extension ByteBuffer {
  fileprivate mutating func append(json event: Event, _ grammar: EventGrammar, _ context: borrowing TraceContext) {
    append("{\"t\":")
    append(decimal: event.time)
    append(",\"thread\":")
    let thread = context.threadName(event.thread)
    if thread.isNone { append("null") } else { append(jsonName: thread, context) }
    append(",\"event\":\"")
    append(grammar.name)
    append("\",\"category\":\"")
    append(text: event.kind.category.name)
    append(UInt8(ascii: "\""))
    append(jsonSubject: event, grammar, context)
    append(jsonKeys: event, grammar, context)
    if grammar.hasTail && event.textLength > 0 { append(jsonTail: event, context) }
    append(UInt8(ascii: "}"))
  }

  private mutating func append(jsonSubject event: Event, _ grammar: EventGrammar, _ context: borrowing TraceContext) {
    if grammar.subject == .none { return }
    append(",\"subject\":")
    switch grammar.subject {
    case .none: break
    case .name: append(jsonName: event.subject, context)
    case .text, .line: context.withText(of: event) { append(jsonString: $0) }
    case .mainQueue: append("\"main\"")
    case .faultKind:
      append(UInt8(ascii: "\""))
      append(FaultKind(rawValue: event.a)?.traceName ?? "?")
      append(UInt8(ascii: "\""))
    }
  }

  /// Appends `,"key":value` for each key that the event has.
  mutating func append(jsonKeys event: Event, _ grammar: EventGrammar, _ context: borrowing TraceContext) {
    var rest = grammar.packedKeys
    while let key = EventKey(rawValue: UInt8(truncatingIfNeeded: rest)) {
      rest >>= 8
      guard let value = key.value(in: event) else { continue }
      append(",\"")
      append(key.name)
      append("\":")
      append(json: value, of: event, context)
    }
  }

  /// Appends the keys and values of the event's text; a text that is none, or whose keys are taken, is the key `text`.
  private mutating func append(jsonTail event: Event, _ context: borrowing TraceContext) {
    let thread = context.names.utf8(context.threadName(event.thread))
    let pairs = context.withText(of: event) { TextPairs($0) }?.pairs.filter { $0.key != "thread" || $0.value != thread }
    if let pairs, !pairs.contains(where: { TextPairs.taken.contains($0.key) }) {
      for (key, value) in pairs {
        append(UInt8(ascii: ","))
        append(jsonString: key)
        append(UInt8(ascii: ":"))
        value.withUnsafeBufferPointer { append(jsonString: $0) }
      }
    } else {
      append(",\"text\":")
      context.withText(of: event) { append(jsonString: $0) }
    }
  }

  private mutating func append(
    json value: EventValue, of event: Event, _ context: borrowing TraceContext
  ) {
    switch value {
    case .flag: append("true")
    case .word(let word):
      append(UInt8(ascii: "\""))
      append(word)
      append(UInt8(ascii: "\""))
    case .name(let name): append(jsonName: name, context)
    case .text: context.withText(of: event) { append(jsonString: $0) }
    case .integer(let number): append(decimal: number)
    case .seconds(.distantFuture): append("\"distantFuture\"")
    case .seconds(.distantPast): append("\"distantPast\"")
    case .seconds(let nanoseconds): append(seconds: nanoseconds)
    case .port, .position:
      let start = count
      append(unquoted: value, context)
      let bytes = withBytes(from: start) { Array($0) }
      truncate(to: start)
      bytes.withUnsafeBufferPointer { append(jsonString: $0) }
    }
  }

  private mutating func append(jsonName name: NameID, _ context: borrowing TraceContext) {
    if name.rawValue >= 0 {
      context.names.withUTF8(name) { append(jsonString: $0) }
    } else {
      append(UInt8(ascii: "\""))
      append(raw: name, in: context.names)
      append(UInt8(ascii: "\""))
    }
  }
}
