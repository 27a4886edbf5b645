import Testing

@testable import RunLoopExplorer

@Suite struct PlainVariableTests {
  private func find(_ source: String) -> String? { PlainVariables.find(in: Array(source.utf8))?.name }

  @Test func aCounterOfTwoThreads() {
    #expect(find("local n = 0 local function f() n = n + 1 end rl.thread('a', f) rl.thread('b', f)") == "n")
  }

  @Test func aResultThatMainReads() {
    #expect(find("local r\nlocal t = rl.thread('a', function() r = 1 end)\nt:join()\nrl.log(r)") == "r")
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
}
