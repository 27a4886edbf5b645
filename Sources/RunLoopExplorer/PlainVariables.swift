/// Finds the plain Lua variables of a script that threads may share: one thread writes them, or what is in the table that
/// they hold, and another uses them. Neither the engine nor the detector sees those, so nothing may be left out on the
/// ground that two steps do not concern each other.
///
/// It resolves the names of the script and of the files that it requires, and asks which threads run which functions.
struct PlainVariables {
  struct Found: Equatable, Sendable {
    var name: String
    /// Where it is written, and where another thread uses it: `file:line`.
    var written: String
    var used: String
    /// Whether it is what the table holds that is shared.
    var isContents = false
  }

  let program: LuaProgram
  let threads: ThreadMap
  private let firstStart: Int
  /// The script, and the modules that it requires, as far as they were found.
  private(set) var texts: [(text: [UInt8], file: String)] = []
  private var lives: [Int: Range<Int>] = [:]

  init(_ program: LuaProgram) {
    threads = ThreadMap(LuaCalls(program))
    self.program = threads.program
    firstStart = threads.firstStart()
    for context in threads.contexts.reduce(into: Set<Int>(), { $0.formUnion($1) }) {
      lives[context] = threads.life(of: context)
    }
  }

  /// Reads a script.
  ///
  /// - Parameters:
  ///   - file: what the script is called.
  ///   - module: the text of a module, and what its file is called.
  init(
    of source: [UInt8], file: String = "script", module: (String) -> (text: [UInt8], file: String)? = { _ in nil }
  ) {
    var program = LuaProgram()
    var texts = [(text: source, file: file)]
    program.add(source, name: file)
    program.addRequired { name in
      let found = module(name)
      if let found { texts.append(found) }
      return found
    }
    self.init(program)
    self.texts = texts
  }

  /// Why the script cannot be read, in a sentence; nil when it can.
  var whyUnknown: String? {
    if program.wasCutShort { return "the script is nested too deep to be read" }
    let mayMakeThreads = threads.makesThreads || program.passedOn.contains { $0.name.hasPrefix("rl") }
    guard mayMakeThreads else { return nil }
    let passedOn = program.passedOn.first { passed in
      guard let object = passed.object else { return true }
      // A field of that name in a table of the script's is no method of rl.
      return object < 0 || !program.flow.holdsTable(object) || !program.fieldNames.contains(passed.name)
    }
    guard let passedOn else { return nil }
    let what = passedOn.object == nil ? "'\(passedOn.name)'" : "the method '\(passedOn.name)'"
    return
      "\(what) goes by another name, or is called as a value (\(program.files[passedOn.file]):\(passedOn.line)), so "
      + "what threads do with it is not known"
  }

  /// The variables found, in the order of the places where they are written.
  func find() -> [Found] {
    guard threads.makesThreads else { return [] }
    var uses: [Int: [LuaProgram.Use]] = [:]
    for use in program.uses where !isBeforeThreads(use) { uses[original(use.variable), default: []].append(use) }
    var found = uses.keys.sorted().compactMap { variable -> (LuaProgram.Use, Found)? in
      judge(variable, uses[variable] ?? [])
    }
    // A table that is told by the name of a variable is not told again.
    let told = Set(found.filter(\.1.isContents).map { program.flow.root(program.variables[$0.0.variable].cell) })
    for table in SharedTables(self).find() where !told.contains(program.flow.root(table.write.cell)) {
      let isKnown = found.contains {
        $0.1.isContents
          && ($0.1.name == table.found.name || table.found.name.isEmpty && $0.1.written == table.found.written)
      }
      if !isKnown { found.append(table) }
    }
    return found.sorted { ($0.0.file, $0.0.token) < ($1.0.file, $1.0.token) }.map(\.1)
  }

  /// What a module gives back is the same table, whatever it is called where it is required.
  private func original(_ variable: Int) -> Int {
    var variable = variable
    for _ in 0..<16 {
      if let alias = program.variables[variable].alias {
        variable = alias
      } else if let module = program.variables[variable].module, let result = program.results[module] {
        variable = result
      } else {
        break
      }
    }
    return variable
  }

  /// What the main thread does before it starts others comes before all that they do.
  func isBeforeThreads(_ use: LuaProgram.Use) -> Bool {
    guard program.functions[use.function].parent < 0 else { return false }
    if use.file != 0 { return !threads.lateModules.contains(use.function) }
    return (use.loop >= 0 ? use.loop : use.token) < firstStart
  }

  private func judge(_ variable: Int, _ uses: [LuaProgram.Use]) -> (LuaProgram.Use, Found)? {
    let record = program.variables[variable]
    // Each run of the function that declares it has one of its own.
    let isPrivate = record.owner >= 0 && program.functions[record.owner].parent >= 0
    if isPrivate, uses.allSatisfy({ threads.contexts[$0.function] == threads.contexts[record.owner] }) { return nil }
    let (counted, others) = compared(uses)
    for write in counted where write.kind == .write || write.kind == .contentWrite {
      let isContents = write.kind == .contentWrite
      if isContents, !record.isTable, !isTable(record) { continue }
      for use in isInMain(write) ? others : counted where touches(use, isContents) && areConcurrent(write, use) {
        let found = Found(name: record.name, written: place(write), used: place(use), isContents: isContents)
        return (write, found)
      }
    }
    return nil
  }

  /// A global or a parameter may hold a table that it was not declared with; what comes from a call of rl does not.
  private func isTable(_ record: LuaProgram.Variable) -> Bool {
    guard let call = record.call, record.values.count == 1 else { return true }
    return !program.calls[call].name.hasPrefix("rl.")
  }

  /// Whether a use has to do with the variable itself, or with what is in its table.
  private func touches(_ use: LuaProgram.Use, _ contents: Bool) -> Bool {
    contents ? use.kind == .contentRead || use.kind == .contentWrite : true
  }

  /// Whether a use is in the script's main part, which only the main thread runs, once.
  func isInMain(_ use: LuaProgram.Use) -> Bool { use.file == 0 && program.functions[use.function].parent < 0 }

  /// What is to be compared with each other: the same that a function does again is left out, and nothing in the main part
  /// comes at the same time as something else there.
  ///
  /// - Returns: all that count, in their order, and those of them that are not in the main part.
  func compared(_ uses: [LuaProgram.Use]) -> (all: [LuaProgram.Use], elsewhere: [LuaProgram.Use]) {
    var seen: Set<[Int]> = []
    var (all, elsewhere): ([LuaProgram.Use], [LuaProgram.Use]) = ([], [])
    for use in uses {
      if isInMain(use) {
        all.append(use)
      } else if seen.insert([use.function, use.kind.rawValue]).inserted {
        all.append(use)
        elsewhere.append(use)
      }
    }
    return (all, elsewhere)
  }

  func areConcurrent(_ a: LuaProgram.Use, _ b: LuaProgram.Use) -> Bool {
    for first in threads.contexts[a.function] {
      for second in threads.contexts[b.function] where first != second || threads.several.contains(first) {
        if span(a, first).overlaps(span(b, second)) { return true }
      }
    }
    return false
  }

  /// When a use may come, in tokens of the script's main part: there at its own, in a thread during its life.
  private func span(_ use: LuaProgram.Use, _ context: Int) -> Range<Int> {
    if context == ThreadMap.main, use.file == 0, use.loop < 0, program.functions[use.function].parent < 0 {
      return use.token..<(use.token + 1)
    }
    return lives[context] ?? Int.min..<Int.max
  }

  func place(_ use: LuaProgram.Use) -> String { "\(program.files[use.file]):\(use.line)" }
}
