import RunLoopScript

/// Whether the end of a thread is a step of its own: where a script asks for it other than by a join. Elsewhere nobody could
/// tell it from what the thread did last.
enum ThreadEnds {
  /// The methods of a thread that tell whether it has ended. (A thread's loop is gone with it.)
  private static let names: Set<String> = ["isFinished", "isExecuting", "loop"]

  /// Looks for their names in the script and what it requires.
  static func areAsked(by script: ScriptOptions) -> Bool {
    ([script.source] + script.requiredTexts).contains { text in
      let tokens = LuaTokens.read(text)
      return tokens.indices.contains { place in
        guard place > 0 else { return false }
        let before = tokens[place - 1].text
        if let string = tokens[place].string { return before == "[" && names.contains(string) }
        return (before == "." || before == ":") && names.contains(tokens[place].text)
      }
    }
  }
}
