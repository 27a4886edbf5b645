import Foundation
import Testing

@testable import RunLoopEngine
@testable import RunLoopTrace

@Suite struct JSONLinesTests {
  private func lines(_ fixture: TraceFixture) -> [String] {
    fixture.render(JSONLinesTrace()).split(separator: "\n").dropFirst().map(String.init)
  }

  @Test func oneObjectALineWithTheKeysInOrder() {
    var fixture = TraceFixture()
    fixture.add(.timer, subject: "tick", a: 2, b: 200_000_000, c: 2, time: 450_000_000)
    fixture.add(.runEnter, mode: .defaultMode, a: .distantFuture, flags: 1)
    fixture.add(.afterWaiting, mode: .defaultMode, other: "p\"q", a: WakeReason.port.rawValue)
    fixture.add(.fault, a: 0, text: Array("thread=main x".utf8), thread: .none)
    fixture.add(.queue)
    #expect(
      lines(fixture) == [
        #"{"t":450000000,"thread":"main","event":"timer","category":"timer","subject":"tick","fire":2,"#
          + #""scheduled":0.200000000,"late":0.250000000,"missed":2}"#,
        #"{"t":100000000,"thread":"main","event":"run.enter","category":"run","mode":"default","#
          + #""returnAfterSourceHandled":true}"#,
        #"{"t":100000000,"thread":"main","event":"afterWaiting","category":"activity","mode":"default","#
          + #""wake":"port:p\"q"}"#,
        #"{"t":100000000,"thread":null,"event":"fault","category":"fault","subject":"deadlock","text":"thread=main x"}"#,
        #"{"t":100000000,"thread":"main","event":"queue","category":"block","subject":"main"}"#,
      ])
  }

  @Test func textsOfKeysAndValuesBecomeKeys() {
    func end(_ kind: EventKind, _ text: String) -> String {
      var fixture = TraceFixture()
      fixture.add(kind, text: Array(text.utf8))
      return lines(fixture)[0].components(separatedBy: "\"category\":\"fault\",")[1]
    }
    #expect(end(.end, "detail=error") == #""reason":"returned","detail":"error"}"#)
    #expect(
      end(.fault, #"thread=main waits="join:a \"b\\\n\0071" at=a.lua:3"#)
        == #""subject":"deadlock","waits":"join:a \"b\\\n\u00071","at":"a.lua:3"}"#)
    #expect(end(.fault, "thread=other x=y") == #""subject":"deadlock","text":"thread=other x=y"}"#)
    #expect(end(.fault, "x=y x=z") == #""subject":"deadlock","text":"x=y x=z"}"#)
    #expect(end(.fault, #"x="y"#) == #""subject":"deadlock","text":"x=\"y"}"#)
    #expect(end(.fault, "x=") == #""subject":"deadlock","x":""}"#)
    // Of a byte Lua reads one to three digits.
    #expect(end(.fault, #"a="\1"#) == #""subject":"deadlock","text":"a=\"\\1"}"#)
    #expect(end(.fault, #"a="\1" b="\0712""#) == #""subject":"deadlock","a":"\u0001","b":"G2"}"#)
    #expect(end(.fault, #"a="\999""#) == #""subject":"deadlock","text":"a=\"\\999\""}"#)
  }

  @Test func headerIsAnObject() throws {
    var fixture = TraceFixture()
    fixture.configuration.seed = 7
    #expect(
      fixture.render(JSONLinesTrace()) == #"{"trace":"rlsim","version":1,"semantics":"apple","seed":7}"# + "\n")
  }

  @Test func everyKindOfEventIsJSONThatFoundationReads() throws {
    var fixture = TraceFixture()
    let nasty = (0..<256).map { UInt8($0) } + Array("é😀\u{85}\u{2028}".utf8)
    for kind in EventKind.allCases {
      fixture.add(
        kind, subject: "a \"\\\n\u{1}é", mode: .defaultMode, other: "o", a: 1, b: 2, c: 3, flags: 255, text: nasty)
    }
    fixture.add(.timer, subject: "t", a: 1, b: .distantFuture)
    let lines = lines(fixture)
    #expect(lines.count == EventKind.allCases.count + 1)
    for line in lines {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(object["t"] as? Int == 100_000_000)
      if EventGrammar[.log].name.description == object["event"] as? String {
        #expect((object["subject"] as? String)?.unicodeScalars.first == "\u{0}")
      }
    }
  }

  @Test func stringsComeBackAsTheyWere() throws {
    for text in ["", "\"", "\\", "/", "\n\r\t\u{8}\u{C}\u{0}\u{1F}\u{7F}", "é\u{2028}😀"] {
      var buffer = ByteBuffer()
      buffer.append(jsonString: text)
      let back = try JSONSerialization.jsonObject(with: Data(buffer.text().utf8), options: .fragmentsAllowed)
      #expect(back as? String == text)
    }
  }
}
