/// A Lua script and the files that it requires, as far as the question goes which variables threads share: functions,
/// variables, where which function uses which, and what is called with which functions.
struct LuaProgram {
  struct Function {
    /// The function around it; -1 for the main part of a file.
    var parent: Int
    var file: Int
    var line: Int
    /// Whether a loop of the function around it makes it.
    var isInLoop = false
    var parameters: [Int] = []
  }

  struct Variable {
    var name: String
    /// The function that declares it; -1 for globals.
    var owner: Int
    /// Whether it was declared with a table.
    var isTable = false
    /// The variable of whose table it is another name.
    var alias: Int?
    /// The module that it was declared with: `local m = require("m")`.
    var module: String?
    /// The expression that it was declared with, where that is a call: `rl.thread`.
    var call: Int?
    /// The functions that it was ever given.
    var functions: [Int] = []
    /// All that it was ever given.
    var values: [Value] = []
    /// Whether it may hold something else: a parameter, or what a loop gives.
    var isUnknown = false
    /// Where it is declared: the token, and the innermost loop of its function around it (-1: none).
    var token = -1
    var declaredInLoop = -1
  }

  enum Kind { case read, write, contentRead, contentWrite }

  struct Use {
    var variable: Int
    var function: Int
    var kind: Kind
    var file: Int
    var line: Int
    /// The place among the file's tokens, and the outermost loop of the main part around it (-1: none).
    var token: Int
    var loop: Int
    /// The call whose argument it is.
    var call: Int?
    /// The innermost loop of its function around it (-1: none).
    var ownLoop = -1
  }

  enum Value: Equatable {
    case function(Int)
    case variable(Int)
    case call(Int)
    /// A table that is made there.
    case table(Int)
    /// A number, a text, true or false.
    case plain
    case other
  }

  struct Call {
    var function: Int
    /// `rl.thread`, `:perform`, `f`.
    var name: String
    /// What is called, when it has a name of its own.
    var callee: Int?
    /// What the method is called on.
    var receiver = Value.other
    var receiverName = ""
    var arguments: [Value] = []
    /// Functions and variables in a table that it is given.
    var fields: [Value] = []
    var token: Int
    var loop: Int
    var file: Int
    var isInLoop = false
    /// The innermost loop of its function around it (-1: none).
    var ownLoop = -1
    /// The line.
    var line = 0
    /// Whether what it gives is only gone through by a loop, or called.
    var isIterated = false
    /// Whether it is a statement of its function that is reached whenever the function goes on that far.
    var isTopLevel = false
  }

  var files: [String] = []
  var functions: [Function] = []
  /// The main part of each file.
  var mains: [Int] = []
  var variables: [Variable] = []
  var globals: [String: Int] = [:]
  var uses: [Use] = []
  var calls: [Call] = []
  /// Functions that stand in a field of some table, by the field's name; and who reads fields of that name.
  var fieldFunctions: [String: [Int]] = [:]
  var fieldReaders: [String: Set<Int>] = [:]
  /// Functions that are given back, or put where they are not followed.
  var loose: Set<Int> = []
  /// What is in tables where they are made.
  var tables: [[Value]] = []
  /// Variables whose value is put where it is not followed: into a field, another variable, back to the caller.
  var escaping: Set<Int> = []
  /// What functions give back.
  var givenBack: [(function: Int, value: Value, line: Int)] = []
  /// Where what a call gives is changed, as a table: the call and the place.
  var writesToCalls: [Use] = []
  /// The variable that a file gives back, by its module's name.
  var results: [String: Int] = [:]
  /// Files that are required.
  var required: [String] = []

  mutating func add(_ source: [UInt8], name: String, module: String? = nil) {
    files.append(name)
    var parser = LuaParser(self, LuaTokens.read(source), module: module)
    parser.parse()
    self = parser.program
  }
}
