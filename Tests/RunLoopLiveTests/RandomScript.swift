import RunLoopEngine

/// A random script, made from a seed, that has one right outcome on real threads, too.
///
/// Everything that begins by itself (fires, ends of runs, sleeps) has a residue of its own modulo `period`, so that no two
/// such moments are nearer than `step`. Only timer callbacks act on other threads, where nothing else happens then; what
/// they lead to there acts on its own thread only. Handlers act a few times at most, so that every script ends.
struct RandomScript {
  private var random: SplitMix64
  private var text = ""
  private var residue = 0
  private var sources: [[String]] = []
  private var ports: [[String]] = []
  private var timers: [[String]] = []
  private var observers: [[String]] = []
  private var handlers = 0

  private static let modes = ["default", "m1", "m2"]

  /// The script of a seed.
  static func make(seed: UInt64) -> String {
    var script = RandomScript(seed)
    script.write(seed)
    return script.text
  }

  private init(_ seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  // MARK: Chance

  private mutating func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
  private mutating func chance(_ percent: Int) -> Bool { pick(100) < percent }
  private mutating func one(of list: [String]) -> String { list[pick(list.count)] }

  private mutating func nextResidue() -> Int {
    residue += 1
    return residue
  }

  // MARK: The script

  private mutating func write(_ seed: UInt64) {
    let workers = pick(3)
    text = Self.prelude
    for thread in 0...workers { declare(thread) }
    for thread in 0...workers { make(thread, workers) }
    for thread in 1..<(workers + 1) { writeWorker(thread) }
    for thread in 1..<(workers + 1) { text += "threads[\(thread)]:start()\n" }
    text += "setUp[0]()\nrl.sleepUntil(12 * S)\n"
    writeRuns(0)
    for thread in 1..<(workers + 1) { text += "threads[\(thread)]:join()\n" }
    text += "rl.log(\"end\")\n"
    // Every residue has its place in the period.
    let period = max(60, residue + 2)
    text = text.replacing("PERIOD", with: "\(period) * 0.008").replacing("STEP", with: "0.008")
  }

  private static let prelude = """
    local P, S = PERIOD, STEP
    local o, loops, threads, setUp, depth, left = {}, {}, {}, {}, {}, {}
    -- The next date with a residue of its own.
    local function at(r) return math.ceil((rl.now() + S / 2 - r * S) / P) * P + r * S end
    -- The first few times only.
    local function act(key, f)
      left[key] = (left[key] or 3) - 1
      if left[key] >= 0 then f() end
    end
    local function once(r, f)
      if not left["once" .. r] then left["once" .. r] = true f() end
    end
    local function run(t, mode, date, handled)
      local result = loops[t]:runInMode(mode, date - rl.now(), handled)
      rl.log("run", mode, result)
    end
    local function nested(t, mode, r, handled)
      if (depth[t] or 0) >= 2 then return end
      depth[t] = (depth[t] or 0) + 1
      run(t, mode, at(r), handled)
      depth[t] = depth[t] - 1
    end

    """

  /// Names the objects of a thread.
  private mutating func declare(_ thread: Int) {
    func names(_ letter: String, _ count: Int) -> [String] { (0..<count).map { "\(letter)\(thread)_\($0)" } }
    sources.append(names("s", 1 + pick(3)))
    ports.append(names("p", pick(3)))
    timers.append(names("t", 2 + pick(3)))
    observers.append(names("o", pick(3)))
  }

  private mutating func make(_ thread: Int, _ workers: Int) {
    for name in sources[thread] {
      let order = pick(3) - 1
      text += "o.\(name) = rl.source{ name = \"\(name)\", order = \(order), perform = \(handler(thread, nil)) }\n"
    }
    for name in ports[thread] {
      text += "o.\(name) = rl.port{ name = \"\(name)\", receive = \(handler(thread, nil)) }\n"
    }
    for name in timers[thread] {
      let r = nextResidue()
      let repeats = chance(60)
      let first = "\(1 + pick(2)) * P + \(r) * S"
      let interval = repeats ? "interval = \(1 + pick(2)) * P, " : ""
      let fire = handler(thread, workers, timer: name, r)
      text += "o.\(name) = rl.timer{ name = \"\(name)\", fireAt = \(first), \(interval)fire = \(fire) }\n"
    }
    // Orders that differ: items that join a mode made common later do so in no fixed order.
    for (order, name) in observers[thread].enumerated() {
      let all = ["entry", "beforeTimers", "beforeSources", "beforeWaiting", "afterWaiting", "exit"]
      let wanted = all.filter { _ in chance(35) }
      let handler = handler(thread, nil)
      // A run's deadline counts from after the entry observers: one that takes its time moves it to any place in the period.
      let takesTime = handler.contains("nested(") || handler.contains("sleepUntil(")
      let possible = (wanted.isEmpty ? [one(of: all)] : wanted).filter { $0 != "entry" || !takesTime }
      let activities = (possible.isEmpty ? ["exit"] : possible).map { "\"\($0)\"" }.joined(separator: ", ")
      text += "o.\(name) = rl.observer{ name = \"\(name)\", activities = { \(activities) }, order = \(order), "
      text += "repeats = \(chance(80)), handler = \(handler) }\n"
    }
    text += "setUp[\(thread)] = function()\n  local loop = rl.currentLoop()\n  loops[\(thread)] = loop\n"
    if chance(40) { text += "  loop:addCommonMode(\"m1\")\n" }
    for name in sources[thread] { for mode in someModes() { text += "  loop:addSource(o.\(name), \"\(mode)\")\n" } }
    for name in ports[thread] { for mode in someModes() { text += "  loop:addPort(o.\(name), \"\(mode)\")\n" } }
    for name in timers[thread] { for mode in someModes() { text += "  loop:addTimer(o.\(name), \"\(mode)\")\n" } }
    for name in observers[thread] { for mode in someModes() { text += "  loop:addObserver(o.\(name), \"\(mode)\")\n" } }
    text += "end\n"
  }

  private mutating func someModes() -> [String] {
    if chance(30) { return ["common"] }
    let modes = Self.modes.filter { $0 == "default" ? chance(80) : chance(35) }
    return modes.isEmpty ? ["default"] : modes
  }

  private mutating func writeWorker(_ thread: Int) {
    text += "threads[\(thread)] = rl.thread(\"w\(thread)\", function()\n  setUp[\(thread)]()\n  rl.sleepUntil(12 * S)\n"
    writeRuns(thread)
    text += "end)\n"
  }

  private mutating func writeRuns(_ thread: Int) {
    var round = 1
    while round <= 4 {
      let r = nextResidue()
      let date = "\(round) * P + \(r) * S"
      let mode = chance(70) ? "default" : one(of: Self.modes)
      switch pick(10) {
      case 0: text += "rl.log(\"runMode\", loops[\(thread)]:runMode(\"\(mode)\", \(date)))\n"
      case 1: text += "rl.sleepUntil(\(date))\n"
      case 2: text += "rl.log(\"limit\", loops[\(thread)]:limitDate(\"\(mode)\") ~= nil)\n"
      default: text += "run(\(thread), \"\(mode)\", \(date), \(chance(35)))\n"
      }
      round += pick(3) == 0 ? 0 : 1
    }
  }

  // MARK: Handlers

  /// A function that does a few things.
  ///
  /// - Parameter others: for a timer's: up to which thread it may act.
  private mutating func handler(_ thread: Int, _ others: Int?, timer: String? = nil, _ own: Int = 0) -> String {
    handlers += 1
    let key = handlers
    var body = ""
    for _ in 0..<pick(3) { body += ownAction(thread, timer, own) }
    var wakesMain = false
    if let others, others > 0, chance(65), timer != nil {
      let other = (thread + 1 + pick(others)) % (others + 1)
      let (actions, wakes) = crossActions(thread, other)
      body += actions
      wakesMain = wakes && other == 0
    }
    if others != nil, chance(15) {
      let block = block(0)
      // A block wakes the main thread, too.
      if !wakesMain { body += "if onTime then rl.mainQueue:async(\(block)) end " }
    }
    if body.isEmpty { return "nil" }
    guard timer != nil else { return "function() act(\(key), function() \(body)end) end" }
    let onTime = "local onTime = rl.now() - self:nextFireDate() < S / 2 "
    return "function(self) \(onTime)act(\(key), function() \(body)end) end"
  }

  private mutating func ownAction(_ thread: Int, _ timer: String?, _ own: Int) -> String {
    // The main queue, from callbacks of its own thread: as real as any, and in an order of its own.
    if thread == 0, chance(10) { return "rl.mainQueue:async(\(block(0))) " }
    switch pick(20) {
    case 0, 1: return "o.\(one(of: sources[thread])):signal() "
    case 2: return ports[thread].isEmpty ? "" : "o.\(one(of: ports[thread])):send(\(pick(100))) "
    case 3: return "loops[\(thread)]:wakeUp() "
    case 4: return "loops[\(thread)]:stop() "
    case 5, 6:
      return "nested(\(thread), \"\(one(of: Self.modes))\", \(nextResidue()), \(chance(40))) "
    case 7, 8: return "loops[\(thread)]:performBlock(\(blockModes()), \(block(thread))) "
    case 9: return "loops[\(thread)]:removeSource(o.\(one(of: sources[thread])), \"\(oneMode())\") "
    case 10: return "loops[\(thread)]:addSource(o.\(one(of: sources[thread])), \"\(oneMode())\") "
    case 11:
      let name = one(of: timers[thread])
      return "loops[\(thread)]:\(chance(50) ? "add" : "remove")Timer(o.\(name), \"\(oneMode())\") "
    case 12:
      guard let timer else { return "rl.log(\"here\") " }
      return "o.\(timer):setNextFireDate(at(\(own))) "
    case 13:
      if observers[thread].isEmpty { return "" }
      let call = chance(50) ? "addObserver" : "removeObserver"
      return "loops[\(thread)]:\(call)(o.\(one(of: observers[thread])), \"\(oneMode())\") "
    case 14:
      if chance(50) { return "rl.sleepUntil(at(\(nextResidue()))) " }
      return "o.\(one(of: chance(50) ? sources[thread] : timers[thread])):invalidate() "
    case 15:
      if ports[thread].isEmpty { return "loops[\(thread)]:addCommonMode(\"m2\") " }
      let name = one(of: ports[thread])
      return "loops[\(thread)]:\(chance(50) ? "add" : "remove")Port(o.\(name), \"\(oneMode())\") "
    case 16:
      if ports[thread].isEmpty { return "rl.log(loops[\(thread)]:currentMode()) " }
      return "o.\(one(of: ports[thread])):invalidate() "
    case 17:
      let r = nextResidue()
      return "once(\(r), function() rl.mainQueue:after(at(\(r)) - rl.now(), \(block(0))) end) "
    case 18:
      let timer = one(of: timers[thread])
      let contains = "loops[\(thread)]:containsTimer(o.\(timer), \"\(oneMode())\")"
      return "rl.log(o.\(timer):isValid(), \(contains)) "
    default:
      let r = nextResidue()
      let later = "function() rl.log(\"later\") end, { name = \"later\(r)\" }"
      return "once(\(r), function() rl.performAfterDelay(at(\(r)) - rl.now(), \(later)) end) "
    }
  }

  /// What acts on another thread. At most one thing wakes it, and that comes last: it may be awake right after.
  ///
  /// - Returns: with it, whether one does.
  private mutating func crossActions(_ thread: Int, _ other: Int) -> (text: String, wakes: Bool) {
    var body = ""
    var wakes = true
    for _ in 0..<pick(3) {
      switch pick(6) {
      case 0, 1, 2: body += "o.\(one(of: sources[other])):signal() "
      case 3, 4: body += "loops[\(other)]:performBlock(\(blockModes()), \(block(other))) "
      default: body += "o.\(one(of: chance(50) ? sources[other] : timers[other])):invalidate() "
      }
    }
    switch pick(8) {
    case 0: body += "loops[\(other)]:stop() "
    case 1:
      let target = other == 0 ? "rl.mainThread" : "threads[\(other)]"
      let modes = chance(50) ? "{ \"common\" }" : blockModes()
      body += "\(target):perform(\(block(other)), { name = \"asked\", modes = \(modes) }) "
    case 2, 3: body += "loops[\(other)]:wakeUp() "
    case 4:
      body += "o.\(one(of: timers[other])):setNextFireDate(at(\(nextResidue()))) "
    case 5 where !ports[other].isEmpty, 6 where !ports[other].isEmpty:
      body += "o.\(one(of: ports[other])):send(\(pick(100))) "
    default: wakes = false
    }
    let isThere = "loops[\(other)] and (\(other) == 0 or threads[\(other)]:isExecuting())"
    return ("if onTime and \(isThere) then \(body)end ", wakes)
  }

  private mutating func block(_ thread: Int) -> String {
    handlers += 1
    let label = handlers
    var body = "rl.log(\"block \(label)\") "
    if chance(25) { body += "o.\(one(of: sources[thread])):signal() " }
    if chance(10) { body += "loops[\(thread)]:stop() " }
    return "function() \(body)end"
  }

  private mutating func oneMode() -> String { chance(25) ? "common" : one(of: Self.modes) }

  private mutating func blockModes() -> String {
    chance(30) ? "{ \"default\", \"m1\" }" : "\"\(oneMode())\""
  }
}

extension String {
  fileprivate func replacing(_ word: String, with other: String) -> String {
    var result = ""
    var rest = self[...]
    while let first = rest.first {
      if rest.hasPrefix(word) {
        result += other
        rest = rest.dropFirst(word.count)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return result
  }
}
