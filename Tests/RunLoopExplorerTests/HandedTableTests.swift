import Testing

@testable import RunLoopExplorer

/// What is read off a script: tables, coroutines and state of Lua's own that threads may share by way of `rl`.
@Suite struct HandedTableTests {
  private func tables(_ source: String) -> String? { HandedTables(PlainVariables(of: Array(source.utf8))).find() }
  private func iterators(_ source: String) -> String? { SharedIterators(PlainVariables(of: Array(source.utf8))).find() }
  private func hidden(_ source: String) -> String? { HiddenState.find(in: [(Array(source.utf8), "a.lua")]) }

  private func port(_ receive: String, _ send: String) -> String {
    """
    local p = rl.port{ receive = function(m) \(receive) end }
    local t = rl.thread("t", function() rl.currentLoop():addPort(p) rl.currentLoop():run() end)
    t:start()
    \(send)
    """
  }

  // MARK: Tables

  @Test func aMessageThatIsMadeOnTheSpotIsItsReceivers() {
    #expect(tables(port("m.seen = true", "p:send{ id = 1 }")) == nil)
    #expect(tables(port("m.seen = true", "p:send({ id = 1, parts = { 1, 2 } })")) == nil)
    #expect(tables(port("m.seen = true", "for i = 1, 3 do p:send(i) end")) == nil)
    #expect(tables(port("m.seen = true", "for i = 1, 3 do local m = { id = i } m.n = i p:send(m) end")) == nil)
  }

  @Test func aMessageThatItsSenderKeeps() {
    #expect(
      tables(port("m.seen = true", "local q = {} p:send(q) rl.log(q.seen)"))
        == "a table that threads hand to each other (script:4) may be changed by one of them (script:1)")
    #expect(tables(port("", "local q = {} p:send(q) q.seen = true")) != nil)
    #expect(tables(port("m.seen = true", "local q = {} for i = 1, 2 do p:send(q) end")) != nil)
    #expect(tables(port("m.part.seen = true", "local q = {} p:send{ part = q } rl.log(q.seen)")) != nil)
    #expect(tables(port("table.insert(m, 1)", "local q = {} local function f() p:send(q) end f() rl.log(#q)")) != nil)
    #expect(tables(port("rl.log(m.id)", "local q = { id = 1 } p:send(q) rl.log(q.id)")) == nil)
  }

  @Test func aTableInASharedCellBelongsToAll() {
    let source = """
      local s = rl.shared{ value = {} }
      local t = rl.thread("t", function() s:get().x = 1 end)
      t:start()
      rl.log(s:get().x)
      """
    #expect(
      tables(source) == "a table that threads hand to each other (script:1) may be changed by one of them (script:2)")
    #expect(tables(source.split(separator: "s:get().x = 1").joined(separator: "s:set({ x = 1 })")) == nil)
    // What it holds are numbers.
    let number =
      "local s = rl.shared{ value = 0 } rl.thread('t', function() s:set(s:get() + 1) return s:get() end):start()"
    #expect(tables(number + " local t = f() t:join() t.x = 1") == nil)
    let named = "local s = rl.shared{ value = {} } rl.thread('t', function() local v = s:get() v[1] = 2 end):start()"
    #expect(tables(named) != nil)
  }

  @Test func argumentsAndResults() {
    #expect(
      tables("local q = {} rl.detach('d', function(t, v) v.x = 1 end, q) rl.log(q.x)") != nil)
    #expect(
      tables("local q = {} rl.performOnMainThread(function(v) v.x = 1 end, { argument = q }) rl.thread('t', print)")
        != nil)
    #expect(tables("local t = rl.thread('t', function() return { 1 } end) local v = t:join() v[1] = 2") == nil)
    #expect(
      tables("local q = {} local t = rl.thread('t', function() return q end) t:start() local v = t:join() v[1] = 2")
        != nil)
  }

  @Test func whatIsInATableOfATableIsChanged() {
    let source = """
      local state = { list = {} }
      local t = rl.thread("t", function() table.insert(state.list, 1) end)
      t:start()
      rl.log(#state.list)
      """
    #expect(PlainVariables(of: Array(source.utf8)).find().first?.name == "state")
  }

  // MARK: Iterators

  @Test func aCoroutineOfSeveralThreads() {
    let source = """
      local co = coroutine.wrap(function() for i = 1, 9 do coroutine.yield(i) end end)
      local t = rl.thread("t", function() rl.log(co()) end)
      t:start()
      rl.log(co())
      """
    #expect(iterators(source)?.hasPrefix("a coroutine or an iterator (script:1)") == true)
    #expect(iterators("local it = ('a b'):gmatch('%a') rl.thread('t', function() it() end):start() it()") != nil)
    #expect(iterators("local q = {} q.it = string.gmatch('a', '%a') rl.thread('t', function() q.it() end)") != nil)
  }

  @Test func iteratorsOfOneThread() {
    let loop = "for w in ('a b'):gmatch('%a') do rl.log(w) end for w in string.gmatch('a', '.') do rl.log(w) end"
    #expect(iterators("rl.thread('t', function() \(loop) end) \(loop)") == nil)
    let own = "local co = coroutine.wrap(function() coroutine.yield(1) end) co() co()"
    #expect(iterators("rl.thread('t', function() \(own) end) rl.thread('u', function() \(own) end)") == nil)
    let created = "local co = coroutine.create(function() end) coroutine.resume(co) rl.log(coroutine.status(co))"
    #expect(iterators("local function f() \(created) end rl.thread('t', f) rl.thread('u', f)") == nil)
  }

  // MARK: Hidden state

  @Test func whatCannotBeSeen() {
    let thread = " rl.thread('t', print)"
    #expect(hidden("load('x = 1')()" + thread)?.hasPrefix("what load makes of a text is not read") == true)
    #expect(hidden("require(name)" + thread)?.hasPrefix("which module is required is not known") == true)
    #expect(hidden("require('name') require 'other'" + thread) == nil)
    for use in [
      "local d = rl.mainThread.dictionary", "f(rl.mainThread.dictionary)", "rl.mainThread.dictionary[f()] = 1",
      "rl.mainThread.dictionary.x = a:load()", "rl.mainThread.dictionary.x = 1 + f 'x'",
      "rl.mainThread['dictionary'].x = 1", "rl.mainThread.dictionary.x = {}",
      "rl.mainThread.dictionary.x, y = 1, f()", "y, rl.mainThread.dictionary.x = f()",
      "rl.mainThread.dictionary.x = function() end", "rl.mainThread.dictionary.x = 1 setmetatable(a, b)",
      "rl.mainThread.dictionary.x = 1 local d = rl.currentThread().dictionary",
    ] {
      #expect(hidden(use + " " + thread)?.hasPrefix("a thread's dictionary may be used by others") == true, "\(use)")
    }
    for use in [
      "rl.mainThread.dictionary.x = 1 f()", "rl.mainThread.dictionary.source:signal()",
      "rl.mainThread.dictionary[1] = rl.mainThread.dictionary.x + #y * (2) f()",
      "f(rl.mainThread.dictionary.x, g())", "t.dictionary.x = y local z = f()",
      "if t.dictionary.x == nil then f() end", "t.dictionary.x = not y or 'z' .. 1; (f)()",
      "local d = rl.currentThread().dictionary",
      "t.dictionary.n = rl.currentThread().dictionary.n + 1 rl.currentThread().dictionary.n = 0",
    ] {
      #expect(hidden(use + " " + thread) == nil, "\(use)")
    }
    #expect(hidden("rl.currentThread().dictionary.x = 1" + thread) == nil)
    #expect(hidden("math.random(3) math.randomseed(4) rl.mainThread:setPriority(1) rl.remotePort('n')" + thread) == nil)
    #expect(hidden("_G.x = 1") == nil)
  }
}
