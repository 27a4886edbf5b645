import RunLoopEngine

extension TextTrace {
  /// The widths of the columns so far. They start as wide as usual fields are, and grow with what comes.
  struct Columns {
    var time = 11
    var thread = 6
    var event = 13
  }

  /// Writes a line with padded columns, colours, or both.
  func writeDressed(_ event: Event, _ context: borrowing TraceContext, into buffer: inout ByteBuffer) {
    let color = style.colored ? event.category.color : nil
    // Faults are coloured to the end of the line.
    let colorsAll = event.category == .fault
    let lineStart = buffer.count
    var cursor = writer.open(event, context, &buffer)

    writer.putTime(event.time, &cursor)
    buffer.advance(to: cursor.place)
    if style.aligned { buffer.padLeft(from: lineStart, to: &columns.time) }
    buffer.append(UInt8(ascii: " "))

    let threadStart = buffer.count
    cursor = writer.open(event, context, &buffer)
    writer.putName(context.threadName(event.thread), context, &cursor)
    buffer.advance(to: cursor.place)
    if style.aligned { buffer.padRight(from: threadStart, to: &columns.thread) }
    buffer.append(UInt8(ascii: " "))

    if let color { buffer.append(color) }
    let eventStart = buffer.count
    buffer.append(EventGrammar[event.kind].name)
    let width = buffer.count - eventStart
    if color != nil && !colorsAll { buffer.append(Self.plain) }
    if style.aligned {
      columns.event = max(columns.event, width)
      buffer.append(UInt8(ascii: " "), times: columns.event - width)
    }

    let restStart = buffer.count
    cursor = writer.open(event, context, &buffer)
    writer.putRest(event, context, &cursor, &buffer)
    buffer.advance(to: cursor.place)
    if buffer.count == restStart { buffer.trimSpaces() }
    if color != nil && colorsAll { buffer.append(Self.plain) }
    buffer.append(UInt8(ascii: "\n"))
  }

  private static let plain: StaticString = "\u{1B}[0m"
}

extension Event {
  /// The category of this event; the end of a run that went well is no fault to the eye.
  fileprivate var category: EventCategory {
    if kind == .end, let reason = EndReason(rawValue: a), reason != .fault && reason != .limit { return .log }
    return kind.category
  }
}

extension EventCategory {
  /// The terminal escape that a category is shown in; faults colour the whole line.
  var color: StaticString {
    switch self {
    case .thread: "\u{1B}[1m"
    case .run: "\u{1B}[1;34m"
    case .activity: "\u{1B}[2m"
    case .observer: "\u{1B}[34m"
    case .timer: "\u{1B}[33m"
    case .source: "\u{1B}[32m"
    case .port: "\u{1B}[36m"
    case .block, .notification: "\u{1B}[35m"
    case .loop: "\u{1B}[1;35m"
    case .lock: "\u{1B}[1;33m"
    case .memory, .access: "\u{1B}[2;36m"
    case .log: "\u{1B}[1;37m"
    case .fault: "\u{1B}[1;31m"
    case .schedule: "\u{1B}[1;36m"
    }
  }
}

extension ByteBuffer {
  /// How many characters stand from `start` on.
  private func width(from start: Int) -> Int {
    withBytes(from: start) { $0.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) } }
  }

  /// Appends spaces until the field from `start` on is as wide as its column.
  fileprivate mutating func padRight(from start: Int, to column: inout Int) {
    let width = width(from: start)
    column = max(column, width)
    append(UInt8(ascii: " "), times: column - width)
  }

  /// Puts spaces before the field from `start` on until it is as wide as its column.
  fileprivate mutating func padLeft(from start: Int, to column: inout Int) {
    let length = count - start
    column = max(column, length)
    guard column > length else { return }
    let place = room(column - length) - length
    (place + (column - length)).update(from: place, count: length)
    place.update(repeating: UInt8(ascii: " "), count: column - length)
    advance(column - length)
  }

  /// Takes away spaces at the end.
  fileprivate mutating func trimSpaces() {
    let kept = withBytes { bytes in (bytes.lastIndex { $0 != UInt8(ascii: " ") } ?? -1) + 1 }
    truncate(to: kept)
  }
}
