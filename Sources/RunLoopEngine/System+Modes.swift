/// Run loops, their modes and the common set (semantics 2.1).

extension System {
  /// The mode of a loop with this name, -1 when there is none.
  mutating func findMode(_ loop: Int32, _ name: NameID) -> Int32 {
    for mode in loops[Int(loop)].modes where modes[Int(mode)].name == name { return mode }
    return -1
  }

  /// The mode of a loop with this name, made when there is none.
  @discardableResult
  mutating func makeMode(_ loop: Int32, _ name: NameID) -> Int32 {
    let found = findMode(loop, name)
    if found >= 0 { return found }
    let mode = Int32(modes.count)
    modes.append(ModeRecord(name: name, loop: loop, isCommon: loops[Int(loop)].commonModes.contains(name)))
    loops[Int(loop)].modes.append(mode)
    // A port set shows the present state of a port that is put into it.
    if loops[Int(loop)].wakePending { list(ReadyEntry.wakeUp, mode) }
    return mode
  }

  /// Whether a run of the mode would finish at once: nothing in it can ever happen (CFRunLoop: __CFRunLoopModeIsEmpty).
  mutating func isEmpty(_ mode: Int32) -> Bool {
    let index = Int(mode)
    if !modes[index].timers.isEmpty || !modes[index].sources.isEmpty || !modes[index].ports.isEmpty { return false }
    let loop = modes[index].loop
    if loops[Int(loop)].thread == 0, modes[index].isCommon, !isInMainQueueBlock { return false }
    var block = loops[Int(loop)].firstBlock
    while block >= 0 {
      if modeList(blocks[Int(block)].modes, includes: mode) { return false }
      block = blocks[Int(block)].next
    }
    // A request for the common modes is in each of them, and in no mode of that name.
    return modes[index].name == .commonModes || !hasPerforms(for: mode)
  }

  /// Whether something that was asked for in these modes belongs to a mode.
  func modeList(_ list: ModeList, includes mode: Int32) -> Bool {
    func matches(_ name: NameID) -> Bool {
      name == modes[Int(mode)].name || (name == .commonModes && modes[Int(mode)].isCommon)
    }
    if list.list < 0 { return matches(list.single) }
    return modeLists[Int(list.list)].contains(where: matches)
  }

  /// The names in a list of modes.
  func names(in list: ModeList) -> [NameID] {
    list.list < 0 ? [list.single] : modeLists[Int(list.list)]
  }

  /// Makes a mode common: it gets all common items (CFRunLoopAddCommonMode). False when it was common before.
  ///
  /// The sources among the items are left to the caller, whose schedule callbacks are called one after the other.
  mutating func makeCommon(_ loop: Int32, _ name: NameID) -> Bool {
    guard !loops[Int(loop)].commonModes.contains(name) else { return false }
    loops[Int(loop)].commonModes.append(name)
    let mode = findMode(loop, name)
    if mode >= 0 { modes[Int(mode)].isCommon = true }
    return true
  }

  // MARK: Items

  /// Adds anything but a source to one mode; a source is added by its frame, which calls back.
  mutating func insert(_ item: Item, _ loop: Int32, _ name: NameID) {
    switch item {
    case .source: defect("a source is added by a scheduling frame")
    case .port(let port): insertPort(port.rawValue, makeMode(loop, name))
    case .timer(let timer): insertTimer(timer.rawValue, loop, makeMode(loop, name))
    case .observer(let observer): insertObserver(observer.rawValue, loop, makeMode(loop, name))
    }
  }

  /// Takes anything but a source out of one mode.
  mutating func take(_ item: Item, from mode: Int32) {
    switch item {
    case .source: defect("a source is removed by a cancelling frame")
    case .port(let port): removePort(port.rawValue, mode)
    case .timer(let timer): removeTimer(timer.rawValue, mode)
    case .observer(let observer): removeObserver(observer.rawValue, mode)
    }
  }

  /// Whether an item can be added to a loop: it is valid, and belongs to no other loop where it may have only one.
  func canAdd(_ item: Item, to loop: Int32) -> Bool {
    switch item {
    case .source(let source): return sources[source.index].isValid
    case .port(let port): return ports[port.index].isValid
    case .timer(let timer):
      let record = places.timers[timer.index]
      return record.isValid && (record.loop < 0 || record.loop == loop)
    case .observer(let observer):
      let record = observers[observer.index]
      return record.isValid && (record.loop < 0 || record.loop == loop)
    }
  }

  func isIn(_ item: Item, _ mode: Int32) -> Bool {
    switch item {
    case .source(let source): sources[source.index].modes.contains(mode)
    case .port(let port): isIn(port.rawValue, mode)
    case .timer(let timer): places.place(of: timer.rawValue, in: mode) >= 0
    case .observer(let observer): observers[observer.index].modes.contains(mode)
    }
  }

  mutating func contains(_ item: Item, _ loop: Int32, _ name: NameID) -> Bool {
    if case .timer(let timer) = item, places.timers[timer.index].loop != loop { return false }
    if name == .commonModes { return loops[Int(loop)].commonItems.contains(item) }
    let mode = findMode(loop, name)
    return mode >= 0 && isIn(item, mode)
  }

  /// `loop:add…(item, mode)`.
  mutating func add(_ item: Item, _ loop: Int32, _ name: NameID, _ thread: Int32) -> Step {
    noteAdded(item)
    guard !loops[Int(loop)].isGone else { return callOnGoneLoop(loop, thread, item.addingCall) }
    guard canAdd(item, to: loop) else { return .result(.none) }
    if case .source(let source) = item, let failure = refusal(toCall: sources[source.index].schedule, on: thread) {
      return .result(.failure(failure))
    }
    var targets = [name]
    if name == .commonModes {
      loops[Int(loop)].commonItems.add(item)
      // The modes that exist in order of creation, then those that are made by it (2.9).
      let common = loops[Int(loop)].commonModes
      targets = loops[Int(loop)].modes.map { modes[Int($0)].name }.filter(common.contains)
      targets += common.filter { findMode(loop, $0) < 0 }
    }
    guard case .source(let source) = item else {
      for target in targets { insert(item, loop, target) }
      return .result(.none)
    }
    return schedule([source.rawValue], loop, targets, thread)
  }

  /// `loop:remove…(item, mode)`.
  mutating func remove(_ item: Item, _ loop: Int32, _ name: NameID, _ thread: Int32) -> Step {
    guard !loops[Int(loop)].isGone else { return callOnGoneLoop(loop, thread, item.removingCall) }
    if case .source(let source) = item, let failure = refusal(toCall: sources[source.index].cancel, on: thread) {
      return .result(.failure(failure))
    }
    var targets: [Int32] = []
    if name == .commonModes {
      guard loops[Int(loop)].commonItems.remove(item) else { return .result(.none) }
      targets = loops[Int(loop)].modes.filter { modes[Int($0)].isCommon && isIn(item, $0) }
    } else {
      let mode = findMode(loop, name)
      if mode >= 0, isIn(item, mode) { targets = [mode] }
    }
    guard case .source(let source) = item else {
      for target in targets { take(item, from: target) }
      return .result(.none)
    }
    return cancel(targets.map { (source.rawValue, $0) }, thread)
  }

  /// `item:invalidate()`: out of all modes of all loops, for good.
  mutating func invalidate(_ item: Item, _ thread: Int32) -> Step {
    switch item {
    case .source(let source):
      guard sources[source.index].isValid else { return .result(.none) }
      if let failure = refusal(toCall: sources[source.index].cancel, on: thread) { return .result(.failure(failure)) }
      sources[source.index].isValid = false
      forgetFunctions(source.rawValue)
      clearSignal(source.rawValue)
      return cancel(leaving(source.rawValue), thread)
    case .port(let port): invalidatePort(port.rawValue)
    case .timer(let timer): invalidateTimer(timer.rawValue)
    case .observer(let observer): invalidateObserver(observer.rawValue)
    }
    return .result(.none)
  }

  /// The modes that an invalid source leaves: loop after loop, and of each the common items last, as the library does it.
  private func leaving(_ source: Int32) -> [(source: Int32, mode: Int32)] {
    func loop(_ mode: Int32) -> Int32 { modes[Int(mode)].loop }
    let left = sources[Int(source)].modes.sorted { (loop($0), $0) < (loop($1), $1) }
    var cells: [(source: Int32, mode: Int32)] = []
    for (index, mode) in left.enumerated() {
      cells.append((source, mode))
      if index + 1 == left.count || loop(left[index + 1]) != loop(mode) { cells.append((source, ~mode)) }
    }
    return cells
  }

  /// Takes an item off the common items of the loops that these modes belong to.
  mutating func forgetCommonItem(_ item: Item, _ itemModes: [Int32]) {
    for mode in itemModes { loops[Int(modes[Int(mode)].loop)].commonItems.remove(item) }
  }

  /// A call on the loop of a thread that has ended does nothing, and the trace says so.
  mutating func callOnGoneLoop(_ loop: Int32, _ thread: Int32, _ call: StaticString) -> Step {
    if traces(.loop) {
      var event = event(.loopGone, thread)
      event.subject = threads[Int(loops[Int(loop)].thread)].name
      event.other = names.intern(UnsafeBufferPointer(start: call.utf8Start, count: call.utf8CodeUnitCount))
      events.append(event)
    }
    return .result(.none)
  }
}

extension Item {
  /// The call that adds it, for the trace.
  package var addingCall: StaticString {
    switch self {
    case .source: "addSource"
    case .port: "addPort"
    case .timer: "addTimer"
    case .observer: "addObserver"
    }
  }

  /// The call that removes it, for the trace.
  package var removingCall: StaticString {
    switch self {
    case .source: "removeSource"
    case .port: "removePort"
    case .timer: "removeTimer"
    case .observer: "removeObserver"
    }
  }
}
