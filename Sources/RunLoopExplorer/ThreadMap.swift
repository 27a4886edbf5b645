/// Which threads run which functions of a script, worked out from its text: rather too many than too few.
///
/// A *context* is the main thread, or what a place that makes threads makes there. Where it makes several, or where a
/// function may run on threads that cannot be told, several of the same context run side by side.
struct ThreadMap {
  static let main = 0
  /// Some thread or other.
  static let any = -1

  private(set) var program: LuaProgram
  let targets: [Set<Int>]
  /// Main parts of modules that may run once threads have started.
  var lateModules: Set<Int> = []
  private(set) var contexts: [Set<Int>]
  /// Contexts of which there are several threads.
  private(set) var several: Set<Int> = [any]
  /// Functions that start threads, or call some that do.
  var starters: Set<Int> = []
  /// By function: who names it, or makes it where it is called.
  private(set) var callers: [Set<Int>]
  /// By variable: who reads it.
  private var readers: [Int: Set<Int>] = [:]

  static let makers: Set<String> = ["rl.thread", "rl.detach", "rl.performInBackground"]
  private static let startNames: Set<String> = [":start", "rl.detach", "rl.performInBackground"]
  static func starts(_ name: String) -> Bool { startNames.contains(name) || name.hasSuffix(".start") }
  private static let onMain: Set<String> = ["rl.performOnMainThread"]
  /// What has callbacks that a loop calls.
  private static let items: Set<String> = ["rl.source", "rl.timer", "rl.observer", "rl.port", "rl.messagePort"]
  private static let adders: Set<String> = [":addSource", ":addTimer", ":addObserver", ":addPort"]
  private static let onLoop: Set<String> = [":performBlock", ":scheduleTimer"]
  /// What calls functions there and then, or on the loop of the thread that it is called on.
  private static let here: Set<String> = [
    "rl.performAfterDelay", "rl.autoreleasePool", "rl.synchronized", "rl.once", "pcall", "xpcall", "table.sort",
    "string.gsub", "coroutine.wrap", "coroutine.create", "rl.object", "rl.expect", "rl.log", "assert", "type",
  ]

  init(_ calls: LuaCalls) {
    let program = calls.program
    self.program = program
    targets = calls.targets
    contexts = Array(repeating: [], count: program.functions.count)
    callers = Array(repeating: [], count: program.functions.count)
    passFunctions()
    for use in program.uses where use.kind == .read && !isPlaced(use.call) {
      readers[use.variable, default: []].insert(use.function)
    }
    nameCallers()
    if let first = program.mains.first { contexts[first].insert(Self.main) }
    // A module's main part runs where it is required first.
    for module in program.mains.dropFirst() { contexts[module].insert(Self.main) }
    for index in program.calls.indices { note(index) }
    for function in program.loose { contexts[function].insert(Self.any) }
    for (index, call) in program.calls.enumerated() {
      for target in targets[index] { callers[target].insert(call.function) }
      if let main = program.modules[call.receiverName], call.name == "require" { callers[main].insert(call.function) }
    }
    for loop in program.iterations {
      for function in program.flow.functions(in: loop.variables) { callers[function].insert(loop.function) }
    }
    spread()
    findStarters()
    findLateModules()
  }

  // MARK: Who calls whom

  /// Whether a call decides where the functions run that it is given.
  private func isPlaced(_ call: Int?) -> Bool {
    guard let call else { return false }
    let name = program.calls[call].name
    return Self.makers.contains(name) || Self.onMain.contains(name) || Self.onLoop.contains(name)
      || Self.items.contains(name) || name == ":perform" || program.calls[call].receiverName.hasSuffix("mainQueue")
      || targets(program.calls[call]) != nil
  }

  /// The functions of the script that a call may be of; nil when it is not of those.
  private func targets(_ call: LuaProgram.Call) -> [Int]? {
    if let callee = call.callee {
      let functions = program.variables[callee].functions
      return functions.isEmpty ? nil : functions
    }
    guard let mark = call.name.lastIndex(where: { $0 == "." || $0 == ":" }), !call.name.hasPrefix("rl.") else {
      return nil
    }
    return program.fieldFunctions[String(call.name[call.name.index(after: mark)...])]
  }

  /// Functions that functions of the script are given are what these parameters hold.
  private mutating func passFunctions() {
    for _ in 0..<4 {
      for call in program.calls {
        guard let targets = targets(call) else { continue }
        for (index, value) in call.arguments.enumerated() {
          for target in targets where index < program.functions[target].parameters.count {
            let parameter = program.functions[target].parameters[index]
            for function in functions(value) where !program.variables[parameter].functions.contains(function) {
              program.variables[parameter].functions.append(function)
            }
          }
        }
      }
    }
  }

  private mutating func nameCallers() {
    for (variable, record) in program.variables.enumerated() {
      for function in record.functions { callers[function].formUnion(readers[variable, default: []]) }
    }
    for (field, functions) in program.fieldFunctions {
      for function in functions { callers[function].formUnion(program.fieldReaders[field, default: []]) }
    }
  }

  /// Who a call hands functions to.
  private mutating func note(_ index: Int) {
    let call = program.calls[index]
    // The method that `pcall` is given has a call of its own.
    if call.method != nil { return }
    let values = call.arguments + call.fields
    for value in values {
      for function in functions(value) { place(function, call, index, isNamed: isVariable(value)) }
    }
  }

  private func isVariable(_ value: LuaProgram.Value) -> Bool {
    if case .variable = value { true } else { false }
  }

  func functions(_ value: LuaProgram.Value) -> [Int] {
    switch value {
    case .function(let function): [function]
    case .variable(let variable): program.variables[variable].functions
    case .call, .other: program.flow.functions(in: program.cell(value)).sorted()
    case .table, .plain: []
    }
  }

  private mutating func place(_ function: Int, _ call: LuaProgram.Call, _ index: Int, isNamed: Bool) {
    if Self.makers.contains(call.name) {
      let context = index + 1
      // A table that it is given is there for both.
      for case .variable(let variable) in call.arguments where program.variables[variable].isTable {
        program.uses.append(
          LuaProgram.Use(
            variable: variable, function: function, kind: .contentWrite, file: call.file,
            line: program.functions[function].line, token: call.token, loop: call.loop))
      }
      contexts[function].insert(context)
      if call.isInLoop || program.functions[call.function].parent >= 0 { several.insert(context) }
    } else if Self.onMain.contains(call.name) || (call.receiverName.hasSuffix("mainQueue")) {
      contexts[function].insert(Self.main)
    } else if call.name == ":perform" {
      contexts[function].insert(thread(call.receiver, call.receiverName))
    } else if Self.onLoop.contains(call.name) {
      run(function, on: call.receiver, call.receiverName, call.function)
    } else if Self.items.contains(call.name) {
      placeItem(function, index)
    } else if targets(call) == nil {
      callers[function].insert(call.function)
      if !Self.here.contains(call.name) { contexts[function].insert(Self.any) }
    }
  }

  /// The context of the thread that a variable holds.
  private func thread(_ value: LuaProgram.Value, _ name: String) -> Int {
    if name == "rl.mainThread" { return Self.main }
    guard case .variable(let variable) = value, let call = onlyCall(variable) else { return Self.any }
    return Self.makers.contains(program.calls[call].name) ? call + 1 : Self.any
  }

  /// The call that a variable has its only value from.
  private func onlyCall(_ variable: Int) -> Int? {
    program.variables[variable].values.count == 1 ? program.variables[variable].call : nil
  }

  /// A callback of a loop that an expression gives.
  private mutating func run(_ function: Int, on value: LuaProgram.Value, _ name: String, _ from: Int) {
    if name == "rl.mainLoop" {
      contexts[function].insert(Self.main)
      return
    }
    var value = value
    if case .variable(let variable) = value, let call = onlyCall(variable) { value = .call(call) }
    if case .call(let call) = value, program.calls[call].name == "rl.currentLoop" {
      callers[function].insert(program.calls[call].function)
    } else if case .call(let call) = value, program.calls[call].name == ":loop" {
      contexts[function].insert(thread(program.calls[call].receiver, program.calls[call].receiverName))
    } else {
      contexts[function].insert(Self.any)
    }
  }

  /// A callback of a source, timer, observer or port: it runs where that is added, by whatever name.
  private mutating func placeItem(_ function: Int, _ item: Int) {
    let cell = program.flow.root(program.calls[item].cell)
    var isPlaced = false
    for call in program.calls where Self.adders.contains(call.name) {
      guard let argument = call.arguments.first, program.cell(argument) >= 0 else { continue }
      if program.flow.root(program.cell(argument)) == cell, !isOther(argument, than: item) {
        run(function, on: call.receiver, call.receiverName, call.function)
        isPlaced = true
      }
    }
    if !isPlaced { contexts[function].insert(Self.any) }
  }

  /// Whether what is added is known to be what another call has made.
  private func isOther(_ value: LuaProgram.Value, than item: Int) -> Bool {
    switch value {
    case .call(let made): made != item && Self.items.contains(program.calls[made].name)
    case .variable(let variable):
      !program.variables[variable].isUnknown && program.variables[variable].values.count == 1
        && isOther(program.variables[variable].values[0], than: item)
    default: false
    }
  }

  private mutating func spread() {
    var isDone = false
    while !isDone {
      isDone = true
      for function in contexts.indices {
        let all = callers[function].reduce(contexts[function]) { $0.union(contexts[$1]) }
        if all != contexts[function] {
          contexts[function] = all
          isDone = false
        }
      }
    }
    // Nobody was seen to call it.
    for function in contexts.indices where contexts[function].isEmpty { contexts[function] = [Self.any] }
  }
}
