import RunLoopTrace

/// The formats of `--format` and `--also`.
enum OutputFormat: String, CaseIterable, Sendable {
  case text, jsonl, perfetto, mermaid, html, svg

  /// A format for one trace.
  ///
  /// - Parameter style: used by `text` only, but for `onlyFaults`, which `jsonl` knows as well.
  func make(style: TextTrace.Style = TextTrace.Style()) -> any TraceFormat {
    switch self {
    case .text: TextTrace(style: style)
    case .jsonl: JSONLinesTrace(onlyFaults: style.onlyFaults)
    case .perfetto: PerfettoTrace()
    case .mermaid: MermaidTrace()
    case .html: HTMLTrace()
    case .svg: SVGTrace()
    }
  }

  /// The format that a file's name ends in; nil when it ends in none.
  init?(path: String) {
    switch path.split(separator: ".").last {
    case "jsonl": self = .jsonl
    case "json": self = .perfetto
    case "mmd", "mermaid": self = .mermaid
    case "html", "htm": self = .html
    case "svg": self = .svg
    default: return nil
    }
  }

  init(_ text: String, _ option: String) throws(UsageError) {
    if let format = OutputFormat(rawValue: text) {
      self = format
      return
    }
    let names = OutputFormat.allCases.map(\.rawValue)
    let near = nearest(to: text, among: names).map { "; did you mean '\($0)'?" } ?? ""
    throw UsageError("--\(option): unknown format '\(text)'\(near) (\(names.joined(separator: ", ")))")
  }
}
