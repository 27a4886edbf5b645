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
  /// How many expressions are inside each other.
  var depth = 0

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
  mutating func takeName() -> String {
    guard isName else { return "" }
    place += 1
    return tokens[place - 1].text
  }

  // MARK: Names

  mutating func declare(_ name: String) -> Int {
    var variable = LuaProgram.Variable(name: name, owner: function)
    variable.token = place
    variable.declaredInLoop = ownLoop
    program.variables.append(variable)
    scopes[scopes.count - 1][name] = program.variables.count - 1
    return program.variables.count - 1
  }

  mutating func resolve(_ name: String) -> Int {
    if let found = scopes.reversed().lazy.compactMap({ $0[name] }).first { return found }
    if let found = program.globals[name] { return found }
    program.variables.append(LuaProgram.Variable(name: name, owner: -1))
    program.globals[name] = program.variables.count - 1
    return program.variables.count - 1
  }

  mutating func use(_ variable: Int, _ kind: LuaProgram.Kind, at token: Int) {
    program.uses.append(
      LuaProgram.Use(
        variable: variable, function: function, kind: kind, file: file, line: tokens[min(token, tokens.count - 1)].line,
        token: token, loop: mainLoop, ownLoop: ownLoop))
  }
}
