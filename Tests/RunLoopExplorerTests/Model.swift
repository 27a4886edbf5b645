@testable import RunLoopExplorer

/// A system of a few lines for the explorer: threads that are lists of operations on cells, locks and semaphores.
final class Model: Explorable {
  enum Operation {
    /// A shared cell.
    case write(String, @Sendable (Thread) -> Int)
    case read(String)
    case add(String, Int)
    case lock(String)
    case unlock(String)
    /// A semaphore.
    case post(String)
    case take(String)
    /// Lets time pass for the thread.
    case sleep(Int)
    /// Goes to another place of the list, when the value read last is this one.
    case jump(to: Int, ifLast: Int)
    /// One of so many ways, kept as the value read last.
    case choose(Int)
    /// One of as many ways as the cell says, 1 at least; sets the cell to 0.
    case pick(String)
    /// Sets a cell to another value if it has this one.
    case exchange(String, Int, for: Int)
    /// Reads a cell and, if its value is odd, adds 1 to another one, in one step.
    case follow(String, to: String)
  }

  struct Thread {
    var body: [Operation]
    var next = 0
    var last = 0
    var wakeTime: Int?
    var isOver: Bool { next >= body.count }
  }

  struct State {
    var threads: [Thread]
    var cells: [String: Int] = [:]
    var holders: [String: Int] = [:]
    var log: [Int] = []
    var time = 0
  }

  let beginning: State
  let timeIsFree: Bool
  var state: State
  private var objects: [String: UInt32] = [:]

  init(_ threads: [[Operation]], timeIsFree: Bool = false, cells: [String: Int] = [:]) {
    beginning = State(threads: threads.map { Thread(body: $0) }, cells: cells)
    self.timeIsFree = timeIsFree
    state = beginning
    // Numbered before anything runs, so that every run and every other model of the program has the same numbers.
    for name in ["x", "y", "lock a", "lock b", "semaphore s"] { _ = object(name) }
    for thread in threads {
      for operation in thread { number(operation) }
    }
  }

  private func number(_ operation: Operation) {
    switch operation {
    case .write(let name, _), .read(let name), .add(let name, _), .pick(let name), .exchange(let name, _, _):
      _ = object(name)
    case .follow(let name, let other): _ = (object(name), object(other))
    case .lock(let name), .unlock(let name): _ = object("lock " + name)
    case .post(let name), .take(let name): _ = object("semaphore " + name)
    case .sleep, .jump, .choose: break
    }
  }

  var isStuck: Bool { state.threads.contains { !$0.isOver } }

  // MARK: Explorable

  func start() {
    state = beginning
    var step = StepRecord()
    settle(&step)
  }

  func save(reusing spare: State?) -> State { state }
  func restore(_ snapshot: State) { state = snapshot }

  func look(after last: Int32, into point: inout ChoicePoint) {
    point.clear()
    for (index, thread) in state.threads.enumerated() where !thread.isOver && thread.wakeTime == nil {
      let actor = Int32(index + 1)
      if let need = need(of: thread.body[thread.next]), available(need.object) & need.bits != need.bits {
        point.blocked.append(BlockedActor(actor: actor, need: need))
      } else if actor == last {
        point.enabled.insert(actor, at: 0)
      } else {
        point.enabled.append(actor)
      }
    }
    guard timeIsFree else { return }
    if nextTime != nil {
      point.enabled.append(clockActor)
    } else {
      point.blocked.append(BlockedActor(actor: clockActor, need: Need(object: Self.clock, bits: 1)))
    }
  }

  func take(_ actor: Int32, _ alternative: Int32, into step: inout StepRecord) {
    if actor == clockActor {
      moveClock(&step)
    } else {
      perform(Int(actor) - 1, alternative, &step)
    }
    settle(&step)
  }

  private var nextTime: Int? { state.threads.compactMap { $0.isOver ? nil : $0.wakeTime }.min() }

  /// What needs no choice: jumps, the beginning of a sleep, and the clock when nobody can go on.
  private func settle(_ step: inout StepRecord) {
    while true {
      for index in state.threads.indices { goOn(index, &step) }
      guard !timeIsFree, nextTime != nil else { return }
      var point = ChoicePoint()
      look(after: -1, into: &point)
      guard point.enabled.isEmpty else { return }
      if !step.movedClock { for blocked in point.blocked { step.held.append(blocked.actor) } }
      step.movedClock = true
      moveClock(&step)
    }
  }

  private func goOn(_ index: Int, _ step: inout StepRecord) {
    while !state.threads[index].isOver, state.threads[index].wakeTime == nil {
      switch state.threads[index].body[state.threads[index].next] {
      case .jump(let place, let value):
        state.threads[index].next = state.threads[index].last == value ? place : state.threads[index].next + 1
      case .sleep(let duration):
        state.threads[index].next += 1
        touchClock(&step) { state.threads[index].wakeTime = state.time + duration }
      default: return
      }
    }
  }

  private func moveClock(_ step: inout StepRecord) {
    guard let time = nextTime else { return }
    state.time = time
    // Nobody's choice is no step that others could come before.
    if timeIsFree { step.need = Need(object: Self.clock, bits: 1) }
    let due = state.threads.indices.filter { state.threads[$0].wakeTime == time }
    touchClock(&step) { for index in due { state.threads[index].wakeTime = nil } }
    if timeIsFree { for index in due { step.lessons.append(Lesson(Int32(index + 1), from: clockActor)) } }
  }

  /// The clock, as an object: with it, when something is due next.
  private static let clock: UInt32 = 0

  private func touchClock(_ step: inout StepRecord, _ change: () -> Void) {
    let before = available(Self.clock)
    change()
    if timeIsFree { step.add(Touch(Self.clock, changes: true, before: before, after: available(Self.clock))) }
  }

  private func object(_ name: String) -> UInt32 {
    if let object = objects[name] { return object }
    let object = UInt32(objects.count + 1)
    objects[name] = object
    return object
  }

  private func available(_ object: UInt32) -> UInt8 {
    if object == Self.clock { return nextTime == nil ? 0 : 1 }
    guard let name = objects.first(where: { $0.value == object })?.key else { return 0xFF }
    if name.hasPrefix("lock ") { return state.holders[name] == nil ? 1 : 0 }
    return state.cells[name, default: 0] > 0 ? 1 : 0
  }

  private func need(of operation: Operation) -> Need? {
    switch operation {
    case .lock(let name): Need(object: object("lock " + name), bits: 1)
    case .take(let name): Need(object: object("semaphore " + name), bits: 1)
    default: nil
    }
  }

  private func perform(_ index: Int, _ alternative: Int32, _ step: inout StepRecord) {
    let operation = state.threads[index].body[state.threads[index].next]
    state.threads[index].next += 1
    switch operation {
    case .write(let cell, let value):
      state.cells[cell] = value(state.threads[index])
      step.add(Touch(object(cell), changes: true))
    case .read(let cell):
      state.threads[index].last = state.cells[cell, default: 0]
      state.log.append(state.threads[index].last)
      step.add(Touch(object(cell), changes: false))
    case .add(let cell, let value):
      state.cells[cell, default: 0] += value
      step.add(Touch(object(cell), changes: true))
    case .lock(let name): touch("lock " + name, &step, needed: true) { state.holders["lock " + name] = index }
    case .unlock(let name): touch("lock " + name, &step) { state.holders["lock " + name] = nil }
    case .post(let name): touch("semaphore " + name, &step) { state.cells["semaphore " + name, default: 0] += 1 }
    case .take(let name):
      touch("semaphore " + name, &step, needed: true) { state.cells["semaphore " + name, default: 0] -= 1 }
    case .choose(let count):
      step.alternatives = Int32(count)
      state.threads[index].last = Int(alternative)
      state.log.append(Int(alternative))
    case .pick(let cell):
      let count = max(1, min(3, state.cells[cell, default: 0]))
      step.alternatives = Int32(count)
      state.threads[index].last = min(Int(alternative), count - 1)
      state.log.append(state.threads[index].last)
      state.cells[cell] = 0
      step.add(Touch(object(cell), changes: true))
    case .exchange(let cell, let old, let new):
      let isEqual = state.cells[cell, default: 0] == old
      if isEqual { state.cells[cell] = new }
      step.add(Touch(object(cell), changes: isEqual))
    case .follow(let cell, let other):
      let value = state.cells[cell, default: 0]
      state.threads[index].last = value
      state.log.append(value)
      step.add(Touch(object(cell), changes: false))
      if value % 2 != 0 {
        state.cells[other, default: 0] += 1
        step.add(Touch(object(other), changes: true))
      }
    case .sleep, .jump: break
    }
  }

  private func touch(_ name: String, _ step: inout StepRecord, needed: Bool = false, _ change: () -> Void) {
    let object = object(name)
    let before = available(object)
    change()
    step.add(Touch(object, changes: true, before: before, after: available(object)))
    if needed { step.need = Need(object: object, bits: 1) }
  }
}

/// What an exploration of a model comes to.
struct Tally: Equatable {
  var runs = 0
  /// Those that were not given up as redundant.
  var completeRuns = 0
  var traces: Set<TraceHash> = []
  var interleavings = 0.0
  var stuck = 0
  var stuckInterleavings = 0.0
  /// How many traces have so many preemptions at least.
  var preemptions: [Int: Int] = [:]
  var chance = 0.0
  var stuckPreemptions: Int?
}

extension Model {
  /// One run for each trace.
  func reduced(maximumPreemptions: Int? = nil, limit: Int = 1_000_000, each: (Model) -> Void = { _ in }) -> Tally {
    var tally = Tally()
    var reduction = OptimalReduction(self, maximumPreemptions: maximumPreemptions)
    var analyzer = TraceAnalyzer()
    search: while tally.runs < limit {
      switch reduction.nextRun() {
      case .over: break search
      case .redundant, .beyondBound:
        tally.runs += 1
        continue
      case .run:
        tally.runs += 1
        tally.completeRuns += 1
      }
      tally.traces.insert(reduction.trail.traceHash)
      let analysis = reduction.withEnd { analyzer.analyze($0, $1) }
      tally.interleavings += analysis.interleavings
      tally.preemptions[analysis.preemptions, default: 0] += 1
      tally.chance += analysis.chance
      if isStuck {
        tally.stuck += 1
        tally.stuckInterleavings += analysis.interleavings
        tally.stuckPreemptions = min(tally.stuckPreemptions ?? .max, analysis.preemptions)
      }
      each(self)
    }
    return tally
  }

  /// Every interleaving; the same figures, found in the simple way.
  func enumerated() -> Tally {
    var tally = Tally()
    var enumeration = Enumeration(self)
    var least: [TraceHash: (preemptions: Int, isStuck: Bool)] = [:]
    while case .run = enumeration.nextRun() {
      tally.interleavings += 1
      let hash = enumeration.trail.traceHash
      let preemptions = enumeration.trail.preemptions
      least[hash] = (min(least[hash]?.preemptions ?? .max, preemptions), isStuck)
      if isStuck { tally.stuckInterleavings += 1 }
      var chance = 1.0
      for index in enumeration.trail.events.indices {
        chance /= Double(enumeration.trail.events[index].enabledCount * enumeration.trail.events[index].alternatives)
      }
      tally.chance += chance
    }
    tally.traces = Set(least.keys)
    tally.runs = least.count
    for (_, value) in least {
      tally.preemptions[value.preemptions, default: 0] += 1
      if value.isStuck {
        tally.stuck += 1
        tally.stuckPreemptions = min(tally.stuckPreemptions ?? .max, value.preemptions)
      }
    }
    return tally
  }
}
