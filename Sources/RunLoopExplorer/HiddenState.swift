/// What a script may use that all threads share without an object of `rl`: the reduction cannot know when it is touched.
enum HiddenState {
  /// Names behind which such state is, as they stand in a script: one word, or several in a row.
  private static let names: [(words: [String], what: String)] = [
    (["package", "."], "the tables of package are shared by all threads"),
    (["_G"], "_G reaches the global variables of all threads"),
    (["_ENV"], "_ENV reaches the global variables of all threads"),
    (["getmetatable", "("], "a metatable may be shared by all threads"),
  ]

  /// What an expression with an operator gives is a number or a text, but for these.
  private static let operators: Set<String> = [
    "__add", "__sub", "__mul", "__div", "__mod", "__pow", "__unm", "__idiv", "__band", "__bor", "__bxor", "__shl",
    "__shr", "__bnot", "__concat", "__call", "__len",
  ]

  /// The first such use in a script that makes threads, in a sentence; nil when there is none.
  ///
  /// - Parameter texts: the script, and the modules that it requires.
  static func find(in texts: [(text: [UInt8], file: String)]) -> String? {
    let files = texts.map { (tokens: LuaTokens.read($0.text), file: $0.file) }
    let makers: Set<String> = ["thread", "detach", "performInBackground"]
    guard files.contains(where: { $0.tokens.contains { makers.contains($0.text) } }) else { return nil }
    let dictionaries = DictionaryUses(in: files.map(\.tokens))
    for (tokens, file) in files {
      for place in tokens.indices {
        let what = what(at: place, tokens)
        if let what = what ?? dictionaries.what(at: place, tokens) { return "\(what) (\(file):\(tokens[place].line))" }
      }
    }
    return nil
  }

  private static func what(at place: Int, _ tokens: [LuaToken]) -> String? {
    func isAt(_ words: [String], _ place: Int) -> Bool {
      place >= 0 && tokens.count >= place + words.count
        && words.indices.allSatisfy { tokens[place + $0].text == words[$0] && tokens[place + $0].kind != .other }
    }
    let word = tokens[place].string ?? tokens[place].text
    if operators.contains(word) { return "what the operator \(word) of a metatable gives is not followed" }
    if let name = names.first(where: { isAt($0.words, place) }) { return name.what }
    let isMethod = place > 0 && [".", ":"].contains(tokens[place - 1].text)
    if isAt(["load"], place), !isMethod { return "what load makes of a text is not read" }
    if isAt(["require"], place), !isMethod {
      let argument = isAt(["require", "("], place) ? place + 2 : place + 1
      if argument >= tokens.count || tokens[argument].string == nil { return "which module is required is not known" }
    }
    return nil
  }
}
