import Foundation
import Testing

/// The same script gives the same bytes, in any process.
@Suite struct DeterminismTests {
  /// Everything that varies in plain Lua: the order of `pairs`, ties in `table.sort`, addresses, random numbers, clocks.
  private static let script = """
    local keys = {}
    for n = 1, 200 do keys["key" .. n * 7919 % 1009] = n end
    for n = 1, 20 do keys[{}] = n; keys[function() end] = n; keys[n + 0.5] = n; keys[-n] = n end
    keys[true], keys[false] = 1, 2
    keys[rl.timer{}], keys[rl.source{}] = 3, 4
    local seen = {}
    for key, value in pairs(keys) do seen[#seen + 1] = tostring(key) .. "=" .. value end
    rl.log(table.concat(seen, " "))
    local key = next(keys)
    rl.log(key, next(keys, key))
    local people = {}
    for n = 1, 500 do people[n] = { age = n * 31 % 7, name = n } end
    table.sort(people, function(a, b) return a.age < b.age end)
    local order = {}
    for n, person in ipairs(people) do order[n] = person.name end
    rl.log(table.concat(order, ","))
    rl.log({}, print, coroutine.create(print), string.format("%s %s", {}, rl.currentLoop()))
    for n = 1, 20 do rl.log(math.random(), math.random(1000)) end
    math.randomseed(); rl.log(math.random(1000000))
    rl.sleep(1.5)
    rl.log(os.time(), os.clock(), os.date(), os.date("%Y-%m-%d %H:%M:%S", 0), rl.now())
    rl.log(pcall(error, {}), pcall(function() return {} + 1 end), select(2, pcall(function() return #rl.now end)))
    """

  @Test func thirtyProcessesGiveTheSameBytes() throws {
    let rlsim = try Executable()
    defer { rlsim.remove() }
    try rlsim.write("vary.lua", Self.script)
    for seed in [["--seed", "7"], []] {
      let first = try rlsim.shell("exec $RLSIM run \(seed.joined(separator: " ")) vary.lua")
      #expect(first.code == 0, "\(first.errors)")
      #expect(!first.output.contains("0x"))
      let again = try rlsim.shell(
        """
        for n in $(seq 30); do FILLER=$(head -c $((n * 100)) /dev/zero | tr '\\0' x) $RLSIM run \
        \(seed.joined(separator: " ")) vary.lua | cksum; done | sort | uniq | wc -l
        """)
      #expect(again.output.trimmingCharacters(in: .whitespacesAndNewlines) == "1")
    }
  }

  @Test func anotherSeedGivesAnotherOrderAndTheSameOneTheSame() throws {
    let rlsim = try Executable()
    defer { rlsim.remove() }
    try rlsim.write(
      "race.lua",
      """
      for n = 1, 4 do
        rl.thread("t" .. n, function() for step = 1, 3 do rl.log(step); rl.yield() end end):start()
      end
      """)
    let traces = try (1...8).map { try rlsim("run", "--seed", "\($0)", "race.lua").output.dropFirst(60) }
    #expect(Set(traces).count > 1)
    for seed in 1...8 {
      #expect(try rlsim("run", "--seed", "\(seed)", "race.lua").output.dropFirst(60) == traces[seed - 1])
    }
  }
}
