/// Statements.
extension LuaParser {
  static let ends: Set<String> = ["end", "else", "elseif", "until"]

  mutating func block() { nest(()) { $0.statements() } }

  private mutating func statements() {
    scopes.append([:])
    while place < tokens.count, !(tokens[place].kind == .keyword && Self.ends.contains(text)) {
      let start = place
      statement()
      if place == start { place += 1 }
    }
    scopes.removeLast()
  }

  mutating func loop(_ body: (inout LuaParser) -> Void) {
    loops += 1
    let isOutermost = mainLoop < 0 && program.functions[function].parent < 0
    let outer = ownLoop
    if isOutermost { mainLoop = place }
    ownLoop = place
    body(&self)
    ownLoop = outer
    if isOutermost { mainLoop = -1 }
    loops -= 1
  }

  mutating func statement() {
    guard tokens[place].kind == .keyword else {
      if isAt("::") {
        place += 3
      } else if !take(";") {
        expressionStatement()
      }
      return
    }
    switch text {
    case "local": local()
    case "function": functionStatement()
    case "return":
      place += 1
      let isEmpty = isAt(";") || place >= tokens.count || Self.ends.contains(text)
      for value in isEmpty ? [] : expressions() { giveBack(value) }
    case "if":
      place += 1
      _ = expression()
      _ = take("then")
      block()
      while take("elseif") {
        _ = expression()
        _ = take("then")
        block()
      }
      if take("else") { block() }
      _ = take("end")
    case "while":
      place += 1
      loop {
        _ = $0.expression()
        _ = $0.take("do")
        $0.block()
        _ = $0.take("end")
      }
    case "repeat":
      place += 1
      loop {
        $0.scopes.append([:])
        $0.block()
        if $0.take("until") { _ = $0.expression() }
        $0.scopes.removeLast()
      }
    case "for": forStatement()
    case "do":
      place += 1
      block()
      _ = take("end")
    case "goto": place += 2
    case "break": place += 1
    default: _ = expression()
    }
  }

  mutating func giveBack(_ value: LuaProgram.Value) {
    escape(value)
    program.flow.join(program.functions[function].results, program.cell(value))
    program.givenBack.append((function, value, line))
    if case .function(let made) = value { program.loose.insert(made) }
    guard case .variable(let variable) = value else { return }
    if program.functions[function].parent < 0, let module { program.results[module] = variable }
    program.loose.formUnion(program.variables[variable].functions)
  }

  mutating func local() {
    place += 1
    if take("function") {
      let variable = declare(takeName())
      let made = functionBody(isMethod: false)
      program.variables[variable].functions.append(made)
      program.flow.join(program.variables[variable].cell, program.functionCells[made])
      return
    }
    var names: [String] = []
    repeat {
      names.append(takeName())
      if take("<") { place += 2 }
    } while take(",")
    var values: [LuaProgram.Value] = []
    var paths: [String?] = []
    if take("=") {
      repeat {
        let known = program.passedOn.count
        values.append(expression())
        paths.append(path)
        // It goes by another name from here on, and is known by that.
        if path.map(Self.decisive.contains) ?? false, values.count <= names.count, program.passedOn.count == known + 1 {
          program.passedOn.removeLast()
        }
      } while take(",")
    }
    for (index, name) in names.enumerated() {
      let variable = declare(name)
      if index < paths.count { program.variables[variable].path = paths[index] }
      if index >= values.count, let last = values.last {
        program.flow.join(program.variables[variable].cell, program.cell(last))
      }
      if index < values.count {
        give(values[index], to: variable, isDeclaration: true)
      } else if case .call = values.last {
        // One of the further values that a call gives.
        program.variables[variable].isUnknown = true
      } else if case .other = values.last {
        program.variables[variable].isUnknown = true
      }
    }
  }

  mutating func give(_ value: LuaProgram.Value, to variable: Int, isDeclaration: Bool) {
    program.variables[variable].values.append(value)
    program.flow.join(program.variables[variable].cell, program.cell(value))
    if !isDeclaration, let path = program.variables[variable].path {
      program.passedOn.append((path, nil, file, line))
    }
    escape(value)
    switch value {
    case .function(let made): program.variables[variable].functions.append(made)
    case .table: program.variables[variable].isTable = true
    case .call(let call):
      if isDeclaration { program.variables[variable].call = call }
      if Self.mayGiveTable(program.calls[call].name) { program.variables[variable].isTable = true }
      if program.calls[call].name == "require" { program.variables[variable].module = program.calls[call].receiverName }
    case .variable(let other):
      // Another name for the same table, or the same functions.
      program.variables[variable].functions += program.variables[other].functions
      if program.variables[other].isTable {
        program.variables[variable].isTable = true
        if isDeclaration { program.variables[variable].alias = other } else { use(other, .contentWrite, at: place - 1) }
      }
    case .plain, .other: break
    }
  }

  /// What rl gives is no table, nor what the library's functions for numbers and texts give.
  static func mayGiveTable(_ name: String) -> Bool {
    let libraries = ["rl.", ":", "math.", "string.", "os.", "utf8."]
    let functions: Set<String> = ["tostring", "tonumber", "type", "rawlen", "rawequal", "table.concat"]
    return !libraries.contains { name.hasPrefix($0) } && !functions.contains(name)
  }

  mutating func functionStatement() {
    place += 1
    let start = place
    let name = takeName()
    let variable = resolve(name)
    var field = ""
    var isMethod = false
    var cell = program.variables[variable].cell
    while isAt(".") || isAt(":") {
      isMethod = isAt(":")
      place += 1
      field = takeName()
      program.fieldNames.insert(field)
      access(cell, variable, .contentWrite, at: start)
      cell = program.flow.content(of: cell)
    }
    use(variable, field.isEmpty ? .write : .contentWrite, at: start)
    let made = functionBody(isMethod: isMethod)
    program.flow.join(cell, program.functionCells[made])
    if field.isEmpty {
      program.variables[variable].functions.append(made)
    } else {
      program.fieldFunctions[field, default: []].append(made)
    }
  }

  mutating func forStatement() {
    place += 1
    var names = [takeName()]
    while take(",") { names.append(takeName()) }
    let counts = take("=")
    if !counts { _ = take("in") }
    let values = expressions()
    for value in values { if case .call(let call) = value { program.calls[call].isIterated = true } }
    let cell = program.flow.make()
    if !counts { program.iterations.append((values, cell, function)) }
    loop {
      _ = $0.take("do")
      $0.scopes.append([:])
      for name in names {
        let variable = $0.declare(name)
        $0.program.variables[variable].isUnknown = !counts
        if !counts { $0.program.flow.join($0.program.variables[variable].cell, cell) }
      }
      $0.block()
      $0.scopes.removeLast()
      _ = $0.take("end")
    }
  }

  /// `a, b.c = …`, or a call.
  mutating func expressionStatement() {
    var targets = [suffixed(isTarget: true)]
    while take(",") { targets.append(suffixed(isTarget: true)) }
    guard take("=") else {
      for target in targets { read(target) }
      return
    }
    let values = expressions()
    for (index, target) in targets.enumerated() {
      var value = index < values.count ? values[index] : LuaProgram.Value.other(-1)
      if index >= values.count, let last = values.last { value = .other(program.cell(last)) }
      if target.field != nil {
        program.flow.join(program.cell(target.value), program.cell(value))
        if let access = target.access { program.accesses[access].kind = .contentWrite }
      }
      if target.field != nil { escape(value) }
      if target.isOfCall {
        program.writesToCalls.append(
          LuaProgram.Use(
            variable: target.variable ?? -1, function: function, kind: .contentWrite, file: file,
            line: tokens[min(target.token, tokens.count - 1)].line, token: target.token, loop: mainLoop))
      }
      guard let variable = target.variable else {
        if case .function(let made) = value { program.loose.insert(made) }
        continue
      }
      if target.isOfCall { continue }
      // What rl gives is no table of the script's: a dictionary of one of its threads is seen when it is reached.
      let isSeen = target.isInDictionary && program.variables[variable].name == "rl"
      use(variable, target.field == nil ? .write : isSeen ? .contentRead : .contentWrite, at: target.token)
      if let field = target.field {
        if case .function(let made) = value { program.fieldFunctions[field, default: []].append(made) }
        if case .variable(let other) = value {
          program.fieldFunctions[field, default: []] += program.variables[other].functions
        }
      } else {
        give(value, to: variable, isDeclaration: false)
      }
    }
  }
}
