import RunLoopEngine

/// Writes the fields of text lines: the part of the text format that has to be fast.
///
/// The short fields of a line are written behind a cursor, into room that is made once a line; texts, which may be long,
/// by the buffer itself.
struct LineWriter: ~Copyable {
  private let names = NameCache()
  private let grammar = EventGrammar.table
  private let eventWords = EventGrammar.table.map { Word(" \($0.name)") }
  private let keyWords = [Word("")] + EventKey.allCases.map { Word(" \($0.name)=") }
  /// The time that was written last, and how it was written.
  private var lastTime: Nanoseconds = -1
  private var lastTimeWord = Word("-0.000000001")
  /// Of each activity the last line: most often the next one is the same but for the time.
  private let activities: UnsafeMutablePointer<ActivityLine>

  init() {
    activities = .allocate(capacity: ActivityLine.kinds)
    activities.initialize(repeating: ActivityLine(), count: ActivityLine.kinds)
  }

  deinit { activities.deallocate() }

  /// Room for all fields of a line that are neither stored names nor texts.
  private static let fixedRoom = 512

  /// A cursor with room for all of a line but its texts.
  @inline(__always)
  func open(
    _ event: Event, _ context: borrowing TraceContext, _ buffer: inout ByteBuffer
  ) -> LineCursor {
    let names =
      length(context.threadName(event.thread), context) &+ length(event.subject, context)
      &+ length(event.mode, context) &+ length(event.other, context)
    return LineCursor(buffer.room(Self.fixedRoom &+ names))
  }

  @inline(__always)
  private func length(_ name: NameID, _ context: borrowing TraceContext) -> Int {
    name.rawValue < 0 ? 0 : names.lookUp(name, context.names).length
  }

  // MARK: Activities

  /// Writes the line of an activity that is as the last one of its kind but for the time; false: it is none.
  @inline(__always)
  mutating func putRepeated(_ event: Event, _ buffer: inout ByteBuffer) -> Bool {
    guard let line = activityLine(event.kind), line.pointee.isLike(event) else { return false }
    var cursor = LineCursor(buffer.room(Self.fixedRoom))
    putTime(event.time, &cursor)
    cursor.put(line.pointee.start, line.pointee.end)
    buffer.advance(to: cursor.place)
    return true
  }

  /// Keeps what was written of an activity from a place of the buffer on, where its time ends.
  @inline(__always)
  func keep(_ event: Event, _ buffer: borrowing ByteBuffer, from start: Int) {
    guard let line = activityLine(event.kind) else { return }
    line.pointee = buffer.withBytes(from: start) { ActivityLine(event, $0) }
  }

  @inline(__always)
  private func activityLine(_ kind: EventKind) -> UnsafeMutablePointer<ActivityLine>? {
    let index = Int(kind.rawValue) - Int(EventKind.entry.rawValue)
    return index >= 0 && index < ActivityLine.kinds ? activities + index : nil
  }

  // MARK: Fields

  @inline(__always)
  mutating func putTime(_ time: Nanoseconds, _ cursor: inout LineCursor) {
    if time == lastTime {
      cursor.put(lastTimeWord)
    } else {
      let start = cursor.place
      cursor.put(seconds: time)
      lastTime = time
      lastTimeWord = Word(from: start, to: cursor.place)
    }
  }

  /// The event's name, with a space before it.
  @inline(__always)
  func putEvent(_ kind: EventKind, _ cursor: inout LineCursor) { cursor.put(eventWords[Int(kind.rawValue)]) }

  @inline(__always)
  func putName(_ name: NameID, _ context: borrowing TraceContext, _ cursor: inout LineCursor) {
    if _fastPath(name.rawValue >= 0) {
      let (start, length) = names.lookUp(name, context.names)
      cursor.put(start, length)
    } else {
      putUnstored(name, context, &cursor)
    }
  }

  private func putUnstored(_ name: NameID, _ context: borrowing TraceContext, _ cursor: inout LineCursor) {
    if let (kind, number) = context.names.automaticParts(name) {
      cursor.put(kind.traceName)
      cursor.put(decimal: UInt64(number))
    } else {
      cursor.put(UInt8(ascii: "-"))
    }
  }

  /// What stands after the event's name, with a space before it, and the keys.
  @inline(__always)
  func putRest(
    _ event: Event, _ context: borrowing TraceContext, _ cursor: inout LineCursor, _ buffer: inout ByteBuffer
  ) {
    let grammar = grammar[Int(event.kind.rawValue)]
    switch grammar.subject {
    case .none: break
    case .name:
      cursor.put(UInt8(ascii: " "))
      putName(event.subject, context, &cursor)
    default: putUnusualSubject(grammar.subject, event, context, &cursor, &buffer)
    }
    var rest = grammar.packedKeys
    while rest != 0 {
      let key = EventKey(rawValue: UInt8(truncatingIfNeeded: rest)).unsafelyUnwrapped
      rest >>= 8
      guard let value = key.value(in: event) else { continue }
      cursor.put(keyWords[Int(key.rawValue)])
      putValue(value, of: event, context, &cursor, &buffer)
    }
    if _slowPath(grammar.hasTail) && event.textLength > 0 { putTail(event, context, &cursor, &buffer) }
  }

  @inline(__always)
  private func putValue(
    _ value: EventValue, of event: Event, _ context: borrowing TraceContext, _ cursor: inout LineCursor,
    _ buffer: inout ByteBuffer
  ) {
    switch value {
    case .name(let name): putName(name, context, &cursor)
    case .word(let word): cursor.put(word)
    case .flag: cursor.put("true")
    case .integer(let number): cursor.put(signed: number)
    case .seconds(.distantFuture): cursor.put("distantFuture")
    case .seconds(.distantPast): cursor.put("distantPast")
    case .seconds(let nanoseconds):
      if nanoseconds == lastTime { cursor.put(lastTimeWord) } else { cursor.put(seconds: nanoseconds) }
    case .text, .port, .position: putLong(value, of: event, context, &cursor, &buffer)
    }
  }

  // MARK: Fields that the buffer writes

  @inline(never)
  private func putUnusualSubject(
    _ subject: EventGrammar.Subject, _ event: Event, _ context: borrowing TraceContext, _ cursor: inout LineCursor,
    _ buffer: inout ByteBuffer
  ) {
    buffer.advance(to: cursor.place)
    switch subject {
    case .text:
      buffer.append(UInt8(ascii: " "))
      context.withText(of: event) { buffer.append(value: $0) }
    case .line: appendTail(event, context, &buffer)
    case .faultKind:
      buffer.append(UInt8(ascii: " "))
      buffer.append(FaultKind(rawValue: event.a)?.traceName ?? "?")
    case .mainQueue: buffer.append(" main")
    case .name, .none: break
    }
    cursor = open(event, context, &buffer)
  }

  @inline(never)
  private func putTail(
    _ event: Event, _ context: borrowing TraceContext, _ cursor: inout LineCursor, _ buffer: inout ByteBuffer
  ) {
    buffer.advance(to: cursor.place)
    appendTail(event, context, &buffer)
    cursor = open(event, context, &buffer)
  }

  /// The event's text as it is, with a space before it when there is any.
  private func appendTail(_ event: Event, _ context: borrowing TraceContext, _ buffer: inout ByteBuffer) {
    if event.textLength > 0 { buffer.append(UInt8(ascii: " ")) }
    context.withText(of: event) { buffer.append(line: $0) }
  }

  @inline(never)
  private func putLong(
    _ value: EventValue, of event: Event, _ context: borrowing TraceContext, _ cursor: inout LineCursor,
    _ buffer: inout ByteBuffer
  ) {
    buffer.advance(to: cursor.place)
    if case .text = value {
      context.withText(of: event) { buffer.append(value: $0) }
    } else {
      let start = buffer.count
      buffer.append(unquoted: value, context)
      buffer.quoteIfNeeded(from: start)
    }
    cursor = open(event, context, &buffer)
  }
}
