import CLuaHost
import Testing

@Suite struct CallTests {
  @Test func `values of every type come back as they went`() {
    let host = TestHost()
    #expect(
      host.output(
        """
        for _, v in ipairs{ 1, -2.5, "text", true, false } do
          local back = rl.echo(v)
          assert(rawequal(back, v) and math.type(back) == math.type(v))
        end
        local t = {}
        assert(rl.echo(t) == t and rl.echo(print) == print and rl.echo(nil) == nil)
        assert(rl.same(t, t) and not rl.same(t, {}) and rl.same("a", "a"))
        """) == ["1", "-2.5", "text", "true", "false", "table: 1", "function: 1"])
  }

  @Test func `all arguments and results pass through a callback, also nil at the end`() {
    let host = TestHost()
    #expect(
      host.output("print(select('#', rl.call(function(...) print(...) return 1, nil, 'x', nil end, 'a', nil)))") == [
        "a nil", "4",
      ])
    #expect(host.output("print(select('#', rl.call(function() end)))") == ["1"])
  }

  @Test func `a list of strings arrives as one, a string alone too`() {
    #expect(
      TestHost().output("rl.list{ 'a', 'b' } rl.list 'c' rl.list{} print(pcall(rl.list, { 'a', 1 }))") == [
        "a+b", "alone c", "",
        "false test.lua:1: rl.list: argument 1 (modes) must be a mode or a list of modes: each must be a string, got "
          + "the number 1 as number 2",
      ])
  }

  @Test func `blocks and callbacks nest at any depth`() {
    #expect(
      TestHost().output(
        """
        local function down(n)
          if n == 0 then return rl.block() end
          return rl.call(function() rl.block() return down(n - 1) + 1 end)
        end
        print(down(300))
        """) == ["601"])
  }

  @Test func `callbacks nest thousands deep on a flat C stack`() {
    #expect(
      TestHost().output(
        """
        local function down(n) if n == 0 then return 0 end return rl.call(function() return down(n - 1) end) + 1 end
        print(down(5000))
        local function fail(n) if n == 0 then error('bottom', 0) end return rl.call(function() return fail(n - 1) end) end
        print(pcall(fail, 2000))
        """) == ["5000", "false bottom"])
  }

  @Test func `endless recursion is an ordinary error, whatever it goes through`() {
    let lines = TestHost().output(
      """
      local function plain() return 1 + plain() end
      local function called() return rl.call(called) end
      local function caught() local ok, e = pcall(caught) if not ok then error(e, 0) end end
      local function resumed() return coroutine.wrap(resumed)() end
      local meta = setmetatable({}, { __index = function(t, k) return t[k + 1] end })
      for _, f in ipairs{ plain, called, caught, resumed, function() return meta[1] end } do
        local ok, e = pcall(f)
        print(ok, e:find('overflow', 1, true) ~= nil)
      end
      """)
    #expect(lines == Array(repeating: "false true", count: 5))
  }

  @Test func `an error in a callback comes out of the call that made it, with its own traceback`() {
    let host = TestHost()
    #expect(
      host.run(
        """
        local function inner() error('planted') end
        rl.call(function()
          rl.block()
          rl.call(inner)
        end)
        """) == CLH_FAILED)
    #expect(host.error.message == "test.lua:1: planted")
    #expect(host.error.traceback.contains("test.lua:1: in upvalue 'inner'") == false)
    #expect(host.error.traceback.contains("[C]: in function 'error'"))
    #expect(host.error.traceback.contains("test.lua:4: in function <test.lua:2>"))
  }

  @Test func `raise puts the script's place before the words`() {
    #expect(
      TestHost().output("print(pcall(function()\nrl.raise('no')\nend)) print(pcall(rl.raise, 'direct'))") == [
        "false test.lua:2: no", "false test.lua:3: direct",
      ])
  }

  @Test func `the place of a call is that of the innermost Lua function`() {
    #expect(
      TestHost().output("rl.here()\npcall(rl.here)\nload('\\nrl.here()', '=chunk')()\nload('rl.here()')()") == [
        "test.lua:1", "test.lua:2", "chunk:2", "[string \"rl.here()\"]:1",
      ])
  }

  @Test func `objects keep their identity and hand themselves to their methods`() {
    #expect(
      TestHost().output(
        """
        local t
        t = rl.timer{ fire = function(fired) print(fired == t, fired, fired.name) end }
        t:fire()
        local seen = { [t] = 'yes' }
        t:fire()
        print(seen[t], getmetatable(t))
        """) == ["true timer t0 t0", "true timer t0 t0", "yes timer"])
  }

  @Test func `an error object that is no string has a text`() {
    let host = TestHost()
    #expect(host.run("error({})") == CLH_FAILED)
    #expect(host.error.message == "(error object is a table value)")
    #expect(host.run("error(setmetatable({}, { __tostring = function() return 'my own' end }))") == CLH_FAILED)
    #expect(host.error.message == "my own")
    #expect(host.run("error()") == CLH_FAILED)
    #expect(host.error.message == "(error object is a nil value)")
  }

  @Test func `what does not compile is a syntax error, and bytecode is none of a script`() {
    let host = TestHost()
    #expect(host.run("local = 1") == CLH_SYNTAX)
    #expect(host.error.message.hasPrefix("test.lua:1: "))
    #expect(host.run("\u{1B}Lua") == CLH_SYNTAX)
    #expect(host.output("#!/usr/bin/rlsim\nrl.here()") == ["test.lua:2"])
  }

  @Test func `constants are set before the script runs`() {
    let host = TestHost()
    var value = clh_value()
    value.tag = Int32(CLH_NUMBER.rawValue)
    value.number = .infinity
    #expect(clh_set_constant(host.host, "distantFuture", &value))
    value = clh_value()
    value.tag = Int32(CLH_OBJECT.rawValue)
    value.kind = 1
    value.integer = 7
    #expect(clh_set_constant(host.host, "mainThread", &value))
    #expect(
      host.output(
        "local d = rl.mainThread.dictionary d.x = 1 print(rl.distantFuture, rl.mainThread, d.x, rl.mainThread.dictionary == d)"
      )
        == ["inf thread t7 1 true"])
  }

  @Test func `an error keeps its own words when others were caught on its way`() {
    let host = TestHost()
    #expect(
      host.run(
        """
        local x <close> = setmetatable({}, { __close = function() pcall(rl.call, function() error('caught') end) end })
        rl.call(function()
          local y <close> = setmetatable({}, { __close = function() pcall(rl.call, function() error('caught') end) end })
          error('mine')
        end)
        """) == CLH_FAILED)
    #expect(host.error.message == "test.lua:4: mine")
  }

  @Test func `threads are separate and end by themselves`() {
    let host = TestHost()
    #expect(host.start("for i = 1, 3 do print('a', i) rl.block() end", thread: 0) == CLH_OK)
    #expect(host.start("for i = 1, 3 do print('b', i) rl.block() end", thread: 1) == CLH_OK)
    for _ in 0..<3 {
      #expect(host.resume(0) == CLH_YIELDED)
      #expect(host.resume(1) == CLH_YIELDED)
    }
    #expect(host.resume(1) == CLH_FINISHED)
    #expect(host.resume(0) == CLH_FINISHED)
    #expect(host.lines == ["a 1", "b 1", "a 2", "b 2", "a 3", "b 3"])
  }

  @Test func `ten thousand threads are made, blocked, resumed and thrown away`() {
    let host = TestHost()
    for thread in 0..<10_000 as Range<Int32> { #expect(host.start("return rl.block()", thread: thread) == CLH_OK) }
    for thread in 0..<10_000 as Range<Int32> { #expect(host.resume(thread) == CLH_YIELDED) }
    #expect(clh_memory(host.host) < 10_000 * 4096)
    for thread in 0..<10_000 as Range<Int32> {
      #expect(host.resume(thread) == CLH_FINISHED)
      clh_end(host.host, thread)
    }
  }

  @Test func `the nearest name is found by slips of the pen only`() {
    let candidates = ["timer", "thread", "trace", "log"]
    func nearest(_ name: String) -> String? {
      var pointers = candidates.map { strdupCopy($0) as UnsafePointer<CChar>? }
      defer { for pointer in pointers { pointer?.deallocate() } }
      let index = clh_nearest(name, name.utf8.count, &pointers, Int32(pointers.count))
      return index < 0 ? nil : candidates[Int(index)]
    }
    #expect(nearest("tiemr") == "timer")
    #expect(nearest("timers") == "timer")
    #expect(nearest("thred") == "thread")
    #expect(nearest("lgo") == "log")
    #expect(nearest("mutex") == nil)
    #expect(nearest("") == nil)
  }

  private func strdupCopy(_ text: String) -> UnsafePointer<CChar> {
    let bytes = Array(text.utf8CString)
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    copy.initialize(from: bytes, count: bytes.count)
    return UnsafePointer(copy)
  }
}
