import Testing

@testable import RunLoopEngine
@testable import RunLoopTrace

@Suite struct DressedTextTests {
  private func render(_ fixture: TraceFixture, aligned: Bool, colored: Bool) -> [String] {
    var style = TextTrace.Style()
    style.aligned = aligned
    style.colored = colored
    return fixture.render(TextTrace(style: style)).split(separator: "\n").dropFirst().map(String.init)
  }

  @Test func columnsArePaddedAndGrow() {
    var fixture = TraceFixture()
    fixture.threadNames.append(fixture.names.add("downloader"))
    fixture.add(.entry, mode: .defaultMode, time: 0)
    fixture.add(.threadStart, thread: ThreadID(rawValue: 1))
    fixture.add(.source, subject: "s", time: 100_000_000_000)
    fixture.add(.log, text: Array("a  b ".utf8))
    #expect(
      render(fixture, aligned: true, colored: false) == [
        "0.000000000 main   entry         mode=default",
        "0.100000000 downloader thread.start",
        "100.000000000 main       source        s",
        "  0.100000000 main       log           a  b ",
      ])
  }

  @Test func coloursAreByCategoryAndFaultsAreColouredWhole() {
    var fixture = TraceFixture()
    fixture.add(.timer, subject: "t", a: 1, b: 100_000_000)
    fixture.add(.fault, a: 0, text: Array("x".utf8))
    #expect(
      render(fixture, aligned: false, colored: true) == [
        "0.100000000 main \u{1B}[33mtimer\u{1B}[0m t fire=1 scheduled=0.100000000",
        "0.100000000 main \u{1B}[1;31mfault deadlock x\u{1B}[0m",
      ])
  }

  @Test func colouredColumnsAreAsWideAsPlainOnes() {
    var fixture = TraceFixture()
    for kind in EventKind.allCases { fixture.add(kind, subject: "x", mode: .defaultMode) }
    let plain = render(fixture, aligned: true, colored: false)
    let colored = render(fixture, aligned: true, colored: true).map(withoutEscapes)
    #expect(plain == colored)
  }

  private func withoutEscapes(_ line: String) -> String {
    line.split(separator: "\u{1B}", omittingEmptySubsequences: false).enumerated()
      .map { $0.offset == 0 ? String($0.element) : String($0.element.drop { $0 != "m" }.dropFirst()) }
      .joined()
  }
}
