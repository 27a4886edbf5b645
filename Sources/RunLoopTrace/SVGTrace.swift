import RunLoopEngine

/// A still picture of a run: a lane a thread, slices over the trace's order with its times as a scale, arrows for cause and
/// effect, faults marked.
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
  private let height: Int

  private static let left = 110
  private static let top = 34
  private static let row = 16
  private static let step = 14

  init(_ picture: TimelinePicture) {
    self.picture = picture
    var place = Self.left
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
    height = y + 10
  }

  private var width: Int { (x.last ?? 0) + 40 }

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
      text(4, laneTop[row] + 11, lane.name, "font-weight=\"bold\"", into: &buffer)
    }
    for bar in picture.bars { write(bar, into: &buffer) }
    for arrow in picture.arrows { write(arrow, into: &buffer) }
    for mark in picture.marks { write(mark, into: &buffer) }
    if picture.omitted > 0 {
      text(Self.left, height - 3, "\(picture.omitted) more events are left out", "", into: &buffer)
    }
    buffer.append("</svg>\n")
  }

  private func place(_ moment: Moment) -> Int { x[min(moment.order, x.count - 1)] }

  private func writeScale(into buffer: inout ByteBuffer) {
    var last: (time: Nanoseconds, x: Int)?
    for (index, time) in picture.times.enumerated() where time != last?.time {
      guard last.map({ x[index] - $0.x >= 70 }) ?? true else { continue }
      last = (time, x[index])
      var seconds = ByteBuffer(capacity: 64)
      seconds.append(seconds: time)
      text(x[index], 12, seconds.text(), "fill=\"#555\"", into: &buffer)
      buffer.append(text: "<path d=\"M\(x[index]) 16V\(height - 14)\" stroke=\"#ddd\"/>\n")
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
    let letters = bar.slice.title.prefix(max(0, (width - 4) / 6))
    if letters.count > 1 { text(start + 3, y + 10, String(letters), "", into: &buffer) }
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
    if mark.mark.kind == .fault { text(place + 6, y + 3, mark.mark.title, "fill=\"#b91c1c\"", into: &buffer) }
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
