/// Expressions.
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
    /// Whether a field `dictionary` is on the way to the last one.
    var isInDictionary = false
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
      let other = operand()
      if isConditional { scopes.removeLast() }
      let isPlain = !isConditional || (value == .plain && other == .plain)
      if !isPlain { for part in [value, other] { escape(part) } }
      value = isPlain ? .plain : .other
    }
    return value
  }

  mutating func operand() -> LuaProgram.Value {
    if take("-") || take("not") || take("~") {
      _ = operand()
      return .plain
    }
    if take("#") {
      if isName {
        let target = suffixed(isTarget: true)
        if let variable = target.variable, !target.isRead { use(variable, .contentRead, at: target.token) }
      } else {
        _ = operand()
      }
      return .plain
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
      let token = tokens[place - 1]
      if token.kind == .other { return stringCall() }
      if token.kind == .keyword { return .plain }
    }
    return .other
  }

  /// `("text"):rep(3)` and the like.
  mutating func stringCall() -> LuaProgram.Value {
    var value = LuaProgram.Value.plain
    while isAt(":") {
      place += 1
      let method = takeName()
      value = call(":" + method, .plain, "")
    }
    return value
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
        if result.field == DictionaryUses.name { result.isInDictionary = true }
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
        if result.field == DictionaryUses.name { result.isInDictionary = true }
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
        if case .call(let made) = callee { program.calls[made].isIterated = true }
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
      program.uses[program.uses.count - 1].call = program.calls.count
    }
    readOn(&result)
  }

  /// - Parameter call: whose argument it is.
  mutating func table(_ call: Int?) -> LuaProgram.Value {
    place += 1
    program.tables.append([])
    let made = program.tables.count - 1
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
    let made = program.functions.count
    program.functions.append(
      LuaProgram.Function(parent: function, file: file, line: line, isInLoop: loops > 0))
    let outer = (function, loops, ownLoop)
    function = made
    loops = 0
    ownLoop = -1
    scopes.append([:])
    if isMethod { program.variables[declare("self")].isUnknown = true }
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
