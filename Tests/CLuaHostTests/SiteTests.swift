import CLuaHost
import Testing

/// The place of a call is remembered by its instruction. It must be what Lua itself says, whatever was there before.
@Suite struct SiteTests {
  @Test func `instructions can be told apart in this Lua`() {
    #expect(clh_remembers_places(TestHost().host))
  }

  @Test func `many calls have their own lines, every time`() {
    let script = "for _ = 1, 3 do\n" + String(repeating: "rl.here()\n", count: 300) + "end"
    let lines = (2...301).map { "test.lua:\($0)" }
    #expect(TestHost().output(script) == lines + lines + lines)
  }

  @Test func `two calls in one line, and a tail call`() {
    #expect(
      TestHost().output(
        """
        local function tail()
          return rl.here()
        end
        for _ = 1, 2 do
          rl.here() rl.here()
          tail()
        end
        """) == Array(repeating: ["test.lua:5", "test.lua:5", "test.lua:2"], count: 2).flatMap { $0 })
  }

  /// The function of C is at the depth at which `f` was, and `f` did nothing after its call: what still stands in the frame
  /// must not be taken for a place of the function of C.
  @Test func `a call out of C has the place of the Lua function before it`() {
    #expect(
      TestHost().output(
        """
        local function f() return rl.here() end
        for _ = 1, 2 do
          f()
          pcall(rl.here)
          f()
          load(rl.here)
          coroutine.wrap(rl.here)()
        end
        """)
        == Array(
          repeating: ["test.lua:1", "test.lua:4", "test.lua:1", "test.lua:6", "?:0"], count: 2
        ).flatMap { $0 })
  }

  /// Once it is collected, a chunk's instructions lie where those of an earlier one did.
  @Test func `compiled functions that come and go have their own places`() {
    let expected = (1...200).flatMap { ["c\($0 % 3):\($0 % 7 + 1)", "c\($0 % 3):\($0 % 7 + 1)"] }
    #expect(
      TestHost().output(
        """
        for i = 1, 200 do
          local f = load(('\\n'):rep(i % 7) .. 'rl.here()', '=c' .. i % 3)
          f() f() f = nil
          collectgarbage()
        end
        """) == expected)
  }

  /// While a chunk is compiled from pieces, the function that gives them makes calls of its own, and compiles.
  @Test func `a chunk compiled in the midst of another is not taken for it`() {
    let expected = (1...10).flatMap { i in
      Array(repeating: "inner:\(i % 5 + 1)", count: 40) + Array(repeating: "outer:\(i % 7 + 1)", count: 40)
    }
    #expect(
      TestHost().output(
        """
        local calls = ('rl.here() '):rep(40)
        for i = 1, 10 do
          local pieces = { ' ' .. ('\\n'):rep(i % 7), calls }
          local f = load(function()
            if #pieces == 1 then
              load(('\\n'):rep(i % 5) .. calls, '=inner')()
              collectgarbage()
            end
            return table.remove(pieces, 1)
          end, '=outer')
          f()
        end
        """) == expected)
  }

  @Test func `what was compiled after a snapshot is forgotten with it`() {
    let host = TestHost()
    #expect(host.start("rl.block() load(('\\n'):rep(rl.now()) .. 'rl.here()', '=c')() rl.block()") == CLH_OK)
    #expect(host.resume() == CLH_YIELDED)
    let snapshot = clh_save(host.host, nil)
    defer { clh_free_snapshot(snapshot) }
    for second in 0..<5 {
      host.now = Int64(second) * 1_000_000_000
      clh_restore(host.host, snapshot)
      #expect(host.resume() == CLH_YIELDED)
      #expect(host.lines.last == "c:\(second + 1)")
    }
  }
}
