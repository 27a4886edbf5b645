/// When threads start and end, in the text of the script's main part.
extension ThreadMap {
  /// From which token of the script's main part on a context's thread may run, and from which on it has ended: where it is
  /// started and joined there, each once and whatever happens.
  func life(of context: Int) -> Range<Int> {
    let all = Int.min..<Int.max
    guard context > Self.main, !several.contains(context), let main = program.mains.first,
      let variable = program.variables.firstIndex(where: { $0.call == context - 1 }),
      program.variables[variable].owner == main, program.calls[context - 1].isTopLevel
    else { return all }
    func only(_ name: String) -> Int? {
      let calls = program.calls.filter { $0.name == name && $0.receiver == .variable(variable) }
      guard calls.count == 1, calls[0].function == main, calls[0].isTopLevel, calls[0].loop < 0 else { return nil }
      return calls[0].token
    }
    // Whoever has it by another name may start it, too.
    let uses = program.uses.filter { $0.variable == variable }
    let methods = program.calls.filter { $0.receiver == .variable(variable) }
    // `pcall(t.perform, t)` uses it twice.
    let tried = program.calls.count { $0.method != nil && $0.arguments.dropFirst().first == .variable(variable) }
    let isPassedOn = uses.count != methods.count + tried || uses.count { $0.kind != .read } != tried
    guard !isPassedOn, let start = only(":start") else { return all }
    guard let end = only(":join"), end > start else { return start..<Int.max }
    return start..<end
  }

  /// Whether there are others than the main thread at all.
  var makesThreads: Bool { program.calls.contains { Self.makers.contains($0.name) } }

  /// Whether a call may start threads by a name that says nothing of it.
  private func isUnknown(_ call: Int) -> Bool {
    let record = program.calls[call]
    return targets[call].isEmpty && (record.name.isEmpty || record.name.hasSuffix("."))
  }

  /// Modules whose main part may not have run before the first thread starts.
  mutating func findLateModules() {
    let first = firstStart()
    var isDone = false
    while !isDone {
      isDone = true
      for call in program.calls where call.name == "require" {
        guard let main = program.modules[call.receiverName], !lateModules.contains(main) else { continue }
        let isMain = program.functions[call.function].parent < 0
        let isEarly =
          isMain
          && (call.file == 0 ? (call.loop >= 0 ? call.loop : call.token) < first : !lateModules.contains(call.function))
        if isEarly { continue }
        lateModules.insert(main)
        isDone = false
      }
    }
  }

  mutating func findStarters() {
    for (index, call) in program.calls.enumerated() where Self.starts(call.name) || isUnknown(index) {
      starters.insert(call.function)
    }
    var isDone = false
    while !isDone {
      isDone = true
      for function in callers.indices where starters.contains(function) {
        for caller in callers[function] where starters.insert(caller).inserted { isDone = false }
      }
    }
  }

  /// Before which token of the script's main part no thread has started.
  func firstStart() -> Int {
    guard let main = program.mains.first else { return 0 }
    var first = Int.max
    for (index, call) in program.calls.enumerated() where call.function == main {
      guard Self.starts(call.name) || isUnknown(index) || !targets[index].isDisjoint(with: starters) else { continue }
      first = min(first, call.loop >= 0 ? call.loop : call.token)
    }
    // Where a function is named that starts some.
    for use in program.uses where use.function == main && use.kind == .read {
      let startsSome = program.variables[use.variable].functions.contains { starters.contains($0) }
      if startsSome { first = min(first, use.loop >= 0 ? use.loop : use.token) }
    }
    for call in program.calls where call.function == main {
      let fields = program.fieldFunctions[String(call.name.drop { $0 != ":" && $0 != "." }.dropFirst()), default: []]
      let startsSome = (fields + call.arguments.flatMap(functions)).contains { starters.contains($0) }
      if startsSome, !Self.makers.contains(call.name) { first = min(first, call.loop >= 0 ? call.loop : call.token) }
    }
    if first < .max { return first }
    // They may start in a way that was not seen.
    return program.calls.filter { Self.makers.contains($0.name) && $0.function == main }
      .map { $0.loop >= 0 ? $0.loop : $0.token }.min() ?? 0
  }
}
