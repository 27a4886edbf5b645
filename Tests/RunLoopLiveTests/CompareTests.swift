import Testing

/// What `rlsim compare --with live` says of a script, and that it sees what it should.
@Suite struct CompareTests {
  private func compare(_ script: String) throws -> Program.Result {
    try Program.run(["compare", "--with", "live", "--tolerance", "0.2"], script: script)
  }

  private func expectAgreement(_ script: String, events: ClosedRange<Int>) throws {
    let result = try compare(script)
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    let words = result.output.split(separator: "(").last?.split(separator: " ") ?? []
    let count = try #require(words.first.flatMap { Int($0) })
    #expect(events.contains(count), "\(result.output)")
  }

  @Test func locksOfAllKindsAreReallyTakenAndCompared() throws {
    // Every contest has its own moment: who gets what is settled by the script.
    try expectAgreement(
      """
      local function start(name, body) local t = rl.thread(name, body) t:start() return t end
      local mutex, again, both = rl.mutex{ name = "mutex" }, rl.recursiveMutex{ name = "again" }, rl.readWriteLock{ name = "both" }
      local number, gate, count = rl.conditionLock{ name = "number" }, rl.condition{ name = "gate" }, rl.semaphore{ name = "count", value = 1 }
      local token = {}
      mutex:lock() again:lock() again:lock() both:readLock() count:wait()
      local t = start("w", function()
        rl.sleepUntil(0.05)
        rl.log(mutex:tryLock(), mutex:lockBefore(0.1), both:tryWriteLock(), count:wait(0.15))
        mutex:lock()   -- until 0.2
        both:writeLock()   -- until 0.25
        again:lock()   -- until 0.3
        number:lockWhen(1, 10)   -- until 0.35; without a date it would be a trap on Linux
        number:unlockWith(2)
        gate:lock()
        gate:wait()   -- until 0.4
        gate:unlock()
        count:wait()   -- until 0.45
        again:unlock() both:unlock() mutex:unlock()
        rl.synchronized(token, function() rl.once(token, function() rl.log("once") end) end)
      end)
      rl.sleepUntil(0.2) mutex:unlock()
      rl.sleepUntil(0.25) both:unlock()
      rl.sleepUntil(0.3) again:unlock() again:unlock()
      rl.sleepUntil(0.35) number:lock() number:unlockWith(1)
      rl.sleepUntil(0.4) gate:signal()
      rl.sleepUntil(0.45) count:signal()
      t:join()
      gate:broadcast()
      rl.log(number:condition())
      """, events: 50...70)
  }

  /// The thread is never through when the live run ends, and main never gets its turn before that.
  @Test func aSteadyDifferenceBetweenThreadsMayBeARace() throws {
    let script = """
      local done = rl.atomic{ name = "done", value = 0 }
      local worker = rl.thread("worker", function()
        for _ = 1, 150000000 do end
        done:store(1)
      end)
      worker:start()
      rl.sleep(0.3)
      rl.log(done:load())
      """
    let result = try Program.run(["compare", "--with", "live"], script: script)
    #expect(result.code == 1)
    #expect(result.output.contains("thread main: the event 2 differs"))
    #expect(result.output.contains("If it is left to the speed of threads which"), "\(result.output)")
  }

  @Test(
    arguments: [
      ("conditionLock", "lock()"), ("conditionLock", "lockWhen(1)"), ("mutex", "lockBefore(rl.distantFuture)"),
      ("recursiveMutex", "lockBefore(rl.distantFuture)"), ("mutex", "lock()"),
    ])
  func aWaitWithoutEndIsATrapWhereFoundationHasNoRoomForTheDate(kind: String, call: String) throws {
    let result = try compare(
      """
      local lock = rl.\(kind){ name = "lock" }
      rl.thread("w", function() lock:lock() rl.sleep(0.2) lock:unlock() end):start()
      rl.sleepUntil(0.1)
      lock:\(call)
      rl.log("had it")
      """)
    #expect(result.code == 0, "\(result.output)\(result.errors)")
  }

  @Test func aWriterWhoWaitsHoldsBackNewReaders() throws {
    try expectAgreement(
      """
      local lock = rl.readWriteLock{ name = "lock" }
      local function start(name, date, take)
        local t = rl.thread(name, function() rl.sleepUntil(date) lock[take](lock) rl.sleep(0.2) lock:unlock() end)
        t:start()
        return t
      end
      local threads = { start("r1", 0.05, "readLock"), start("w", 0.1, "writeLock"), start("r2", 0.15, "readLock") }
      for _, t in ipairs(threads) do t:join() end
      """, events: 10...20)
  }

  @Test func aThreadThatEndsDrainsItsPoolsAndIsAnnounced() throws {
    try expectAgreement(
      """
      local t = rl.thread("w", function()
        rl.object{ name = "top", dealloc = function() rl.log("gone") end }:autorelease()
        local loop = rl.currentLoop()
        loop:addTimer(rl.timer{ name = "t", fireAt = 0.05, interval = 0.05, fire = function(timer)
          rl.object{ name = "callout" }:autorelease()
          if timer:fireCount() == 2 then rl.exitThread() end
        end })
        loop:runInMode("default", 1)
      end)
      rl.notifications:addObserver("willBecomeMultiThreaded", nil, function() rl.log("first") end)
      rl.notifications:addObserver("threadWillExit", t, function() rl.log("last") end)
      t:start()
      t:join()
      """, events: 25...45)
  }

  @Test func requestsAreAnsweredRefusedAndLost() throws {
    try expectAgreement(
      """
      local port = rl.messagePort{ name = "p", receive = function(id, data, port)
        if id == 2 then rl.sleep(0.1) end
        if id == 3 then port:invalidate() end
        return data .. "!"
      end }
      local t = rl.thread("server", function()
        rl.currentLoop():addPort(port)
        rl.currentLoop():runInMode("default", 0.4)
      end)
      t:start()
      rl.sleepUntil(0.05)
      local remote = rl.remotePort("p")
      rl.log(remote:request(1, "a", { replyMode = "waiting" }))
      rl.sleepUntil(0.1)
      rl.log(remote:request(2, "b", { replyMode = "waiting", receiveTimeout = 0.05 }))
      rl.sleepUntil(0.25)
      rl.log(remote:request(3, "c", { replyMode = "waiting" }))
      rl.log(remote:request(4, "d"), remote:isValid(), rl.remotePort("p"))
      t:join()
      """, events: 45...75)
  }

  @Test func aScriptThatOnlyStartsAndEndsThreadsLeavesNothingToCompare() throws {
    let result = try compare("rl.thread('w', function() end):start()")
    #expect(result.code == 5)
    #expect(result.output.contains("nothing to compare"))
  }

  @Test func aScriptLeavesCategoriesOutAndTheResultSaysSo() throws {
    // Whether the lock is free is as real time has it.
    let result = try compare(
      """
      local lock = rl.mutex{}
      if rl.now() > 0 then lock:lock() end
      rl.log("done")
      --! compare: without lock, it is a test
      """)
    #expect(result.code == 0, "\(result.output)")
    #expect(result.output.contains("(3 events of 1 thread,"))
    #expect(result.output.contains("without lock: it is a test"))
  }

  @Test func aMisspeltRemarkIsAnErrorBeforeAnythingRuns() throws {
    let result = try compare("rl.log(1)\n--! compare: without locks, a test\n")
    #expect(result.code == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("'locks' is none of the compared categories"))
  }

  @Test func anEndByAnErrorIsCompared() throws {
    // Real time has passed before the first line; simulated time has not.
    let result = try compare("rl.log(1) if rl.now() > 0 then error('late') end")
    #expect(result.code == 1)
    #expect(result.output.contains("by itself in the simulation, by an error that nobody catches live"))
    let both = try compare("error('always')")
    #expect(both.code == 0, "\(both.output)\(both.errors)")
  }

  /// An order that is another one in each live run, and in the simulation.
  private static let shuffle = """
    local order, chance = {}, rl.nanoseconds()
    for index = 1, 8 do order[index] = index end
    for index = 8, 2, -1 do
      local other = chance % index + 1
      chance = chance // index
      order[index], order[other] = order[other], order[index]
    end

    """

  private func expectAdvice(_ script: String, _ what: String) throws {
    let result = try compare(Self.shuffle + script)
    #expect(result.code == 1)
    #expect(result.output.contains("3 live runs differ among themselves\n"), "\(result.output)")
    #expect(result.output.contains(what), "\(result.output)")
    for word in ["give each a moment of its own; ", "explore ", "'--! compare: no, REASON'"] {
      #expect(result.output.contains(word), "\(result.output)")
    }
  }

  @Test func eventsOfAThreadThatTradePlacesAreNamed() throws {
    try expectAdvice(
      "for _, name in ipairs(order) do rl.log(name) end", "' on main trade places: the script leaves both to")
  }

  @Test func whatDependsOnRealTimeIsNamed() throws {
    let result = try compare("rl.log(rl.nanoseconds())")
    #expect(result.code == 1)
    #expect(result.output.contains("main does 'log "))
    #expect(result.output.contains("or on real time."))
    #expect(result.output.contains("do or log nothing that depends on it"))
  }

  @Test func aProfileThatTheScriptHasAnywayIsSaidToBeNoOther() throws {
    func compare(_ profile: String, _ script: String) throws -> Program.Result {
      try Program.run(["compare", "--with", profile], script: script)
    }
    let apple = try compare("apple", "rl.log(1)")
    #expect(apple.code == 0)
    #expect(
      apple.output.hasSuffix(
        "runs under apple by itself, and was compared with nothing else: --with linux or guide"
          + " shows where that profile differs\n"))
    #expect(apple.output.split(separator: "\n").count == 1)
    let linux = try compare("linux", "--! rlsim: --semantics linux\nrl.log(1)")
    #expect(linux.output.contains("runs under linux by itself"))
    #expect(try compare("linux", "rl.log(1)").output == "the same under apple and linux\n")
  }
}
