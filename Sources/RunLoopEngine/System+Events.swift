/// Posting events.

extension System {
  /// Whether events of a category are made at all.
  @inline(__always)
  func traces(_ category: EventCategory) -> Bool {
    configuration.tracing.rawValue & (1 << UInt32(category.rawValue)) != 0
  }

  /// An event that happens now.
  @inline(__always)
  func event(_ kind: EventKind, _ thread: Int32) -> Event {
    Event(time: now, thread: ThreadID(rawValue: thread), kind: kind)
  }

  /// Posts an event about an object.
  @inline(__always)
  mutating func post(_ kind: EventKind, _ thread: Int32, subject: NameID) {
    guard traces(kind.category) else { return }
    var event = event(kind, thread)
    event.subject = subject
    events.append(event)
  }

  /// Posts an event about an object and a mode.
  @inline(__always)
  mutating func post(_ kind: EventKind, _ thread: Int32, subject: NameID = .none, mode: NameID) {
    guard traces(kind.category) else { return }
    var event = event(kind, thread)
    event.subject = subject
    event.mode = mode
    events.append(event)
  }

  /// Stores a text for an event that is posted next. What is beyond 2 GiB of all of them together is cut off.
  mutating func addText(_ utf8: UnsafeBufferPointer<UInt8>) -> TextRange {
    let start = text.count
    text.append(contentsOf: utf8.prefix(Int(Int32.max) - start))
    return TextRange(start: Int32(start), length: Int32(text.count - start))
  }

  mutating func addText(_ utf8: some Collection<UInt8>) -> TextRange {
    let start = text.count
    text.append(contentsOf: utf8.prefix(Int(Int32.max) - start))
    return TextRange(start: Int32(start), length: Int32(text.count - start))
  }

  /// The text of a range, while it is valid.
  func textBytes(_ range: TextRange) -> ArraySlice<UInt8> {
    text[Int(range.start)..<Int(range.start + range.length)]
  }

  /// `rl.log(…)`.
  mutating func log(_ utf8: UnsafeBufferPointer<UInt8>, on thread: ThreadID) {
    guard traces(.log) else { return }
    let range = addText(utf8)
    var event = event(.log, thread.rawValue)
    event.textStart = range.start
    event.textLength = range.length
    events.append(event)
  }

  /// A failed `rl.expect`: the run ends as fault `expectation`, but goes on.
  mutating func expectationFailed(
    _ utf8: UnsafeBufferPointer<UInt8>, on thread: ThreadID, at position: Position
  ) {
    failedExpectations += 1
    let range = addText(utf8)
    var event = event(.expectFail, thread.rawValue)
    event.textStart = range.start
    event.textLength = range.length
    event.position = position
    events.append(event)
  }
}
