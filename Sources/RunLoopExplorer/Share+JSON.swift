extension Share {
  /// All of it, to be sent to another process or kept.
  var json: JSON {
    var members: [JSON.Member] = [
      .init("schedules", .integer(schedules)), .init("redundant", .integer(redundant)),
      .init("brokenOff", .integer(brokenOff)), .init("limit", limitMessage.map { .string($0) } ?? .null),
      .init("cameBack", .integer(cameBack)), .init("unequalRuns", .integer(unequalRuns)),
      .init("choicePoints", .integer(choicePoints)),
      .init("hadChoice", .bool(hadChoice)), .init("leftSomethingOut", .bool(leftSomethingOut)),
      .init("traceCount", .integer(traceCount)), .init("interleavings", interleavings.json),
      .init("chance", chance.json), .init("byPreemptions", .integers(byPreemptions)),
      .init("traces", .string(sortedTraces)), .init("orders", .string(Hexadecimal.text(Self.sorted(orders)))),
      .init("orderExamples", .array(sortedOrderExamples)),
      .init("behaviours", .string(Hexadecimal.text(Self.sorted(behaviours)))),
      .init("outcomes", .array(sortedOutcomes)), .init("findings", .array(sortedFindings)),
      .init("lockOrder", lockOrder.json), .init("longest", .integer(longest)),
      .init("threadCount", .integer(threadCount)), .init("notes", .strings(notes)),
    ]
    // Of how many traces, orders and behaviours one is in the list, as powers of 2.
    if !traces.isExact || !orders.isExact || !behaviours.isExact {
      members.append(.init("sampling", .integers([traces.level, orders.level, behaviours.level])))
    }
    if hasMoreFindings { members.append(.init("hasMoreFindings", .bool(true))) }
    return .object(members)
  }

  private static func sorted(_ table: DistinctTable<OrderNumber, NoValue>) -> [UInt64] {
    var list: [UInt64] = []
    table.visit { key, _ in list.append(key.number) }
    return list.sorted()
  }

  /// In words of 64 bits, for there may be a million.
  private var sortedTraces: String {
    Hexadecimal.text(
      traces.sorted.flatMap { trace, figures in
        trace.words + [
          UInt64(figures.preemptions), figures.interleavings.bitPattern, figures.chance.bitPattern,
        ]
      })
  }

  private var sortedOrderExamples: [JSON] {
    orderExamples.sorted { $0.key < $1.key }.map { order, symbols in
      .array([.string(Hexadecimal.text([order])), .integers(symbols.map { Int($0) })])
    }
  }

  private var sortedOutcomes: [JSON] {
    outcomes.sorted { $0.lexicographicallyPrecedes($1) }.map { Observation.json($0) }
  }

  private var sortedFindings: [JSON] {
    findings.sorted { $0.key < $1.key }.map { observation, shown in
      .object([
        .init("kind", .string(observation.kind)), .init("details", .strings(observation.details)),
        .init("runs", .integer(shown.runs)), .init("interleavings", shown.interleavings.json),
        .init("chance", shown.chance.json),
        .init("cost", .integers([shown.cost.preemptions, shown.cost.choices, shown.cost.length])),
        .init("moves", .integers(shown.moves.flatMap { [Int($0.actor), Int($0.alternative)] })),
        .init("threads", .array(shown.threads.sorted { $0.lexicographicallyPrecedes($1) }.map { .strings($0) })),
        .init("companions", .strings(shown.companions.sorted())),
      ])
    }
  }

  /// What can have been counted: so many shares put together are still a number.
  private static let counts = 0...(1 << 48)

  /// Takes what `json` gave; nil when it is something else.
  init?(_ json: JSON) {
    guard let schedules = json["schedules"]?.integer, let redundant = json["redundant"]?.integer,
      let brokenOff = json["brokenOff"]?.integer, let cameBack = json["cameBack"]?.integer,
      let unequalRuns = json["unequalRuns"]?.integer, let examples = json["orderExamples"]?.array,
      let choicePoints = json["choicePoints"]?.integer,
      let hadChoice = json["hadChoice"]?.bool, let leftSomethingOut = json["leftSomethingOut"]?.bool,
      let traceCount = json["traceCount"]?.integer, let byPreemptions = json["byPreemptions"]?.integers,
      let traces = Hexadecimal.words(json["traces"]?.string), let orders = Hexadecimal.words(json["orders"]?.string),
      let behaviours = Hexadecimal.words(json["behaviours"]?.string), let outcomes = json["outcomes"]?.array,
      let findings = json["findings"]?.array,
      let lockOrder = json["lockOrder"].flatMap({ LockOrder($0) }), let longest = json["longest"]?.integer,
      let threadCount = json["threadCount"]?.integer, let notes = json["notes"]?.strings,
      interleavings.read(json["interleavings"]), chance.read(json["chance"]),
      ([
        schedules, redundant, brokenOff, cameBack, unequalRuns, choicePoints, traceCount, longest, threadCount,
      ] + byPreemptions).allSatisfy(Self.counts.contains), byPreemptions.count <= 1 << 20
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
    if let levels = json["sampling"]?.integers, levels.count == 3, levels.allSatisfy({ (0..<64).contains($0) }) {
      self.traces.thinOut(to: levels[0])
      self.orders.thinOut(to: levels[1])
      self.behaviours.thinOut(to: levels[2])
    }
    hasMoreFindings = json["hasMoreFindings"]?.bool ?? false
    for behaviour in behaviours { self.behaviours.insert(OrderNumber(number: behaviour), NoValue()) }
    for order in orders { self.orders.insert(OrderNumber(number: order), NoValue()) }
    self.lockOrder = lockOrder
    self.longest = longest
    self.threadCount = threadCount
    self.notes = notes
    guard read(traces: traces), read(orderExamples: examples), read(outcomes: outcomes), read(findings: findings) else {
      return nil
    }
  }

  private mutating func read(traces words: [UInt64]) -> Bool {
    guard words.count % 5 == 0 else { return false }
    for place in stride(from: 0, to: words.count, by: 5) {
      guard let preemptions = Int(exactly: words[place + 2]), preemptions <= 1 << 20 else { return false }
      traces.insert(
        TraceHash(Array(words[place..<place + 2])),
        TraceFigures(
          preemptions: preemptions, interleavings: Double(bitPattern: words[place + 3]),
          chance: Double(bitPattern: words[place + 4])))
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
      guard let outcome = Observation.list(item) else { return false }
      outcomes.insert(outcome)
    }
    return true
  }

  private mutating func read(findings list: [JSON]) -> Bool {
    for item in list {
      var shown = Shown()
      guard let kind = item["kind"]?.string, let details = item["details"]?.strings,
        let runs = item["runs"]?.integer, let cost = item["cost"]?.integers, cost.count == 3,
        let moves = item["moves"]?.integers, ([runs] + cost).allSatisfy(Self.counts.contains),
        let steps = RunMove.list(moves),
        let threads = item["threads"]?.array?.map(\.strings), !threads.contains(where: { $0?.count != 2 }),
        let companions = item["companions"]?.strings,
        shown.interleavings.read(item["interleavings"]), shown.chance.read(item["chance"])
      else { return false }
      shown.runs = runs
      shown.cost = Finding.Cost(preemptions: cost[0], choices: cost[1], length: cost[2])
      shown.moves = steps
      shown.threads = Set(threads.compactMap(\.self))
      shown.companions = Set(companions)
      findings[Observation(kind: kind, details: details)] = shown
    }
    return true
  }
}

extension Observation {
  static func json(_ observations: [Observation]) -> JSON {
    .array(observations.map { .strings([$0.kind] + $0.details) })
  }

  /// Takes what `json` gave; nil when it is something else.
  static func list(_ json: JSON) -> [Observation]? {
    guard let lines = json.array else { return nil }
    var list: [Observation] = []
    for line in lines {
      guard let words = line.strings, let kind = words.first else { return nil }
      list.append(Observation(kind: kind, details: Array(words.dropFirst())))
    }
    return list
  }

  /// The same of several lists.
  static func lists(_ json: JSON) -> [[Observation]]? {
    guard let values = json.array else { return nil }
    let lists = values.compactMap { list($0) }
    return lists.count == values.count ? lists : nil
  }
}
