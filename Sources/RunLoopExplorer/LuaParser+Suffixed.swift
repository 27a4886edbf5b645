/// Names and what hangs on them: fields, indices, methods, calls.
extension LuaParser {
  /// A name with what hangs on it.
  struct Suffixed {
    var variable: Int?
    /// The last field, when it ends in one; "" for an index.
    var field: String?
    var token: Int
    var value = LuaProgram.Value.other(-1)
    var isRead = false
    /// The last time that what is in a table was reached on the way, among the accesses.
    var access: Int?
    /// What its last field is of.
    var object = -1
    /// Whether it is a part of what a call gives.
    var isOfCall = false
    /// Whether a field `dictionary` is on the way to the last one.
    var isInDictionary = false
  }

  mutating func read(_ suffixed: Suffixed) {
    guard let variable = suffixed.variable, !suffixed.isRead else { return }
    use(variable, suffixed.field == nil ? .read : .contentRead, at: suffixed.token)
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
      let variable = resolve(name)
      result.variable = variable
      result.value = .variable(variable)
      if let path = program.variables[variable].path { name = path }
    }
    while place < tokens.count {
      if isAt(".") || isAt("[") {
        let isIndex = isAt("[")
        place += 1
        if result.field != nil { readOn(&result) }
        if result.field == DictionaryUses.name { result.isInDictionary = true }
        let field = isIndex ? index() : takeName()
        if isIndex, field == DictionaryUses.name { result.isInDictionary = true }
        if !field.isEmpty { program.fieldReaders[field, default: []].insert(function) }
        result.field = field
        name += "." + field
        goInto(&result, field, name)
      } else if isAt(":") {
        place += 1
        let method = takeName()
        program.fieldReaders[method, default: []].insert(function)
        let receiver = result.value
        readReceiver(&result)
        goInto(&result, "", "")
        result.value = call(":" + method, receiver, name, result.value)
        result.isOfCall = true
        name = ""
      } else if isAt("(") || isAt("{") || (tokens[place].kind == .other && tokens[place].text == "\"\"") {
        if name.contains("."), !name.hasPrefix("rl.") { noteMethod(result) }
        readOn(&result)
        let callee = result.value
        if case .call(let made) = callee { program.calls[made].isIterated = true }
        result.value = call(name, .other(-1), "", callee)
        result.isOfCall = true
        name = ""
      } else {
        break
      }
    }
    end(result, name, isTarget: isTarget)
    if !isTarget { read(result) }
    return result
  }

  /// What is between brackets: the name of a field, where that stands there; "" otherwise.
  private mutating func index() -> String {
    var name = ""
    if place + 1 < tokens.count, let text = plainText, tokens[place + 1].text == "]" { name = text }
    _ = expression()
    _ = take("]")
    return name
  }

  /// Goes from a value to what is in it.
  private mutating func goInto(_ result: inout Suffixed, _ field: String, _ name: String) {
    let cell = program.cell(result.value)
    result.object = cell
    if name == "rl." + field, let variable = result.variable, program.variables[variable].owner < 0 || isAlias(variable)
    {
      result.access = nil
      if program.libraryCells[field] == nil {
        program.libraryCells[field] = field == "args" ? program.flow.makeTable() : program.flow.make()
      }
      result.value = .other(program.libraryCells[field]!)
    } else {
      result.access = access(cell, result.variable ?? -1, .contentRead, at: result.token)
      result.value = .other(program.flow.content(of: cell))
    }
  }

  private func isAlias(_ variable: Int) -> Bool { program.variables[variable].path != nil }

  /// Notes what is only read of `rl` and of objects, not called.
  private mutating func end(_ result: Suffixed, _ name: String, isTarget: Bool) {
    let isSet = isTarget && (isAt("=") || isAt(","))
    path = nil
    // `local thread = rl.thread` is followed, and what is called is no more than that.
    if !name.isEmpty, !isSet {
      let isLibrary = result.variable.map { program.variables[$0].owner < 0 || isAlias($0) } ?? false
      if isLibrary, Self.decisive.contains(name) || Self.readers.contains(name) { path = name }
      if isLibrary, Self.decisive.contains(name) {
        program.passedOn.append((name, nil, file, line))
        return
      }
    }
    if !name.isEmpty, !isSet { noteMethod(result) }
    if let field = result.field, isSet { program.fieldNames.insert(field) }
  }

  /// Functions of which it has to be known where they are called, with what.
  static let decisive: Set<String> = [
    "rl", "rl.thread", "rl.detach", "rl.performInBackground", "rl.performOnMainThread", "rl.performAfterDelay",
    "rl.exitThread", "rl.shared", "table", "coroutine", "coroutine.wrap", "coroutine.create", "rawset", "setmetatable",
    "table.insert", "table.remove", "table.sort", "table.move",
  ]

  /// A method that is read, or called as a function.
  private mutating func noteMethod(_ result: Suffixed) {
    guard let field = result.field, Self.decisiveMethods.contains(field) else { return }
    program.passedOn.append((field, result.object, file, line))
  }

  private static let decisiveMethods: Set<String> = [
    "start", "perform", "performBlock", "send", "set", "request", "async", "sync", "after", "addSource", "addTimer",
    "addObserver", "addPort", "scheduleTimer", "post", "register",
  ]

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
}
