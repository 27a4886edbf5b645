/// Finds tables that threads share by way of variables: one thread changes what is in one of them, and another uses it,
/// by whatever names, fields, iterators and calls they reached it.
///
/// Threads come to have the same table by a variable that more than one of them uses, or by a table that they have. (Or
/// by way of `rl`: `HandedTables`.)
struct SharedTables {
  private let script: PlainVariables
  private var program: LuaProgram { script.program }
  private var threads: ThreadMap { script.threads }

  init(_ script: PlainVariables) { self.script = script }

  /// Those found, in the order of the places where they are changed.
  func find() -> [(write: LuaProgram.Use, found: PlainVariables.Found)] {
    let shared = program.flow.reachable(from: crossing().map { program.variables[$0].cell })
    var accesses: [Int: [LuaProgram.Use]] = [:]
    for access in program.accesses where !script.isBeforeThreads(access) {
      let cell = program.flow.root(access.cell)
      guard shared.contains(cell), program.flow.holdsTable(cell) else { continue }
      accesses[cell, default: []].append(access)
    }
    return accesses.keys.sorted().compactMap { first(accesses[$0] ?? []) }
  }

  private func first(_ accesses: [LuaProgram.Use]) -> (write: LuaProgram.Use, found: PlainVariables.Found)? {
    let (all, elsewhere) = script.compared(accesses)
    for write in all where write.kind == .contentWrite {
      for use in script.isInMain(write) ? elsewhere : all where script.areConcurrent(write, use) {
        let name = write.variable >= 0 ? program.variables[write.variable].name : ""
        return (write, .init(name: name, written: script.place(write), used: script.place(use), isContents: true))
      }
    }
    return nil
  }

  /// Variables that more than one thread uses, whenever that is.
  private func crossing() -> [Int] {
    var users: [Int: Set<Int>] = [:]
    for use in program.uses { users[use.variable, default: []].insert(use.function) }
    return users.keys.sorted().filter { variable in
      let owner = program.variables[variable].owner
      var contexts: Set<Int> = owner >= 0 ? threads.contexts[owner] : []
      // Each run of the function that declares it has one of its own.
      let isOfRun = owner >= 0 && program.functions[owner].parent >= 0
      if isOfRun, users[variable, default: []].allSatisfy({ threads.contexts[$0] == contexts }) { return false }
      for function in users[variable, default: []] { contexts.formUnion(threads.contexts[function]) }
      return contexts.count > 1 || !contexts.isDisjoint(with: threads.several)
    }
  }
}
