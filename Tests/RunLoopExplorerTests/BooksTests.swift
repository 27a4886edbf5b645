import RunLoopScript
import Testing

@testable import RunLoopExplorer

/// The explorer's books: what is kept of runs, in bounded memory, and what is taken back on the way to the next one.
@Suite struct BooksTests {
  // MARK: Distinct keys

  private func table(_ numbers: some Sequence<UInt64>) -> DistinctTable<OrderNumber, UInt64> {
    var table = DistinctTable<OrderNumber, UInt64>(maximumCount: 1_000)
    for number in numbers { table.insert(OrderNumber(number: number), number * 2) }
    return table
  }

  private func keys(_ table: DistinctTable<OrderNumber, UInt64>) -> Set<UInt64> {
    var keys: Set<UInt64> = []
    table.visit { key, value in
      #expect(value == key.number * 2)
      keys.insert(key.number)
    }
    return keys
  }

  @Test func upToItsSizeATableKeepsAllKeys() {
    var table = table(0..<1_000)
    for number in stride(from: UInt64(0), to: 1_000, by: 7) {
      let isNew = table.insert(OrderNumber(number: number), 0)
      #expect(!isNew)
    }
    #expect(table.isExact)
    #expect(table.estimate == 1_000)
    #expect(keys(table) == Set(0..<1_000))
    #expect(table[OrderNumber(number: 999)] == 1_998)
    #expect(table[OrderNumber(number: 1_000)] == nil)
  }

  @Test func beyondItsSizeATableIsASampleThatDoesNotDependOnTheOrder() {
    let forward = table(0..<40_000)
    let backward = table((0..<40_000).reversed())
    #expect(!forward.isExact)
    // At most 1,000 of 40,000: one of 64 is kept, give or take their chance.
    #expect(forward.level == 6)
    #expect(forward.count <= 1_000)
    // 625 are expected, with a deviation of 25; five times that is 8 % of all.
    #expect(abs(forward.estimate - 40_000) < 8_000)
    #expect(keys(forward) == keys(backward))
    #expect(forward.countMissing(in: backward) == 0)
  }

  @Test func tablesArePutTogetherInAnyOrder() {
    let parts = [table(0..<900), table(600..<30_000), table([]), table(29_000..<29_010)]
    let whole = table(0..<30_000)
    var sum = parts[0]
    for part in parts.dropFirst() { sum.formUnion(part) }
    var other = parts[3]
    for part in [parts[2], parts[1], parts[0]] { other.formUnion(part) }
    #expect(keys(sum) == keys(whole))
    #expect(keys(other) == keys(whole))
    #expect(sum.level == whole.level)
    #expect(sum.countMissing(in: parts[0]) > 25_000)
  }

  @Test func aShareThatIsASampleComesThroughItsText() throws {
    var share = Share()
    for number in 0..<UInt64(1_100_000) {
      share.orders.insert(OrderNumber(number: number), NoValue())
    }
    #expect(share.orders.level == 1)
    let text = share.json.text
    let read = try #require(Share(JSON(Array(text.utf8))))
    #expect(read.orders.estimate == share.orders.estimate)
    #expect(read.json.text == text)
  }

  // MARK: Trails

  private struct Random {
    var state: UInt64
    mutating func below(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
  }

  private struct Step {
    var actor: Int32
    var accesses: [Touch] = []
    var lessons: [Lesson] = []
    var held: Int32?
    var alternatives: Int32 = 1
    var cutsOff = false
    var point = ChoicePoint()

    func append(to trail: inout Trail) {
      var record = StepRecord()
      for access in accesses { record.add(access) }
      for lesson in lessons { record.lessons.append(lesson) }
      record.movedClock = held != nil
      if let held { record.held.append(held) }
      record.alternatives = alternatives
      record.cutsOff = cutsOff
      trail.append(actor, 0, record, at: point)
    }
  }

  /// A step of one of twelve actors, more than a trail has room for at first, with all that a step may have.
  private func step(_ random: inout Random) -> Step {
    var step = Step(actor: Int32(1 + random.below(11)))
    for _ in 0..<random.below(3) { step.accesses.append(Touch(UInt32(random.below(5)), changes: random.below(2) == 0)) }
    if random.below(40) == 0 { step.accesses.append(Touch(Touch.everything, changes: true)) }
    for _ in 0..<random.below(3) {
      step.lessons.append(Lesson(Int32(random.below(12)), from: Int32(random.below(12))))
    }
    if random.below(6) == 0 { step.held = Int32(1 + random.below(11)) }
    step.alternatives = Int32(1 + random.below(2))
    step.cutsOff = random.below(60) == 0
    step.point.enabled = (0..<12).filter { _ in random.below(2) == 0 }
    if !step.point.enabled.contains(step.actor) { step.point.enabled.append(step.actor) }
    return step
  }

  private func knowledge(_ trail: borrowing Trail) -> [Int32] {
    var all: [Int32] = []
    for actor in 0..<12 {
      all.append(actor < trail.actorCount ? trail.eventCount(of: actor) : 0)
      for other in 0..<12 {
        all.append(max(actor, other) < trail.actorCount ? trail.knowledge(of: actor, about: other) : 0)
      }
    }
    for event in 0..<trail.count {
      for actor in 0..<12 where actor < trail.actorCount {
        all += [trail.clock(event, actor), trail.past(event, actor)]
      }
    }
    return all
  }

  @Test(arguments: 0..<20) func aTrailThatGoesBackIsAsIfItHadNeverGoneOn(seed: Int) {
    var random = Random(state: UInt64(seed))
    var steps: [Step] = []
    var trail = Trail()
    for _ in 0..<40 {
      let kept = random.below(steps.count + 1)
      steps.removeSubrange(kept...)
      trail.truncate(to: kept)
      for _ in 0..<random.below(12) {
        steps.append(step(&random))
        steps[steps.count - 1].append(to: &trail)
      }
      var fresh = Trail()
      for step in steps { step.append(to: &fresh) }
      #expect(fresh.count == trail.count)
      #expect(fresh.traceHash == trail.traceHash)
      #expect(fresh.totals.chance == trail.totals.chance)
      #expect(fresh.totals.preemptions == trail.totals.preemptions)
      #expect(Array(fresh.total.elements) == Array(trail.total.elements))
      #expect(Array(fresh.accesses.elements) == Array(trail.accesses.elements))
      for object in 0..<UInt32(5) { #expect(fresh.lastAccess(of: object) == trail.lastAccess(of: object)) }
      // Actors that were there once keep their place.
      if fresh.actorCount == trail.actorCount { #expect(knowledge(fresh) == knowledge(trail)) }
    }
  }

  // MARK: Figures

  /// Where a run is the only interleaving of its trace, its figures are taken from itself; they are those that would be
  /// worked out from the trace.
  @Test(
    arguments: [
      ("x:add(1) x:add(1) x:add(1)", true), ("m:lock() x:add(1) m:unlock()", true),
      ("s:wait() x:add(1) s:signal()", true), ("m:lock() m:unlock() x:add(1)", false),
      ("if x:add(1) == 1 then m:lock() end", false),
      ("local ok = m:tryLock() x:add(1) if ok then m:unlock() end", false),
      ("rl.sleep(x:add(1)) x:add(1)", false),
    ])
  func theFiguresOfTheOnlyInterleavingAreItsOwn(body: String, isAlways: Bool) {
    let source = """
      local x, m = rl.atomic{ name = "x", value = 0 }, rl.mutex{ name = "m" }
      local s = rl.semaphore{ name = "s", value = 1 }
      local t = {}
      for i = 1, 3 do t[i] = rl.thread("t" .. i, function() \(body) end) end
      for i = 1, 3 do t[i]:start() end
      for i = 1, 3 do t[i]:join() end
      """
    let run = ScriptRun(ScriptOptions(source: Array(source.utf8), chunkName: "test.lua"), .init())
    var search = Enumeration(run)
    var analyzer = TraceAnalyzer()
    var count = 0
    var only = 0
    while case .run = search.nextRun() {
      count += 1
      guard run.isOnlyInterleaving(of: search.trail) else { continue }
      only += 1
      let worked = search.withEnd { analyzer.analyze($0, $1) }
      let own = TraceAnalysis(ofRun: search.trail)
      #expect(worked.interleavings == 1)
      #expect(worked.preemptions == own.preemptions)
      #expect(worked.choices == own.choices)
      #expect(worked.chance == own.chance)
      #expect(analyzer.shortest() == (0..<Int32(search.trail.count)).map { $0 })
    }
    #expect(count > 1)
    if isAlways { #expect(only == count) }
  }

  // MARK: Going back

  /// A model that counts its steps, and the snapshots that are there.
  private final class Counted: Explorable {
    final class Token {
      let state: Model.State
      private let owner: Counted

      init(_ state: Model.State, _ owner: Counted) {
        self.state = state
        self.owner = owner
        owner.snapshots += 1
        owner.mostSnapshots = max(owner.mostSnapshots, owner.snapshots)
      }

      deinit { owner.snapshots -= 1 }
    }

    private let model: Model
    private var snapshots = 0
    private(set) var mostSnapshots = 0
    private(set) var steps = 0

    init(_ model: Model) { self.model = model }
    func start() { model.start() }
    func save(reusing spare: Token?) -> Token { Token(model.save(reusing: nil), self) }
    func restore(_ snapshot: Token) { model.restore(snapshot.state) }
    func look(after last: Int32, into point: inout ChoicePoint) { model.look(after: last, into: &point) }
    func take(_ actor: Int32, _ alternative: Int32, into step: inout StepRecord) {
      steps += 1
      model.take(actor, alternative, into: &step)
    }
  }

  /// 120 steps of one thread and 2 of another: 122 · 121 / 2 interleavings, with a choice before nearly every step. There
  /// are snapshots at the first 64 places and at every second of those after them; one more is made before an old one
  /// goes.
  @Test func longRunsAreGoneThroughFromFewSnapshots() {
    let counted = Counted(Model([Array(repeating: .read("x"), count: 120), [.read("y"), .read("y")]]))
    var search = Enumeration(counted)
    var runs = 0
    while case .run = search.nextRun() { runs += 1 }
    #expect(runs == 122 * 121 / 2)
    #expect(counted.mostSnapshots <= 64 + 58 / 2 + 2)
    // A third of a run comes after its last choice, on average; the way there from a snapshot is a few steps.
    #expect(counted.steps < runs * (122 / 3 + 8))
  }

  /// Either order of the two steps at 1 s is one run. In one of them an error leaves the run of the loop.
  @Test(arguments: ["0", "1"]) func whatOneRunLeavesBehindIsNotTheNextOnes(value: String) throws {
    let source = """
      local x = rl.atomic{ name = "x", value = 0 }
      local t = rl.thread("t", function()
        local loop = rl.currentLoop()
        local function fire() if x:load() == \(value) then error("odd") end end
        loop:scheduleTimer{ name = "tick", fireAt = 1, fire = fire }
        pcall(function() loop:runInMode("default", 2) end)
      end)
      t:start()
      rl.sleep(1)
      x:store(1)
      t:join()
      """
    let script = ScriptOptions(source: Array(source.utf8), chunkName: "test.lua")
    for reduces in [true, false] {
      var options = ExploreOptions()
      options.reduces = reduces
      let report = Explorer(script, options) { 0 }.explore()
      let finding = try #require(report.findings.first)
      #expect(finding.kind == "leak")
      #expect(report.schedules > 1)
      #expect(finding.interleavings < report.interleavings)
    }
  }
}
