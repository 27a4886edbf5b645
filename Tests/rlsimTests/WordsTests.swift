import RunLoopEngine
import RunLoopScript
import Testing

@testable import rlsim

@Suite struct WordsTests {
  @Test func shellQuotingComesBackAsItWas() throws {
    for word in [
      "a", "", "a b", "it's", "\"", "\\", "$HOME", "a\nb", "é", "--x=y", "*", "''", "\u{1B}[31m'\\",
      "ü\u{9B}1", "7\u{1}7",
    ] {
      #expect(try shellWords(shellQuoted(word)) == [word])
      #expect(try shellWords("x \(shellQuoted(word))  y") == ["x", word, "y"])
    }
    #expect(shellCommand(["rlsim", "run", "a b.lua"]) == "rlsim run 'a b.lua'")
  }

  @Test func shellWordsAreSplitAsAShellDoes() throws {
    #expect(try shellWords("") == [])
    #expect(try shellWords("  a\t b ") == ["a", "b"])
    #expect(try shellWords(#"a\ b "c \" d" 'e\f'g"#) == ["a b", "c \" d", "e\\fg"])
    // Between double quotes only $, `, ", and the backslash itself are escaped.
    #expect(try shellWords(#""a\d" "\$\`\\" a\d '\$'"#) == [#"a\d"#, #"$`\"#, "ad", #"\$"#])
    #expect(throws: UsageError.self) { try shellWords("'a") }
    #expect(throws: UsageError.self) { try shellWords("a\\") }
  }

  @Test func pathsAreNormalized() {
    #expect("./scripts//a/".normalizedPath == "scripts/a")
    #expect("/a/./b".normalizedPath == "/a/b")
    #expect(".".normalizedPath == ".")
    #expect("../x".normalizedPath == "../x")
    #expect("a/b.lua".baseName == "b.lua")
    #expect("a/b.lua".directoryName == "a")
    #expect("b.lua".directoryName == ".")
    #expect("/b.lua".directoryName == "/")
  }

  @Test func exitCodesAreThoseOfTheManual() {
    #expect(ExitCode(.ended(.returned)).rawValue == 0)
    #expect(ExitCode(.ended(.idle)).rawValue == 0)
    #expect(ExitCode(.ended(.until)).rawValue == 0)
    #expect(ExitCode(.ended(.fault)).rawValue == 1)
    #expect(ExitCode(.syntaxError).rawValue == 2)
    #expect(ExitCode(.scriptError).rawValue == 3)
    #expect(ExitCode(.ended(.limit)).rawValue == 4)
    #expect(ExitCode(.limit).rawValue == 4)
    #expect(ExitCode(.outputGone).rawValue == 0)
    #expect(ExitCode(.interrupted).rawValue == 130)
    #expect(ExitCode.nothingToRun.rawValue == 5)
    #expect(ExitCode.defect.rawValue == 70)
  }

  @Test func goldenTracesEndWithTheExitCode() {
    func make(_ text: String, _ code: Int32) -> String {
      String(decoding: GoldenTrace.make(trace: Array(text.utf8), exitCode: code), as: UTF8.self)
    }
    #expect(make("a\nend reason=returned\n", 0) == "a\nend reason=returned\n")
    #expect(make("a\nend reason=fault\n", 1) == "a\nend reason=fault exit=1\n")
    #expect(make("a\nend", 3) == "a\nend exit=3\n")
  }

  @Test func reportsEscapeWhatTheirFormatsCannotHave() {
    #expect(GitHubReport.withoutCommands("a rlsim-1 b\n") == "::stop-commands::rlsim-2\na rlsim-1 b\n::rlsim-2::\n")
    #expect(GitHubReport.escape("100%: a,b\n", isProperty: false) == "100%25: a,b%0A")
    #expect(GitHubReport.escape("a:b,c", isProperty: true) == "a%3Ab%2Cc")
  }

  @Test func helpNamesEveryCommandAndOption() {
    for command in Command.all {
      #expect(Help.overview().contains("rlsim \(command.synopsis)"))
      for option in command.options { #expect(Help.of(command).contains("--\(option.name)\(option.argument)")) }
    }
  }
}
