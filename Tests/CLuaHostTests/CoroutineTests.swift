import CLuaHost
import Testing

@Suite struct CoroutineTests {
  @Test func `a script's coroutine may block, and yields to its resumer all the same`() {
    #expect(
      TestHost().output(
        """
        local co = coroutine.create(function(a)
          print('in', a, coroutine.isyieldable())
          print('blocked', rl.block())
          local b = coroutine.yield('first')
          print('got', b, rl.call(function() return rl.block() end))
          return 'last'
        end)
        print(coroutine.resume(co, 1))
        print(coroutine.status(co), coroutine.isyieldable())
        print(coroutine.resume(co, 2))
        print(coroutine.resume(co))
        print(coroutine.status(co))
        """) == [
          "in 1 true", "blocked 1", "true first", "suspended false", "got 2 2", "true last",
          "false cannot resume dead coroutine", "dead",
        ])
  }

  @Test func `nested coroutines all wait when the innermost blocks`() {
    #expect(
      TestHost().output(
        """
        local function nest(n) if n == 0 then return rl.block() end return coroutine.wrap(function() return nest(n - 1) end)() end
        print(nest(50))
        """) == ["1"])
  }

  @Test func `a coroutine that is blocked in one thread cannot be resumed by another`() {
    let host = TestHost()
    #expect(host.start("co = coroutine.create(function() rl.block() end) coroutine.resume(co) print('done')") == CLH_OK)
    #expect(
      host.start("print(coroutine.resume(co)) print(coroutine.status(co)) print(pcall(coroutine.close, co))", thread: 1)
        == CLH_OK)
    #expect(host.resume(0) == CLH_YIELDED)
    #expect(host.resume(1) == CLH_FINISHED)
    #expect(host.resume(0) == CLH_FINISHED)
    #expect(
      host.lines == [
        "false cannot resume non-suspended coroutine (it is blocked in rl.block)", "normal",
        "false cannot close a normal coroutine", "done",
      ])
  }

  @Test func `a thread's own coroutine is no one's to resume, close or yield`() {
    let host = TestHost()
    #expect(host.start("mine = coroutine.running() print(select(2, coroutine.running())) rl.block()") == CLH_OK)
    #expect(
      host.start(
        "print(coroutine.resume(mine)) print(pcall(coroutine.close, mine)) print(pcall(coroutine.yield))", thread: 1)
        == CLH_OK)
    #expect(host.resume(0) == CLH_YIELDED)
    #expect(host.resume(1) == CLH_FINISHED)
    #expect(
      host.lines == [
        "true", "false cannot resume non-suspended coroutine", "false cannot close a normal coroutine",
        "false attempt to yield from outside a coroutine",
      ])
  }

  @Test func `a coroutine does not leave a callback of the API by a yield`() {
    let refused =
      "attempt to yield out of a callback of rl.call, which must return first (a coroutine that is made inside the "
      + "callback may yield there)"
    #expect(
      TestHost().output(
        """
        local co = coroutine.create(function()
          print(rl.call(function()
            print(coroutine.isyieldable(), pcall(coroutine.yield, 'out'))
            print(coroutine.wrap(function() coroutine.yield('of one made inside') end)())
            pcall(rl.call, function() error('left by an error') end)
            rl.block()
            return 'returned'
          end))
          print(coroutine.isyieldable(), coroutine.yield('after'))
          rl.call(function()
            coroutine.yield('uncaught')
          end)
        end)
        print(coroutine.resume(co))
        print(coroutine.resume(co, 'back'))
        print(coroutine.status(co))
        """) == [
          "false false test.lua:3: \(refused)", "of one made inside", "returned", "true after", "true back",
          "false test.lua:11: \(refused)", "dead",
        ])
  }

  @Test func `errors leave a wrapped coroutine with the place of the call before them`() {
    #expect(
      TestHost().output(
        "print(pcall(coroutine.wrap(function() rl.block() error('x', 0) end)))\nprint(pcall(function() coroutine.wrap(function() error('y', 0) end)() end))"
      ) == [
        "false x", "false test.lua:2: y",
      ])
  }

  @Test func `pcall and to-be-closed variables work around blocks`() {
    #expect(
      TestHost().output(
        """
        local function closer(name)
          return setmetatable({}, { __close = function(_, e) rl.block() print('close', name, e) end })
        end
        print(pcall(function()
          local a <close> = closer('a')
          local b <close> = closer('b')
          rl.block()
          error('E', 0)
        end))
        print(xpcall(function() rl.block() error('F', 0) end, function(m) return 'handled ' .. m end))
        print(xpcall(function(...) rl.block() return ... end, print, 1, 2))
        """) == ["close b E", "close a E", "false E", "false handled F", "true 1 2"])
  }

  @Test(arguments: [
    "table.sort({ 3, 2, 1 }, function() rl.block() end)",
    "('x'):gsub('x', function() rl.block() end)",
    "tostring(setmetatable({}, { __tostring = function() rl.block() return '' end }))",
    "table.sort({ 3, 2, 1 }, function() pcall(rl.block) end)",
    "table.sort({ 3, 2, 1 }, function() coroutine.wrap(function() rl.block() end)() end)",
    "pcall(function() pcall(table.sort, { 2, 1 }, function() rl.block() end) end)",
    "load(function() rl.block() end)",
  ])
  func `a block where it cannot be is an error that no pcall holds up`(script: String) {
    let host = TestHost()
    #expect(host.run(script + " print('went on')") == CLH_FAILED)
    #expect(host.lines.isEmpty)
    #expect(host.error.message.contains("rl.block: this call would block, and it cannot block inside"))
    #expect(host.output("print('another thread is not touched')") == ["another thread is not touched"])
  }
}
