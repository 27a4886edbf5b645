import Foundation
import Testing

/// What `require` says of things that are no files, and where it looks.
@Suite struct ModuleFileTests {
  private let rlsim: Executable

  init() throws { rlsim = try Executable() }

  @Test(arguments: [
    ("mkdir m.lua", "'m.lua' is a directory"), ("mkfifo m.lua", "'m.lua' is a named pipe"),
    ("mkdir -p m; mkfifo m/init.lua", "'m/init.lua' is a named pipe"), ("ln -s m.lua m.lua", "'m.lua' is a link that"),
    ("touch ../outside.lua; ln -s ../outside.lua m.lua", "'m.lua' is a link that leads out of the script's folders"),
  ]) func whatStandsInTheWayIsTold(make: String, words: String) throws {
    defer { rlsim.remove() }
    try rlsim.write("d/a.lua", "local t = rl.thread('t', function() end) require('m')\n")
    _ = try rlsim.shell("cd d; \(make)")
    // The exploration reads modules on its own, and must not wait for a pipe either.
    for command in ["run", "explore"] {
      let result = try rlsim(command, "d/a.lua")
      let text = result.errors + result.output
      #expect(text.contains("module 'm' not found"), "\(text)")
      #expect(text.contains("\(words)"), "\(text)")
      #expect(text.contains(", where a file of Lua text is expected"), "\(text)")
    }
  }

  @Test func aDeviceIsTold() throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", "require('null')\n")
    let result = try rlsim.shell("mknod null.lua c 1 3 2>/dev/null || exit 77; \"$RLSIM\" a.lua")
    guard result.code != 77 else { return }  // only root can make one
    #expect(result.errors.contains("'null.lua' is a device, where a file of Lua text is expected"))
  }

  /// Another folder's file is taken all the same.
  @Test func whatIsFurtherUpIsFound() throws {
    defer { rlsim.remove() }
    try rlsim.write("scripts/m.lua", "return 'found'\n")
    try rlsim.write("scripts/a/b.lua", "rl.log((require('m')))\n")
    _ = try rlsim.shell("mkdir scripts/a/m.lua")
    #expect(try rlsim("scripts/a/b.lua").output.contains(" log found\n"))
  }

  // MARK: --scripts

  private func writeTree() throws {
    try rlsim.write("ui/tests/_words.lua", "return { shared = rl.atomic{ value = 1 } }\n")
    try rlsim.write(
      "ui/tests/a/deep/t.lua",
      """
      local words = require('_words')
      local t = rl.thread('t', function() words.shared:add(1) end)
      t:start() words.shared:add(1) t:join()
      rl.log(words.shared:load())
      """)
    try rlsim.write("ui/tests/a/orders.lua", "--! rlsim: --explore\nrequire('_words') dofile = nil\n")
  }

  @Test func theFolderOfTestsIsTheRoot() throws {
    defer { rlsim.remove() }
    try writeTree()
    try rlsim.write("ui/tests/a/orders.lua", "--! rlsim: --explore\n" + (try rlsim.read("ui/tests/a/deep/t.lua")))
    let updated = try rlsim("test", "--scripts", "ui/tests", "--golden", "g", "--update")
    #expect(updated.code == 0, "\(updated.output)\(updated.errors)")
    #expect(try rlsim.read("g/a/deep/t.trace").contains(" log 3\n"))
    #expect(try rlsim.read("g/a/orders.trace").hasPrefix("rlsim-orders 1 orders="))
    #expect(try rlsim.read("g/a/orders.trace").contains(" log 3\n"))
    #expect(try rlsim("test", "--scripts", "ui/tests", "--golden", "g").output == "2 passed, 0 failed\n")
    #expect(try rlsim("test", "--scripts", "ui/tests", "--golden", "g", "ui/tests/a/deep").code == 0)
  }

  @Test func everyCommandTakesIt() throws {
    defer { rlsim.remove() }
    try writeTree()
    let script = "ui/tests/a/deep/t.lua"
    let without = try rlsim(script)
    #expect(without.code == 3)
    #expect(without.errors.contains("(folders above it are looked through up to one named scripts, or to that of --"))
    #expect(try rlsim("run", script, "--scripts", "ui/tests").output.contains(" log 3\n"))
    #expect(try rlsim("run", script, "--scripts", "ui").output.contains(" log 3\n"))
    let beyond = try rlsim("run", script, "--scripts", "ui/tests/a")
    #expect(beyond.code == 3)
    #expect(beyond.errors.contains("no file '_words/init.lua' in deep, the folder of --scripts\n"), "\(beyond.errors)")
    let explored = try rlsim("explore", script, "--scripts=ui/tests", "--jobs", "2", "--orders")
    #expect(explored.code == 0, "\(explored.errors)")
    let command = try #require(explored.errors.split(separator: "\n").first { $0.hasPrefix("rlsim: order 1: ") })
    #expect(try rlsim.shell(String(command.dropFirst("rlsim: order 1: ".count))).output.contains(" log 3\n"))
    let compared = try rlsim("compare", script, "--scripts", "ui/tests", "--with", "linux")
    #expect(compared.code == 0, "\(compared.output)\(compared.errors)")
    #expect(try rlsim("live", script, "--scripts", "ui/tests", "-q").code == 0)
  }

  @Test(arguments: [
    (["run", "a.lua", "--scripts", "d"], "rlsim: 'a.lua' is not below 'd', the folder of --scripts\n"),
    (["run", "a.lua", "--scripts", "none"], "rlsim: cannot use --scripts 'none': No such file or directory\n"),
    (["run", "a.lua", "--scripts", "a.lua"], "rlsim: cannot use --scripts 'a.lua': it is no directory\n"),
    (["run", "-", "--scripts", "."], "rlsim: --scripts is for a script in a file, which standard input is not\n"),
  ]) func whatCannotBeTheRootIsTold(arguments: [String], message: String) throws {
    defer { rlsim.remove() }
    try rlsim.write("a.lua", "rl.log('a')\n")
    try rlsim.write("d/b.lua", "rl.log('b')\n")
    let result = try rlsim.run(arguments)
    #expect(result.code == 2 && result.errors == message, "\(result.errors)")
  }
}
