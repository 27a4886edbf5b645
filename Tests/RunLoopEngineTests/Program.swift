import RunLoopEngine

// What a program is written in. Times are seconds; `thread` names whose loop is meant, nil the current thread's.

// MARK: Making objects

/// Makes a source of version 0, and adds it to a mode of the current loop.
func source(
  _ name: String, order: Int64 = 0, in mode: String? = "default", @Body perform: () -> [Instruction] = { [] },
  @Body schedule: () -> [Instruction] = { [] }, @Body cancel: () -> [Instruction] = { [] }
) -> [Instruction] {
  let bodies = (perform(), schedule(), cancel())
  let make = Instruction { machine, _ in
    let source = machine.simulation.makeSource(
      name: machine.name(name), order: order, perform: machine.procedure(bodies.0),
      schedule: machine.procedure(bodies.1), cancel: machine.procedure(bodies.2))
    machine.items[name] = .source(source)
    return .next
  }
  return [make] + (mode.map { [add(name, in: $0)] } ?? [])
}

/// Makes a port, and adds it to a mode of the current loop.
func port(
  _ name: String, capacity: Int = 5, in mode: String? = "default", @Body receive: () -> [Instruction] = { [] }
) -> [Instruction] {
  let body = receive()
  let make = Instruction { machine, _ in
    let port = machine.simulation.makePort(
      name: machine.name(name), order: 0, capacity: capacity, receive: machine.procedure(body))
    machine.items[name] = .port(port)
    return .next
  }
  return [make] + (mode.map { [add(name, in: $0)] } ?? [])
}

/// Makes a timer, repeating if it has an interval, and adds it to a mode of the current loop.
func timer(
  _ name: String, at date: Double, every interval: Double? = nil, tolerance: Double = 0, order: Int64 = 0,
  in mode: String? = "default", @Body fire: () -> [Instruction] = { [] }
) -> [Instruction] {
  let body = fire()
  let make = Instruction { machine, _ in
    let timer = machine.simulation.makeTimer(
      name: machine.name(name), fireDate: Nanoseconds(seconds: date), interval: interval ?? 0,
      repeats: interval != nil, tolerance: Nanoseconds(seconds: tolerance), order: order,
      fire: machine.procedure(body))
    machine.items[name] = .timer(timer)
    return .next
  }
  return [make] + (mode.map { [add(name, in: $0)] } ?? [])
}

/// Makes an observer, and adds it to a mode of the current loop.
func observer(
  _ name: String, _ activities: Activities, repeats: Bool = true, order: Int64 = 0, in mode: String? = "default",
  @Body handler: () -> [Instruction] = { [] }
) -> [Instruction] {
  let body = handler()
  let make = Instruction { machine, _ in
    let observer = machine.simulation.makeObserver(
      name: machine.name(name), activities: activities, repeats: repeats, order: order,
      handler: machine.procedure(body))
    machine.items[name] = .observer(observer)
    return .next
  }
  return [make] + (mode.map { [add(name, in: $0)] } ?? [])
}

/// Makes a thread without starting it.
func thread(_ name: String, joinable: Bool = false, @Body _ entry: () -> [Instruction]) -> Instruction {
  let body = entry()
  return Instruction { machine, _ in
    machine.threads[name] = machine.simulation.makeThread(
      name: machine.name(name), entry: machine.procedure(body), arguments: .none, joinable: joinable)
    return .next
  }
}

/// Makes and starts a thread.
func spawn(_ name: String, joinable: Bool = false, @Body _ entry: () -> [Instruction]) -> [Instruction] {
  [thread(name, joinable: joinable, entry), start(name)]
}

// MARK: Operations

func operation(
  line: Int = 0, _ make: @escaping @Sendable (inout Machine, ThreadID) -> Operation
) -> Instruction {
  Instruction { machine, thread in .perform(make(&machine, thread), line: Int32(line)) { _, _, _ in } }
}

/// Logs the result of an operation.
func show(_ instruction: Instruction) -> Instruction {
  Instruction { machine, thread in
    guard case .perform(let operation, let line, _) = instruction.body(&machine, thread) else { return .next }
    return .perform(operation, line: line) { machine, result, thread in
      if let text = machine.text(result) { machine.log(text, on: thread) }
    }
  }
}

func start(_ name: String) -> Instruction { operation { machine, _ in .startThread(machine.thread(name)) } }
func join(_ name: String, line: Int = #line) -> Instruction {
  operation(line: line) { machine, _ in .join(machine.thread(name)) }
}
func detach(_ name: String) -> Instruction { operation { machine, _ in .detach(machine.thread(name)) } }
func cancelThread(_ name: String) -> Instruction { operation { machine, _ in .cancelThread(machine.thread(name)) } }
func sleep(until date: Double) -> Instruction {
  operation { _, _ in .sleep(until: Nanoseconds(seconds: date)) }
}
func work(_ time: Double) -> Instruction { operation { _, _ in .work(Nanoseconds(seconds: time)) } }
func yield() -> Instruction { operation { _, _ in .yield } }
func exitThread() -> Instruction { operation { _, _ in .exitThread(.none) } }
func state(_ name: String, _ query: ThreadQuery) -> Instruction {
  operation { machine, _ in .threadState(machine.thread(name), query) }
}

/// `runInMode`; `one` is returnAfterSourceHandled.
func run(_ seconds: Double, in mode: String = "default", one: Bool = false, of thread: String? = nil) -> Instruction {
  operation { machine, current in
    .runInMode(
      machine.loop(thread, current), mode: machine.name(mode), seconds: Nanoseconds(seconds: seconds),
      returnAfterSourceHandled: one)
  }
}
func run() -> Instruction { operation { machine, current in .run(machine.loop(nil, current)) } }
func runMode(_ mode: String = "default", before date: Double) -> Instruction {
  operation { machine, current in
    .runMode(machine.loop(nil, current), mode: machine.name(mode), before: Nanoseconds(seconds: date))
  }
}
func runUntil(_ date: Double) -> Instruction {
  operation { machine, current in .runUntil(machine.loop(nil, current), Nanoseconds(seconds: date)) }
}
func acceptInput(_ mode: String = "default", before date: Double) -> Instruction {
  operation { machine, current in
    .acceptInput(machine.loop(nil, current), mode: machine.name(mode), before: Nanoseconds(seconds: date))
  }
}
func limitDate(_ mode: String = "default") -> Instruction {
  operation { machine, current in .limitDate(machine.loop(nil, current), mode: machine.name(mode)) }
}
func runForever() -> Instruction { operation { machine, current in .runForever(machine.loop(nil, current)) } }

func stop(_ thread: String? = nil) -> Instruction {
  operation { machine, current in .stop(machine.loop(thread, current)) }
}
func wakeUp(_ thread: String? = nil) -> Instruction {
  operation { machine, current in .wakeUp(machine.loop(thread, current)) }
}
func isWaiting(_ thread: String? = nil) -> Instruction {
  operation { machine, current in .isWaiting(machine.loop(thread, current)) }
}
func currentMode(_ thread: String? = nil) -> Instruction {
  operation { machine, current in .currentMode(machine.loop(thread, current)) }
}
func addCommonMode(_ mode: String, of thread: String? = nil) -> Instruction {
  operation { machine, current in .addCommonMode(machine.loop(thread, current), machine.name(mode)) }
}
func add(_ name: String, in mode: String = "default", of thread: String? = nil) -> Instruction {
  operation { machine, current in
    .add(machine.item(name), machine.loop(thread, current), mode: machine.name(mode))
  }
}
func remove(_ name: String, from mode: String = "default", of thread: String? = nil) -> Instruction {
  operation { machine, current in
    .remove(machine.item(name), machine.loop(thread, current), mode: machine.name(mode))
  }
}
func contains(_ name: String, in mode: String = "default", of thread: String? = nil) -> Instruction {
  operation { machine, current in
    .contains(machine.item(name), machine.loop(thread, current), mode: machine.name(mode))
  }
}
func block(
  in modes: String..., of thread: String? = nil, line: Int = #line, @Body _ body: () -> [Instruction]
) -> Instruction {
  let body = body()
  let modes = modes.isEmpty ? ["default"] : modes
  return operation(line: line) { machine, current in
    let list = machine.simulation.makeModeList(modes.map { machine.name($0) })
    return .performBlock(machine.loop(thread, current), modes: list, machine.procedure(body))
  }
}
func nextTimerFireDate(_ mode: String = "default") -> Instruction {
  operation { machine, current in .nextTimerFireDate(machine.loop(nil, current), mode: machine.name(mode)) }
}
func signal(_ name: String, line: Int = #line) -> Instruction {
  operation(line: line) { machine, _ in
    guard case .source(let source) = machine.item(name) else { fatalError("\(name) is no source") }
    return .signal(source)
  }
}
func isSignalled(_ name: String) -> Instruction {
  operation { machine, _ in
    guard case .source(let source) = machine.item(name) else { fatalError("\(name) is no source") }
    return .isSignalled(source)
  }
}
func invalidate(_ name: String) -> Instruction { operation { machine, _ in .invalidate(machine.item(name)) } }
func send(_ name: String, _ text: String = "m", before date: Double = .infinity, line: Int = #line) -> Instruction {
  operation(line: line) { machine, _ in
    var text = text
    let range = text.withUTF8 { machine.simulation.addText($0) }
    return .send(
      machine.port(name), message: .none, text: range, before: Nanoseconds(seconds: date), replyTo: .none)
  }
}
func fire(_ name: String) -> Instruction { operation { machine, _ in .fireTimer(machine.timer(name)) } }
func setNextFireDate(_ name: String, _ date: Double) -> Instruction {
  operation { machine, _ in .setNextFireDate(machine.timer(name), Nanoseconds(seconds: date)) }
}
func setTolerance(_ name: String, _ tolerance: Double) -> Instruction {
  operation { machine, _ in .setTolerance(machine.timer(name), Nanoseconds(seconds: tolerance)) }
}
func async(line: Int = #line, @Body _ body: () -> [Instruction]) -> Instruction {
  let body = body()
  return operation(line: line) { machine, _ in .mainQueueAsync(machine.procedure(body)) }
}
func sync(line: Int = #line, @Body _ body: () -> [Instruction]) -> Instruction {
  let body = body()
  return operation(line: line) { machine, _ in .mainQueueSync(machine.procedure(body)) }
}
func after(_ delay: Double, @Body _ body: () -> [Instruction]) -> Instruction {
  let body = body()
  return operation { machine, _ in .mainQueueAfter(Nanoseconds(seconds: delay), machine.procedure(body)) }
}
/// `thread:perform`.
func perform(
  _ name: String, on thread: String, in modes: [String] = ["common"], wait: Bool = false, line: Int = #line,
  @Body _ body: () -> [Instruction] = { [] }
) -> Instruction {
  let body = body()
  return operation(line: line) { machine, _ in
    let list = machine.simulation.makeModeList(modes.map { machine.name($0) })
    let request = PerformRequest(
      name: machine.name(name), callback: machine.procedure(body), modes: list, wait: wait)
    return .perform(machine.thread(thread), request)
  }
}
func performAfterDelay(
  _ name: String, _ delay: Double, in modes: [String] = ["default"], @Body _ body: () -> [Instruction] = { [] }
) -> Instruction {
  let body = body()
  return operation { machine, _ in
    let list = machine.simulation.makeModeList(modes.map { machine.name($0) })
    let request = PerformRequest(name: machine.name(name), callback: machine.procedure(body), modes: list)
    return .performAfterDelay(Nanoseconds(seconds: delay), request)
  }
}

// MARK: Control

func log(_ text: String) -> Instruction {
  Instruction { machine, thread in
    machine.log(text, on: thread)
    return .next
  }
}

/// Logs what a look at the machine gives.
func log(_ text: @escaping @Sendable (inout Machine, ThreadID) -> String) -> Instruction {
  Instruction { machine, thread in
    let text = text(&machine, thread)
    machine.log(text, on: thread)
    return .next
  }
}

/// Carries the body out at the given passes of this place only, counted from 1.
func on(_ passes: Int..., place: String = #function, line: Int = #line, @Body _ body: () -> [Instruction])
  -> Instruction
{
  let body = body()
  let key = "\(place):\(line)"
  return Instruction { machine, _ in
    machine.counts[key, default: 0] += 1
    return passes.contains(machine.counts[key, default: 0]) ? .enter(body) : .next
  }
}

/// Carries the body out again and again, so many times.
func times(_ count: Int, @Body _ body: () -> [Instruction]) -> [Instruction] {
  let body = body()
  return Array(repeating: Instruction { _, _ in .enter(body) }, count: count)
}

/// Carries the body out for ever.
func forever(@Body _ body: () -> [Instruction]) -> Instruction {
  let body = body()
  @Sendable func again(_ machine: inout Machine, _ thread: ThreadID) -> Instruction.Effect {
    .enter(body + [Instruction(again)])
  }
  return Instruction(again)
}

/// Calls a function that may fail: the error ends here.
func protected(@Body _ body: () -> [Instruction]) -> Instruction {
  let body = body()
  return Instruction { _, _ in .protect(body) }
}

/// Raises an error.
func raise() -> Instruction { Instruction { _, _ in .raise } }

func failExpectation(_ text: String) -> Instruction {
  Instruction { machine, thread in
    var text = text
    text.withUTF8 { machine.simulation.expectationFailed($0, on: thread, at: .unknown) }
    return .next
  }
}
