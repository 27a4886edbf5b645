/// Follows values through the calls of a script: into parameters, back out as results, and through Lua's own functions.
///
/// What goes to `rl` and comes from it (messages, arguments, shared values, results of threads) is one cell.
struct LuaCalls {
  private(set) var program: LuaProgram
  /// By call: the functions of the script that it may be of.
  private(set) var targets: [Set<Int>]
  /// What threads hand to each other; what was raised; what goes in and out of coroutines; what is not known.
  private(set) var handed: Int
  private var raised: Int
  private var yielded: Int
  private var unknown: Int

  init(_ program: LuaProgram) {
    self.program = program
    targets = Array(repeating: [], count: program.calls.count)
    handed = self.program.flow.make()
    raised = self.program.flow.make()
    yielded = self.program.flow.make()
    unknown = self.program.flow.makeTable()
    self.program.flow.flatten(unknown)
    noteStrangeTables()
    var known = -1
    while known != self.program.flow.changes {
      known = self.program.flow.changes
      for call in self.program.calls.indices { follow(call) }
      for loop in self.program.iterations.indices { iterate(loop) }
    }
    noteAccesses()
  }

  /// Tables that no constructor of the script makes.
  private mutating func noteStrangeTables() {
    for call in program.calls where ["table.pack", ":modes", "debug.getinfo"].contains(call.name) {
      program.flow.noteTable(call.cell)
    }
  }

  // MARK: One call

  private static let contentGivers: Set<String> = [
    "ipairs", "pairs", "next", "rawget", "table.unpack", "unpack", "table.remove",
  ]
  /// What gives a number, a text or nothing, and keeps nothing.
  private static let plainGivers: Set<String> = [
    "tostring", "tonumber", "type", "rawlen", "rawequal", "print", "collectgarbage", "table.concat",
  ]
  private static let plainLibraries = ["math.", "string.", "os.", "utf8.", "io."]
  private static let received: Set<String> = [":get", ":join", ":request", ":lookup"]
  /// What `rl` only looks at.
  private static let lookers: Set<String> = ["rl.log", "rl.expect", "rl.describe", "rl.trace"]
  /// What calls a function there and then, and gives what it gives.
  private static let callers: Set<String> = ["rl.autoreleasePool", "rl.synchronized", "rl.once"]

  private func cells(_ index: Int) -> [Int] { program.calls[index].arguments.map { program.cell($0) } }

  private mutating func follow(_ index: Int) {
    let call = program.calls[index]
    let (name, result, arguments) = (call.name, call.cell, cells(index))
    let first = arguments.first ?? -1
    targets[index] = scriptTargets(call)
    for target in targets[index] { bind(target, to: arguments, of: call) }
    switch name {
    case "setmetatable":
      // What a metatable has is there as if the table had it, and its functions are given the table.
      for argument in arguments { join(result, argument) }
      program.flow.flatten(result)
      for function in program.flow.functions(in: result) { bindAll(function, to: result) }
    case "select", "assert": for argument in arguments { join(result, argument) }
    case "table.pack": for argument in arguments { join(program.flow.content(of: result), argument) }
    case "table.insert", "rawset":
      for argument in arguments.dropFirst() { join(program.flow.content(of: first), argument) }
    case "table.move":
      let other = arguments.count > 4 ? arguments[4] : first
      join(program.flow.content(of: first), program.flow.content(of: other))
      join(result, other)
    case "table.sort":
      for function in functions(arguments.dropFirst()) { bindAll(function, to: program.flow.content(of: first)) }
    case "pcall", "xpcall":
      join(result, raised)
      // The method that it is given has a call of its own.
      if call.method != nil { break }
      let values = name == "pcall" ? Array(arguments.dropFirst()) : Array(arguments.dropFirst(2))
      for function in functions(arguments.prefix(1)) { bind(function, values, isOpen(call), result) }
      if name == "xpcall" {
        for function in functions(arguments.dropFirst().prefix(1)) { bind(function, [raised], false, result) }
      }
      if functions(arguments.prefix(1)).isEmpty { doUnknown(arguments, result) }
    case "error": join(raised, first)
    case "require":
      if let main = program.modules[call.receiverName] { join(result, program.functions[main].results) }
    case _ where Self.contentGivers.contains(name):
      join(result, program.flow.content(of: first))
      if !call.isIterated, name != "rawget", name != "table.remove" {
        join(result, first)
        program.flow.flatten(result)
      }
    case _ where name.hasPrefix("coroutine."):
      for argument in arguments { join(yielded, argument) }
      join(result, yielded)
      for function in functions([yielded]) { bindAll(function, to: yielded) }
    case _ where Self.plainGivers.contains(name) || Self.plainLibraries.contains { name.hasPrefix($0) }:
      for function in functions(arguments[...]) { join(program.functions[function].results, result) }
    case _ where name.hasPrefix("rl."): followLibrary(call, arguments)
    case _ where name.hasPrefix(":"): if targets[index].isEmpty { followLibrary(call, arguments) }
    default: if targets[index].isEmpty { doUnknown(arguments + [call.calleeCell], result) }
    }
  }

  /// A function or a method of `rl`: it calls the functions that it is given with what others hand over.
  private mutating func followLibrary(_ call: LuaProgram.Call, _ arguments: [Int]) {
    let all = arguments + call.fields.map { program.cell($0) }
    let given = functions(all[...])
    for function in given {
      bindAll(function, to: handed)
      join(Self.callers.contains(call.name) ? call.cell : handed, program.functions[function].results)
    }
    if Self.received.contains(call.name) { join(call.cell, handed) }
    if Self.lookers.contains(call.name) || LuaParser.tokenTakers.contains(call.name) { return }
    for cell in all where cell >= 0 && program.flow.functions(in: cell).isEmpty && !isOptions(cell, call) {
      join(handed, cell)
    }
  }

  /// What is given values after which, or in place of which, no options come.
  private static let valueTakers: Set<String> = ["rl.detach", "rl.exitThread", "rl.performInBackground"]
  /// Methods that are given options, after so many values at least.
  private static let optionTakers = [":scheduleTimer": 0, ":perform": 1, ":send": 1, ":request": 2]

  /// Whether it is the table of named options that a function of `rl` is given.
  private func isOptions(_ cell: Int, _ call: LuaProgram.Call) -> Bool {
    guard case .table(let table) = call.arguments.last, program.tableCells[table] == cell else { return false }
    if call.name.hasPrefix("rl.") { return !Self.valueTakers.contains(call.name) }
    return Self.optionTakers[call.name].map { call.arguments.count > $0 } ?? false
  }

  /// The functions of the script that a call may be of.
  private func scriptTargets(_ call: LuaProgram.Call) -> Set<Int> {
    let found = program.flow.functions(in: call.calleeCell)
    guard let mark = call.name.lastIndex(where: { $0 == "." || $0 == ":" }) else { return found }
    let named = Set(program.fieldFunctions[String(call.name[call.name.index(after: mark)...]), default: []])
    if call.name.hasPrefix("rl.") { return [] }
    return found.isEmpty || !named.isDisjoint(with: found) ? (found.isEmpty ? named : named.intersection(found)) : found
  }

  private func functions(_ cells: some Sequence<Int>) -> Set<Int> {
    cells.reduce(into: []) { $0.formUnion(program.flow.functions(in: $1)) }
  }

  private mutating func join(_ a: Int, _ b: Int) { program.flow.join(a, b) }

  // MARK: Functions

  /// Whether its last argument may be several.
  private func isOpen(_ call: LuaProgram.Call) -> Bool {
    switch call.arguments.last {
    case .call, .other: true
    default: false
    }
  }

  private mutating func bind(_ function: Int, to arguments: [Int], of call: LuaProgram.Call) {
    let receiver = call.name.hasPrefix(":") ? [program.cell(call.receiver)] : []
    bind(function, receiver + arguments, isOpen(call), call.cell)
  }

  private mutating func bind(_ function: Int, _ arguments: [Int], _ isOpen: Bool, _ result: Int) {
    let formal = formals(function)
    for (place, cell) in arguments.enumerated() {
      join(place < formal.count ? formal[place] : program.functions[function].rest, cell)
    }
    if isOpen, let last = arguments.last {
      for cell in formal.dropFirst(arguments.count) { join(cell, last) }
      join(program.functions[function].rest, last)
    }
    join(result, program.functions[function].results)
  }

  private func formals(_ function: Int) -> [Int] {
    let record = program.functions[function]
    return (record.selfCell.map { [$0] } ?? []) + record.parameters.map { program.variables[$0].cell }
  }

  /// All that a function is given is one cell.
  private mutating func bindAll(_ function: Int, to cell: Int) {
    for formal in formals(function) { join(formal, cell) }
    join(program.functions[function].rest, cell)
  }

  /// Something is called of which nothing is known.
  private mutating func doUnknown(_ arguments: [Int], _ result: Int) {
    for cell in arguments + [result] { join(unknown, cell) }
    for function in program.flow.functions(in: unknown) {
      bindAll(function, to: unknown)
      join(program.functions[function].results, unknown)
    }
  }

  private mutating func iterate(_ loop: Int) {
    let (values, variables, _) = program.iterations[loop]
    for value in values { join(variables, program.cell(value)) }
    for function in program.flow.functions(in: variables) { bind(function, [variables, variables], false, variables) }
  }

  // MARK: What calls do to tables

  private mutating func noteAccesses() {
    for (index, call) in program.calls.enumerated() where targets[index].isEmpty {
      let changes = LuaParser.changers.contains(call.name)
      let isKnown =
        changes || LuaParser.readers.contains(call.name) || call.name.hasPrefix("rl.") || call.name.hasPrefix(":")
        || Self.plainLibraries.contains { call.name.hasPrefix($0) } || Self.contentGivers.contains(call.name)
        || Self.plainGivers.contains(call.name) || ["pcall", "xpcall", "table.pack"].contains(call.name)
        || call.name.hasPrefix("coroutine.")
      if LuaParser.tokenTakers.contains(call.name) { continue }
      for (place, value) in call.arguments.enumerated() {
        let cell = program.cell(value)
        guard cell >= 0 else { continue }
        let isChanged = !isKnown || changes && (place == 0 || call.name == "table.move" && place == 4)
        var variable = -1
        if case .variable(let named) = value { variable = named }
        program.accesses.append(
          LuaProgram.Use(
            variable: variable, function: call.function, kind: isChanged ? .contentWrite : .contentRead,
            file: call.file,
            line: call.line, token: call.token, loop: call.loop, call: index, ownLoop: call.ownLoop, cell: cell))
      }
    }
  }
}
