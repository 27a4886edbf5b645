/// Items that a script made for a loop and never asked to add to one, for people.

/// One of them.
struct Unadded: Sendable {
  enum Kind: Sendable {
    case source, timer, port, messagePort, observer
  }

  var kind: Kind
  var name: NameID
  /// Where it was made.
  var position: Position
  /// Where a source was signalled.
  var signalPosition = Position.unknown
}

extension System {
  /// Notes that a script asks to add an item to a loop.
  mutating func noteAdded(_ item: Item) {
    switch item {
    case .source(let source): sources[source.index].origin.wasAdded = true
    case .port(let port): ports[port.index].origin.wasAdded = true
    case .timer(let timer): places.details[timer.index].origin.wasAdded = true
    case .observer(let observer): observers[observer.index].origin.wasAdded = true
    }
  }

  /// Sources that were signalled, and timers, ports and observers that have a function to call, of which none was ever
  /// added to a loop, taken back, or fired by hand. At the end of a run that came to it by itself.
  ///
  /// - Complexity: O(items).
  func unaddedItems() -> [Unadded] {
    guard !isExplored, endDetail.isEmpty, ending == .returned || ending == .idle || ending == .fault else { return [] }
    var found: [Unadded] = []
    for index in sources.indices {
      let record = sources[index]
      guard record.isValid, record.isSignalled, !record.origin.wasAdded else { continue }
      found.append(
        Unadded(
          kind: .source, name: record.name, position: record.origin.position, signalPosition: record.signalPosition))
    }
    for index in places.timers.indices where !places.details[index].origin.wasAdded {
      let record = places.timers[index]
      guard record.isValid, record.callback != .none, record.perform < 0, fireCount(TimerID(index)) == 0 else {
        continue
      }
      let details = places.details[index]
      found.append(Unadded(kind: .timer, name: details.name, position: details.origin.position))
    }
    for index in ports.indices where !ports[index].origin.wasAdded {
      let record = ports[index]
      guard record.isValid, record.receive != .none else { continue }
      found.append(
        Unadded(
          kind: record.service == .none ? .port : .messagePort, name: record.name, position: record.origin.position))
    }
    for index in observers.indices where !observers[index].origin.wasAdded {
      let record = observers[index]
      guard record.isValid, record.handler != .none else { continue }
      found.append(Unadded(kind: .observer, name: record.name, position: record.origin.position))
    }
    return found
  }

  /// One sentence on them; empty when there are none.
  func noteOnUnadded() -> String {
    let items = unaddedItems()
    guard let first = items.first else { return "" }
    let more = items.count > 1 ? " (\(items.count - 1) more: --explain tells all)" : ""
    return "\(words(first))\(first.kind == .source ? "," : "") is in no loop: \(first.kind.adding)\(more)"
  }

  /// "source s (script.lua:3), signalled at script.lua:5"
  func words(_ item: Unadded) -> String {
    let made = item.position.line > 0 ? " (\(names[item.position.file]):\(item.position.line))" : ""
    let name = "\(item.kind.word) \(names[item.name])\(made)"
    return item.kind == .source ? "\(name), signalled\(placeText(item.signalPosition))" : name
  }
}

extension Unadded.Kind {
  fileprivate var word: String {
    switch self {
    case .source: "source"
    case .timer: "timer"
    case .port: "port"
    case .messagePort: "message port"
    case .observer: "observer"
    }
  }

  /// What was forgotten.
  fileprivate var adding: String {
    switch self {
    case .source: "loop:addSource adds it"
    case .timer: "loop:addTimer adds it (loop:scheduleTimer makes and adds one)"
    case .port, .messagePort: "loop:addPort adds it"
    case .observer: "loop:addObserver adds it"
    }
  }
}
