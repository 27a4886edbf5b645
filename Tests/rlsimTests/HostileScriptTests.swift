import Foundation
import Testing

/// Bad scripts end with one clear message and the right exit code, and the trace so far is there.
@Suite struct HostileScriptTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var script: String
    var code: Int32
    /// What the message must hold.
    var says: String
    var options: [String] = []
  }

  static let cases: [Case] = [
    Case(
      testDescription: "an endless loop", script: "rl.log('before'); while true do end", code: 4,
      says: "Lua instructions"),
    Case(
      testDescription: "an endless loop inside pcall",
      script: "rl.log('before'); while true do pcall(function() while true do end end) end", code: 4,
      says: "Lua instructions"),
    Case(
      testDescription: "recursion without end", script: "rl.log('before'); local function f() return 1 + f() end f()",
      code: 3, says: "stack overflow"),
    Case(
      testDescription: "a string of 10 GB", script: "rl.log('before'); local s = string.rep('x', 10000000000)", code: 4,
      says: "not enough memory"),
    Case(
      testDescription: "a hostile pattern",
      script: "rl.log('before'); string.find(string.rep('a', 100000), string.rep('a*', 20) .. 'b')", code: 4,
      says: "Lua instructions"),
    Case(
      testDescription: "memory eaten bit by bit",
      script: "rl.log('before'); local t = {} while true do t[#t + 1] = {} end", code: 4, says: "not enough memory",
      options: ["--max-memory", "50M"]),
    Case(
      testDescription: "an error object that is a table", script: "rl.log('before'); error({ code = 1 })", code: 3,
      says: "error object is a table value"),
    Case(
      testDescription: "an error in a callback",
      script: """
        rl.log('before')
        rl.currentLoop():addTimer(rl.timer{ after = 1, fire = function() error('in a timer') end })
        rl.currentLoop():run()
        """, code: 3, says: "hostile.lua:2: in a timer"),
    Case(
      testDescription: "another thread's loop",
      script: """
        rl.log('before')
        local w = rl.thread('w', function() rl.currentLoop() rl.sleep(1) end)
        w:start() rl.sleep(0.5) w:loop():run()
        """, code: 3, says: "w's run loop"),
    Case(
      testDescription: "a date that is no number",
      script: "rl.log('before'); rl.timer{ fireAt = 0/0 }", code: 3, says: "NaN"),
    Case(
      testDescription: "negative work", script: "rl.log('before'); rl.work(-1)", code: 3, says: "rl.work"),
    Case(
      testDescription: "a field that is not there", script: "rl.log('before'); rl.timer{ intervall = 1 }", code: 3,
      says: "did you mean 'interval'?"),
    Case(
      testDescription: "a misspelt mode", script: "rl.log('before'); rl.currentLoop():runInMode('Default')", code: 3,
      says: "did you mean 'default'?"),
    Case(
      testDescription: "a global that was never assigned", script: "rl.log('before'); pritn(1)", code: 3,
      says: "did you mean 'print'?"),
    Case(
      testDescription: "a field of rl that is not there", script: "rl.log('before'); rl.tiemr{}", code: 3,
      says: "did you mean 'timer'?"),
    Case(
      testDescription: "more nested runs than allowed",
      script: """
        rl.log('before')
        local loop = rl.currentLoop()
        local function nest()
          loop:addTimer(rl.timer{ after = 0.001, fire = nest })
          loop:run()
        end
        nest()
        """, code: 3, says: "nested too deep"),
    Case(
      testDescription: "an endless chain of timers in no time",
      script: """
        rl.log('before')
        rl.trace{ show = { 'log' } }
        local loop = rl.currentLoop()
        local function again() loop:addTimer(rl.timer{ after = 0, fire = again }) end
        again()
        loop:run()
        """, code: 4, says: "--max-steps", options: ["--max-steps", "100000"]),
  ]

  @Test(arguments: cases)
  func endsWithOneMessage(_ hostile: Case) throws {
    let rlsim = try Executable()
    defer { rlsim.remove() }
    try rlsim.write("hostile.lua", hostile.script)
    let options = hostile.options.joined(separator: " ")
    let result = try rlsim.shell("exec timeout 100 $RLSIM run \(options) hostile.lua")
    #expect(result.code == hostile.code, "\(result.errors)")
    #expect(result.errors.contains(hostile.says), "\(result.errors)")
    #expect(result.output.contains("main log before"))
    #expect(result.output.contains(" - end reason="))
  }

  @Test func twoHundredNestedRunsAndAHundredThousandPcallsWork() throws {
    let rlsim = try Executable()
    defer { rlsim.remove() }
    try rlsim.write(
      "deep.lua",
      """
      rl.trace{ show = { "log" } }
      local loop, depth = rl.currentLoop(), 0
      local function nest()
        depth = depth + 1
        if depth == 200 then return rl.log("two hundred") end
        loop:addTimer(rl.timer{ after = 0.001, fire = nest })
        loop:runInMode("default", 0.0015)
      end
      nest()
      local function deeper(n) return n == 0 or pcall(deeper, n - 1) end
      rl.log(deeper(5000))
      rl.log(pcall(deeper, 100000))
      """)
    let result = try rlsim.shell("exec timeout 200 $RLSIM run deep.lua")
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains("log two hundred"))
    #expect(result.output.contains("log true"))
  }

  @Test func aMillionTimersFireInOrder() throws {
    let rlsim = try Executable()
    defer { rlsim.remove() }
    try rlsim.write(
      "many.lua",
      """
      rl.trace{ show = { "log" } }
      local loop, last, count = rl.currentLoop(), 0, 0
      local function fire()
        assert(rl.now() >= last)
        last, count = rl.now(), count + 1
      end
      for n = 1, 1000000 do loop:addTimer(rl.timer{ after = n * 7919 % 1000003 * 0.001, fire = fire }) end
      loop:runInMode("default", 2000)
      rl.log(count)
      """)
    let result = try rlsim.shell("exec timeout 300 $RLSIM run many.lua")
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains("log 1000000"))
  }

  /// What Lua refuses is refused when it is explored, too; and what it just takes is read to its end, or not reduced.
  @Test(arguments: ["do ", "local x = not ", "local x = - - ", "local x = (", "local x = {", "f(function() "])
  func nestedTooDeepToBeExplored(word: String) throws {
    let rlsim = try Executable()
    defer { rlsim.remove() }
    let repeated = word.split(separator: "= ").last.map(String.init) ?? word
    let thread = "local t = rl.thread('w', function() end)\n"
    try rlsim.write("deep.lua", thread + word + String(repeating: repeated, count: 60_000))
    let result = try rlsim.shell("exec timeout 100 $RLSIM explore deep.lua")
    #expect(result.code == 2, "\(result.errors)")
  }

  @Test func whatLuaJustTakesIsNotReducedOrRead() throws {
    let rlsim = try Executable()
    defer { rlsim.remove() }
    let open = String(repeating: "(", count: 180)
    let close = String(repeating: ")", count: 180)
    try rlsim.write(
      "deep.lua",
      """
      local d = \(open)1\(close)
      n = 0
      local a, b = rl.atomic{ value = 0 }, rl.atomic{ value = 0 }
      local p = rl.thread("p", function() a:add(1) n = 1 end)
      local q = rl.thread("q", function() b:add(1) rl.expect(n == 1, "seen") end)
      p:start() q:start() p:join() q:join()
      """)
    let result = try rlsim.shell("exec timeout 100 $RLSIM explore deep.lua")
    #expect(result.code == 1, "\(result.errors)")
  }
}
