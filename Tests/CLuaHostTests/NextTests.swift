import CLuaHost
import Testing

/// Callbacks that are called one after another without asking `returned` in between.
@Suite struct NextTests {
  @Test func `each is called, with its object, and may block`() {
    let host = TestHost()
    #expect(
      host.output(
        """
        local n = 0
        rl.chain(function(timer) n = n + 1 assert(timer.name == 't0') if n % 3 == 0 then rl.block() end end, 10)
        print(n)
        """) == ["10"])
    #expect(host.blocks == 3)
  }

  @Test func `an error ends them, and leaves nothing open`() {
    #expect(
      TestHost().output(
        """
        for last = 1, 3 do
          local n = 0
          print(pcall(rl.chain, function() n = n + 1 if n == last then error('stop', 0) end end, 10))
          print(n)
        end
        local co = coroutine.wrap(function() rl.chain(function() end, 3) coroutine.yield('out') end)
        print(co())
        """) == ["false stop", "1", "false stop", "2", "false stop", "3", "out"])
  }

  @Test func `they nest, and are as deep as others`() {
    #expect(
      TestHost().output(
        """
        local function down(n)
          if n == 0 then error('bottom', 0) end
          rl.call(function() local done; rl.chain(function() if not done then done = true else down(n - 1) end end, 2) end)
        end
        print(pcall(down, 2000))
        """) == ["false bottom"])
  }

  @Test func `each has the limit of instructions for itself`() {
    let spin = "local n = 0 rl.chain(function() n = n + 1 for _ = 1, n == %d and 1e9 or 5000 do end end, 20) print(n)"
    #expect(TestHost(instructions: 20_000).output(spin.replacing("%d", with: "0")) == ["20"])
    let host = TestHost(instructions: 20_000)
    #expect(host.run(spin.replacing("%d", with: "7")) == CLH_LIMITED)
    #expect(host.error.message.hasPrefix("test.lua:1: more than 20000 Lua instructions"))
  }

  @Test func `instead of the next one the thread can give way`() {
    let host = TestHost()
    host.givesWayBefore = 3
    #expect(host.start("local n = 0 print(rl.chain(function() n = n + 1 end, 5), n)") == CLH_OK)
    #expect(host.resume() == CLH_YIELDED)
    #expect(host.resume() == CLH_FINISHED)
    #expect(host.lines == ["1 2"])
  }
}
