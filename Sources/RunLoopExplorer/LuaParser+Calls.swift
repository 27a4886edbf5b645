/// Calls: what is called, with what, and what that may do to it.
extension LuaParser {
  mutating func call(
    _ name: String, _ receiver: LuaProgram.Value, _ receiverName: String, _ callee: LuaProgram.Value
  ) -> LuaProgram.Value {
    let index = program.calls.count
    var variable: Int?
    if case .variable(let named) = callee { variable = named }
    program.calls.append(
      LuaProgram.Call(
        function: function, name: name, callee: variable, calleeCell: program.cell(callee), cell: program.flow.make(),
        receiver: receiver, receiverName: receiverName, token: place, loop: mainLoop,
        file: file, isInLoop: loops > 0, ownLoop: ownLoop, line: line,
        isTopLevel: scopes.count == 2))
    let values = arguments(index)
    program.calls[index].arguments = values
    for value in values { pass(value, to: index) }
    callMethod(of: index)
    return .call(index)
  }

  /// `pcall(thread.start, thread)` is a call of `thread:start()`, too.
  private mutating func callMethod(of index: Int) {
    guard let method = program.calls[index].method else { return }
    var call = program.calls[index]
    call.name = ":" + method
    (call.method, call.callee, call.calleeCell) = (nil, nil, -1)
    call.receiver = call.arguments.count > 1 ? call.arguments[1] : .other(-1)
    call.arguments = Array(call.arguments.dropFirst(2))
    call.isTopLevel = false
    program.calls.append(call)
  }

  static let readers: Set<String> = [
    "ipairs", "pairs", "next", "select", "type", "tostring", "tonumber", "assert", "error", "print", "rawget", "rawlen",
    "rawequal", "getmetatable", "require", "table.concat", "table.unpack", "rl.log", "rl.expect", "rl.describe",
  ]

  /// What takes a table for what it is, and does not look into it.
  static let tokenTakers: Set<String> = ["rl.synchronized", "rl.once"]

  static let changers: Set<String> = [
    "table.insert", "table.remove", "table.sort", "table.move", "rawset", "setmetatable",
  ]

  /// A table that somebody is given may be changed there.
  mutating func pass(_ value: LuaProgram.Value, to call: Int) {
    let name = program.calls[call].name
    if case .call = value, Self.changers.contains(name) {
      program.writesToCalls.append(
        LuaProgram.Use(
          variable: -1, function: function, kind: .contentWrite, file: file, line: line, token: place, loop: mainLoop))
    }
    guard case .variable(let variable) = value else { return }
    let isChanged = Self.changers.contains(name)
    guard isChanged || program.variables[variable].isTable, !Self.tokenTakers.contains(name) else { return }
    use(variable, isChanged || !Self.readers.contains(name) ? .contentWrite : .contentRead, at: place - 1)
    program.uses[program.uses.count - 1].call = call
  }

  mutating func arguments(_ call: Int?) -> [LuaProgram.Value] {
    if isAt("{") { return [nest(.other(-1)) { $0.table(call) }] }
    if !isAt("(") {
      if let call, program.calls[call].name == "require" { require(call) }
      place += 1
      return []
    }
    place += 1
    if let call, program.calls[call].name == "require" { require(call) }
    var values: [LuaProgram.Value] = []
    while place < tokens.count, !isAt(")") {
      let start = place
      let firstUse = program.uses.count
      let known = program.passedOn.count
      // A table is an argument by itself unless something hangs on it.
      values.append(isAt("{") ? nest(.other(-1)) { $0.operation($0.table(call)) } : expression())
      if values.count == 1, let call, Self.changers.contains(program.calls[call].name) {
        // What is changed is in the table of a variable.
        for use in firstUse..<program.uses.count where program.uses[use].kind == .contentRead {
          program.uses[use].kind = .contentWrite
        }
      }
      if values.count == 1, let call, program.calls[call].name == "pcall", isAt(","),
        program.passedOn.count == known + 1, let passed = program.passedOn.last, passed.object != nil
      {
        program.calls[call].method = passed.name
        program.passedOn.removeLast()
      }
      mark(values[values.count - 1], call)
      _ = take(",")
      if place == start { place += 1 }
    }
    _ = take(")")
    return values
  }

  /// Notes that the use that was seen last is an argument.
  mutating func mark(_ value: LuaProgram.Value, _ call: Int?) {
    guard case .variable(let variable) = value, let last = program.uses.indices.last else { return }
    if program.uses[last].variable == variable { program.uses[last].call = call }
  }

  mutating func require(_ call: Int) {
    guard place < tokens.count, tokens[place].kind == .other, let name = tokens[place].string else { return }
    program.calls[call].receiverName = name
    program.required.append(name)
  }
}
