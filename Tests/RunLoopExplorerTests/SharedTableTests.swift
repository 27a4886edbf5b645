import Testing

@testable import RunLoopExplorer

/// Whatever way threads come to the same table or function, a script that shares one is not reduced.
@Suite struct SharedTableTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// What stands before the threads, and what each of two does.
    var before: String
    var first: String
    var second: String

    init(_ description: String, _ before: String, _ first: String, _ second: String) {
      (testDescription, self.before, self.first, self.second) = (description, before, first, second)
    }

    var source: String {
      """
      \(before)
      local a, b = rl.atomic{ value = 0 }, rl.atomic{ value = 0 }
      local p = rl.thread("p", function() a:add(1) \(first) end)
      local q = rl.thread("q", function() b:add(1) \(second) end)
      p:start() q:start() p:join() q:join()
      """
    }
  }

  private static func why(_ source: String) -> String? {
    let script = PlainVariables(of: Array(source.utf8))
    return script.whyUnknown ?? script.find().first?.name ?? HandedTables(script).find()
  }

  static let shared: [Case] = [
    Case("a field", "local t = { sub = { n = 0 } }", "local s = t.sub s.n = 1", "local s = t.sub rl.expect(s.n == 1)"),
    Case("an iteration", "local t = { { n = 0 } }", "for _, s in ipairs(t) do s.n = 1 end", "rl.expect(t[1].n == 1)"),
    Case("next", "local t = { { n = 0 } }", "local _, s = next(t) s.n = 1", "rl.expect(t[1].n == 1)"),
    Case(
      "an iterator of the script's",
      "local t = { { n = 0 } } local function each(l) local i = 0 return function() i = i + 1 return l[i] end end",
      "for s in each(t) do s.n = 1 end", "for s in each(t) do rl.expect(s.n == 1) end"),
    Case("a call", "local t = { n = 0 } local function get() return t end", "get().n = 1", "rl.expect(get().n == 1)"),
    Case(
      "what a call gave", "local t = { n = 0 } local function get() return t end", "local s = get() s.n = 1",
      "rl.expect(get().n == 1)"),
    Case(
      "the second of two results", "local t = { n = 0 } local function two() return 1, t end",
      "local _, s = two() s.n = 1", "local _, s = two() rl.expect(s.n == 1)"),
    Case("table.insert", "local t = { q = {} }", "local s = t.q table.insert(s, 1)", "rl.expect(#t.q == 1)"),
    Case(
      "table.insert by another name", "local t = { q = {} } local insert = table.insert", "insert(t.q, 1)",
      "rl.expect(#t.q == 1)"),
    Case("select", "local t = { n = 0 } local u = select(1, t)", "u.n = 1", "rl.expect(t.n == 1)"),
    Case("assert", "local t = { n = 0 } local u = assert(t)", "u.n = 1", "rl.expect(t.n == 1)"),
    Case(
      "a function that is called where it is made", "local t = { n = 0 } local u = (function(x) return x end)(t)",
      "u.n = 1", "rl.expect(t.n == 1)"),
    Case(
      "a function that gives what it is given", "local t = { n = 0 } local function id(x) return x end local u = id(t)",
      "u.n = 1", "rl.expect(t.n == 1)"),
    Case(
      "a table around it", "local t = { n = 0 } local h = { v = t } local u = h.v", "u.n = 1", "rl.expect(t.n == 1)"),
    Case("a condition", "local t = { n = 0 }", "local s = nil or t s.n = 1", "local s = t or {} rl.expect(s.n == 1)"),
    Case(
      "parameters", "local t = { n = 0 } local function set(x) x.n = 1 end local function get(x) return x.n end",
      "set(t)", "rl.expect(get(t) == 1)"),
    Case(
      "what is stored in another", "local r, y = {}, { n = 0 } local z = y r.x = y", "z.n = 1", "rl.expect(r.x.n == 1)"),
    Case(
      "variable arguments", "local t = { n = 0 } local function f(...) local s = select(2, ...) s.n = 1 end", "f(1, t)",
      "rl.expect(t.n == 1)"),
    Case("table.unpack", "local t = { { n = 0 } }", "local s = table.unpack(t) s.n = 1", "rl.expect(t[1].n == 1)"),
    Case(
      "pcall", "local t = { n = 0 }", "local _, s = pcall(function() return t end) s.n = 1", "rl.expect(t.n == 1)"),
    Case("an error", "local t = { n = 0 }", "local _, s = pcall(error, t) s.n = 1", "rl.expect(t.n == 1)"),
    Case(
      "a coroutine", "local t = { n = 0 }", "local s = coroutine.wrap(function() coroutine.yield(t) end)() s.n = 1",
      "rl.expect(t.n == 1)"),
    Case("a key", "local t = {} t[{ n = 0 }] = true", "for s in pairs(t) do s.n = 1 end", "rl.expect(next(t).n == 1)"),
    Case("a global", "T = { s = { n = 0 } }", "local s = T.s s.n = 1", "local s = T.s rl.expect(s.n == 1)"),
    Case(
      "a method", "local M = { s = { n = 0 } } function M:set() local s = self.s s.n = 1 end", "M:set()",
      "rl.expect(M.s.n == 1)"),
    Case(
      "a metatable",
      "local C = {} C.__index = C function C:inc() self.n = 1 end function C:get() return self.n end "
        + "local o = setmetatable({ n = 0 }, C)", "o:inc()", "rl.expect(o:get() == 1)"),
    Case(
      "closures",
      "local function make() local s = {} return function() s.n = 1 end, function() return s.n end end "
        + "local set, get = make()", "set()", "rl.expect(get() == 1)"),
    Case(
      "a function by the name of its field", "local n, M = 0, {} function M.f() n = n + 1 end", "M['f']()",
      "M.f() rl.expect(n == 2)"),
    Case(
      "functions that are gone through", "local n, M = 0, {} function M.f() n = n + 1 end",
      "for _, f in pairs(M) do f() end", "M.f()"),
    Case(
      "what is sent, and kept in another variable",
      "local v = { n = 0 } local m = { part = v } local o = rl.port{ receive = function(m) rl.log(m.part.n) end }",
      "o:send(m) v.n = 1", "rl.currentLoop():addPort(o) rl.currentLoop():run()"),
  ]

  @Test(arguments: shared) func isSeen(shared: Case) { #expect(Self.why(shared.source) != nil) }

  static let ownOnes: [Case] = [
    Case(
      "each has one of its own", "local function new() local o = { n = 0 } return o end", "local o = new() o.n = 1",
      "local o = new() o.n = 2"),
    Case(
      "a helper that reads", "local function sum(l) local n = 0 for _, v in ipairs(l) do n = n + v end return n end",
      "local l = {} l[1] = 1 sum(l)", "local l = { 1 } table.insert(l, 3) sum(l)"),
    Case(
      "one changes another table than is used", "local t, u = { n = 0 }, { n = 0 }", "t.n = 1", "rl.expect(u.n == 0)"),
    Case(
      "a table that is only what a lock is known by", "local token = {}", "rl.synchronized(token, function() end)",
      "rl.synchronized(token, function() end)"),
  ]

  @Test(arguments: ownOnes) func isNotShared(own: Case) { #expect(Self.why(own.source) == nil) }

  /// Who makes threads by another name makes them all the same.
  @Test(
    arguments: [
      ("local thread = rl.thread", "thread"), ("local r = rl", "r.thread"), ("", "rl['thread']"),
      ("local m = { thread = rl.thread }", "m.thread"),
      ("local function id(x) return x end local r = id(rl)", "r.thread"),
    ])
  func otherNamesOfRl(before: String, name: String) {
    let source = """
      \(before)
      local n = 0
      local p = \(name)("p", function() n = 1 end)
      p:start() rl.expect(n == 1) p:join()
      """
    #expect(Self.why(source) != nil)
  }

  @Test func aMethodThatIsCalledAsAValue() {
    let source = "local n = 0 local p = rl.thread('p', function() n = 1 end) %s n = 2 p:join()"
    for start in ["pcall(p.start, p)", "local s = p.start s(p)", "p.start(p)", "p['start'](p)"] {
      #expect(Self.why(source.replacing("%s", with: start)) != nil, "\(start)")
    }
  }

  /// A callback is run where its object is added, though the variable had it later.
  @Test func aPortThatIsAssignedLater() {
    let source = """
      local done, port = false
      local server = rl.thread("server", function()
        port = rl.port{ receive = function(m) done = m end }
        rl.currentLoop():addPort(port)
        while not done do rl.currentLoop():runUntil(rl.now() + 0.1) end
      end)
      server:start()
      port:send(true)
      """
    let found = PlainVariables(of: Array(source.utf8)).find()
    #expect(found.map(\.name) == ["port"])
  }

  @Test func aModuleThatAThreadRequires() {
    let source = "local p = rl.thread('p', function() require('m') end) p:start() rl.log(count) p:join()"
    let script = PlainVariables(of: Array(source.utf8)) { _ in (Array("count = 1".utf8), "m.lua") }
    #expect(script.find().map(\.name) == ["count"])
  }
}
