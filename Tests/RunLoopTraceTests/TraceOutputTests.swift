import Foundation
import Testing

@testable import RunLoopEngine
@testable import RunLoopTrace

@Suite struct TraceOutputTests {
  private func temporaryPath() -> String { NSTemporaryDirectory() + "/rlsim-output-\(UUID().uuidString)" }

  @Test func bytesArriveInOrder() throws {
    let path = temporaryPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    var expected = ""
    do {
      let output = try TraceOutput.file(path)
      for number in 0..<50_000 {
        output.buffer.append(text: "line \(number)\n")
        expected += "line \(number)\n"
        output.flushIfFull()
      }
      output.flush()
      #expect(output.failure == nil)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == expected)
  }

  @Test func aFileThatCannotBeMadeIsToldWithItsName() {
    #expect {
      try TraceOutput.file("/nowhere/at/all")
    } throws: {
      ($0 as? OutputError)?.message == "cannot write the trace to '/nowhere/at/all': No such file or directory"
    }
  }

  @Test func aClosedPipeIsNoSystemError() {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    close(ends[0])
    let output = TraceOutput(descriptor: ends[1], name: "pipe", closes: true)
    output.buffer.append("hello\n")
    output.flush()
    #expect(output.failure == .closedPipe)
    output.buffer.append("more\n")
    output.flush()
    #expect(output.buffer.count == 0)
  }

  #if os(Linux)
    @Test func aFullDiskStopsTheWriterAndIsToldOnce() throws {
      let writer = TraceWriter()
      writer.add(TextTrace(), to: try TraceOutput.file("/dev/full"))
      var fixture = TraceFixture()
      fixture.add(.end, thread: .none)
      #expect(writer.consume(fixture.events, fixture.context))
      #expect(!writer.finish())
      #expect(writer.error?.message == "cannot write the trace to '/dev/full': No space left on device")
      #expect(!writer.consume(fixture.events, fixture.context))
    }
  #endif

  @Test func aWriterRendersToEveryOutputAndCounts() throws {
    let paths = [temporaryPath(), temporaryPath()]
    defer { for path in paths { try? FileManager.default.removeItem(atPath: path) } }
    let writer = TraceWriter()
    writer.add(TextTrace(), to: try TraceOutput.file(paths[0]))
    writer.add(JSONLinesTrace(), to: try TraceOutput.file(paths[1]))
    var fixture = TraceFixture()
    for number in 1...1000 { fixture.add(.timer, subject: "t", a: Int64(number), b: 100_000_000) }
    fixture.add(.end, time: 5_000_000_000, thread: .none)
    #expect(writer.consume(fixture.events, fixture.context))
    #expect(writer.finish())
    #expect(writer.counts.events == 1001)
    #expect(writer.counts.callouts == 1000)
    #expect(writer.counts.time == 5_000_000_000)
    #expect(try String(contentsOfFile: paths[0], encoding: .utf8).split(separator: "\n").count == 1002)
    #expect(try String(contentsOfFile: paths[1], encoding: .utf8).split(separator: "\n").count == 1002)
  }
}
