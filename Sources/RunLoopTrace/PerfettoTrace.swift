import RunLoopEngine

/// Chrome's trace-event JSON, which Perfetto (ui.perfetto.dev) and chrome://tracing open: a track a thread, slices for
/// runs, passes, callouts and waits, arrows for cause and effect, instants for stops, missed fires and faults. Lock holds,
/// which need not nest, are tracks of their own.
public final class PerfettoTrace: TraceFormat, TimelineSink {
  private lazy var builder = TimelineBuilder(self)
  /// What the builder wrote during one call of `write`.
  private var pending = ByteBuffer()
  private var isFirst = true
  private var arrowCount = 0
  private var holds = LockHolds()

  /// A trace for Perfetto.
  public init() {}

  public func begin(_ configuration: Configuration, into buffer: inout ByteBuffer) {
    buffer.append("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"generator\":\"rlsim\",\"semantics\":")
    buffer.append(jsonString: configuration.profile.rawValue)
    buffer.append(",\"seed\":")
    buffer.append(jsonString: configuration.seed.map { "\($0)" } ?? "none")
    buffer.append("},\"traceEvents\":[\n")
    event("M", lane: -1, nil)
    pending.append(",\"name\":\"process_name\",\"args\":{\"name\":\"rlsim\"}}")
  }

  public func write(_ events: ArraySlice<Event>, _ context: TraceContext, into buffer: inout ByteBuffer) {
    for index in events.indices {
      builder.add(events[index...index], context)
      if let hold = holds.change(events[index]) { writeHold(hold, events[index], context) }
    }
    move(into: &buffer)
  }

  public func finish(into buffer: inout ByteBuffer) {
    builder.finish()
    move(into: &buffer)
    buffer.append("\n]}\n")
  }

  private func move(into buffer: inout ByteBuffer) {
    pending.withBytes { buffer.append($0) }
    pending.truncate(to: 0)
  }

  // MARK: Records

  /// The beginning of a record, with a comma before it when it is not the first.
  private func event(_ phase: StaticString, lane: Int, _ moment: Moment?) {
    if !isFirst { pending.append(",\n") }
    isFirst = false
    pending.append("{\"ph\":\"")
    pending.append(phase)
    pending.append("\",\"pid\":1,\"tid\":")
    pending.append(decimal: Int64(lane + 1))
    guard let moment else { return }
    pending.append(",\"ts\":")
    pending.append(microseconds: moment.time)
  }

  private func text(_ key: StaticString, _ value: String) {
    pending.append(",\"")
    pending.append(key)
    pending.append("\":")
    pending.append(jsonString: value)
  }

  func addLane(_ lane: Int, name: String) {
    event("M", lane: lane, nil)
    pending.append(",\"name\":\"thread_name\",\"args\":{\"name\":")
    pending.append(jsonString: name)
    pending.append("}}")
    event("M", lane: lane, nil)
    pending.append(",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":")
    pending.append(decimal: Int64(lane))
    pending.append("}}")
  }

  func begin(_ slice: TimelineSlice, at point: TimelinePoint) {
    event("B", lane: point.lane, point.moment)
    write(slice)
  }

  func end(at point: TimelinePoint) {
    event("E", lane: point.lane, point.moment)
    pending.append("}")
  }

  func add(_ slice: TimelineSlice, at point: TimelinePoint) {
    event("X", lane: point.lane, point.moment)
    pending.append(",\"dur\":0")
    write(slice)
  }

  private func write(_ slice: TimelineSlice) {
    text("name", slice.title)
    text("cat", slice.category.name)
    pending.append(",\"args\":{\"event\":")
    pending.append(jsonString: slice.line)
    pending.append("}}")
  }

  func add(_ mark: TimelineMark, at point: TimelinePoint) {
    if mark.kind == .log && mark.title.isEmpty { return }
    event("i", lane: max(point.lane, 0), point.moment)
    pending.append(point.lane < 0 ? ",\"s\":\"g\"" : ",\"s\":\"t\"")
    text("name", mark.title)
    text("cat", mark.kind.rawValue)
    pending.append("}")
  }

  func addArrow(_ title: String, from: TimelinePoint, to: TimelinePoint) {
    arrowCount += 1
    // Arrows are tied to the slices around their ends.
    for (phase, point) in [("s", from), ("f", to)] as [(StaticString, TimelinePoint)] {
      event(phase, lane: point.lane, point.moment)
      pending.append(",\"id\":")
      pending.append(decimal: Int64(arrowCount))
      text("name", title)
      text("cat", "cause")
      if phase.utf8Start.pointee == UInt8(ascii: "f") { pending.append(",\"bp\":\"e\"") }
      pending.append("}")
    }
  }

  private func writeHold(_ hold: LockHolds.Change, _ source: Event, _ context: TraceContext) {
    let lane = Int(hold.holder.rawValue)
    event(hold.begins ? "b" : "e", lane: lane, Moment(time: source.time, order: 0))
    pending.append(",\"id\":")
    pending.append(decimal: Int64(hold.number))
    text("name", context.names[source.subject])
    text("cat", "lock")
    if hold.begins {
      pending.append(",\"args\":{\"holder\":")
      pending.append(jsonString: context.names[context.threadName(hold.holder)])
      pending.append("}")
    }
    pending.append("}")
  }
}

extension ByteBuffer {
  /// Appends nanoseconds as microseconds with three decimals.
  fileprivate mutating func append(microseconds nanoseconds: Int64) {
    if nanoseconds < 0 { append(UInt8(ascii: "-")) }
    let magnitude = nanoseconds.magnitude
    append(decimal: magnitude / 1000)
    append(UInt8(ascii: "."))
    for digit in [magnitude / 100 % 10, magnitude / 10 % 10, magnitude % 10] {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
    }
  }
}
