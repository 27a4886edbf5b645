import Testing

@testable import RunLoopScript

/// Functions that call each other without end are refused at the same depth and in the same words, whatever they are.
@Suite struct DepthTests {
  @Test(arguments: [
    ("thread:perform", "rl.currentThread():perform(f, { wait = true })"),
    ("timer:fire", "rl.timer{ after = 1, interval = 1, fire = f }:fire()"),
    ("loop:addSource", "loop:addSource(rl.source{ schedule = f })"),
    ("loop:removeSource", "local s = rl.source{ cancel = f } loop:addSource(s) loop:removeSource(s)"),
    ("source:invalidate", "local s = rl.source{ cancel = f } loop:addSource(s) s:invalidate()"),
    ("object:release", "rl.object{ dealloc = f }:release()"),
    ("rl.autoreleasePool", "rl.autoreleasePool(f)"),
    ("rl.synchronized", "rl.synchronized('key', f)"),
  ]) func functionsInsideEachOther(call: String, body: String) {
    let run = Run(
      """
      local depth, loop = 0, rl.currentLoop()
      local function f()
        depth = depth + 1
        \(body)
      end
      local ok, text = pcall(f)
      rl.log(ok, text)
      rl.log(depth > 4990 and depth <= 5000)
      """)
    #expect(
      run.logs == [
        "false script.lua:4: \(call): run loops and callbacks are nested too deep on this thread (more than 5000)",
        "true",
      ])
  }

  /// A call that is refused has done nothing.
  @Test func aRefusedCallHasDoneNothing() {
    let run = Run(
      """
      local loop, me = rl.currentLoop(), rl.currentThread()
      local source, object, log = rl.source{ schedule = print, cancel = print }, rl.object{ dealloc = print }, {}
      loop:addSource(source, "common") -- one call of the schedule callback
      local depth = 0
      local function f()
        depth = depth + 1
        if depth < 5000 then return me:perform(f, { wait = true }) and nil end
        log[1] = pcall(loop.addCommonMode, loop, "other")
        log[2] = pcall(loop.removeSource, loop, source, "common")
        log[3] = pcall(source.invalidate, source)
        log[4] = pcall(object.release, object)
        log[5] = pcall(loop.addSource, loop, source, "more")
      end
      f()
      rl.log(table.unpack(log))
      rl.log(source:isValid(), loop:containsSource(source, "common"), loop:containsSource(source, "more"))
      rl.log(#loop:modes())
      object:release()
      """)
    // `print` is `rl.log`; it is given the source, the loop and the mode; a dealloc callback is given nothing.
    #expect(
      run.logs == [
        "source source1 loop main default", "false false false false false", "true true false", "1",
      ])
  }

  @Test func aHandFireThatFailsEndsAOneShotAsARunDoes() {
    let run = Run(
      """
      local loop = rl.currentLoop()
      local byHand = rl.timer{ after = 5, fire = function() error("a", 0) end }
      local inRun = rl.timer{ after = 1, fire = function() error("b", 0) end }
      local repeating = rl.timer{ interval = 1, fire = function() error("c", 0) end }
      rl.log(pcall(byHand.fire, byHand)) rl.log(byHand:isValid(), byHand:fireCount())
      loop:addTimer(inRun)
      rl.log(pcall(loop.runInMode, loop, "default", 2)) rl.log(inRun:isValid(), inRun:fireCount())
      rl.log(pcall(repeating.fire, repeating)) rl.log(repeating:isValid(), repeating:fireCount())
      """)
    #expect(run.logs == ["false a", "false 1", "false b", "false 1", "false c", "true 1"])
  }
}
