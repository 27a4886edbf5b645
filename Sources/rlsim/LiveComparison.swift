import RunLoopEngine

/// A simulation beside a live run of the same script: thread by thread, what happened, and then when.
struct LiveComparison {
  /// The first difference of a thread.
  private struct Difference {
    var thread: String
    var index: Int
    var isInTimeOnly: Bool
  }

  private let simulated: [String: [TraceLine]]
  private let live: [String: [TraceLine]]
  /// The live run's events in their order.
  private let liveLines: [TraceLine]
  /// What several threads are called at once: a trace does not tell them apart, and they are compared as one.
  private let sharedNames: Set<String>
  private var differences: [Difference] = []
  private let simulatedEnd: ProcessEnd
  private let liveEnd: ProcessEnd
  private let tolerance: Int64
  private var largest: Int64 = 0

  /// - Parameter tolerance: nanoseconds of the script.
  init(_ simulated: [TraceLine], _ live: [TraceLine], tolerance: Int64) {
    self.simulated = Self.byThread(simulated)
    self.live = Self.byThread(live)
    liveLines = live.filter(Self.isCompared)
    sharedNames = Self.sharedNames(simulated)
    self.tolerance = tolerance
    simulatedEnd = ProcessEnd(simulated)
    liveEnd = ProcessEnd(live)
    for thread in Set(self.simulated.keys).union(self.live.keys).sorted() {
      compare(thread, self.simulated[thread] ?? [], self.live[thread] ?? [])
    }
  }

  private static func byThread(_ lines: [TraceLine]) -> [String: [TraceLine]] {
    Dictionary(grouping: lines.filter(isCompared)) { $0.thread }.mapValues(inFixedOrder)
  }

  private static func sharedNames(_ lines: [TraceLine]) -> Set<String> {
    var (living, shared): (Set<String>, Set<String>) = ([], [])
    for line in lines {
      if line.event == "thread.start", !living.insert(line.thread).inserted { shared.insert(line.thread) }
      if line.event == "thread.exit" { living.remove(line.thread) }
    }
    return shared
  }

  /// Threads that are left at the end are not told of by a live run, nor are faults.
  private static func isCompared(_ line: TraceLine) -> Bool {
    line.thread != "-" && !["expect.fail", "fault", "thread.terminate"].contains(line.event)
  }

  /// Whether there is more in a simulation than threads that start and end.
  static func canCompare(_ lines: [TraceLine]) -> Bool {
    ProcessEnd(lines) != .itself
      || lines.contains { isCompared($0) && $0.event != "thread.start" && $0.event != "thread.exit" }
  }

  /// Several sources that are scheduled or cancelled at once have no fixed order in the library.
  private static func inFixedOrder(_ lines: [TraceLine]) -> [TraceLine] {
    var result = lines
    var start = 0
    while start < result.count {
      var end = start
      while end < result.count, result[end].event == "source.schedule" || result[end].event == "source.cancel" {
        end += 1
      }
      result[start..<end].sort { $0.essence < $1.essence }
      start = max(end, start + 1)
    }
    return result
  }

  private mutating func compare(_ thread: String, _ a: [TraceLine], _ b: [TraceLine]) {
    for index in 0..<max(a.count, b.count) {
      guard index < a.count, index < b.count, a[index].says(sameAs: b[index], within: tolerance) else {
        differences.append(Difference(thread: thread, index: index, isInTimeOnly: false))
        return
      }
    }
    for index in a.indices {
      let distance = abs(a[index].time - b[index].time)
      largest = max(largest, distance)
      if distance > tolerance {
        differences.append(Difference(thread: thread, index: index, isInTimeOnly: true))
        return
      }
    }
  }

  var agrees: Bool { differences.isEmpty && simulatedEnd == liveEnd }

  /// How much was compared.
  var summary: String {
    let events = simulated.values.reduce(0) { $0 + $1.count }
    return
      "\(events) events of \(simulated.count) thread\(simulated.count == 1 ? "" : "s"), at most \(largest / 1000) µs apart"
  }

  /// Whether only times differ.
  var isLate: Bool { simulatedEnd == liveEnd && differences.allSatisfy(\.isInTimeOnly) }

  /// Whether more differs than times, and there are threads whose speed may be the reason.
  var mayBeRace: Bool { !isLate && simulated.count > 1 }

  /// What another live run did otherwise; nil: at most another end.
  func traded(with other: LiveComparison) -> TradedPlaces? {
    TradedPlaces(liveLines, other.liveLines, within: tolerance)
  }

  /// Whether another live run did the same.
  func isSameLive(as other: LiveComparison) -> Bool {
    live.count == other.live.count && liveEnd == other.liveEnd
      && live.allSatisfy { thread, lines in
        guard let others = other.live[thread], others.count == lines.count else { return false }
        return zip(lines, others).allSatisfy { $0.says(sameAs: $1, within: tolerance) }
      }
  }

  /// The first difference of each thread, with what stands around it.
  var report: String {
    var text = ""
    if simulatedEnd != liveEnd {
      text += "the process ends \(simulatedEnd.rawValue) in the simulation, \(liveEnd.rawValue) live\n"
    }
    for difference in differences {
      let a = simulated[difference.thread] ?? []
      let b = live[difference.thread] ?? []
      let index = difference.index
      let what = difference.isInTimeOnly ? "time of event" : "event"
      text += "thread \(difference.thread): the \(what) \(index + 1) differs\n"
      for line in a[max(0, index - 4)..<min(index, a.count)] { text += "    \(Self.show(line))\n" }
      let rows = difference.isInTimeOnly ? 1 : 4
      text += Self.side("simulation", a, index, rows) + Self.side("live", b, index, rows)
      if sharedNames.contains(difference.thread) {
        text += "  several threads are named \(difference.thread) at once, and compared as one"
        text += ": give each a name of its own\n"
      }
    }
    return text
  }

  private static func side(_ title: String, _ lines: [TraceLine], _ index: Int, _ rows: Int) -> String {
    if index >= lines.count { return "  \(title): nothing more\n" }
    return "  \(title):\n" + lines[index..<min(index + rows, lines.count)].map { "    \(show($0))\n" }.joined()
  }

  private static func show(_ line: TraceLine) -> String {
    "\(line.time.traceText) \(line.text)"
  }
}

/// What ends the process of a run.
private enum ProcessEnd: String {
  /// The script has run to its end, or until it was told to stop.
  case itself = "by itself"
  case error = "by an error that nobody catches"
  case trap = "by a trap of the library"

  init(_ lines: [TraceLine]) {
    switch lines.last(where: { $0.event == "end" })?.value("detail") {
    case "error": self = .error
    case "trap": self = .trap
    default: self = .itself
    }
  }
}
