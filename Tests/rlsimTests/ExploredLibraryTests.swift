import Testing

/// Lua's library in an exploration, where there are snapshots of its memory, is what it is in a run.
@Suite struct ExploredLibraryTests {
  private let rlsim: Executable

  init() throws { rlsim = try Executable() }

  /// The system writes a file's bytes into memory of which pages are watched.
  @Test func modulesAreLoadedAfterAChoice() throws {
    defer { rlsim.remove() }
    try rlsim.write("scripts/big.lua", "return { '" + String(repeating: "x", count: 100_000) + "' }\n")
    try rlsim.write("scripts/empty.lua", "")
    try rlsim.write(
      "scripts/main.lua",
      """
      require "empty"
      local m = rl.mutex{ name = "m" }
      local function body() m:lock() m:unlock() rl.expect(#require("big")[1] == 100000) end
      local a, b = rl.thread("a", body), rl.thread("b", body)
      a:start() b:start() a:join() b:join()
      """)
    let explored = try rlsim("explore", "scripts/main.lua")
    #expect(explored.code == 0, "\(explored.output)\(explored.errors)")
    #expect(explored.output.contains("exhausted"))
    #expect(try rlsim("run", "scripts/main.lua").code == 0)
  }

  /// A module that cannot fit is a limit, and not even read.
  @Test func aModuleLargerThanTheMemoryIsALimit() throws {
    defer { rlsim.remove() }
    _ = try rlsim.shell("head -c 20000000 /dev/zero | tr '\\0' ' ' > big.lua")
    try rlsim.write("main.lua", "rl.yield() require 'big'\n")
    let result = try rlsim("run", "main.lua", "--max-memory", "4000000")
    #expect(result.code == 4)
    #expect(result.errors.contains("not enough memory: more than 4000000 bytes of Lua memory"), "\(result.errors)")
  }

  @Test(arguments: [
    "math.random(0, -5)", "math.random('x')", "math.random(1, 2, 3)", "math.randomseed({})", "table.remove({}, 9)",
    "pairs()", "pairs({ 1 })('x')", "next(1)", "tostring()", "string.rep()", "nosuch()",
  ]) func errorsReadAsInARun(call: String) throws {
    defer { rlsim.remove() }
    try rlsim.write(
      "main.lua",
      """
      local t = rl.thread("t", function() rl.yield() \(call) end)
      t:start() rl.yield() t:join()
      """)
    try rlsim.write(
      "protected.lua", "rl.yield() error((select(2, pcall(\(call.prefix { $0 != "(" }), -1, {}, {}))), 0)\n")
    for script in ["main.lua", "protected.lua"] {
      let run = try rlsim("run", script)
      #expect(run.code == 3, "\(run.errors)")
      let error = try #require(run.errors.split(separator: "\n").first).replacing("rlsim: ", with: "")
      let explored = try rlsim("explore", script)
      #expect(explored.output.contains(error), "\(error)\n\(explored.output)\(explored.errors)")
    }
  }
}
