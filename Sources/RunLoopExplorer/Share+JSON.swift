extension Share {
  /// All of it, to be sent to another process or kept.
  var json: JSON {
    .object([
      .init("schedules", .integer(schedules)), .init("redundant", .integer(redundant)),
      .init("brokenOff", .integer(brokenOff)), .init("limit", limitMessage.map { .string($0) } ?? .null),
      .init("cameBack", .integer(cameBack)), .init("unequalRuns", .integer(unequalRuns)),
      .init("choicePoints", .integer(choicePoints)),
      .init("hadChoice", .bool(hadChoice)), .init("leftSomethingOut", .bool(leftSomethingOut)),
      .init("traceCount", .integer(traceCount)), .init("interleavings", interleavings.json),
      .init("chance", chance.json), .init("byPreemptions", .integers(byPreemptions)),
      .init("traces", .array(sortedTraces)), .init("orders", .string(Hexadecimal.text(orders.sorted()))),
      .init("orderExamples", .array(sortedOrderExamples)),
      .init("behaviours", .string(Hexadecimal.text(behaviours.sorted()))),
      .init("outcomes", .array(sortedOutcomes)), .init("findings", .array(sortedFindings)),
      .init("lockOrder", lockOrder.json), .init("longest", .integer(longest)),
      .init("threadCount", .integer(threadCount)), .init("notes", .strings(notes)),
    ])
  }

  private var sortedTraces: [JSON] {
    traces.sorted { $0.key < $1.key }.map { trace, figures in
      .array([
        .string(Hexadecimal.text(trace.words)), .integer(figures.preemptions), .number(figures.interleavings),
        .number(figures.chance),
      ])
    }
  }

  private var sortedOrderExamples: [JSON] {
    orderExamples.sorted { $0.key < $1.key }.map { order, symbols in
      .array([.string(Hexadecimal.text([order])), .integers(symbols.map { Int($0) })])
    }
  }

  private var sortedOutcomes: [JSON] {
    outcomes.map { $0.map { [$0.kind] + $0.details } }
      .sorted { $0.lexicographicallyPrecedes($1) { $0.lexicographicallyPrecedes($1) } }
      .map { .array($0.map { .strings($0) }) }
  }

  private var sortedFindings: [JSON] {
    findings.sorted { $0.key < $1.key }.map { observation, shown in
      .object([
        .init("kind", .string(observation.kind)), .init("details", .strings(observation.details)),
        .init("runs", .integer(shown.runs)), .init("interleavings", shown.interleavings.json),
        .init("chance", shown.chance.json),
        .init("cost", .integers([shown.cost.preemptions, shown.cost.choices, shown.cost.length])),
        .init("moves", .integers(shown.moves.flatMap { [Int($0.actor), Int($0.alternative)] })),
      ])
    }
  }

  /// Takes what `json` gave; nil when it is something else.
  init?(_ json: JSON) {
    guard let schedules = json["schedules"]?.integer, let redundant = json["redundant"]?.integer,
      let brokenOff = json["brokenOff"]?.integer, let cameBack = json["cameBack"]?.integer,
      let unequalRuns = json["unequalRuns"]?.integer, let examples = json["orderExamples"]?.array,
      let choicePoints = json["choicePoints"]?.integer,
      let hadChoice = json["hadChoice"]?.bool, let leftSomethingOut = json["leftSomethingOut"]?.bool,
      let traceCount = json["traceCount"]?.integer, let byPreemptions = json["byPreemptions"]?.integers,
      let traces = json["traces"]?.array, let orders = Hexadecimal.words(json["orders"]?.string),
      let behaviours = Hexadecimal.words(json["behaviours"]?.string), let outcomes = json["outcomes"]?.array,
      let findings = json["findings"]?.array,
      let lockOrder = json["lockOrder"].flatMap({ LockOrder($0) }), let longest = json["longest"]?.integer,
      let threadCount = json["threadCount"]?.integer, let notes = json["notes"]?.strings,
      interleavings.read(json["interleavings"]), chance.read(json["chance"])
    else { return nil }
    self.schedules = schedules
    self.redundant = redundant
    self.brokenOff = brokenOff
    self.cameBack = cameBack
    self.unequalRuns = unequalRuns
    limitMessage = json["limit"]?.string
    self.choicePoints = choicePoints
    self.hadChoice = hadChoice
    self.leftSomethingOut = leftSomethingOut
    self.traceCount = traceCount
    self.byPreemptions = byPreemptions
    self.orders = Set(orders)
    self.behaviours = Set(behaviours)
    self.lockOrder = lockOrder
    self.longest = longest
    self.threadCount = threadCount
    self.notes = notes
    guard read(traces: traces), read(orderExamples: examples), read(outcomes: outcomes), read(findings: findings) else {
      return nil
    }
  }

  private mutating func read(traces list: [JSON]) -> Bool {
    for item in list {
      guard let parts = item.array, parts.count == 4, let words = Hexadecimal.words(parts[0].string),
        words.count == 2, let preemptions = parts[1].integer
      else { return false }
      traces[TraceHash(words)] = TraceFigures(
        preemptions: preemptions, interleavings: parts[2].number ?? .infinity, chance: parts[3].number ?? 0)
    }
    return true
  }

  private mutating func read(orderExamples list: [JSON]) -> Bool {
    for item in list {
      guard let parts = item.array, parts.count == 2, let order = Hexadecimal.words(parts[0].string), order.count == 1,
        let numbers = parts[1].integers
      else { return false }
      let symbols = numbers.compactMap { UInt32(exactly: $0) }
      guard symbols.count == numbers.count else { return false }
      orderExamples[order[0]] = symbols
    }
    return true
  }

  private mutating func read(outcomes list: [JSON]) -> Bool {
    for item in list {
      guard let lines = item.array else { return false }
      var outcome: [Observation] = []
      for line in lines {
        guard let words = line.strings, let kind = words.first else { return false }
        outcome.append(Observation(kind: kind, details: Array(words.dropFirst())))
      }
      outcomes.insert(outcome)
    }
    return true
  }

  private mutating func read(findings list: [JSON]) -> Bool {
    for item in list {
      var shown = Shown()
      guard let kind = item["kind"]?.string, let details = item["details"]?.strings,
        let runs = item["runs"]?.integer, let cost = item["cost"]?.integers, cost.count == 3,
        let moves = item["moves"]?.integers, let steps = RunMove.list(moves),
        shown.interleavings.read(item["interleavings"]), shown.chance.read(item["chance"])
      else { return false }
      shown.runs = runs
      shown.cost = Finding.Cost(preemptions: cost[0], choices: cost[1], length: cost[2])
      shown.moves = steps
      findings[Observation(kind: kind, details: details)] = shown
    }
    return true
  }
}

extension RunMove {
  /// Actors and ways in turn; nil when the numbers are something else.
  static func list(_ numbers: [Int]) -> [RunMove]? {
    guard numbers.count % 2 == 0 else { return nil }
    var moves: [RunMove] = []
    for index in stride(from: 0, to: numbers.count, by: 2) {
      guard let actor = Int32(exactly: numbers[index]), let way = Int32(exactly: numbers[index + 1]), actor >= 0,
        way >= 0
      else { return nil }
      moves.append(RunMove(actor: actor, alternative: way))
    }
    return moves
  }
}

/// Numbers of 64 bits, 16 digits each, one after the other.
enum Hexadecimal {
  static func text(_ words: [UInt64]) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(words.count * 16)
    for word in words {
      for shift in stride(from: UInt64(60), through: 0, by: -4) {
        let digit = UInt8(word >> shift & 15)
        bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func words(_ text: String?) -> [UInt64]? {
    guard let text, text.utf8.count % 16 == 0 else { return nil }
    var words: [UInt64] = []
    words.reserveCapacity(text.utf8.count / 16)
    var word: UInt64 = 0
    for (place, byte) in text.utf8.enumerated() {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x61...0x66: digit = byte - 0x57
      default: return nil
      }
      word = word << 4 | UInt64(digit)
      if place % 16 == 15 {
        words.append(word)
        word = 0
      }
    }
    return words
  }
}
