/// Expressions.
extension LuaParser {
  mutating func expressions() -> [LuaProgram.Value] {
    var values = [expression()]
    while take(",") { values.append(expression()) }
    return values
  }

  static let binary: Set<String> = [
    "+", "-", "*", "/", "//", "%", "^", "..", "==", "~=", "<", "<=", ">", ">=", "and", "or", "&", "|", "~", "<<", ">>",
  ]

  mutating func expression() -> LuaProgram.Value {
    nest(.other(-1)) { $0.operation($0.operand()) }
  }

  /// What operators come to that follow a first operand, with others.
  mutating func operation(_ first: LuaProgram.Value) -> LuaProgram.Value {
    var value = first
    while place < tokens.count, tokens[place].kind != .other, Self.binary.contains(text) {
      let isConditional = isAt("and") || isAt("or")
      place += 1
      if isConditional { scopes.append([:]) }
      let other = operand()
      if isConditional { scopes.removeLast() }
      let isPlain = !isConditional || (value == .plain && other == .plain)
      if isPlain {
        value = .plain
      } else {
        for part in [value, other] { escape(part) }
        let either = program.flow.make()
        for part in [value, other] { program.flow.join(either, program.cell(part)) }
        value = .other(either)
      }
      path = nil
    }
    return value
  }

  mutating func operand() -> LuaProgram.Value {
    path = nil
    return nest(.other(-1)) { $0.innerOperand() }
  }

  private mutating func innerOperand() -> LuaProgram.Value {
    if take("-") || take("not") || take("~") {
      _ = operand()
      return .plain
    }
    if take("#") {
      let token = place
      if isName {
        let target = suffixed(isTarget: true)
        if let variable = target.variable, !target.isRead { use(variable, .contentRead, at: target.token) }
        access(program.cell(target.value), target.variable ?? -1, .contentRead, at: token)
      } else {
        access(program.cell(operand()), -1, .contentRead, at: token)
      }
      path = nil
      return .plain
    }
    guard place < tokens.count else { return .other(-1) }
    if take("function") || isAt("{") {
      let value = isAt("{") ? table(nil) : LuaProgram.Value.function(functionBody(isMethod: false))
      path = nil
      return value
    }
    if isName || isAt("(") {
      let found = suffixed(isTarget: false)
      return found.value
    }
    if !(tokens[place].kind == .keyword && Self.ends.contains(text)), ![")", "}", "]", ",", ";"].contains(text) {
      place += 1
      let token = tokens[place - 1]
      if token.kind == .other { return stringCall() }
      if token.kind == .keyword { return .plain }
      if token.text == "..." { return .other(program.functions[function].rest) }
    }
    return .other(-1)
  }

  /// `("text"):rep(3)` and the like.
  mutating func stringCall() -> LuaProgram.Value {
    var value = LuaProgram.Value.plain
    while isAt(":") {
      place += 1
      let method = takeName()
      value = call(":" + method, .plain, "", .other(-1))
    }
    return value
  }

  /// - Parameter call: whose argument it is.
  mutating func table(_ call: Int?) -> LuaProgram.Value {
    place += 1
    program.tables.append([])
    let made = program.tables.count - 1
    program.tableCells.append(program.flow.makeTable())
    let content = program.flow.content(of: program.tableCells[made])
    while place < tokens.count, !isAt("}") {
      let start = place
      var field: String?
      if isName, place + 1 < tokens.count, tokens[place + 1].text == "=", tokens[place + 1].kind == .symbol {
        field = takeName()
        place += 1
      } else if take("[") {
        field = plainText
        let key = expression()
        program.flow.join(content, program.cell(key))
        _ = take("]")
        _ = take("=")
        field = field ?? ""
      }
      if let field { program.fieldNames.insert(field) }
      let value = expression()
      program.flow.join(content, program.cell(value))
      mark(value, call)
      keep(value, field, call)
      program.tables[made].append(value)
      if !take(",") { _ = take(";") }
      if place == start { place += 1 }
    }
    _ = take("}")
    return .table(made)
  }

  /// Where a value goes is not followed.
  mutating func escape(_ value: LuaProgram.Value) {
    if case .variable(let variable) = value { program.escaping.insert(variable) }
  }

  mutating func keep(_ value: LuaProgram.Value, _ field: String?, _ call: Int?) {
    escape(value)
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
    let made = addFunction(parent: function, line: line, isInLoop: loops > 0)
    let outer = (function, loops, ownLoop)
    function = made
    loops = 0
    ownLoop = -1
    scopes.append([:])
    if isMethod {
      let receiver = declare("self")
      program.variables[receiver].isUnknown = true
      program.functions[made].selfCell = program.variables[receiver].cell
    }
    _ = take("(")
    while place < tokens.count, !isAt(")") {
      if isName {
        let parameter = declare(takeName())
        program.variables[parameter].isUnknown = true
        program.functions[made].parameters.append(parameter)
      } else {
        place += 1
      }
    }
    _ = take(")")
    block()
    _ = take("end")
    scopes.removeLast()
    (function, loops, ownLoop) = outer
    return made
  }
}
