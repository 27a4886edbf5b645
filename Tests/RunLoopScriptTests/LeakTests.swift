import Testing

@testable import RunLoopScript

/// What a script hands over is kept as long as something can still come of it, and no longer.
@Suite struct LeakTests {
  /// Runs a body so many times, each with bytes `s` of its own, twenty million in all, in a memory for less than half.
  private func run(_ body: String, times: Int = 2000, before: String = "") -> Run {
    Run(
      """
      rl.trace{ show = "log" }
      local loop, me = rl.currentLoop(), rl.currentThread()
      \(before)
      for i = 1, \(times) do
        local s = string.rep("x", \(20_000_000 / times)) .. i
        \(body)
      end
      """
    ) { $0.maximumMemory = 8 << 20 }
  }

  /// The test itself can fail: a call that was taken keeps its function.
  @Test func whatIsStillWantedIsKept() {
    #expect(run("rl.timer{ fire = function() return s end }").outcome.kind == .limit)
    #expect(run("local t = rl.thread('t', function() return s end) t:start() rl.yield()").outcome.kind == .limit)
  }

  @Test(arguments: [
    // Calls that are refused: by the binding, by the engine.
    "pcall(rl.timer, { name = '', fire = function() return s end })",
    "pcall(rl.detach, '', function() return s end, s, { s })",
    "pcall(rl.notifications.post, rl.notifications, '', { s }, s)",
    "pcall(rl.thread, { entry = function() return s end, priority = 7 })",
    "pcall(loop.performBlock, loop, { '' }, function() return s end)",
    "pcall(rl.observer, { activities = 'none', handler = function() return s end })",
    "pcall(rl.mainQueue.sync, rl.mainQueue, function() return s end)",
    // A perform on the own thread, waiting.
    "me:perform(function() end, { wait = true, argument = s })",
    "me:perform(function() return s end, { wait = true })",
    "pcall(me.perform, me, function() error(s) end, { wait = true, argument = s })",
    // Threads: entry, arguments and result.
    "local t = rl.thread('t', function() return s end) t:start() t:join()",
    "local t = rl.thread('t', function() rl.exitThread(s) end) t:start() t:join()",
    "rl.detach('t', function() return s end) rl.yield()",
    "rl.detach('t', function(t, ...) end, s, { s }) rl.yield()",
    "local t = rl.thread('t', function() return #s end) t:start() rl.yield()",
    "local t = rl.thread('t', function() return #s end) t:cancel() t:start() t:join()",
    "local t = rl.thread('t', function() return s end) t:start() rl.yield() t:detach()",
    "rl.detach('t', function() rl.object{ dealloc = function() rl.exitThread(2) end }:autorelease() rl.exitThread(s) end) rl.yield()",
    // What is left in the loop of a thread that ends.
    "rl.detach('t', function() rl.currentLoop():performBlock(function() return s end) end) rl.yield()",
    "rl.detach('t', function() rl.performAfterDelay(1, function() return s end, { argument = s }) end) rl.yield()",
    // Objects that are done with.
    """
    local source = rl.source{ perform = function() return s end, schedule = function() return s end, cancel = function() return s end }
    loop:addSource(source) loop:addSource(source, 'other') source:invalidate()
    """,
    "rl.source{ perform = function() return s end, cancel = function() return s end }:invalidate()",
    """
    local source = rl.source{ cancel = function() error(s) end }
    loop:addSource(source) loop:addSource(source, 'other') pcall(source.invalidate, source)
    """,
    // (Also the text of a message that is not traced.)
    "local port = rl.port{ receive = function() return s end } loop:addPort(port) port:send(s) port:invalidate()",
    "rl.messagePort{ receive = function() return s end }:invalidate()",
    "local timer = rl.timer{ fire = function() return s end } loop:addTimer(timer) timer:invalidate()",
    "local timer = rl.timer{ fire = function() error(s) end } pcall(timer.fire, timer)",
    "local observer = rl.observer{ handler = function() return s end } loop:addObserver(observer) observer:invalidate()",
    "rl.notifications:removeObserver(rl.notifications:addObserver('n', nil, function() return s end))",
    "rl.notifications:removeObserver(rl.notifications:addObserver('n', { s }, function() end))",
    "rl.object{ dealloc = function() return s end }:release()",
    // What a function returned that was called under a guard.
    "rl.synchronized(me, function() return s end)", "rl.once(i, function() return s end)",
    "rl.autoreleasePool(function() return s end)",
    """
    pcall(rl.autoreleasePool, function() rl.object{ dealloc = function() error('x') end }:autorelease() return s end)
    """,
  ]) func whatIsOverIsGivenUp(body: String) {
    let run = run(body)
    #expect(run.outcome.kind == .ended(.returned), "\(run.outcome.message ?? "")")
  }

  /// Values for a callback that is refused as it is called from too deep inside of others.
  @Test func whatATooDeepCallWasToGetIsGivenUp() {
    let run = run(
      "port:send(s) deep(9999) assert(refused == i)", times: 40,
      before: """
        local port = rl.port{ receive = function() end }
        loop:addPort(port)
        local refused = 0
        local function deep(n)
          if n == 0 then return loop:runInMode("default", 0) end
          local ok, text = pcall(deep, n - 1)
          if n == 1 then
            assert(not ok and text:find("protected calls"), text)
            refused = refused + 1
          end
        end
        """)
    #expect(run.outcome.kind == .ended(.returned), "\(run.outcome.message ?? "")")
  }
}
