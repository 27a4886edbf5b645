import CLuaHost
import Testing

@Suite struct LimitTests {
  @Test(arguments: [
    "while true do end",
    "while true do pcall(function() while true do end end) end",
    "while true do xpcall(function() while true do end end, function() while true do end end) end",
    "local f f = function() pcall(f) return f() end f()",
    "while true do coroutine.wrap(function() end)() end",
    "local c = coroutine.wrap(function() while true do end end) while true do pcall(c) end",
    "while true do rl.now() end",
    "(('a'):rep(100000)):find(('a*'):rep(20) .. 'b')",
    "while true do pcall(string.find, ('a'):rep(1000), ('a-'):rep(20) .. 'b') end",
    "local s = ('x'):rep(1e6) while true do s:find('y', 1, true) end",
    "local s = ('x'):rep(1e6) while true do s:upper() end",
    "table.move({}, 1, math.maxinteger - 1, 2)",
    "table.insert(setmetatable({}, { __len = function() return 2^53 end }), 1, 1)",
    "table.sort(setmetatable({}, { __len = function() return 1e8 end }))",
    "load(function() return 'x = 1 ' end)",
    "local t = {} for i = 1, 20000 do t['k' .. i] = i end while true do next(t) end",
    "local x <close> = setmetatable({}, { __close = function() while true do end end }) while true do end",
    "rl.call(function() while true do end end)",
  ])
  func `the limit of instructions ends whatever a script does`(script: String) {
    let host = TestHost(memory: 100 << 20, instructions: 300_000)
    #expect(host.run(script) == CLH_LIMITED)
    #expect(clh_limit(host.host) == CLH_LIMIT_INSTRUCTIONS)
    #expect(
      host.error.message.contains(
        "more than 300000 Lua instructions between two scheduling points (--max-instructions)"))
    #expect(host.error.message.hasPrefix("test.lua:1: "))
  }

  @Test func `blocks and callbacks start the count anew`() {
    let host = TestHost(instructions: 100_000)
    #expect(
      host.output(
        """
        for i = 1, 50 do for j = 1, 5000 do end rl.block() end
        for i = 1, 50 do for j = 1, 5000 do end rl.call(function() end) end
        print('ended')
        """) == ["ended"])
  }

  @Test(arguments: [
    "local t = {} while true do t[#t + 1] = {} end",
    "while true do pcall(function() local t = {} while true do t[#t + 1] = {} end end) end",
    "while true do pcall(string.rep, 'x', 1e10) end",
    "string.rep('x', 1 << 40)",
    "string.rep('', 10, ('x'):rep(1e6))",
    "local s = 'x' while true do s = s .. s end",
    "local t = {} for i = 1, 30 do t[i] = ('x'):rep(1e6) end table.concat(t)",
    "local c = coroutine.wrap(function() local t = {} while true do t[#t + 1] = {} end end) pcall(c)",
    "pcall(function() (('x'):rep(1e6)):gsub('x', ('y'):rep(1e6)) end)",
    "rl.call(function() local s = 'x' while true do s = s .. s end end)",
    "for i = 1, 1e9 do rl.timer{ name = 't' .. i, fire = function() end } end",
  ])
  func `the memory limit ends whatever a script does`(script: String) {
    let host = TestHost(memory: 8 << 20)
    #expect(host.run(script + " print('went on')") == CLH_LIMITED)
    #expect(clh_limit(host.host) == CLH_LIMIT_MEMORY)
    #expect(host.error.message == "not enough memory: more than 8388608 bytes of Lua memory (--max-memory)")
    #expect(host.lines.isEmpty)
    #expect(clh_peak_memory(host.host) <= 8 << 20)
  }

  /// Each cap makes another allocation the one that fails.
  @Test func `a script under any memory cap ends or is limited`() {
    let script = """
      local keep = {}
      for i = 1, 12 do
        local t = {} for j = 1, 30 do t[j] = { j, 's' .. j .. i } end
        keep[#keep + 1] = t
        local s = ('x'):rep(i * 30):gsub('x', function(c) return c .. 'y' end)
        for k, v in pairs{ a = i, b = s, [1.5] = t } do keep[k] = v end
        table.sort(t, function(a, b) return a[2] < b[2] end)
        local timer = rl.timer{ name = 't' .. i, fire = function() rl.block() end }
        timer:fire()
        rl.call(function() rl.block() return i, s end, t, nil, s)
        local co = coroutine.wrap(function() rl.call(function() rl.block() end) coroutine.yield(string.format('%s', t)) end)
        co() keep[#keep + 1] = co
        pcall(error, { i }) pcall(rl.raise, 'boo' .. i)
        pcall(function()
          local x <close> = setmetatable({}, { __close = function() keep[#keep + 1] = {} end })
          error('x' .. i)
        end)
        load('return ' .. i)() _G['g' .. i] = i
        table.concat({ 1, 2, s }, ',') os.date() debug.traceback()
      end
      """
    var finished = 0
    var limited = 0
    for cap in stride(from: 30_000, to: 400_000, by: 1_013) {
      let host = TestHost(memory: cap)
      let status = host.run(script)
      if status == CLH_FINISHED { finished += 1 } else { limited += 1 }
      #expect(status == CLH_FINISHED || (status == CLH_LIMITED && clh_limit(host.host) == CLH_LIMIT_MEMORY))
    }
    #expect(finished > 10 && limited > 10)
  }

  @Test func `after a limit nothing runs any more`() {
    let host = TestHost(instructions: 10_000)
    #expect(host.run("while true do end") == CLH_LIMITED)
    #expect(host.run("print(1)") == CLH_LIMITED)
    #expect(host.lines.isEmpty)
  }

  @Test(arguments: [
    "while true do end",
    "while true do pcall(function() while true do end end) end",
    "local co = coroutine.wrap(function() while true do end end) co()",
    "('a'):rep(40):find(('a*'):rep(30) .. 'b')",
    "rl.call(function() while true do end end)",
  ])
  func `a script that computes is asked to stop now and then, with and without a limit`(script: String) {
    for limit in [0, 500_000_000] as [UInt64] {
      let host = TestHost(instructions: limit)
      host.stop = { $0 == 5 }
      #expect(host.run(script + " print('went on')") == CLH_LIMITED)
      #expect(clh_limit(host.host) == CLH_LIMIT_INTERRUPTED)
      #expect(host.lines.isEmpty)
    }
  }
}
