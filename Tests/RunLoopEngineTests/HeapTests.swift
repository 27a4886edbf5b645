import Testing

@testable import RunLoopEngine

@Suite("Agenda and TimerHeap")
struct HeapTests {
  @Test("The agenda gives what is due by moment, equal ones in order of making, deadlines last", arguments: 0..<10)
  func agenda(seed: Int) {
    struct Model {
      var slot: Int32
      var kind: Agenda.Kind
      var target: Int32
      var nanoseconds: Nanoseconds
      var made: Int
      var key: (Nanoseconds, Int, Int) { (nanoseconds, kind == .deadline ? 1 : 0, made) }
    }
    var random = SplitMix64(seed: UInt64(seed))
    var agenda = Agenda()
    var model: [Model] = []
    var made = 0
    for step in 0..<700 {
      let isGrowing = step < 500
      switch random.below(10) {
      case 0..<(isGrowing ? 5 : 1):
        made += 1
        let kind = [Agenda.Kind.thread, .timerPort, .deadline, .mainQueue][random.below(4)]
        let moment = Nanoseconds(random.below(50))
        let slot = agenda.schedule(kind, Int32(step), at: moment)
        if model.contains(where: { $0.slot == slot }) { Issue.record("slot \(slot) is given twice") }
        model.append(Model(slot: slot, kind: kind, target: Int32(step), nanoseconds: moment, made: made))
      case 5, 6:
        guard !model.isEmpty else { continue }
        made += 1
        let index = random.below(model.count)
        model[index].nanoseconds = Nanoseconds(random.below(50))
        model[index].made = made
        agenda.move(model[index].slot, to: model[index].nanoseconds)
      case 7:
        guard !model.isEmpty else { continue }
        let index = random.below(model.count)
        agenda.cancel(model.remove(at: index).slot)
      default:
        guard let least = model.indices.min(by: { model[$0].key < model[$1].key }) else { continue }
        agenda.cancel(model.remove(at: least).slot)
      }
      guard let least = model.min(by: { $0.key < $1.key }) else { continue }
      let meaning = agenda.meaning(least.slot)
      guard !agenda.isEmpty, agenda.first.slot == least.slot, agenda.first.nanoseconds == least.nanoseconds,
        Agenda.isDeadline(agenda.first) == (least.kind == .deadline), meaning.kind == least.kind,
        meaning.target == least.target
      else {
        Issue.record("step \(step): the agenda does not give slot \(least.slot)")
        return
      }
    }
    var copy = Agenda()
    copy.assign(agenda)
    var drained: [Int32] = []
    while !agenda.isEmpty {
      drained.append(agenda.first.slot)
      agenda.cancel(agenda.first.slot)
    }
    #expect(drained == model.sorted { $0.key < $1.key }.map(\.slot))
    #expect(copy.isEmpty == drained.isEmpty)
    if !copy.isEmpty { #expect(copy.first.slot == drained[0]) }
  }

  @Test("The timer heaps of several modes agree with sorted lists", arguments: 0..<8)
  func timerHeap(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let modeCount = 3
    let timerCount = 200
    var places = TimerPlaces()
    for _ in 0..<timerCount {
      places.append(
        TimerRecord(callback: .none, fire: Instant(0), date: 0, interval: 0, period: 0),
        TimerDetails(name: .none, order: 0))
    }
    var heaps = Array(repeating: TimerHeap(), count: modeCount)
    defer { for heap in heaps { heap.free() } }
    var lists: [[TimerHeap.Entry]] = Array(repeating: [], count: modeCount)
    var sequence: UInt64 = 0
    for _ in 0..<3000 {
      let mode = random.below(modeCount)
      let timer = Int32(random.below(timerCount))
      let isIn = lists[mode].contains { $0.timer == timer }
      if (places.place(of: timer, in: Int32(mode)) >= 0) != isIn { Issue.record("timer \(timer) in mode \(mode)") }
      sequence += 1
      let fire = Instant(Nanoseconds(random.below(20)), tick: UInt32(random.below(3)))
      let entry = TimerHeap.Entry(fire: fire, timer: timer, sequence: sequence)
      switch (isIn, random.below(2)) {
      case (false, _):
        places.enter(timer, mode: Int32(mode))
        heaps[mode].insert(entry, mode: Int32(mode), places: &places)
        lists[mode].append(entry)
      case (true, 0):
        heaps[mode].remove(at: places.place(of: timer, in: Int32(mode)), mode: Int32(mode), places: &places)
        places.leave(timer, mode: Int32(mode))
        lists[mode].removeAll { $0.timer == timer }
      case (true, _):
        let place = places.place(of: timer, in: Int32(mode))
        heaps[mode].reposition(at: place, entry, mode: Int32(mode), places: &places)
        lists[mode].removeAll { $0.timer == timer }
        lists[mode].append(entry)
      }
      lists[mode].sort(by: <)
      let limit = Nanoseconds(random.below(20))
      guard agree(heaps[mode], lists[mode], places, Int32(mode), limit: limit) else {
        Issue.record("heap and list of mode \(mode) differ")
        return
      }
    }
    let clone = heaps[0].clone()
    defer { clone.free() }
    let isSame = agree(clone, lists[0], places, 0, limit: 20)
    #expect(isSame)
  }

  /// Whether a heap is one, tells the places rightly, and has the same entries in the same order as a sorted list.
  private func agree(
    _ heap: TimerHeap, _ list: [TimerHeap.Entry], _ places: borrowing TimerPlaces, _ mode: Int32, limit: Nanoseconds
  ) -> Bool {
    guard heap.count == list.count, heap.isEmpty == list.isEmpty else { return false }
    guard let first = list.first else { return true }
    let due = list.filter { $0.fire.nanoseconds <= limit }
    var heap = heap
    guard heap.first.timer == first.timer,
      heap.sorted(through: .distantFuture).map(\.timer) == list.map(\.timer),
      heap.sorted(through: limit).map(\.timer) == due.map(\.timer),
      due.isEmpty || heap.isRootAlone(through: limit) == (due.count == 1)
    else { return false }
    for place in 0..<heap.count {
      guard places.place(of: heap[place].timer, in: mode) == place else { return false }
      if place > 0, heap[place] < heap[(place - 1) / 8] { return false }
    }
    return true
  }

  @Test("A timer's modes are told in order of adding")
  func modesOfTimer() {
    var places = TimerPlaces()
    for _ in 0..<2 {
      places.append(
        TimerRecord(callback: .none, fire: Instant(0), date: 0, interval: 0, period: 0),
        TimerDetails(name: .none, order: 0))
    }
    for mode in [4, 2, 7, 1] as [Int32] { places.enter(0, mode: mode) }
    places.enter(1, mode: 2)
    #expect(places.modes(of: 0) == [4, 2, 7, 1])
    places.leave(0, mode: 7)
    places.leave(0, mode: 9)
    #expect(places.modes(of: 0) == [4, 2, 1])
    places.leave(0, mode: 4)
    #expect(places.modes(of: 0) == [2, 1])
    places.enter(0, mode: 4)
    #expect(places.modes(of: 0) == [2, 1, 4])
    for mode in [1, 2, 4] as [Int32] { places.leave(0, mode: mode) }
    #expect(places.modes(of: 0).isEmpty)
    #expect(places.modes(of: 1) == [2])
  }
}
