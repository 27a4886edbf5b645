import RunLoopEngine

/// A still picture of a run: a lane a thread, slices over the trace's order with its times as a scale, arrows for cause and
/// effect, faults marked and listed below the lanes.
public final class SVGTrace: TraceFormat {
  /// Events that are drawn; a picture of more would be too wide to look at.
  private let picture = TimelinePicture(limit: 5_000)

  /// A picture.
  public init() {}

  public func begin(_ configuration: Configuration, into buffer: inout ByteBuffer) {}

  public func write(_ events: ArraySlice<Event>, _ context: TraceContext, into buffer: inout ByteBuffer) {
    picture.add(events, context)
  }

  public func finish(into buffer: inout ByteBuffer) {
    picture.finish()
    SVGDrawing(picture).write(into: &buffer)
  }
}

/// The layout and the elements of an SVG picture.
private struct SVGDrawing {
  private let picture: TimelinePicture
  /// Where each event stands; one more for the end.
  private var x: [Int] = []
  private var laneTop: [Int] = []
  /// Where the lanes begin: right of their names.
  private let left: Int
  /// Where the lanes end and the list of faults begins.
  private let bottom: Int
  /// The lines below the lanes, faults and what was left out.
  private var listed: [String] = []
  private var width: Int

  private static let top = 34
  private static let row = 16
  private static let step = 14
  private static let line = 13
  /// Longer texts are cut; the whole of it is in the trace.
  private static let textLimit = 250
  private static let nameLimit = 40
  private static let listLimit = 50

  init(_ picture: TimelinePicture) {
    self.picture = picture
    left = picture.lanes.reduce(110) { max($0, Self.extent(Self.cut($1.name, to: Self.nameLimit)) + 14) }
    var place = left
    for (index, time) in picture.times.enumerated() {
      // A step for each event, and one more for each power of ten of a pause.
      let pause = index == 0 ? 0 : time - picture.times[index - 1]
      place += Self.step + (pause > 0 ? Self.step * "\(pause)".count / 2 : 0)
      x.append(place)
    }
    x.append(place + Self.step)
    var y = Self.top
    for lane in picture.lanes {
      laneTop.append(y)
      y += max(1, lane.depth) * Self.row + 14
    }
    bottom = y + 10
    let faults = picture.marks.filter { $0.mark.kind == .fault }.map(\.moment.order)
    for order in faults.prefix(Self.listLimit) where order < picture.lines.count {
      listed.append(Self.cut(picture.lines[order], to: Self.textLimit))
    }
    if faults.count > Self.listLimit { listed.append("\(faults.count - Self.listLimit) more lines of faults") }
    if picture.omitted > 0 { listed.append("\(picture.omitted) more events are left out") }
    // The last label of the scale may stand at the last event.
    let scaleEnd = (x.last ?? 0) + Self.extent(Self.seconds(picture.times.last ?? 0))
    width = max((x.last ?? 0) + 40, scaleEnd, (listed.map(Self.extent).max() ?? 0) + 8)
  }

  private var height: Int { bottom + listed.count * Self.line }

  /// How much room a text of this size takes at most, about: fonts differ.
  private static func extent(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 6 : 10) }
  }

  /// A text of so many letters at most, with a sign that there was more.
  private static func cut(_ text: String, to letters: Int) -> String {
    text.count <= letters ? text : text.prefix(max(0, letters - 1)) + "…"
  }

  private static func seconds(_ time: Nanoseconds) -> String {
    var buffer = ByteBuffer(capacity: 64)
    buffer.append(seconds: time)
    return buffer.text()
  }

  func write(into buffer: inout ByteBuffer) {
    buffer.append(
      text: """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
        font-family="sans-serif" font-size="10">
        <defs><marker id="a" viewBox="0 0 6 6" refX="6" refY="3" markerWidth="6" markerHeight="6" orient="auto">\
        <path d="M0 0L6 3L0 6z" fill="#c2410c"/></marker></defs>
        <rect width="100%" height="100%" fill="#fff"/>

        """)
    writeScale(into: &buffer)
    for (row, lane) in picture.lanes.enumerated() {
      text(4, laneTop[row] + 11, Self.cut(lane.name, to: Self.nameLimit), "font-weight=\"bold\"", into: &buffer)
    }
    for bar in picture.bars { write(bar, into: &buffer) }
    for arrow in picture.arrows { write(arrow, into: &buffer) }
    for mark in picture.marks { write(mark, into: &buffer) }
    for (index, line) in listed.enumerated() {
      text(4, bottom + index * Self.line + 6, line, "fill=\"#b91c1c\"", into: &buffer)
    }
    buffer.append("</svg>\n")
  }

  private func place(_ moment: Moment) -> Int { x[min(moment.order, x.count - 1)] }

  private func writeScale(into buffer: inout ByteBuffer) {
    var last: (time: Nanoseconds, x: Int)?
    for (index, time) in picture.times.enumerated() where time != last?.time {
      guard last.map({ x[index] - $0.x >= 70 }) ?? true else { continue }
      last = (time, x[index])
      text(x[index], 12, Self.seconds(time), "fill=\"#555\"", into: &buffer)
      buffer.append(text: "<path d=\"M\(x[index]) 16V\(bottom - 14)\" stroke=\"#ddd\"/>\n")
    }
  }

  private func write(_ bar: TimelinePicture.Bar, into buffer: inout ByteBuffer) {
    let start = place(bar.start)
    let width = max(4, place(bar.end) - start)
    let y = laneTop[bar.lane] + bar.depth * Self.row
    buffer.append(
      text: "<g><title>\(escape(bar.slice.line))</title><rect x=\"\(start)\" y=\"\(y)\" width=\"\(width)\" "
        + "height=\"\(Self.row - 2)\" rx=\"2\" fill=\"\(bar.slice.kind.color)\"/>")
    // As many letters as there is room for.
    let letters = Self.cut(bar.slice.title, to: (width - 4) / 6)
    if letters.count > 2 { text(start + 3, y + 10, letters, "", into: &buffer) }
    buffer.append("</g>\n")
  }

  private func write(_ arrow: TimelinePicture.Arrow, into buffer: inout ByteBuffer) {
    let from = (place(arrow.from.moment), laneTop[arrow.from.lane] + Self.row / 2)
    let to = (place(arrow.to.moment), laneTop[arrow.to.lane] + Self.row / 2)
    buffer.append(
      text: "<g><title>\(escape(arrow.title))</title><path d=\"M\(from.0) \(from.1)L\(to.0) \(to.1)\" fill=\"none\" "
        + "stroke=\"#c2410c\" marker-end=\"url(#a)\"/></g>\n")
  }

  private func write(_ mark: TimelinePicture.Mark, into buffer: inout ByteBuffer) {
    let place = place(mark.moment)
    let y = mark.lane < 0 ? 20 : laneTop[mark.lane] - 2
    buffer.append(
      text: "<g><title>\(escape(mark.mark.title))</title><circle cx=\"\(place)\" cy=\"\(y)\" r=\"4\" "
        + "fill=\"\(mark.mark.kind.color)\"/></g>\n")
  }

  private func text(_ x: Int, _ y: Int, _ text: String, _ attributes: String, into buffer: inout ByteBuffer) {
    buffer.append(text: "<text x=\"\(x)\" y=\"\(y)\" \(attributes)>\(escape(text))</text>")
  }

  private func escape(_ text: String) -> String { escapedMarkup(text) }
}

extension TimelineSlice.Kind {
  /// The fill of a slice.
  var color: String {
    switch self {
    case .thread: "#eef2f7"
    case .run: "#bfdbfe"
    case .pass: "#dbeafe"
    case .wait: "#e5e7eb"
    case .callout: "#86efac"
    case .blocked: "#fca5a5"
    case .action: "#fdba74"
    }
  }
}

extension TimelineMark.Kind {
  /// The fill of a mark.
  var color: String {
    switch self {
    case .log: "#6b7280"
    case .stop: "#7c3aed"
    case .missed: "#d97706"
    case .fault: "#dc2626"
    }
  }
}
