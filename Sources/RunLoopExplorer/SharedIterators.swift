/// Finds coroutines and iterators that several threads may go on with: each takes a step away from the others.
struct SharedIterators {
  private let script: PlainVariables
  private var program: LuaProgram { script.program }

  private static let makers: Set<String> = [
    "coroutine.wrap", "coroutine.create", "string.gmatch", ":gmatch", "utf8.codes",
  ]

  init(_ script: PlainVariables) { self.script = script }

  /// In a sentence, what is found first; nil when there is nothing.
  func find() -> String? {
    guard script.threads.makesThreads else { return nil }
    for (index, call) in program.calls.enumerated() where Self.makers.contains(call.name) && !call.isIterated {
      if isOfOneThread(index) { continue }
      return
        "a coroutine or an iterator (\(program.files[call.file]):\(call.line)) may be gone on with by several threads"
    }
    return nil
  }

  private func isOfOneThread(_ call: Int) -> Bool {
    let holders = program.variables.indices.filter { program.variables[$0].values.contains(.call(call)) }
    guard holders.count == 1, let holder = holders.first, !program.escaping.contains(holder) else { return false }
    let uses = program.uses.filter { $0.variable == holder }
    let isPassedOn = uses.contains { use in use.call.map { !program.calls[$0].name.hasPrefix("coroutine.") } ?? false }
    if isPassedOn { return false }
    let owner = program.variables[holder].owner
    // Each run of the function that declares it has one of its own.
    let isPrivate = owner >= 0 && program.functions[owner].parent >= 0
    if isPrivate, uses.allSatisfy({ script.threads.contexts[$0.function] == script.threads.contexts[owner] }) {
      return true
    }
    let later = uses.filter { !script.isBeforeThreads($0) }
    return !later.contains { use in later.contains { script.areConcurrent(use, $0) } }
  }
}
