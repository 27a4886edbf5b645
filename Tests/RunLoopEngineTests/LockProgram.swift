import RunLoopEngine

// Locks, conditions, semaphores and shared memory in a program.

/// Makes a lock of a kind.
func make(_ kind: LockKind, _ name: String, value: Int64 = 0) -> Instruction {
  Instruction { machine, _ in
    machine.locks[name] = machine.simulation.makeLock(kind, name: machine.name(name), value: value)
    return .next
  }
}

private func lockOperation(
  _ name: String, _ line: Int, _ make: @escaping @Sendable (LockID) -> RunLoopEngine.Operation
) -> Instruction {
  operation(line: line) { machine, _ in make(machine.locks[name]!) }
}

func lock(_ name: String, line: Int = #line) -> Instruction { lockOperation(name, line) { .lock($0) } }
func tryLock(_ name: String) -> Instruction { lockOperation(name, 0) { .tryLock($0) } }
func lock(_ name: String, before date: Double) -> Instruction {
  lockOperation(name, 0) { .lockBefore($0, Nanoseconds(seconds: date)) }
}
func unlock(_ name: String) -> Instruction { lockOperation(name, 0) { .unlock($0) } }
func breakLock(_ name: String) -> Instruction { lockOperation(name, 0) { .breakLock($0) } }
func readLock(_ name: String) -> Instruction { lockOperation(name, 0) { .readLock($0) } }
func writeLock(_ name: String) -> Instruction { lockOperation(name, 0) { .writeLock($0) } }
func tryReadLock(_ name: String) -> Instruction { lockOperation(name, 0) { .tryReadLock($0) } }
func tryWriteLock(_ name: String) -> Instruction { lockOperation(name, 0) { .tryWriteLock($0) } }
func lock(_ name: String, when value: Int64, before date: Double = .infinity) -> Instruction {
  lockOperation(name, 0) { .lockWhen($0, value, before: Nanoseconds(seconds: date)) }
}
func unlock(_ name: String, with value: Int64) -> Instruction { lockOperation(name, 0) { .unlockWith($0, value) } }
func conditionValue(_ name: String) -> Instruction { lockOperation(name, 0) { .conditionValue($0) } }

func wait(for name: String, line: Int = #line) -> Instruction { lockOperation(name, line) { .waitForCondition($0) } }
func wait(for name: String, until date: Double) -> Instruction {
  lockOperation(name, 0) { .waitForConditionUntil($0, Nanoseconds(seconds: date)) }
}
func signal(condition name: String) -> Instruction { lockOperation(name, 0) { .signalCondition($0, all: false) } }
func broadcast(_ name: String) -> Instruction { lockOperation(name, 0) { .signalCondition($0, all: true) } }

func semaphore(_ name: String, value: Int64 = 0) -> Instruction {
  Instruction { machine, _ in
    machine.semaphores[name] = machine.simulation.makeSemaphore(name: machine.name(name), value: value)
    return .next
  }
}
func take(_ name: String, before date: Double = .infinity, line: Int = #line) -> Instruction {
  operation(line: line) { machine, _ in
    .waitForSemaphore(machine.semaphores[name]!, before: Nanoseconds(seconds: date))
  }
}
func give(_ name: String) -> Instruction { operation { machine, _ in .signalSemaphore(machine.semaphores[name]!) } }

func synchronized(_ name: String, @Body _ body: () -> [Instruction]) -> Instruction {
  let body = body()
  return operation { machine, _ in .synchronized(machine.locks[name]!, machine.procedure(body)) }
}
func once(_ name: String, @Body _ body: () -> [Instruction]) -> Instruction {
  let body = body()
  return operation { machine, _ in .once(machine.locks[name]!, machine.procedure(body)) }
}

func atomic(_ name: String, _ value: AtomicValue) -> Instruction {
  Instruction { machine, _ in
    machine.atomics[name] = machine.simulation.makeAtomic(name: machine.name(name), value: value)
    return .next
  }
}
func change(_ name: String, _ action: AtomicAction) -> Instruction {
  operation { machine, _ in .atomic(machine.atomics[name]!, action) }
}
func shared(_ name: String, _ value: Int64) -> Instruction {
  Instruction { machine, _ in
    machine.cells[name] = machine.simulation.makeShared(name: machine.name(name), value: HostValue(rawValue: value))
    return .next
  }
}
func get(_ name: String) -> Instruction { operation { machine, _ in .getShared(machine.cells[name]!) } }
func set(_ name: String, _ value: Int64) -> Instruction {
  operation { machine, _ in
    var text = "\(value)"
    let range = text.withUTF8 { machine.simulation.addText($0) }
    return .setShared(machine.cells[name]!, HostValue(rawValue: value), text: range)
  }
}

extension Show {
  /// What happens to locks, conditions and semaphores, logged texts and faults.
  static let locks = Show(kinds: [
    .lock, .lockWait, .lockBusy, .unlock, .lockBreak, .conditionWait, .conditionSignal, .conditionWake, .semaphoreWait,
    .semaphoreSignal, .semaphoreWake, .log, .fault,
  ])
}
