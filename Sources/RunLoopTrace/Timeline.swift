import RunLoopEngine

/// When something is in a picture of a run: the virtual time, and, since much happens at one nanosecond, its place in the
/// trace.
struct Moment: Hashable, Sendable {
  var time: Nanoseconds
  /// How many events came before.
  var order: Int
}

/// A place in a picture: a thread's lane, and when.
struct TimelinePoint: Hashable, Sendable {
  var lane: Int
  var moment: Moment
}

/// What takes from one moment to another on a thread, or holds a moment.
struct TimelineSlice: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    /// A thread's life.
    case thread
    case run, pass, wait
    /// A function of the script that a loop called.
    case callout
    /// A wait for a lock, condition, semaphore or room in a port.
    case blocked
    /// Something done in a moment that may wake others, or keep them out.
    case action
  }

  var kind: Kind
  var title: String
  var category: EventCategory
  /// The event's text line, without time and thread.
  var line: String
}

/// A mark at a moment.
struct TimelineMark: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case log, stop, missed, fault
  }

  var kind: Kind
  var title: String
}

/// What draws a run. All calls come in the order of the trace; slices of a lane nest.
protocol TimelineSink: AnyObject {
  /// A thread is seen for the first time.
  func addLane(_ lane: Int, name: String)
  func begin(_ slice: TimelineSlice, at point: TimelinePoint)
  /// Ends the innermost slice of a lane.
  func end(at point: TimelinePoint)
  /// A slice that holds a moment.
  func add(_ slice: TimelineSlice, at point: TimelinePoint)
  /// A mark; without a lane: on the whole picture.
  func add(_ mark: TimelineMark, at point: TimelinePoint)
  /// Cause and effect: what was done at `from` woke or started what is at `to`.
  func addArrow(_ title: String, from: TimelinePoint, to: TimelinePoint)
}
