import Foundation
import RunLoopTrace
import Testing

/// What a terminal would take for commands does not reach it by way of a message, and what is long is cut.
@Suite struct ShownTextTests {
  private let rlsim: Executable

  init() throws { rlsim = try Executable() }

  private static let escape = "\u{1B}[31m"

  /// No control characters but line breaks and tabs.
  private func isHarmless(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      $0 == "\n" || $0 == "\t" || ($0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value))
    }
  }

  @Test(arguments: [
    ("rl.timer{ [name] = 1 }", "rl.timer: there is no field 'x\\027[31m\\ny\\194\\155'"),
    ("rl[name]()", "rl has no field 'x\\027[31m\\ny\\194\\155'"),
    ("rl.mainThread[name]()", "thread has no field 'x\\027[31m\\ny\\194\\155'"),
    ("rl.mainThread[name] = 1", "cannot assign field 'x\\027[31m\\ny\\194\\155'"),
    ("rl[name] = 1", "cannot assign 'rl.x\\027[31m\\ny\\194\\155'"),
    ("local _ = _G[name]", "global 'x\\027[31m\\ny\\194\\155' was never assigned"),
    ("require(name)", "require: 'x\\027[31m\\ny\\194\\155' is not the name of a module"),
    ("rl.semantics(name)", "unknown profile 'x\\027[31m\\ny\\194\\155'"),
    ("rl.trace{ show = name }", "unknown event category 'x\\027[31m\\ny\\194\\155'"),
    ("rl.detach(name, print):join()", "thread 'x\\027[31m\\ny\\194\\155' is detached"),
    ("local m = rl.mutex{ name = name } m:lock() m:lock()", "holds mutex 'x\\027[31m\\ny\\194\\155' already"),
    ("rl.sleep(rl.timer{ name = name })", "got timer x\\027[31m\\ny\\194\\155"),
    ("error(name)", "x\\027[31m\ny\\194\\155"),
    ("local t = {} t['x\\27[31m'].y = 1", "attempt to index a nil value (field 'x\\027[31m')"),
  ]) func namesOfAScript(line: String, words: String) throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", "local name = 'x\\27[31m\\ny\\u{9b}'\n\(line)\n")
    let result = try rlsim("a.lua")
    #expect(result.code == 3)
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(isHarmless(result.errors))
  }

  @Test func pathsAndOptions() throws {
    defer { rlsim.remove() }
    let name = "a\(Self.escape)\r.lua"
    try rlsim.write("scripts/b.lua", "rl.log('b')\n")
    for arguments in [
      [name], ["run", name], ["test", name], ["explore", name], ["replay", name, "x"], ["live", name],
      ["compare", name, "--with", "linux"], ["--\(Self.escape)"], ["run", "--show=\(Self.escape)", name],
      ["run", "--seed=\(Self.escape)", name], [Self.escape], ["test", "--filter", Self.escape],
      ["run", "--scripts", Self.escape, name], ["api", "--format", Self.escape], ["completions", Self.escape],
    ] {
      let result = try rlsim.run(arguments)
      #expect(result.code == 2 || result.code == 5, "\(arguments): \(result.errors)")
      #expect(result.errors.contains("\\027[31m"), "\(arguments): \(result.errors)")
      #expect(isHarmless(result.errors) && isHarmless(result.output), "\(arguments): \(result.errors)")
    }
    // A script of such a name, and what is said of it.
    try rlsim.write(name, "local t = rl.thread('\\27[1m', function() rl.sleep(math.huge) end) t:start() t:join()\n")
    for arguments in [
      ["run", name, "-q", "--explain"], ["explore", name], ["compare", name, "--with", "linux"],
      ["test", "--scripts", ".", "--golden", "g"],
    ] {
      let result = try rlsim.run(arguments)
      #expect(isHarmless(result.errors) && isHarmless(result.output), "\(arguments): \(result.output)\(result.errors)")
    }
  }

  /// The command that repeats a run can be pasted.
  @Test func theRepeatCommandHasSuchANameToo() throws {
    defer { rlsim.remove() }
    let name = "a\u{1B}'\n.lua"
    try rlsim.write(name, "rl.expect(false)\n")
    let result = try rlsim(name)
    let line = try #require(result.errors.split(separator: "\n").first { $0.hasPrefix("repeat with: ") })
    #expect(line.hasSuffix(" run $'a\\033\\'\\n.lua'"))
    try rlsim.write("again", String(line.dropFirst("repeat with: ".count)))
    #expect(try rlsim.shell("bash ./again").output == result.output)
  }

  @Test func bothEndsOfALongNameAreShown() throws {
    defer { rlsim.remove() }
    try rlsim.write(
      "a.lua", "rl.log(pcall(rl.timer, { ['begin' .. ('ü'):rep(30000) .. 'end'] = 1 })) error(('x'):rep(10^6))\n")
    let result = try rlsim("a.lua")
    // 40 bytes and 20: ü has two, and none is cut in two.
    let first = "begin" + String(repeating: "ü", count: 17)
    let last = String(repeating: "ü", count: 8) + "end"
    #expect(result.output.contains("there is no field '\(first)…\(last)' (fields: "))
    #expect(result.errors.utf8.count < 6000)
    #expect(result.errors.contains("…xxx"))
  }

  @Test func textForMessages() {
    #expect(Shown.name("plain name") == "plain name")
    #expect(Shown.name("a\tb\u{7F}") == "a\\009b\\127")
    let name = String(repeating: "0123456789", count: 10)
    #expect(Shown.name(name) == name.prefix(40) + "…" + name.suffix(20))
    #expect(Shown.message("a\n\tb\u{7}c\n") == "a\n\tb\\007c\n")
    let long = String(repeating: "x", count: 9000) + "\nshort"
    #expect(Shown.saying(long).utf8.count == 4000 + "…\nshort".utf8.count)
    // A command that is to be repeated stays whole.
    #expect(Shown.message(long) == long)
  }
}
