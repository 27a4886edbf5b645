import RunLoopEngine

/// A whole run as a picture's parts, for the formats that need all of it before they can draw.
final class TimelinePicture: TimelineSink {
  struct Lane {
    var name: String
    /// How many slices lie in each other at most.
    var depth = 0
    fileprivate var open: [Int] = []
  }

  struct Bar {
    var slice: TimelineSlice
    var lane: Int
    var depth: Int
    var start: Moment
    var end: Moment
    /// Whether it had not ended when the trace did.
    var isOpen = false
  }

  struct Mark {
    var mark: TimelineMark
    var lane: Int
    var moment: Moment
  }

  struct Arrow {
    var title: String
    var from: TimelinePoint
    var to: TimelinePoint
  }

  /// By number, in the order in which the threads were seen.
  private(set) var lanes: [Lane] = []
  private(set) var bars: [Bar] = []
  private(set) var marks: [Mark] = []
  private(set) var arrows: [Arrow] = []
  /// The time of each event.
  private(set) var times: [Nanoseconds] = []
  /// The text line of each event.
  private(set) var lines: [String] = []
  /// Events that were left out, since there were more than `limit`.
  private(set) var omitted = 0

  private let limit: Int
  private var rows: [Int: Int] = [:]
  private lazy var builder = TimelineBuilder(self)
  private let text = TextTrace()

  /// - Parameter limit: only so many events are taken.
  init(limit: Int) { self.limit = limit }

  /// Takes a batch of events.
  func add(_ events: ArraySlice<Event>, _ context: TraceContext) {
    let taken = events.prefix(limit - times.count)
    omitted += events.count - taken.count
    builder.add(taken, context)
    var buffer = ByteBuffer(capacity: 1 << 14)
    for index in taken.indices {
      times.append(taken[index].time)
      buffer.truncate(to: 0)
      text.write(taken[index...index], context, into: &buffer)
      buffer.truncate(to: buffer.count - 1)
      lines.append(buffer.text())
    }
  }

  /// Ends what is open, and notes that it was.
  func finish() {
    for lane in lanes {
      for bar in lane.open { bars[bar].isOpen = true }
    }
    builder.finish()
  }

  // MARK: TimelineSink

  func addLane(_ lane: Int, name: String) {
    rows[lane] = lanes.count
    lanes.append(Lane(name: name))
  }

  func begin(_ slice: TimelineSlice, at point: TimelinePoint) {
    let row = row(point.lane)
    lanes[row].open.append(bars.count)
    add(slice, row, lanes[row].open.count - 1, point.moment)
  }

  func end(at point: TimelinePoint) {
    guard let bar = lanes[row(point.lane)].open.popLast() else { return }
    bars[bar].end = point.moment
  }

  func add(_ slice: TimelineSlice, at point: TimelinePoint) {
    let row = row(point.lane)
    add(slice, row, lanes[row].open.count, point.moment)
  }

  private func add(_ slice: TimelineSlice, _ row: Int, _ depth: Int, _ moment: Moment) {
    lanes[row].depth = max(lanes[row].depth, depth + 1)
    bars.append(Bar(slice: slice, lane: row, depth: depth, start: moment, end: moment))
  }

  func add(_ mark: TimelineMark, at point: TimelinePoint) {
    marks.append(Mark(mark: mark, lane: point.lane < 0 ? -1 : row(point.lane), moment: point.moment))
  }

  func addArrow(_ title: String, from: TimelinePoint, to: TimelinePoint) {
    let from = TimelinePoint(lane: row(from.lane), moment: from.moment)
    arrows.append(Arrow(title: title, from: from, to: TimelinePoint(lane: row(to.lane), moment: to.moment)))
  }

  private func row(_ lane: Int) -> Int { rows[lane] ?? 0 }
}
