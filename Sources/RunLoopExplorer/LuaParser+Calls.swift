/// Calls: what is called, with what, and what that may do to it.
extension LuaParser {
  mutating func call(
    _ name: String, _ receiver: LuaProgram.Value, _ receiverName: String, _ callee: LuaProgram.Value = .other
  ) -> LuaProgram.Value {
    let index = program.calls.count
    var variable: Int?
    if case .variable(let named) = callee { variable = named }
    program.calls.append(
      LuaProgram.Call(
        function: function, name: name, callee: variable, receiver: receiver, receiverName: receiverName, token: place,
        loop: mainLoop,
        file: file, isInLoop: loops > 0, ownLoop: ownLoop, line: line,
        isTopLevel: scopes.count == 2))
    let values = arguments(index)
    program.calls[index].arguments = values
    for value in values { pass(value, to: index) }
    return .call(index)
  }

  static let readers: Set<String> = [
    "ipairs", "pairs", "next", "select", "type", "tostring", "tonumber", "assert", "error", "print", "rawget", "rawlen",
    "rawequal", "getmetatable", "require", "table.concat", "table.unpack", "rl.log", "rl.expect", "rl.describe",
  ]

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
    guard isChanged || program.variables[variable].isTable else { return }
    use(variable, isChanged || !Self.readers.contains(name) ? .contentWrite : .contentRead, at: place - 1)
    program.uses[program.uses.count - 1].call = call
  }

  mutating func arguments(_ call: Int?) -> [LuaProgram.Value] {
    if isAt("{") { return [table(call)] }
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
      values.append(isAt("{") ? table(call) : expression())
      if values.count == 1, let call, Self.changers.contains(program.calls[call].name) {
        // What is changed is in the table of a variable.
        for use in firstUse..<program.uses.count where program.uses[use].kind == .contentRead {
          program.uses[use].kind = .contentWrite
        }
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
