import Testing

@testable import RunLoopScript

/// The texts of values: what makes them, and what they hold.
@Suite struct ValueTextTests {
  @Test(arguments: ["'log'", "{ 'log', 'access' }"]) func whatIsTracedDoesNotChangeTheScript(show: String) {
    let run = Run(
      """
      rl.trace{ show = \(show) }
      local cell = rl.shared{}
      cell:set({}) cell:set(print) cell:set(coroutine.create(print)) cell:set(1) cell:set(cell) cell:set(nil)
      cell:set(setmetatable({}, { __tostring = function() rl.log("called") return "x" end }))
      rl.log({}, function() end, coroutine.create(print))
      rl.log(pcall(cell.set, cell, setmetatable({}, { __tostring = function() error("no text", 0) end })))
      """)
    // Of each kind one was given a number before.
    #expect(run.logs == ["called", "table: 2 function: 2 thread: 2", "false no text"])
  }

  @Test func aNameIsShownWithItsZeroBytes() {
    let run = Run(
      """
      local mutex, timer = rl.mutex{ name = "a\\0b" }, rl.timer{ name = "\\0" }
      rl.log(#mutex.name, #tostring(mutex), tostring(mutex) == "mutex a\\0b", tostring(timer) == "timer \\0")
      """)
    #expect(run.logs == ["3 9 true true"])
  }
}
