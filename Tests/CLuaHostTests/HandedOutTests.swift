import CLuaHost
import Testing

/// Functions of C that scripts get hold of, in whatever way, and call with anything.
@Suite struct HandedOutTests {
  @Test func `what pairs gives checks what it is called with`() {
    #expect(
      TestHost().output(
        """
        local sequence, keys = pairs({ 'a', 'b' }), pairs({ x = 1, y = 2 })
        for _, step in ipairs{ sequence, keys } do
          print((select(2, pcall(function() return step() end))))
          print((select(2, pcall(function() return step('s', 1, 2) end))))
        end
        print(sequence({ 7, 8 }, 1))
        print(sequence({}, {}, 'more'))
        print(keys({ y = 'other table' }, nil, 'more'))
        print(keys({}))
        """) == [
          "test.lua:3: bad argument #1 to 'step' (table expected, got no value)",
          "test.lua:4: bad argument #1 to 'step' (table expected, got string)",
          "test.lua:3: bad argument #1 to 'step' (table expected, got no value)",
          "test.lua:4: bad argument #1 to 'step' (table expected, got string)",
          "2 8", "nil", "y other table", "nil",
        ])
  }

  @Test func `the metatable of the globals can be called by hand`() {
    #expect(
      TestHost().output(
        """
        local meta = getmetatable(_G)
        print(pcall(meta.__index, 5, 'nosuch'))
        print(pcall(meta.__newindex, nil, 'a', 1))
        print(pcall(meta.__index))
        print(pcall(meta.__index, { nosuch = 1 }, 'nosuchh'))
        """) == [
          "false bad argument #1 to '?' (table expected, got number)",
          "false bad argument #1 to '?' (table expected, got nil)",
          "false bad argument #1 to '?' (table expected, got no value)",
          "false global 'nosuchh' was never assigned; did you mean 'nosuch'?",
        ])
  }

  @Test func `what pairs gives for rl is a copy`() {
    #expect(
      TestHost().output(
        """
        local log = rl.log
        local step, t = pairs(rl)
        t.log, t.more = 'changed', 1
        print(rl.log == log, getmetatable(t), (pcall(function() return rl.more end)))
        local own, n = pairs, 0
        pairs = function() rl.block() error('not asked for') end
        for name, value in own(rl) do n = n + 1 end
        print(n > 5)
        """) == ["true nil false", "true"])
  }

  /// All that can be reached, called with everything: nothing crashes.
  @Test func `all functions survive all arguments`() {
    let script = """
      local function values()
        local f, co = function() return 1 end, coroutine.create(print)
        return { n = 12, nil, true, 0, -1, 3, 1.5, 's', '%d(', {}, f, co, rl.timer{} }
      end
      local print, next, ipairs, pcall, getmetatable, type = print, next, ipairs, pcall, getmetatable, type
      local functions, seen = {}, {}
      local skipped = { [coroutine.yield] = true, [error] = true }
      local function add(value)
        if type(value) == 'function' and not skipped[value] then functions[#functions + 1] = value end
        if seen[value] or value == rl then return end
        seen[value] = true
        if type(value) == 'table' then for _, v in next, value do add(v) end end
        local meta = getmetatable(value)
        if type(meta) == 'table' then add(meta) end
      end
      local each = values()
      for i = 1, each.n do if each[i] ~= nil then add(each[i]) end end
      add(_G)
      add(pairs({ 1, 2 })) add(pairs({ x = 1 })) add(pairs(rl)) add(ipairs({})) add(string.gmatch('abc', '.'))
      add(utf8.codes('abc')) add(coroutine.wrap(function() coroutine.yield(1) end)) add(next)
      local calls = 0
      for _, f in ipairs(functions) do
        for i = 0, 12 do
          for j = 0, i == 0 and 0 or 12 do
            local a, b, c = values(), values(), values()
            if i == 0 then pcall(f) elseif j == 0 then pcall(f, a[i]) else
              pcall(f, a[i], b[j]) pcall(f, a[i], b[j], c[(i + j) % 12 + 1])
            end
            calls = calls + 1
          end
        end
      end
      print(#functions > 90, calls > 10000)
      """
    // Only that the end is reached counts.
    #expect(TestHost().output(script).last == "true true")
  }

  @Test func `__pairs may block and yield`() {
    let host = TestHost()
    #expect(
      host.output(
        """
        local function with(before)
          return setmetatable({}, { __pairs = function(t) before() return next, { x = 1 }, nil end })
        end
        for k, v in pairs(with(rl.block)) do print(k, v) end
        local go = coroutine.wrap(function()
          for k, v in pairs(with(function() coroutine.yield('out') end)) do coroutine.yield(k, v) end
          return pcall(pairs, with(function() coroutine.yield('again') error('mine', 0) end))
        end)
        print(go()) print(go()) print(go()) print(go())
        print(select('#', pairs(setmetatable({}, { __pairs = function() return 1, 2, 3, 4 end }))))
        """) == ["x 1", "out", "x 1", "again", "false mine", "3"])
    #expect(host.blocks == 1)
  }
}
