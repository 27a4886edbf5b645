/// Why two runs of a script differ: two events that trade places, or what a thread does otherwise.
struct TradedPlaces {
  /// A sentence without its end.
  let description: String
  /// What a script can do about it.
  let remedy: String

  private static let activities: Set<Substring> = [
    "entry", "beforeTimers", "beforeSources", "beforeWaiting", "afterWaiting", "exit",
  ]

  /// Nil when no thread does anything else.
  ///
  /// - Parameters:
  ///   - a: the events of one run, in their order.
  ///   - b: those of another.
  ///   - tolerance: nanoseconds that numbers in logs may be apart.
  init?(_ a: [TraceLine], _ b: [TraceLine], within tolerance: Int64) {
    // A loop's activities tell the least: they are looked at when nothing else differs.
    let isTelling = { (line: TraceLine) in !Self.activities.contains(line.event) }
    guard
      let traded = TradedPlaces(Places(a.filter(isTelling)), Places(b.filter(isTelling)), tolerance)
        ?? TradedPlaces(Places(a), Places(b), tolerance)
    else { return nil }
    self = traded
  }

  private init?(_ a: Places, _ b: Places, _ tolerance: Int64) {
    guard let (thread, index) = a.firstDifference(from: b, within: tolerance) else { return nil }
    let x = a.line(index, of: thread)
    let y = b.line(index, of: thread)
    let moments = "give each a moment of its own"
    if let x, let y, a.isLater(y, on: thread, than: index), b.isLater(x, on: thread, than: index) {
      remedy = moments
      description =
        "'\(x.line.text)' and '\(y.line.text)' on \(thread) trade places: the script leaves both to the same moment,"
        + " or to the speed of its threads"
    } else if let (mine, other) = Self.inverted(a, b, thread, index, [x, y].compactMap { $0 }) {
      remedy = moments
      description =
        "'\(mine.line.text)' on \(thread) and '\(other.line.text)' on \(other.line.thread) trade places: the script"
        + " leaves to the speed of its threads which comes first"
    } else {
      func tell(_ event: Places.Event?) -> String { event.map { "'\($0.line.text)'" } ?? "nothing more" }
      remedy = "do or log nothing that depends on it"
      description =
        "\(thread) does \(tell(x)) in one run, \(tell(y)) in another: that depends on the speed of threads, or on real time"
    }
  }

  /// An event of the thread near the difference, and one of another thread that concerns it, which are the other way
  /// round in the other run.
  private static func inverted(
    _ a: Places, _ b: Places, _ thread: String, _ index: Int, _ different: [Places.Event]
  ) -> (Places.Event, Places.Event)? {
    let subjects = Set(different.compactMap(\.subject) + [thread])
    let before = (max(0, index - 8)..<index).reversed().compactMap { a.line($0, of: thread) }
    for mine in different + before {
      guard let here = a.place(of: mine), let there = b.place(of: mine) else { continue }
      for other in a.events where other.line.thread != thread && other.subject.map(subjects.contains) == true {
        guard let second = b.place(of: other), let first = a.place(of: other) else { continue }
        if (first < here) != (second < there) { return (mine, other) }
      }
    }
    return nil
  }
}

/// Where the events of a run are.
private struct Places {
  /// An event, told from equal ones of its thread by its number.
  struct Event {
    let line: TraceLine
    let key: String

    /// What it is about: the first name after the event's own.
    var subject: String? {
      let words = line.essence.split(separator: " ", maxSplits: 2)
      return words.count > 1 && !words[1].contains("=") ? String(words[1]) : nil
    }
  }

  private(set) var events: [Event] = []
  private var places: [String: Int] = [:]
  private var threads: [String: [Int]] = [:]

  init(_ lines: [TraceLine]) {
    var counts: [String: Int] = [:]
    for line in lines {
      let name = "\(line.thread) \(line.essence)"
      counts[name, default: 0] += 1
      let event = Event(line: line, key: "\(name) \(counts[name] ?? 0)")
      places[event.key] = events.count
      threads[line.thread, default: []].append(events.count)
      events.append(event)
    }
  }

  func place(of event: Event) -> Int? { places[event.key] }

  func line(_ index: Int, of thread: String) -> Event? {
    guard let own = threads[thread], index < own.count else { return nil }
    return events[own[index]]
  }

  /// Whether this run has an event of the thread's, but after so many.
  func isLater(_ event: Event, on thread: String, than index: Int) -> Bool {
    guard let place = places[event.key], let own = threads[thread], index < own.count else { return false }
    return place > own[index]
  }

  /// The thread that first does something else, and its event's number.
  func firstDifference(from other: Places, within tolerance: Int64) -> (thread: String, index: Int)? {
    var first: (thread: String, index: Int, time: Int64)?
    for thread in Set(threads.keys).union(other.threads.keys).sorted() {
      let count = max(threads[thread]?.count ?? 0, other.threads[thread]?.count ?? 0)
      for index in 0..<count {
        let (mine, its) = (line(index, of: thread)?.line, other.line(index, of: thread)?.line)
        if let mine, let its, mine.says(sameAs: its, within: tolerance) { continue }
        let time = min(mine?.time ?? .max, its?.time ?? .max)
        if first.map({ time < $0.time }) ?? true { first = (thread, index, time) }
        break
      }
    }
    return first.map { ($0.thread, $0.index) }
  }
}
