/// What threads share beside locks: atomic variables, and plain memory.

extension System {
  /// Makes an atomic variable.
  mutating func makeAtomic(name: NameID, value: AtomicValue) -> AtomicID {
    noteMade(.atomic, atomics.count)
    atomics.append(AtomicRecord(name: name, value: value))
    return AtomicID(atomics.count - 1)
  }

  /// Makes a cell of plain memory.
  mutating func makeShared(name: NameID, value: HostValue) -> SharedID {
    noteMade(.shared, cellsOfMemory.count)
    cellsOfMemory.append(SharedRecord(name: name, value: value))
    return SharedID(cellsOfMemory.count - 1)
  }

  /// One operation on an atomic variable.
  mutating func change(_ atomic: Int32, _ action: AtomicAction, _ thread: Int32) -> Step {
    let index = Int(atomic)
    tick &+= 1
    let old = atomics[index].value
    switch action {
    case .load:
      postAtomic(.load, index, thread)
      return .result(.number(old))
    case .store(let value):
      atomics[index].value = value
      postAtomic(.store, index, thread)
      return .result(.none)
    case .add(let value):
      atomics[index].value = old + value
      postAtomic(.add, index, thread)
      return .result(.number(atomics[index].value))
    case .exchange(let value):
      atomics[index].value = value
      postAtomic(.exchange, index, thread)
      return .result(.number(old))
    case .compareExchange(let expected, let new):
      let isEqual = old.equals(expected)
      if isEqual { atomics[index].value = new }
      postAtomic(.compareExchange, index, thread, failed: !isEqual)
      return .result(.bool(isEqual))
    }
  }

  @inline(__always)
  private mutating func postAtomic(_ operation: AtomicOperation, _ index: Int, _ thread: Int32, failed: Bool = false) {
    guard traces(.access) else { return }
    let range = addText(atomics[index].value.text.utf8)
    var event = event(.atomic, thread)
    event.subject = atomics[index].name
    event.a = operation.rawValue
    event.flags = failed ? 1 : 0
    event.textStart = range.start
    event.textLength = range.length
    events.append(event)
  }

  /// `get()`.
  mutating func getShared(_ shared: Int32, _ thread: Int32) -> Step {
    tick &+= 1
    post(.sharedGet, thread, subject: cellsOfMemory[Int(shared)].name)
    return .result(.value(cellsOfMemory[Int(shared)].value))
  }

  /// `set(value)`; the value of before is given up.
  mutating func setShared(_ shared: Int32, _ value: HostValue, _ text: TextRange, _ thread: Int32) -> Step {
    tick &+= 1
    release(cellsOfMemory[Int(shared)].value)
    cellsOfMemory[Int(shared)].value = value
    if traces(.access) {
      var event = event(.sharedSet, thread)
      event.subject = cellsOfMemory[Int(shared)].name
      event.textStart = text.start
      event.textLength = text.length
      events.append(event)
    }
    return .result(.none)
  }
}
