import Foundation
import Testing

@testable import RunLoopExplorer

@Suite struct PlainVariableTests {
  private func find(_ source: String) -> String? { PlainVariables(of: Array(source.utf8)).find().first?.name }

  @Test func aCounterOfTwoThreads() {
    #expect(find("local n = 0 local function f() n = n + 1 end rl.thread('a', f) rl.thread('b', f)") == "n")
  }

  @Test func aResultThatMainReads() {
    #expect(find("local r\nlocal t = rl.thread('a', function() r = 1 end)\nt:start()\nrl.log(r)\nt:join()") == "r")
  }

  @Test func aListThatThreadsAppendTo() {
    let source = "local l = {} for i = 1, 2 do rl.thread('t', function() l[#l + 1] = i end) end"
    #expect(find(source) == "l")
    #expect(find("local l = {} for i = 1, 2 do rl.thread('t', function() table.insert(l, i) end) end") == "l")
  }

  @Test func aGlobal() {
    #expect(find("count = 0\nrl.thread('t', function() count = 1 end)\nrl.log(count)") == "count")
  }

  @Test func whatIsOnlyReadIsHarmless() {
    #expect(
      find("local n = 3 rl.thread('a', function() rl.log(n) end) rl.thread('b', function() rl.log(n) end)") == nil)
  }

  @Test func objectsAreVisible() {
    let source = """
      local x = rl.shared{ name = "x", value = 0 }
      local function body() x:set(x:get() + 1) end
      local p, q = rl.thread("p", body), rl.thread("q", body)
      p:start() q:start()
      """
    #expect(find(source) == nil)
  }

  @Test func localVariablesOfAThreadAreItsOwn() {
    #expect(find("rl.thread('a', function() local n = 0 for i = 1, 3 do n = n + i end rl.log(n) end)") == nil)
  }

  @Test func aTableFilledBeforeTheThreadsAreMade() {
    let source = """
      local forks = {}
      for i = 1, 3 do forks[i] = rl.mutex{ name = "fork" .. i } end
      local t = {}
      for i = 1, 3 do
        t[i] = rl.thread("p" .. i, function() forks[i]:lock() forks[i]:unlock() end)
      end
      for i = 1, 3 do t[i]:start() end
      """
    #expect(find(source) == nil)
  }

  @Test func aScriptWithoutThreadsSharesNothing() {
    #expect(find("local n = 0 rl.timer{ fire = function() n = n + 1 end } rl.log(n)") == nil)
  }

  @Test func commentsAndStringsAreNoCode() {
    #expect(
      find("-- local n function() n = 1 end\nlocal s = [[ function() n = 1 end ]] rl.thread('a', function() end)")
        == nil)
  }

  // MARK: What is harmless

  @Test func keysOfTablesAreNoVariables() {
    let source = """
      local x = rl.atomic{ name = "x", value = 0 }
      local t = rl.thread{ name = "t", joinable = true, entry = function() x:add(1) end, stackSize = 16384 }
      local s = rl.source{ name = "s", perform = function() local name = 1 name = 2 rl.log(name) end, order = 3 }
      t:start()
      rl.mainLoop:addSource(s)
      t:join()
      """
    #expect(find(source) == nil)
  }

  @Test func whatIsAssignedBeforeTheFirstThreadStartsIsSafe() {
    let source = """
      local limit
      limit = 3
      settings = { depth = 1 }
      settings.depth = 2
      local t = rl.thread("t", function() rl.log(limit, settings.depth) end)
      t:start() t:join()
      rl.log(limit)
      """
    #expect(find(source) == nil)
    let meanwhile = source.replacingOccurrences(of: "t:start() t:join()", with: "t:start() limit = 4 t:join()")
    #expect(find(meanwhile) == "limit")
  }

  @Test func aLocalThatHidesAnotherIsAnother() {
    let source = """
      local n = 1
      local t = rl.thread("t", function() local n = 0 for n = 1, 3 do rl.log(n) end n = n + 1 end)
      t:start()
      do local n = 5 n = 6 end
      rl.log(n)
      t:join()
      """
    #expect(find(source) == nil)
  }

  @Test func aVariableOfOneThreadIsItsOwn() {
    let source = """
      local count, log = 0, {}
      local function body() count = count + 1 log[#log + 1] = count end
      local other = 0
      local t = rl.thread("t", body)
      t:start()
      other = other + 1
      t:join()
      """
    #expect(find(source) == nil)
  }

  @Test func callbacksRunOnTheThreadOfTheirLoop() {
    let source = """
      local fires = 0
      rl.mainLoop:scheduleTimer{ interval = 1, fire = function() fires = fires + 1 end }
      local source = rl.source{ perform = function() fires = fires + 1 end }
      rl.mainLoop:addSource(source)
      local t = rl.thread("t", function() source:signal() end)
      t:start()
      rl.mainLoop:runInMode("default", 3)
      rl.log(fires)
      """
    #expect(find(source) == nil)
    let worker = """
      local fires = 0
      local source = rl.source{ perform = function() fires = fires + 1 end }
      local t = rl.thread("t", function() rl.currentLoop():addSource(source) rl.currentLoop():run() end)
      t:start()
      rl.log(fires)
      """
    #expect(find(worker) == "fires")
  }

  @Test func eachRunOfAFunctionHasItsOwnVariables() {
    let source = """
      local function body()
        local n = 0
        local function step() n = n + 1 end
        step() step()
      end
      local p, q = rl.thread("p", body), rl.thread("q", body)
      p:start() q:start()
      """
    #expect(find(source) == nil)
  }

  @Test func whatMainReadsAfterTheJoinIsSafe() {
    let source = """
      local log = {}
      local function note(what) log[#log + 1] = what end
      local p = rl.thread("p", function() note("p") end)
      local q = rl.thread("q", function() note("q") end)
      p:start()
      p:join()
      rl.log(#log)
      q:start()
      q:join()
      rl.expect(#log == 2, "both")
      """
    #expect(find(source) == nil)
    let overlapping = """
      local log = {}
      local p = rl.thread("p", function() log[#log + 1] = "p" end)
      p:start()
      if rl.args[1] then p:join() end
      rl.log(#log)
      """
    #expect(find(overlapping) == "log")
  }

  // MARK: What is shared

  @Test func whatIsInATable() {
    let source = """
      local state = { done = false }
      local t = rl.thread("t", function() state.done = true end)
      t:start()
      while not state.done do rl.yield() end
      """
    #expect(find(source) == "state")
    // By another name, and through a function.
    let other = """
      local state = { done = false }
      local same = state
      local function set(table) table.done = true end
      local t = rl.thread("t", function() set(same) end)
      t:start()
      rl.log(state.done)
      """
    #expect(find(other) == "state" || find(other) == "same")
  }

  @Test func aFunctionThatMakesTheThread() {
    let source = """
      local n = 0
      local function spawn(name, entry) local t = rl.thread(name, entry) t:start() return t end
      local p = spawn("p", function() n = n + 1 end)
      local q = spawn("q", function() n = n + 1 end)
      p:join() q:join()
      """
    #expect(find(source) == "n")
  }

  @Test func aVariableOfAModule() {
    let module = """
      local M = {}
      local count = 0
      function M.add() count = count + 1 end
      return M
      """
    let source = """
      local counter = require("counter")
      local t = rl.thread("t", function() counter.add() end)
      t:start()
      counter.add()
      """
    let found = PlainVariables(of: Array(source.utf8), file: "main.lua") {
      $0 == "counter" ? (Array(module.utf8), "counter.lua") : nil
    }.find()
    #expect(found == [.init(name: "count", written: "counter.lua:3", used: "counter.lua:3")])
    let field = source.replacingOccurrences(of: "counter.add()", with: "counter.total = 1")
    let inTable = PlainVariables(of: Array(field.utf8)) { _ in (Array(module.utf8), "counter.lua") }.find()
    #expect(inTable.first?.isContents == true)
  }

  @Test func bothPlacesAreTold() {
    let source = "local n = 0\nlocal t = rl.thread('t', function()\n  n = 1\nend)\nt:start()\nrl.log(n)"
    let found = PlainVariables(of: Array(source.utf8), file: "a.lua").find()
    #expect(found == [.init(name: "n", written: "a.lua:3", used: "a.lua:6")])
  }

  @Test func threeAreNamedAndTheOthersCounted() {
    let names = ["a", "b", "c", "d", "e"]
    func sentence(_ count: Int) -> String {
      let source =
        names.prefix(count).map { "local \($0) = 0" }.joined(separator: "\n") + "\nrl.detach('t', function()\n"
        + names.prefix(count).map { "\($0) = 1" }.joined(separator: "\n") + "\nend)\n"
        + names.prefix(count).map { "rl.log(\($0))" }.joined(separator: "\n")
      return PlainVariables.sentence(of: PlainVariables(of: Array(source.utf8), file: "a.lua").find())
    }
    let first = "the plain Lua variable 'a' (written at a.lua:3, used at a.lua:5)"
    #expect(
      sentence(1) == "threads may share \(first): so every interleaving of the steps is taken, and races on it are not "
        + "seen; rl.shared would make it visible")
    #expect(
      sentence(2).hasPrefix(
        "threads may share the plain Lua variable 'a' (written at a.lua:4, used at a.lua:7) and the plain Lua variable 'b' "
          + "(written at a.lua:5, used at a.lua:8): so every"))
    #expect(sentence(2).hasSuffix("races on them are not seen; rl.shared would make them visible"))
    #expect(sentence(4).contains("'c' (written at a.lua:8, used at a.lua:13) and 1 other: so"))
    #expect(sentence(5).contains(" and 2 others: so"))
    #expect(!sentence(5).contains("'d'"))
  }

  /// A field of a thread's dictionary is seen when it is set; what else can be reached by way of rl is not.
  @Test func dictionariesAreNoVariables() {
    func found(_ change: String) -> String? {
      find("rl.detach('t', function() \(change) end) rl.sleep(1) rl.log(rl.mainThread.dictionary.ready, rl.args[1])")
    }
    #expect(found("rl.mainThread.dictionary.ready = true") == nil)
    #expect(found("rl.mainThread.dictionary['ready'] = true") == nil)
    #expect(found("rl.args[1] = 'x'") == "rl")
    // A table of the script's own is none of these.
    let own = """
      local own = { dictionary = {} }
      rl.detach("t", function() own.dictionary.x = 1 end)
      rl.log(own.dictionary)
      """
    #expect(find(own) == "own")
  }

  @Test(
    arguments: [
      "function", "local", "(", "{ a = ", "x = = 3", "for", "if then else end end", "a.b.c:d", "\"", "[[", "rl.thread(",
    ])
  func whatIsNoLuaDoesNoHarm(text: String) {
    _ = find(text)
    _ = find("rl.thread('t', function() " + text)
  }
}
