import CLuaHost
import Testing

@Suite struct SnapshotTests {
  @Test func `a restored state goes on as it did the first time`() {
    let host = TestHost()
    let script = """
      local t, n = {}, 0
      local co = coroutine.wrap(function() while true do n = n + 1 rl.block() coroutine.yield(n) end end)
      for i = 1, 40 do
        t['k' .. math.random(1000)] = { i }
        rl.call(function() pcall(function() co() end) end)
        local keys = {} for k, v in pairs(t) do keys[#keys + 1] = k .. '=' .. tostring(v) end
        print(i, n, table.concat(keys, ','), load('return ' .. i)(), rl.timer{})
      end
      """
    #expect(host.start(script) == CLH_OK)
    for _ in 0..<10 { #expect(host.resume() == CLH_YIELDED) }
    let snapshot = clh_save(host.host, nil)
    defer { clh_free_snapshot(snapshot) }
    func rest() -> [String] {
      let before = host.lines.count
      while host.resume() == CLH_YIELDED {}
      return host.lines[before...].map { $0.split(separator: " ").dropLast().joined(separator: " ") }
    }
    let memory = clh_memory(host.host)
    let first = rest()
    #expect(first.count == 31)
    for _ in 0..<3 {
      clh_restore(host.host, snapshot)
      #expect(clh_memory(host.host) == memory)
      #expect(rest() == first)
    }
  }

  @Test func `a snapshot's memory is used again`() {
    let host = TestHost()
    #expect(host.start("data = {} for i = 1, 100 do data[i] = {} rl.block() end") == CLH_OK)
    var snapshot = clh_save(host.host, nil)
    for _ in 0..<20 {
      #expect(host.resume() == CLH_YIELDED)
      snapshot = clh_save(host.host, snapshot)
    }
    clh_restore(host.host, snapshot)
    #expect(host.resume() == CLH_YIELDED)
    clh_free_snapshot(snapshot)
  }

  @Test func `a limit that was reached is taken back`() {
    let host = TestHost(instructions: 50_000)
    #expect(host.start("rl.block() while true do end") == CLH_OK)
    #expect(host.resume() == CLH_YIELDED)
    let snapshot = clh_save(host.host, nil)
    defer { clh_free_snapshot(snapshot) }
    for _ in 0..<3 {
      #expect(host.resume() == CLH_LIMITED)
      clh_restore(host.host, snapshot)
      #expect(clh_limit(host.host) == CLH_NO_LIMIT)
    }
  }

  @Test func `two hosts in one process do the same and share nothing`() {
    let script = """
      local t = {} for i = 1, 50 do t[tostring(i)] = {} t[t[tostring(i)]] = i end
      for k, v in pairs(t) do print(k, v) end
      print(math.random(), collectgarbage('step'), tostring(print))
      """
    let one = TestHost()
    let other = TestHost()
    #expect(one.output(script) == other.output(script))
    #expect(clh_memory(one.host) == clh_memory(other.host))
  }
}
