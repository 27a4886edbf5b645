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
    /// Whether it has a first parameter `self` that is not among these; its cell.
    var selfCell: Int?
    /// What it is given beyond its parameters, and what it gives back.
    var rest: Int
    var results: Int
  }

  struct Variable {
    var name: String
    /// The function that declares it; -1 for globals.
    var owner: Int
    /// What it holds.
    var cell: Int
    /// What of Lua's or of `rl` it is another name for: `rl.thread`.
    var path: String?
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

  enum Kind: Int { case read, write, contentRead, contentWrite }

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
    /// Of what is done to a table: the cell that holds it.
    var cell = -1
  }

  enum Value: Equatable {
    case function(Int)
    case variable(Int)
    case call(Int)
    /// A table that is made there.
    case table(Int)
    /// A number, a text, true or false.
    case plain
    /// Something else, with its cell; -1: nothing of which there is a cell.
    case other(Int)
  }

  struct Call {
    var function: Int
    /// `rl.thread`, `:perform`, `f`.
    var name: String
    /// What is called, when it has a name of its own.
    var callee: Int?
    /// What is called, and what it gives.
    var calleeCell = -1
    var cell: Int
    /// What the method is called on.
    var receiver = Value.other(-1)
    var receiverName = ""
    /// Of `pcall`: the method that it is given.
    var method: String?
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
  /// By function: the cell of its own value.
  var functionCells: [Int] = []
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
  var tableCells: [Int] = []
  var flow = LuaFlow()
  /// By the name in `rl`: what is there.
  var libraryCells: [String: Int] = [:]
  /// Where tables are read and changed, by cell. (`uses` has the same by variable, as far as one is named.)
  var accesses: [Use] = []
  /// Loops over what an iterator gives: the values after `in`, and the cell of the variables.
  var iterations: [(values: [Value], variables: Int, function: Int)] = []
  /// The main part of each module.
  var modules: [String: Int] = [:]
  /// Fields that some table of the script may have.
  var fieldNames: Set<String> = []
  /// Functions of `rl`, and methods, that are read without being called there: the name, of methods the cell of the object,
  /// the place.
  var passedOn: [(name: String, object: Int?, file: Int, line: Int)] = []
  /// What nests too deep was not read.
  var wasCutShort = false
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

  /// The cell of a value; -1: there is none.
  func cell(_ value: Value) -> Int {
    switch value {
    case .function(let function): functionCells[function]
    case .variable(let variable): variables[variable].cell
    case .call(let call): calls[call].cell
    case .table(let table): tableCells[table]
    case .plain: -1
    case .other(let cell): cell
    }
  }
}
