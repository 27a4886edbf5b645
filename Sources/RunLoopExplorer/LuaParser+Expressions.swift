/// Expressions, and what is called with which functions.
extension LuaParser {
  /// A name with what hangs on it.
  struct Suffixed {
    var variable: Int?
    /// The last field, when it ends in one; "" for an index.
    var field: String?
    var token: Int
    var value = LuaProgram.Value.other
    var isRead = false
    /// Whether it is a part of what a call gives.
    var isOfCall = false
  }

  mutating func read(_ suffixed: Suffixed) {
    guard let variable = suffixed.variable, !suffixed.isRead else { return }
    use(variable, suffixed.field == nil ? .read : .contentRead, at: suffixed.token)
  }

  mutating func expressions() -> [LuaProgram.Value] {
    var values = [expression()]
    while take(",") { values.append(expression()) }
    return values
  }

  static let binary: Set<String> = [
    "+", "-", "*", "/", "//", "%", "^", "..", "==", "~=", "<", "<=", ">", ">=", "and", "or", "&", "|", "~", "<<", ">>",
  ]

  mutating func expression() -> LuaProgram.Value {
    depth += 1
    defer { depth -= 1 }
    guard depth < 150 else {
      place = tokens.count
      return .other
    }
    var value = operand()
    while place < tokens.count, tokens[place].kind != .other, Self.binary.contains(text) {
      let isConditional = isAt("and") || isAt("or")
      place += 1
      if isConditional { scopes.append([:]) }
      _ = operand()
      if isConditional { scopes.removeLast() }
      value = .other
    }
    return value
  }

  mutating func operand() -> LuaProgram.Value {
    if take("-") || take("not") || take("~") {
      _ = operand()
      return .other
    }
    if take("#") {
      if isName {
        let target = suffixed(isTarget: true)
        if let variable = target.variable, !target.isRead { use(variable, .contentRead, at: target.token) }
      } else {
        _ = operand()
      }
      return .other
    }
    guard place < tokens.count else { return .other }
    if take("function") { return .function(functionBody(isMethod: false)) }
    if isAt("{") { return table(nil) }
    if isName || isAt("(") {
      let found = suffixed(isTarget: false)
      return found.value
    }
    if !(tokens[place].kind == .keyword && Self.ends.contains(text)), ![")", "}", "]", ",", ";"].contains(text) {
      place += 1
      if tokens[place - 1].kind == .other { return stringCall() }
    }
    return .other
  }

  /// `("text"):rep(3)` and the like.
  mutating func stringCall() -> LuaProgram.Value {
    while isAt(":") {
      place += 2
      if isAt("(") { _ = arguments(nil) }
    }
    return .other
  }

  /// - Parameter isTarget: the caller says how the variable is used.
  mutating func suffixed(isTarget: Bool) -> Suffixed {
    var result = Suffixed(variable: nil, field: nil, token: place)
    var name = ""
    if take("(") {
      result.value = expression()
      _ = take(")")
    } else {
      name = takeName()
      result.variable = resolve(name)
      result.value = .variable(result.variable!)
    }
    while place < tokens.count {
      if isAt(".") {
        place += 1
        if result.field != nil { readOn(&result) }
        let field = takeName()
        program.fieldReaders[field, default: []].insert(function)
        result.field = field
        name += "." + field
        result.value = .other
      } else if isAt("[") {
        place += 1
        if result.field != nil { readOn(&result) }
        _ = expression()
        _ = take("]")
        result.field = ""
        result.value = .other
      } else if isAt(":") {
        place += 1
        let method = takeName()
        program.fieldReaders[method, default: []].insert(function)
        let receiver = result.value
        readReceiver(&result)
        result.value = call(":" + method, receiver, name)
        result.isOfCall = true
        name = ""
      } else if isAt("(") || isAt("{") || (tokens[place].kind == .other && tokens[place].text == "\"\"") {
        readOn(&result)
        let callee = result.value
        result.value = call(name, .other, "", callee)
        result.isOfCall = true
        name = ""
      } else {
        break
      }
    }
    if !isTarget { read(result) }
    return result
  }

  mutating func readOn(_ result: inout Suffixed) {
    read(result)
    result.isRead = true
  }

  /// A method of one's own table may change it.
  mutating func readReceiver(_ result: inout Suffixed) {
    if let variable = result.variable, !result.isRead, result.field == nil, program.variables[variable].isTable {
      use(variable, .contentWrite, at: result.token)
    }
    readOn(&result)
  }

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
        file: file, isInLoop: loops > 0,
        isTopLevel: scopes.count == 2))
    let values = arguments(index)
    program.calls[index].arguments = values
    for value in values { pass(value, to: name) }
    return .call(index)
  }

  static let readers: Set<String> = [
    "ipairs", "pairs", "next", "select", "type", "tostring", "tonumber", "assert", "error", "print", "rawget", "rawlen",
    "rawequal", "getmetatable", "require", "table.concat", "table.unpack", "rl.log", "rl.expect", "rl.describe",
  ]

  /// A table that somebody is given may be changed there.
  mutating func pass(_ value: LuaProgram.Value, to name: String) {
    guard case .variable(let variable) = value else { return }
    if ["table.insert", "table.remove", "table.sort", "table.move", "rawset", "setmetatable"].contains(name) {
      return use(variable, .contentWrite, at: place - 1)
    }
    guard program.variables[variable].isTable else { return }
    use(variable, Self.readers.contains(name) ? .contentRead : .contentWrite, at: place - 1)
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
      values.append(isAt("{") ? table(call) : expression())
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

  /// - Parameter call: whose argument it is.
  mutating func table(_ call: Int?) -> LuaProgram.Value {
    place += 1
    while place < tokens.count, !isAt("}") {
      let start = place
      var field: String?
      if isName, place + 1 < tokens.count, tokens[place + 1].text == "=", tokens[place + 1].kind == .symbol {
        field = takeName()
        place += 1
      } else if take("[") {
        _ = expression()
        _ = take("]")
        _ = take("=")
        field = ""
      }
      let value = expression()
      mark(value, call)
      keep(value, field, call)
      if !take(",") { _ = take(";") }
      if place == start { place += 1 }
    }
    _ = take("}")
    return .table
  }

  mutating func keep(_ value: LuaProgram.Value, _ field: String?, _ call: Int?) {
    if let call { return program.calls[call].fields.append(value) }
    switch value {
    case .function(let made):
      if let field, !field.isEmpty {
        program.fieldFunctions[field, default: []].append(made)
      } else {
        program.loose.insert(made)
      }
    case .variable(let variable): program.loose.formUnion(program.variables[variable].functions)
    default: break
    }
  }

  mutating func functionBody(isMethod: Bool) -> Int {
    let made = program.functions.count
    program.functions.append(
      LuaProgram.Function(parent: function, file: file, line: line, isInLoop: loops > 0))
    let outer = (function, loops)
    function = made
    loops = 0
    scopes.append([:])
    if isMethod { _ = declare("self") }
    _ = take("(")
    while place < tokens.count, !isAt(")") {
      if isName {
        let parameter = declare(takeName())
        program.functions[made].parameters.append(parameter)
      } else {
        place += 1
      }
    }
    _ = take(")")
    block()
    _ = take("end")
    scopes.removeLast()
    (function, loops) = outer
    return made
  }
}
