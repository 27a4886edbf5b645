/// What a script may use that all threads share without an object of `rl`: the reduction cannot know when it is touched.
enum HiddenState {
  /// Names behind which such state is, as they stand in a script: one word, or two with a dot or colon between.
  private static let names: [(words: [String], what: String)] = [
    (["math", ".", "random"], "math.random gives all threads numbers of one sequence"),
    (["math", ".", "randomseed"], "math.randomseed changes the numbers of all threads"),
    ([":", "setPriority"], "a thread's priority is no object whose changes are seen"),
    ([".", "remotePort"], "rl.remotePort finds what another thread may just be making"),
    (["package", "."], "the tables of package are shared by all threads"),
    (["_G"], "_G reaches the global variables of all threads"),
    (["_ENV"], "_ENV reaches the global variables of all threads"),
    (["getmetatable", "("], "a metatable may be shared by all threads"),
  ]

  /// The first such use in a script that makes threads, in a sentence; nil when there is none.
  static func find(in source: [UInt8], file: String) -> String? {
    let tokens = LuaTokens.read(source)
    guard tokens.contains(where: { ["thread", "detach", "performInBackground"].contains($0.text) }) else { return nil }
    for place in tokens.indices where tokens[place].kind != .other {
      for name in names where matches(name.words, tokens[place...]) {
        return "\(name.what) (\(file):\(tokens[place].line))"
      }
    }
    return nil
  }

  private static func matches(_ words: [String], _ tokens: ArraySlice<LuaToken>) -> Bool {
    tokens.count >= words.count && zip(words, tokens).allSatisfy { $0 == $1.text && $1.kind != .other }
  }
}
