import RunLoopEngine

/// An activity's line as it was written behind its time, with all that it was written from.
struct ActivityLine {
  /// The activities are the kinds of event from `entry` to `exit`.
  static let kinds = 6

  private var thread: ThreadID = .none
  private var mode: NameID = .none
  private var other: NameID = .none
  /// -1: nothing was kept.
  private var length = -1
  private var a: Int64 = 0
  private(set) var start = Word("")
  private(set) var end = Word("")

  init() {}

  /// Of a text that does not fit nothing is kept.
  init(_ event: Event, _ text: UnsafeBufferPointer<UInt8>) {
    guard text.count <= 2 * Word.room else { return }
    length = text.count
    (thread, mode, other, a) = (event.thread, event.mode, event.other, event.a)
    start = Word(text.prefix(Word.room))
    end = Word(text.dropFirst(Word.room))
  }

  @inline(__always)
  func isLike(_ event: Event) -> Bool {
    length >= 0 && event.mode == mode && event.thread == thread && event.a == a && event.other == other
  }
}
