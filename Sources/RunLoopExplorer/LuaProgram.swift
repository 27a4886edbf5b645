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
  }

  enum Value: Equatable {
    case function(Int)
    case variable(Int)
    case call(Int)
    case table
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
