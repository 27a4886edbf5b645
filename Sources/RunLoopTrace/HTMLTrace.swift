import RunLoopEngine

/// One page that holds a run: lanes over virtual time with zoom and search, the text trace beside them. It loads nothing
/// and works from a file.
public final class HTMLTrace: TraceFormat {
  /// Events that a page holds.
  private let picture = TimelinePicture(limit: 200_000)
  private var header = ""

  /// A page.
  public init() {}

  public func begin(_ configuration: Configuration, into buffer: inout ByteBuffer) {
    var line = ByteBuffer()
    TextTrace().begin(configuration, into: &line)
    line.truncate(to: line.count - 1)
    header = line.text()
  }

  public func write(_ events: ArraySlice<Event>, _ context: TraceContext, into buffer: inout ByteBuffer) {
    picture.add(events, context)
  }

  public func finish(into buffer: inout ByteBuffer) {
    picture.finish()
    buffer.append(text: HTMLPage.beforeData)
    var data = ByteBuffer(capacity: 1 << 16)
    data.append(picture: picture, header: header)
    // `<` stands only in JSON strings, and there it has another spelling that no HTML parser looks at.
    data.withBytes { bytes in
      for byte in bytes {
        if byte == UInt8(ascii: "<") { buffer.append("\\u003c") } else { buffer.append(byte) }
      }
    }
    buffer.append(text: HTMLPage.afterData)
  }
}

extension ByteBuffer {
  /// Appends a picture as the page's script reads it.
  fileprivate mutating func append(picture: TimelinePicture, header: String) {
    append("{\"header\":")
    append(jsonString: header)
    append(",\"omitted\":")
    append(decimal: Int64(picture.omitted))
    append(",\"lanes\":")
    append(list: picture.lanes) { buffer, lane in
      buffer.append("[")
      buffer.append(jsonString: lane.name)
      buffer.append(numbers: lane.depth)
    }
    append(",\"times\":")
    append(list: picture.times, closes: false) { buffer, time in buffer.append(decimal: time) }
    append(",\"lines\":")
    append(list: picture.lines, closes: false) { buffer, line in buffer.append(jsonString: line) }
    append(",\"bars\":")
    append(list: picture.bars) { buffer, bar in
      buffer.append("[")
      buffer.append(jsonString: bar.slice.title)
      buffer.append(",\"")
      buffer.append(text: bar.slice.kind.rawValue)
      buffer.append("\"")
      buffer.append(numbers: bar.lane, bar.depth, bar.start.order, bar.end.order)
    }
    append(",\"marks\":")
    append(list: picture.marks) { buffer, mark in
      buffer.append("[")
      buffer.append(jsonString: mark.mark.title)
      buffer.append(",\"")
      buffer.append(text: mark.mark.kind.rawValue)
      buffer.append("\"")
      buffer.append(numbers: mark.lane, mark.moment.order)
    }
    append(",\"arrows\":")
    append(list: picture.arrows) { buffer, arrow in
      buffer.append("[")
      buffer.append(jsonString: arrow.title)
      buffer.append(numbers: arrow.from.lane, arrow.from.moment.order, arrow.to.lane, arrow.to.moment.order)
    }
    append("}")
  }

  private mutating func append<Element>(
    list: [Element], closes: Bool = true, _ body: (inout ByteBuffer, Element) -> Void
  ) {
    append("[")
    for (index, element) in list.enumerated() {
      if index > 0 { append(",\n") }
      body(&self, element)
      if closes { append("]") }
    }
    append("]")
  }

  private mutating func append(numbers: Int...) {
    for number in numbers {
      append(",")
      append(decimal: Int64(number))
    }
  }
}
