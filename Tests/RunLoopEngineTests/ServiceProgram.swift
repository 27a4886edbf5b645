import RunLoopEngine

// Objects, pools, notifications, message ports and settings of threads in a program.

// MARK: Memory

/// Makes an object; `dealloc` is called when it goes.
func object(_ name: String, @Body dealloc: () -> [Instruction] = { [] }) -> Instruction {
  let body = dealloc()
  return Instruction { machine, _ in
    machine.objects[name] = machine.simulation.makeObject(name: machine.name(name), dealloc: machine.procedure(body))
    return .next
  }
}
func retain(_ name: String) -> Instruction { operation { machine, _ in .retain(machine.objects[name]!) } }
func release(_ name: String, line: Int = #line) -> Instruction {
  operation(line: line) { machine, _ in .release(machine.objects[name]!) }
}
func autorelease(_ name: String) -> Instruction { operation { machine, _ in .autorelease(machine.objects[name]!) } }
/// Makes an object and autoreleases it.
func temporary(_ name: String, @Body dealloc: () -> [Instruction] = { [] }) -> [Instruction] {
  [object(name, dealloc: dealloc), autorelease(name)]
}
func pool(_ name: String) -> Instruction {
  Instruction { machine, thread in
    machine.pools[name] = machine.simulation.pushPool(name: machine.name(name), on: thread)
    return .next
  }
}
func drain(_ name: String, line: Int = #line) -> Instruction {
  operation(line: line) { machine, _ in .drain(machine.pools[name]!) }
}
func autoreleasePool(@Body _ body: () -> [Instruction]) -> Instruction {
  let body = body()
  return operation { machine, _ in .autoreleasePool(machine.procedure(body)) }
}

/// What the function returns when it has come to its end.
func returns(_ value: Int64) -> Instruction {
  Instruction { machine, _ in
    machine.returnValue = HostValue(rawValue: value)
    return .next
  }
}

// MARK: Notifications

/// Adds an observer of a notification; `of` is the thread whose notifications are wanted, nil for anybody's.
func observe(
  _ name: String, as token: String, of thread: String? = nil, @Body _ body: () -> [Instruction]
) -> Instruction {
  let body = body()
  return operation { machine, _ in
    let made = machine.simulation.makeNotificationObserver(
      name: machine.name(name), sender: thread.map { .thread(machine.thread($0)) } ?? .any,
      callback: machine.procedure(body))
    machine.tokens[token] = made
    return .addNotificationObserver(made)
  }
}
func stopObserving(_ token: String) -> Instruction {
  operation { machine, _ in .removeNotificationObserver(machine.tokens[token]!) }
}
func postNotification(_ name: String, from sender: NotificationSender = .any) -> Instruction {
  operation { machine, _ in .postNotification(machine.name(name), sender, info: .none) }
}

// MARK: Message ports

/// Makes a message port, and adds it to a mode of the current loop.
func messagePort(
  _ name: String, in mode: String? = "default", @Body receive: () -> [Instruction] = { [] }
) -> [Instruction] {
  let body = receive()
  let make = Instruction { machine, _ in
    let port = machine.simulation.makeMessagePort(name: machine.name(name), receive: machine.procedure(body))
    machine.items[name] = .port(port)
    return .next
  }
  return [make] + (mode.map { [add(name, in: $0)] } ?? [])
}
func request(
  _ name: String, _ id: Int64, _ text: String = "m", send: Double = .infinity, receive: Double = .infinity,
  mode: String? = "reply"
) -> Instruction {
  operation { machine, _ in
    var text = text
    return .request(
      MessageRequest(
        port: machine.port(name), id: id, data: .none, text: text.withUTF8 { machine.simulation.addText($0) },
        sendTimeout: Nanoseconds(seconds: send), receiveTimeout: Nanoseconds(seconds: receive),
        replyMode: mode.map { machine.name($0) } ?? .none))
  }
}

// MARK: Settings

func setPriority(_ name: String, _ priority: Double) -> Instruction {
  operation { machine, _ in .setPriority(machine.thread(name), priority) }
}
func setStackSize(_ name: String, _ size: Int64) -> Instruction {
  operation { machine, _ in .setStackSize(machine.thread(name), size) }
}

/// Runs a program on a machine with so many cores.
func simulate(
  cores: Int, quantum: Double = .infinity, seed: UInt64? = nil, maximumSteps: Int? = nil,
  @Body _ main: () -> [Instruction]
) -> Machine {
  var configuration = Configuration()
  configuration.cores = cores
  configuration.quantum = Nanoseconds(seconds: quantum)
  configuration.seed = seed
  configuration.maximumSteps = maximumSteps ?? configuration.maximumSteps
  var machine = Machine(configuration, main: main())
  machine.run()
  return machine
}
