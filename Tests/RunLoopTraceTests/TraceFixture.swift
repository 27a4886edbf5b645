@testable import RunLoopEngine
@testable import RunLoopTrace

/// Events made by hand, with the names and texts that belong to them.
struct TraceFixture {
  var names = NameTable()
  var text: [UInt8] = []
  var threadNames: [NameID] = [.mainThread]
  var events: [Event] = []
  var configuration = Configuration()

  init() {
    for name in NameID.wellKnown { _ = names.intern(name) }
  }

  /// Adds an event on the main thread at 0.1 s.
  @discardableResult
  mutating func add(
    _ kind: EventKind, subject: String? = nil, mode: NameID = .none, other: String? = nil, a: Int64 = 0, b: Int64 = 0,
    c: Int64 = 0, flags: UInt8 = 0, text bytes: [UInt8] = [], time: Int64 = 100_000_000, thread: ThreadID = .main,
    at position: Position = .unknown
  ) -> Int {
    var event = Event(kind: kind)
    event.time = time
    event.thread = thread
    event.subject = subject.map { names.add($0) } ?? .none
    event.other = other.map { names.add($0) } ?? .none
    event.mode = mode
    event.a = a
    event.b = b
    event.c = c
    event.flags = flags
    event.textStart = Int32(text.count)
    event.textLength = Int32(bytes.count)
    event.position = position
    text += bytes
    events.append(event)
    return events.count - 1
  }

  var context: TraceContext {
    TraceContext(names: names, text: text, threadNames: threadNames, configuration: configuration)
  }

  /// Everything a format writes about the events.
  func render(_ format: any TraceFormat) -> String {
    var buffer = ByteBuffer()
    format.begin(configuration, into: &buffer)
    format.write(events[...], context, into: &buffer)
    format.finish(into: &buffer)
    return buffer.text()
  }

  /// The text lines of the events, without the header.
  var lines: [String] { render(TextTrace()).split(separator: "\n").dropFirst().map(String.init) }
}

/// The text line of one event, after time and thread.
func line(
  _ kind: EventKind, subject: String? = nil, mode: NameID = .none, other: String? = nil, a: Int64 = 0, b: Int64 = 0,
  c: Int64 = 0, flags: UInt8 = 0, text: String = "", time: Int64 = 100_000_000
) -> String {
  var fixture = TraceFixture()
  fixture.add(
    kind, subject: subject, mode: mode, other: other, a: a, b: b, c: c, flags: flags, text: Array(text.utf8), time: time
  )
  return fixture.lines[0].split(separator: " ", maxSplits: 2).last.map(String.init) ?? ""
}
