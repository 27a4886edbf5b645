/// Goes through the tokens of a file by Lua's grammar and resolves its names. It takes any text: what is no Lua is told by
/// Lua itself.
struct LuaParser {
  var program: LuaProgram
  private let tokens: [LuaToken]
  private let module: String?
  private let file: Int
  private var place = 0
  private var function = 0
  private var scopes: [[String: Int]] = [[:]]
  /// How many loops are around, in the function; and the first token of the outermost one in the main part.
  private var loops = 0
  private var mainLoop = -1
  /// Whether the text was left before its end.
  private var depth = 0

  init(_ program: LuaProgram, _ tokens: [LuaToken], module: String?) {
    self.program = program
    self.tokens = tokens
    self.module = module
    file = program.files.count - 1
  }

  mutating func parse() {
    function = program.functions.count
    program.mains.append(function)
    program.functions.append(LuaProgram.Function(parent: -1, file: file, line: 1))
    while place < tokens.count {
      let start = place
      block()
      if place == start { place += 1 }
    }
  }

  // MARK: Tokens

  private var text: String { place < tokens.count ? tokens[place].text : "" }
  private var line: Int { place < tokens.count ? tokens[place].line : tokens.last?.line ?? 0 }
  private var isName: Bool { place < tokens.count && tokens[place].kind == .name }
  private func isAt(_ word: String) -> Bool {
    place < tokens.count && tokens[place].text == word && tokens[place].kind != .other
  }
  private mutating func take(_ word: String) -> Bool {
    guard isAt(word) else { return false }
    place += 1
    return true
  }
  private mutating func takeName() -> String {
    guard isName else { return "" }
    place += 1
    return tokens[place - 1].text
  }

  // MARK: Names

  private mutating func declare(_ name: String) -> Int {
    program.variables.append(LuaProgram.Variable(name: name, owner: function))
    scopes[scopes.count - 1][name] = program.variables.count - 1
    return program.variables.count - 1
  }

  private mutating func resolve(_ name: String) -> Int {
    if let found = scopes.reversed().lazy.compactMap({ $0[name] }).first { return found }
    if let found = program.globals[name] { return found }
    program.variables.append(LuaProgram.Variable(name: name, owner: -1))
    program.globals[name] = program.variables.count - 1
    return program.variables.count - 1
  }

  private mutating func use(_ variable: Int, _ kind: LuaProgram.Kind, at token: Int) {
    program.uses.append(
      LuaProgram.Use(
        variable: variable, function: function, kind: kind, file: file, line: tokens[min(token, tokens.count - 1)].line,
        token: token, loop: mainLoop))
  }

  // MARK: Statements

  private static let ends: Set<String> = ["end", "else", "elseif", "until"]

  private mutating func block() {
    scopes.append([:])
    while place < tokens.count, !(tokens[place].kind == .keyword && Self.ends.contains(text)) {
      let start = place
      statement()
      if place == start { place += 1 }
    }
    scopes.removeLast()
  }

  private mutating func loop(_ body: (inout LuaParser) -> Void) {
    loops += 1
    let isOutermost = mainLoop < 0 && program.functions[function].parent < 0
    if isOutermost { mainLoop = place }
    body(&self)
    if isOutermost { mainLoop = -1 }
    loops -= 1
  }

  private mutating func statement() {
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
      for value in isAt(";") || place >= tokens.count || Self.ends.contains(text) ? [] : expressions() { giveBack(value) }
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

  private mutating func giveBack(_ value: LuaProgram.Value) {
    if case .function(let made) = value { program.loose.insert(made) }
    guard case .variable(let variable) = value else { return }
    if program.functions[function].parent < 0, let module { program.results[module] = variable }
    program.loose.formUnion(program.variables[variable].functions)
  }

  private mutating func local() {
    place += 1
    if take("function") {
      let variable = declare(takeName())
      program.variables[variable].functions.append(functionBody(isMethod: false))
      return
    }
    var names: [String] = []
    repeat {
      names.append(takeName())
      if take("<") { place += 2 }
    } while take(",")
    let values = take("=") ? expressions() : []
    for (index, name) in names.enumerated() {
      let variable = declare(name)
      if index < values.count { give(values[index], to: variable, isDeclaration: true) }
    }
  }

  private mutating func give(_ value: LuaProgram.Value, to variable: Int, isDeclaration: Bool) {
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
    case .other: break
    }
  }

  /// What rl gives is no table, nor what the library's functions for numbers and texts give.
  private static func mayGiveTable(_ name: String) -> Bool {
    let others = ["rl.", ":", "math.", "string.", "os.", "utf8."]
    return !others.contains { name.hasPrefix($0) } && !["tostring", "tonumber", "type", "select", "rawlen"].contains(name)
  }

  private mutating func functionStatement() {
    place += 1
    let start = place
    let name = takeName()
    let variable = resolve(name)
    var field = ""
    var isMethod = false
    while isAt(".") || isAt(":") {
      isMethod = isAt(":")
      place += 1
      field = takeName()
    }
    use(variable, field.isEmpty ? .write : .contentWrite, at: start)
    let made = functionBody(isMethod: isMethod)
    if field.isEmpty {
      program.variables[variable].functions.append(made)
    } else {
      program.fieldFunctions[field, default: []].append(made)
    }
  }

  private mutating func forStatement() {
    place += 1
    var names = [takeName()]
    while take(",") { names.append(takeName()) }
    if !take("=") { _ = take("in") }
    _ = expressions()
    loop {
      _ = $0.take("do")
      $0.scopes.append([:])
      for name in names { _ = $0.declare(name) }
      $0.block()
      $0.scopes.removeLast()
      _ = $0.take("end")
    }
  }

  /// `a, b.c = …`, or a call.
  private mutating func expressionStatement() {
    var targets = [suffixed(isTarget: true)]
    while take(",") { targets.append(suffixed(isTarget: true)) }
    guard take("=") else {
      for target in targets { read(target) }
      return
    }
    let values = expressions()
    for (index, target) in targets.enumerated() {
      let value = index < values.count ? values[index] : .other
      guard let variable = target.variable else {
        if case .function(let made) = value { program.loose.insert(made) }
        continue
      }
      use(variable, target.field == nil ? .write : .contentWrite, at: target.token)
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

  // MARK: Expressions

  /// A name with what hangs on it.
  private struct Suffixed {
    var variable: Int?
    /// The last field, when it ends in one; "" for an index.
    var field: String?
    var token: Int
    var value = LuaProgram.Value.other
    var isRead = false
  }

  private mutating func read(_ suffixed: Suffixed) {
    guard let variable = suffixed.variable, !suffixed.isRead else { return }
    use(variable, suffixed.field == nil ? .read : .contentRead, at: suffixed.token)
  }

  private mutating func expressions() -> [LuaProgram.Value] {
    var values = [expression()]
    while take(",") { values.append(expression()) }
    return values
  }

  private static let binary: Set<String> = [
    "+", "-", "*", "/", "//", "%", "^", "..", "==", "~=", "<", "<=", ">", ">=", "and", "or", "&", "|", "~", "<<", ">>",
  ]

  private mutating func expression() -> LuaProgram.Value {
    depth += 1
    defer { depth -= 1 }
    guard depth < 150 else {
      place = tokens.count
      return .other
    }
    var value = operand()
    while place < tokens.count, tokens[place].kind != .other, Self.binary.contains(text) {
      place += 1
      _ = operand()
      value = .other
    }
    return value
  }

  private mutating func operand() -> LuaProgram.Value {
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
  private mutating func stringCall() -> LuaProgram.Value {
    while isAt(":") {
      place += 2
      if isAt("(") { _ = arguments(nil) }
    }
    return .other
  }

  /// - Parameter isTarget: the caller says how the variable is used.
  private mutating func suffixed(isTarget: Bool) -> Suffixed {
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
        name = ""
      } else if isAt("(") || isAt("{") || (tokens[place].kind == .other && tokens[place].text == "\"\"") {
        readOn(&result)
        let callee = result.value
        result.value = call(name, .other, "", callee)
        name = ""
      } else {
        break
      }
    }
    if !isTarget { read(result) }
    return result
  }

  private mutating func readOn(_ result: inout Suffixed) {
    read(result)
    result.isRead = true
  }

  /// A method of one's own table may change it.
  private mutating func readReceiver(_ result: inout Suffixed) {
    if let variable = result.variable, !result.isRead, result.field == nil, program.variables[variable].isTable {
      use(variable, .contentWrite, at: result.token)
    }
    readOn(&result)
  }

  private mutating func call(
    _ name: String, _ receiver: LuaProgram.Value, _ receiverName: String, _ callee: LuaProgram.Value = .other
  ) -> LuaProgram.Value {
    let index = program.calls.count
    var variable: Int?
    if case .variable(let named) = callee { variable = named }
    program.calls.append(
      LuaProgram.Call(
        function: function, name: name, callee: variable, receiver: receiver, receiverName: receiverName, token: place, loop: mainLoop,
        file: file, isInLoop: loops > 0))
    let values = arguments(index)
    program.calls[index].arguments = values
    for value in values { pass(value, to: name) }
    return .call(index)
  }

  private static let readers: Set<String> = [
    "ipairs", "pairs", "next", "select", "type", "tostring", "tonumber", "assert", "error", "print", "rawget", "rawlen",
    "rawequal", "getmetatable", "require", "table.concat", "table.unpack", "rl.log", "rl.expect", "rl.describe",
  ]

  /// A table that somebody is given may be changed there.
  private mutating func pass(_ value: LuaProgram.Value, to name: String) {
    guard case .variable(let variable) = value else { return }
    if ["table.insert", "table.remove", "table.sort", "table.move", "rawset", "setmetatable"].contains(name) {
      return use(variable, .contentWrite, at: place - 1)
    }
    guard program.variables[variable].isTable else { return }
    use(variable, Self.readers.contains(name) ? .contentRead : .contentWrite, at: place - 1)
  }

  private mutating func arguments(_ call: Int?) -> [LuaProgram.Value] {
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
  private mutating func mark(_ value: LuaProgram.Value, _ call: Int?) {
    guard case .variable(let variable) = value, let last = program.uses.indices.last else { return }
    if program.uses[last].variable == variable { program.uses[last].call = call }
  }

  private mutating func require(_ call: Int) {
    guard place < tokens.count, tokens[place].kind == .other, let name = tokens[place].string else { return }
    program.calls[call].receiverName = name
    program.required.append(name)
  }

  /// - Parameter call: whose argument it is.
  private mutating func table(_ call: Int?) -> LuaProgram.Value {
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

  private mutating func keep(_ value: LuaProgram.Value, _ field: String?, _ call: Int?) {
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

  private mutating func functionBody(isMethod: Bool) -> Int {
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
