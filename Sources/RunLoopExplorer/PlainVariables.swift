/// Finds the plain Lua variables of a script that threads may share: one function writes them, and another uses them, or
/// the same one on several threads. Neither the engine nor the detector sees those, so nothing may be left out on the
/// ground that two steps do not concern each other.
///
/// It looks at the text, and rather finds too much: which thread runs a function cannot be told from it. A table counts
/// as written when one of its fields is set. Files that the script requires are not looked at.
struct PlainVariables {
  struct Found: Equatable, Sendable {
    var name: String
    var line: Int
  }

  private struct Variable {
    var name: String
    var function: Int
    var uses: [(function: Int, line: Int, isWrite: Bool)] = []
  }

  private struct Function {
    var parent: Int
    /// Whether several threads may run it: it has a name, or is made in a loop.
    var isShared: Bool
    var firstToken: Int
    var lastToken = Int.max
  }

  private struct Block {
    var names: [String: Int] = [:]
    var isFunction = false
    var isLoop = false
  }

  private let tokens: [LuaToken]
  private var variables: [Variable] = []
  private var globals: [String: Int] = [:]
  private var functions = [Function(parent: -1, isShared: false, firstToken: 0)]
  private var blocks = [Block(isFunction: true)]
  private var current = 0
  private var place = 0

  private init(_ source: [UInt8]) { tokens = LuaTokens.read(source) }

  /// The first variable found; nil when there is none.
  static func find(in source: [UInt8]) -> Found? {
    var finder = PlainVariables(source)
    guard finder.makesThreads else { return nil }
    finder.walk()
    return finder.variables.lazy.compactMap { finder.judge($0) }.first
  }

  private var makesThreads: Bool {
    tokens.contains { $0.kind == .name && ["thread", "detach", "performInBackground"].contains($0.text) }
  }

  private func judge(_ variable: Variable) -> Found? {
    for use in variable.uses where use.isWrite && use.function != variable.function {
      let others = variable.uses.contains { other in
        // The main part of the function that made it counts when it looks after the writer was made.
        other.function != use.function
          && (other.function != variable.function || other.line >= tokens[functions[use.function].firstToken].line)
      }
      if others || functions[use.function].isShared { return Found(name: variable.name, line: use.line) }
    }
    // Written by its own function while another one, made before, may look.
    for use in variable.uses where use.isWrite && use.function == variable.function {
      let isSeen = variable.uses.contains { other in
        other.function != variable.function && tokens[functions[other.function].firstToken].line < use.line
      }
      if isSeen { return Found(name: variable.name, line: use.line) }
    }
    return nil
  }

  // MARK: The walk

  private func text(_ offset: Int = 0) -> String {
    place + offset >= 0 && place + offset < tokens.count ? tokens[place + offset].text : ""
  }

  private mutating func walk() {
    var openHeads: [String] = []
    while place < tokens.count {
      let token = tokens[place]
      switch token.text {
      case "function" where token.kind == .keyword:
        beginFunction()
        continue
      case "local" where token.kind == .keyword:
        local()
        continue
      case "for" where token.kind == .keyword:
        loopVariables()
        openHeads.append("for")
        continue
      case "while" where token.kind == .keyword: openHeads.append("while")
      case "do" where token.kind == .keyword:
        // The `do` of a `for` has its block already; that of a `while` gets it here.
        if openHeads.last == "for" {
          openHeads.removeLast()
        } else {
          blocks.append(Block(isLoop: openHeads.last == "while"))
          if openHeads.last == "while" { openHeads.removeLast() }
        }
      case "then" where token.kind == .keyword: blocks.append(Block())
      case "else" where token.kind == .keyword: blocks[blocks.count - 1] = Block()
      case "elseif" where token.kind == .keyword: endBlock()
      case "repeat" where token.kind == .keyword: blocks.append(Block(isLoop: true))
      case "end" where token.kind == .keyword, "until" where token.kind == .keyword: endBlock()
      default:
        if token.kind == .name { name() }
      }
      place += 1
    }
  }

  private mutating func endBlock() {
    guard blocks.count > 1 else { return }
    if blocks.removeLast().isFunction {
      functions[current].lastToken = place
      current = functions[current].parent
    }
  }

  private mutating func declare(_ name: String) {
    blocks[blocks.count - 1].names[name] = variables.count
    variables.append(Variable(name: name, function: current))
  }

  private mutating func use(_ name: String, line: Int, isWrite: Bool) {
    var index = blocks.reversed().lazy.compactMap { $0.names[name] }.first ?? globals[name]
    if index == nil {
      index = variables.count
      globals[name] = index
      variables.append(Variable(name: name, function: 0))
    }
    variables[index!].uses.append((current, line, isWrite))
  }

  /// `function a.b:c(…)`, `function (…)`.
  private mutating func beginFunction() {
    let first = place
    let isInLoop = blocks.contains(where: \.isLoop)
    place += 1
    var isNamed = false
    if place < tokens.count, tokens[place].kind == .name {
      isNamed = true
      if !isLocalFunction { use(text(), line: tokens[place].line, isWrite: text(1) == "(") }
      while place < tokens.count, text() != "(" { place += 1 }
    }
    // `local f = function`, `t.f = function`
    if first > 0, tokens[first - 1].text == "=", !(first > 1 && isField(first - 2)) { isNamed = true }
    isLocalFunction = false
    functions.append(Function(parent: current, isShared: isNamed || isInLoop, firstToken: first))
    current = functions.count - 1
    blocks.append(Block(isFunction: true))
    if text() == "(" { place += 1 }
    while place < tokens.count, text() != ")" {
      if tokens[place].kind == .name { declare(text()) }
      place += 1
    }
    place += 1
  }

  /// Whether a name is a field in a table constructor, or behind a dot.
  private func isField(_ index: Int) -> Bool {
    guard index > 0 else { return false }
    return ["{", ",", ";", "."].contains(tokens[index - 1].text)
  }

  private var isLocalFunction = false

  /// `local function f`, `local a <const>, b = …`.
  private mutating func local() {
    place += 1
    if text() == "function" {
      declare(text(1))
      isLocalFunction = true
      return
    }
    var names: [String] = []
    while place < tokens.count, tokens[place].kind == .name {
      names.append(text())
      place += 1
      if text() == "<" { place += 3 }
      guard text() == "," else { break }
      place += 1
    }
    // Visible from the next statement on; that they are seen in their own values does no harm.
    for name in names { declare(name) }
  }

  private mutating func loopVariables() {
    blocks.append(Block(isLoop: true))
    place += 1
    while place < tokens.count, text() != "=", text() != "in" {
      if tokens[place].kind == .name { declare(text()) }
      place += 1
    }
  }

  /// A name that stands for a variable, unless it is a field or a key.
  private mutating func name() {
    let before = text(-1)
    if before == "." || before == ":" || before == "goto" || before == "::" { return }
    if text(1) == "=", ["{", ",", ";"].contains(before), isInConstructor { return }
    let line = tokens[place].line
    let name = text()
    // table.insert(x, …), table.remove(x)
    if before == "(", ["insert", "remove", "sort"].contains(text(-2)), text(-4) == "table" {
      return use(name, line: line, isWrite: true)
    }
    use(name, line: line, isWrite: isAssigned())
  }

  /// Whether the place is directly inside the braces of a table constructor.
  private var isInConstructor: Bool {
    var depth = 0
    var index = place - 1
    while index >= 0 {
      switch tokens[index].text {
      case "}", ")", "]": depth += 1
      case "{":
        if depth == 0 { return true }
        depth -= 1
      case "(", "[":
        if depth == 0 { return false }
        depth -= 1
      case "end" where tokens[index].kind == .keyword, "function" where tokens[index].kind == .keyword:
        if depth == 0, tokens[index].text == "function" { return false }
      default: break
      }
      index -= 1
    }
    return false
  }

  /// Whether what begins with the name here is the left side of an assignment.
  private func isAssigned() -> Bool {
    var index = place + 1
    while index < tokens.count {
      switch tokens[index].text {
      case "=": return true
      case ",":
        // `a, b = …` as a statement; arguments and lists are told apart by what stands before.
        guard index + 1 < tokens.count, tokens[index + 1].kind == .name, startsStatement else { return false }
        index += 2
      case ".": index += 2
      case "[":
        var depth = 1
        index += 1
        while index < tokens.count, depth > 0 {
          if tokens[index].text == "[" { depth += 1 } else if tokens[index].text == "]" { depth -= 1 }
          index += 1
        }
      default: return false
      }
    }
    return false
  }

  /// Whether the name here can begin a statement.
  private var startsStatement: Bool {
    guard place > 0 else { return true }
    let before = tokens[place - 1]
    if before.kind == .keyword { return ["do", "then", "else", "end", "repeat"].contains(before.text) }
    return before.text == ")" || before.text == ";" || before.line < tokens[place].line
  }
}
