/// Goes through the tokens of a file by Lua's grammar and resolves its names. It takes any text: what is no Lua is told by
/// Lua itself.
struct LuaParser {
  var program: LuaProgram
  let tokens: [LuaToken]
  let module: String?
  let file: Int
  var place = 0
  var function = 0
  var scopes: [[String: Int]] = [[:]]
  /// How many loops are around, in the function; and the first token of the outermost one in the main part.
  var loops = 0
  var mainLoop = -1
  /// The first token of the innermost loop in the function; -1: there is none around.
  var ownLoop = -1
  /// How many blocks, functions and expressions are inside each other.
  var depth = 0
  /// Lua refuses what nests deeper than 200 of its levels, of which each is at most three of these.
  static let maximumDepth = 600
  /// The name of Lua's or of `rl` that the last expression is, and nothing else: `rl.thread`.
  var path: String?

  init(_ program: LuaProgram, _ tokens: [LuaToken], module: String?) {
    self.program = program
    self.tokens = tokens
    self.module = module
    file = program.files.count - 1
  }

  mutating func parse() {
    function = addFunction(parent: -1, line: 1, isInLoop: false)
    program.mains.append(function)
    if let module { program.modules[module] = function }
    while place < tokens.count {
      let start = place
      block()
      if place == start { place += 1 }
    }
  }

  // MARK: Tokens

  var text: String { place < tokens.count ? tokens[place].text : "" }
  var line: Int { place < tokens.count ? tokens[place].line : tokens.last?.line ?? 0 }
  var isName: Bool { place < tokens.count && tokens[place].kind == .name }
  func isAt(_ word: String) -> Bool {
    place < tokens.count && tokens[place].text == word && tokens[place].kind != .other
  }
  mutating func take(_ word: String) -> Bool {
    guard isAt(word) else { return false }
    place += 1
    return true
  }
  /// The text that stands here, when it stands there as it is.
  var plainText: String? {
    guard place < tokens.count, let text = tokens[place].string, !text.utf8.contains(0x5C) else { return nil }
    return text
  }
  mutating func takeName() -> String {
    guard isName else { return "" }
    place += 1
    return tokens[place - 1].text
  }

  mutating func addFunction(parent: Int, line: Int, isInLoop: Bool) -> Int {
    let made = program.functions.count
    program.functions.append(
      LuaProgram.Function(
        parent: parent, file: file, line: line, isInLoop: isInLoop, rest: program.flow.make(),
        results: program.flow.make()))
    program.functionCells.append(program.flow.make(function: made))
    return made
  }

  /// Goes one level deeper, if it is not too deep: then nothing more is read.
  mutating func nest<Result>(_ otherwise: Result, _ body: (inout LuaParser) -> Result) -> Result {
    guard depth < Self.maximumDepth else {
      program.wasCutShort = true
      place = tokens.count
      return otherwise
    }
    depth += 1
    let result = body(&self)
    depth -= 1
    return result
  }

  // MARK: Names

  mutating func declare(_ name: String) -> Int {
    var variable = LuaProgram.Variable(name: name, owner: function, cell: program.flow.make())
    variable.token = place
    variable.declaredInLoop = ownLoop
    program.variables.append(variable)
    scopes[scopes.count - 1][name] = program.variables.count - 1
    return program.variables.count - 1
  }

  mutating func resolve(_ name: String) -> Int {
    if let found = scopes.reversed().lazy.compactMap({ $0[name] }).first { return found }
    if let found = program.globals[name] { return found }
    program.variables.append(LuaProgram.Variable(name: name, owner: -1, cell: program.flow.make()))
    program.globals[name] = program.variables.count - 1
    return program.variables.count - 1
  }

  mutating func use(_ variable: Int, _ kind: LuaProgram.Kind, at token: Int) {
    program.uses.append(
      LuaProgram.Use(
        variable: variable, function: function, kind: kind, file: file, line: tokens[min(token, tokens.count - 1)].line,
        token: token, loop: mainLoop, ownLoop: ownLoop))
  }

  /// Notes that a table is read or changed there.
  ///
  /// - Parameters:
  ///   - cell: what holds it; -1: nothing is noted.
  ///   - variable: what the expression begins with; -1: not with a variable.
  /// - Returns: the place among the accesses; nil when nothing was noted.
  @discardableResult
  mutating func access(_ cell: Int, _ variable: Int, _ kind: LuaProgram.Kind, at token: Int) -> Int? {
    guard cell >= 0 else { return nil }
    program.accesses.append(
      LuaProgram.Use(
        variable: variable, function: function, kind: kind, file: file, line: tokens[min(token, tokens.count - 1)].line,
        token: token, loop: mainLoop, ownLoop: ownLoop, cell: cell))
    return program.accesses.count - 1
  }
}
