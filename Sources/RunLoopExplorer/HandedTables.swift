/// Finds tables that threads hand to each other by way of `rl`, as messages, arguments, shared values or results, where one
/// of those who have it may change what is in it.
///
/// A table that is made on the spot and given away is its receiver's; one that its giver keeps, and any that lies in an
/// `rl.shared`, belongs to several.
struct HandedTables {
  private let script: PlainVariables
  private var program: LuaProgram { script.program }

  /// Whether an `rl.shared` may hold a table.
  private var sharesTables = false
  private let uses: [Int: [LuaProgram.Use]]

  init(_ script: PlainVariables) {
    self.script = script
    uses = Dictionary(grouping: script.program.uses, by: \.variable)
    for call in script.program.calls where [Self.makesShared, ":set"].contains(call.name) {
      if values(of: call).contains(where: { mayBeTable($0) }) { sharesTables = true }
    }
  }

  private static let makesShared = "rl.shared"

  /// In a sentence, what is found first; nil when there is nothing.
  func find() -> String? {
    guard script.threads.makesThreads, let handed = handedOver(), let write = firstWrite(handed.variables) else {
      return nil
    }
    return "a table that threads hand to each other (\(handed.place)) may be changed by one of them (\(write))"
  }

  // MARK: What is handed over

  /// Tables that more than one thread may have then: the first place, and the variables that hold them.
  private func handedOver() -> (place: String, variables: Set<Int>)? {
    var place: String?
    var variables: Set<Int> = []
    func note(_ value: LuaProgram.Value, _ call: Int?, _ words: String, isShared: Bool) {
      guard mayBeTable(value), isShared || !isGivenAway(value, call) else { return }
      place = place ?? words
      if case .variable(let variable) = value { variables.insert(variable) }
    }
    for (index, call) in program.calls.enumerated() {
      let words = "\(program.files[call.file]):\(call.line)"
      let isShared = [Self.makesShared, ":set"].contains(call.name)
      for value in values(of: call) { note(value, index, words, isShared: isShared) }
    }
    for result in program.givenBack where isCallback(result.function) {
      note(
        result.value, nil, "\(program.files[program.functions[result.function].file]):\(result.line)", isShared: false)
    }
    return place.map { ($0, variables) }
  }

  /// What a call hands over.
  private func values(of call: LuaProgram.Call) -> [LuaProgram.Value] {
    switch call.name {
    case ":send", ":set": Array(call.arguments.prefix(1))
    case ":request": Array(call.arguments.dropFirst().prefix(1))
    case ":perform", "rl.performOnMainThread":
      call.fields + call.arguments.filter { if case .table = $0 { false } else { true } }
    case "rl.performInBackground", "rl.exitThread", "rl.detach": call.arguments
    case Self.makesShared: call.fields
    default: []
    }
  }

  /// Whether a function's results go to whoever joins its thread, or asked for a reply.
  private func isCallback(_ function: Int) -> Bool {
    program.calls.contains { call in
      call.name.hasPrefix("rl.") && !Self.here.contains(call.name)
        && (call.arguments + call.fields).contains { value in
          switch value {
          case .function(let made): made == function
          case .variable(let variable): program.variables[variable].functions.contains(function)
          default: false
          }
        }
    }
  }

  /// What gives a function's results to the thread that calls it.
  private static let here: Set<String> = ["rl.autoreleasePool", "rl.synchronized", "rl.once", "rl.performAfterDelay"]

  // MARK: What values are

  private func mayBeTable(_ value: LuaProgram.Value) -> Bool {
    var seen: Set<Int> = []
    return mayBeTable(value, &seen)
  }

  private func mayBeTable(_ value: LuaProgram.Value, _ seen: inout Set<Int>) -> Bool {
    switch value {
    case .table, .other: return true
    case .plain, .function: return false
    case .call(let call) where program.calls[call].name == ":get":
      return sharesTables || isOfScript(program.calls[call])
    case .call(let call): return Self.mayGiveTable(program.calls[call].name) || isOfScript(program.calls[call])
    case .variable(let variable):
      if program.variables[variable].isUnknown { return true }
      guard seen.insert(variable).inserted else { return false }
      for value in program.variables[variable].values where mayBeTable(value, &seen) { return true }
      return false
    }
  }

  private static let givers: Set<String> = [":join", ":request"]

  private static func mayGiveTable(_ name: String) -> Bool { givers.contains(name) || LuaParser.mayGiveTable(name) }

  /// Whether a method may be one of the script's own.
  private func isOfScript(_ call: LuaProgram.Call) -> Bool {
    call.name.hasPrefix(":") && program.fieldFunctions[String(call.name.dropFirst())] != nil
  }

  /// Whether nobody has a table any more who hands it over.
  private func isGivenAway(_ value: LuaProgram.Value, _ call: Int?) -> Bool {
    switch value {
    case .table(let made): return program.tables[made].allSatisfy { !mayBeTable($0) || isGivenAway($0, nil) }
    case .plain, .function: return true
    case .other, .call: return false
    case .variable(let variable):
      let record = program.variables[variable]
      guard record.owner >= 0, !record.isUnknown, !program.escaping.contains(variable),
        record.values.allSatisfy({ isMadeThere($0) })
      else { return false }
      let uses = uses[variable, default: []]
      guard uses.allSatisfy({ $0.function == record.owner }) else { return false }
      // A function's own ends when it gives it back.
      guard let call else { return true }
      let last = uses.max { $0.token < $1.token }
      return last?.call == call && program.calls[call].ownLoop == record.declaredInLoop
    }
  }

  private func isMadeThere(_ value: LuaProgram.Value) -> Bool {
    if case .table(let made) = value { return program.tables[made].allSatisfy { !mayBeTable($0) || isMadeThere($0) } }
    return !mayBeTable(value)
  }

  // MARK: What is changed

  /// The first place where a table is changed that may be one of those.
  private func firstWrite(_ handed: Set<Int>) -> String? {
    var found: [LuaProgram.Use] = program.writesToCalls
    // What is in those, or what they are in parts of, by whatever name.
    let cells = program.flow.reachable(from: handed.map { program.variables[$0].cell })
    for access in program.accesses where access.kind == .contentWrite && access.call == nil {
      let cell = program.flow.root(access.cell)
      if cells.contains(cell), program.flow.holdsTable(cell), !script.isBeforeThreads(access) { found.append(access) }
    }
    for use in program.uses where use.kind == .contentWrite && !script.isBeforeThreads(use) && !isOnlyPassed(use) {
      var seen: Set<Int> = []
      if mayBeHanded(use.variable, handed, &seen) { found.append(use) }
    }
    return found.min { ($0.file, $0.token) < ($1.file, $1.token) }.map { script.place($0) }
  }

  /// Whether a use only hands the table on: what is not of Lua's own does not change it there.
  private func isOnlyPassed(_ use: LuaProgram.Use) -> Bool {
    use.call.map { !LuaParser.changers.contains(program.calls[$0].name) } ?? false
  }

  /// Whether a variable may hold a table that comes from elsewhere.
  private func mayBeHanded(_ variable: Int, _ handed: Set<Int>, _ seen: inout Set<Int>) -> Bool {
    let record = program.variables[variable]
    if record.isUnknown || handed.contains(variable) { return true }
    guard seen.insert(variable).inserted else { return false }
    for value in record.values {
      switch value {
      case .other: return true
      case .call where mayBeTable(value): return true
      case .variable(let other): if mayBeHanded(other, handed, &seen) { return true }
      case .call, .table, .plain, .function: break
      }
    }
    return false
  }
}
