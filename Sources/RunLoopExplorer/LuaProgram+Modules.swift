extension LuaProgram {
  /// Adds the files that the script and its modules require, each once, in the order in which they are named.
  ///
  /// - Parameter module: the text of a module, and what its file is called; nil when there is none.
  mutating func addRequired(_ module: (String) -> (text: [UInt8], file: String)?) {
    var next = 0
    while next < required.count {
      let name = required[next]
      next += 1
      guard !required[..<(next - 1)].contains(name), let found = module(name) else { continue }
      add(found.text, name: found.file, module: name)
    }
  }
}

extension Schedule {
  /// The texts of the files that a script and its modules require by names that stand in them.
  ///
  /// - Parameter module: the text of a module, and what its file is called; nil when there is none.
  public static func textsRequired(
    by source: [UInt8], module: (String) -> (text: [UInt8], file: String)?
  ) -> [[UInt8]] {
    // Most scripts require nothing, and need not be read for that.
    guard LuaTokens.read(source).contains(where: { $0.text == "require" }) else { return [] }
    var texts: [[UInt8]] = []
    var program = LuaProgram()
    program.add(source, name: "")
    program.addRequired { name in
      let found = module(name)
      if let found { texts.append(found.text) }
      return found
    }
    return texts
  }
}
