import RunLoopEngine

/// A Mermaid sequence diagram: a participant a thread, a message for each callout, lock and action (to the thread that it
/// woke, if it woke one), notes for runs, waits, logs and faults.
///
/// Mermaid draws diagrams of at most 50,000 characters; a longer run is cut, and a note says so.
public final class MermaidTrace: TraceFormat {
  private let picture = TimelinePicture(limit: 20_000)

  /// A diagram.
  public init() {}

  private static let limit = 49_000

  public func begin(_ configuration: Configuration, into buffer: inout ByteBuffer) {}

  public func write(_ events: ArraySlice<Event>, _ context: TraceContext, into buffer: inout ByteBuffer) {
    picture.add(events, context)
  }

  public func finish(into buffer: inout ByteBuffer) {
    picture.finish()
    let start = buffer.count
    buffer.append("sequenceDiagram\n")
    for (row, lane) in picture.lanes.enumerated() {
      buffer.append(text: "  participant t\(row) as \(Self.label(lane.name))\n")
    }
    guard !picture.lanes.isEmpty else { return }
    var omitted = picture.omitted > 0
    for item in items {
      if buffer.count - start + item.text.utf8.count > Self.limit {
        omitted = true
        break
      }
      buffer.append(text: item.text)
    }
    if omitted { buffer.append("  Note over t0: the run goes on, too long for one diagram\n") }
  }

  private struct Item {
    /// The event that it stands for.
    var order: Int
    var text: String
  }

  /// The diagram's lines, in the order of the trace.
  private var items: [Item] {
    var items: [Item] = []
    // An action that woke another thread is a message to that one, where it was done.
    let arrows = picture.arrows.filter { $0.from.lane != $0.to.lane }
    let causes = Set(arrows.map(\.from))
    var actions: [TimelinePoint: String] = [:]
    for bar in picture.bars where bar.slice.kind == .action { actions[bar.from] = bar.slice.title }
    for arrow in arrows {
      let title = Self.label(actions[arrow.from] ?? arrow.title)
      let text = "  t\(arrow.from.lane)->>t\(arrow.to.lane): \(title) (\(Self.time(arrow.from.moment)))\n"
      items.append(Item(order: arrow.from.moment.order, text: text))
    }
    for bar in picture.bars {
      if bar.slice.kind == .action && causes.contains(bar.from) { continue }
      if let text = Self.text(bar) { items.append(Item(order: bar.start.order, text: text)) }
      if bar.slice.kind == .run && !bar.isOpen {
        let text = "  Note over t\(bar.lane): \(Self.label("\(bar.slice.title) is over")) (\(Self.time(bar.end)))\n"
        items.append(Item(order: bar.end.order, text: text))
      }
    }
    for mark in picture.marks where mark.mark.kind != .stop {
      let place = mark.lane < 0 ? "t0" : "t\(mark.lane)"
      items.append(Item(order: mark.moment.order, text: "  Note over \(place): \(Self.label(mark.mark.title))\n"))
    }
    // A stable order: what comes first in the trace, and then as added.
    return items.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }.map(\.element)
  }

  private static func text(_ bar: TimelinePicture.Bar) -> String? {
    let label = label(bar.slice.title)
    switch bar.slice.kind {
    case .run, .wait, .blocked: return "  Note over t\(bar.lane): \(label) (\(time(bar.start)))\n"
    case .callout, .action: return "  t\(bar.lane)->>t\(bar.lane): \(label) (\(time(bar.start)))\n"
    case .thread, .pass: return nil
    }
  }

  private static func time(_ moment: Moment) -> String {
    var buffer = ByteBuffer(capacity: 64)
    buffer.append(seconds: moment.time)
    var text = buffer.text()
    while text.hasSuffix("0") && !text.hasSuffix(".0") { text.removeLast() }
    return text
  }

  /// A text in which nothing means anything to Mermaid: its own escapes for all but plain characters, and for the word
  /// `end`.
  static func label(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isPlain =
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || " .,_-=/".contains(Character(scalar))
      if isPlain { result.unicodeScalars.append(scalar) } else { result += "#\(scalar.value);" }
    }
    return result.split(separator: " ", omittingEmptySubsequences: false)
      .map { $0.lowercased() == "end" ? "#\($0.unicodeScalars.first!.value);" + $0.dropFirst() : String($0) }
      .joined(separator: " ")
  }
}

extension TimelinePicture.Bar {
  /// Where it begins.
  fileprivate var from: TimelinePoint { TimelinePoint(lane: lane, moment: start) }
}
