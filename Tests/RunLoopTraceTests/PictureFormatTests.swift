import Foundation
import Testing

@testable import RunLoopEngine
@testable import RunLoopTrace

@Suite struct PictureFormatTests {
  /// Two threads: one signals and wakes the other, which waits in its loop; a lock changes hands; a fault at the end.
  private func fixture() -> TraceFixture {
    var fixture = TraceFixture()
    let worker = ThreadID(rawValue: 1)
    fixture.threadNames.append(fixture.names.add("<worker> end"))
    func add(
      _ kind: EventKind, _ thread: ThreadID, _ subject: NameID = .none, _ change: (inout Event) -> Void = { _ in }
    ) {
      let index = fixture.add(kind, mode: .defaultMode, thread: thread)
      fixture.events[index].subject = subject
      change(&fixture.events[index])
    }
    let source = fixture.names.add("job \"1\" & <b>")
    let lock = fixture.names.add("lock")
    add(.threadStart, worker)
    add(.runEnter, worker)
    add(.entry, worker)
    add(.beforeTimers, worker)
    add(.beforeSources, worker)
    add(.beforeWaiting, worker)
    add(.threadStart, .main)
    add(.lock, .main, lock)
    add(.sourceSignal, .main, source)
    add(.loopWakeUp, .main, fixture.threadNames[1])
    add(.afterWaiting, worker) { $0.a = WakeReason.wakeUp.rawValue }
    add(.beforeTimers, worker)
    add(.beforeSources, worker)
    add(.source, worker, source)
    add(.lockWait, worker, lock) { $0.other = .mainThread }
    add(.unlock, .main, lock) { $0.time += 5_000 }
    add(.threadExit, .main) { $0.time += 5_000 }
    add(.lock, worker, lock) { $0.time += 5_000 }
    add(.exit, worker) { $0.time += 6_000 }
    add(.runExit, worker) {
      $0.a = 4
      $0.time += 6_000
    }
    add(.end, .none) {
      $0.a = EndReason.fault.rawValue
      $0.time += 7_000
    }
    return fixture
  }

  private func picture(_ fixture: TraceFixture, limit: Int = .max) -> TimelinePicture {
    let picture = TimelinePicture(limit: limit)
    picture.add(fixture.events[...], fixture.context)
    picture.finish()
    return picture
  }

  @Test func slicesTellRunsPassesWaitsAndCallouts() {
    let bars = picture(fixture()).bars.filter { $0.lane == 0 }
    let told = bars.map { "\($0.depth) \($0.slice.title) \($0.start.order)-\($0.end.order)" }
    #expect(
      told == [
        "0 <worker> end 0-21", "1 run default 1-19", "2 pass 3-11", "3 wait 5-10", "2 pass 11-18",
        "3 source job \"1\" & <b> 13-18", "4 lock.wait lock 14-17",
      ])
  }

  @Test func arrowsGoFromCauseToEffect() {
    let told = picture(fixture()).arrows.map {
      "\($0.title) \($0.from.lane):\($0.from.moment.order)->\($0.to.lane):\($0.to.moment.order)"
    }
    #expect(told == ["wakeUp 1:9->0:10", "signal 1:8->0:13", "unlock 1:15->0:17"])
  }

  @Test func marksTellFaults() {
    let marks = picture(fixture()).marks
    #expect(marks.map(\.mark.title) == ["end reason=fault"])
    #expect(marks.map(\.mark.kind) == [.fault])
  }

  @Test func whatIsTooMuchIsLeftOutAndCounted() {
    let picture = picture(fixture(), limit: 5)
    #expect(picture.lines.count == 5)
    #expect(picture.omitted == fixture().events.count - 5)
  }

  @Test func perfettoIsJSONWithNestedSlicesOnEachTrack() throws {
    let text = fixture().render(PerfettoTrace())
    let trace = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let records = try #require(trace["traceEvents"] as? [[String: Any]])
    var open: [Int: Int] = [:]
    for record in records {
      let track = try #require(record["tid"] as? Int)
      if record["ph"] as? String == "B" { open[track, default: 0] += 1 }
      if record["ph"] as? String == "E" { open[track, default: 0] -= 1 }
      #expect(open[track, default: 0] >= 0)
    }
    #expect(open.values.allSatisfy { $0 == 0 })
    func count(_ phase: String) -> Int { records.filter { $0["ph"] as? String == phase }.count }
    #expect(count("s") == 3 && count("f") == 3)
    #expect(count("b") == 2 && count("e") == 1)
    #expect(text.contains("\"ts\":100005.000"))
    #expect(text.contains("\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":1}"))
  }

  /// Whoever breaks a lock takes it away from its holder, and may take it then.
  @Test func aBrokenLockIsHeldByItsHolderNoLonger() throws {
    var fixture = TraceFixture()
    let worker = ThreadID(rawValue: 1)
    fixture.threadNames.append(fixture.names.add("worker"))
    let lock = fixture.names.add("lock")
    let events: [(EventKind, ThreadID)] = [(.lock, worker), (.lockBreak, .main), (.lock, .main), (.unlock, .main)]
    for (place, (kind, thread)) in events.enumerated() {
      let index = fixture.add(kind, time: Int64(place) * 1000, thread: thread)
      fixture.events[index].subject = lock
    }
    let text = fixture.render(PerfettoTrace())
    let trace = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let records = try #require(trace["traceEvents"] as? [[String: Any]])
    let holds = records.compactMap { record -> String? in
      guard let phase = record["ph"] as? String, phase == "b" || phase == "e", let id = record["id"] as? Int,
        let track = record["tid"] as? Int, let time = record["ts"] as? Double
      else { return nil }
      return "\(phase) \(id) on \(track) at \(Int(time))"
    }
    // Tracks are threads, from 1.
    #expect(holds == ["b 1 on 2 at 0", "e 1 on 2 at 1", "b 2 on 1 at 2", "e 2 on 1 at 3"])
  }

  /// A name belongs to one thread, also where another one's has the same letters.
  @Test func threadsWithOneNameAreToldApart() {
    var fixture = TraceFixture()
    fixture.threadNames += [fixture.names.add("w"), fixture.names.add("w")]
    let threads = [ThreadID.main, ThreadID(rawValue: 1), ThreadID(rawValue: 2)]
    for thread in threads { fixture.add(.threadStart, thread: thread) }
    let perform = fixture.add(.perform, subject: "p")
    fixture.events[perform].other = fixture.threadNames[1]
    let wakeUp = fixture.add(.loopWakeUp)
    fixture.events[wakeUp].subject = fixture.threadNames[2]
    for thread in threads { fixture.add(.afterWaiting, a: WakeReason.wakeUp.rawValue, thread: thread) }
    let told = picture(fixture).arrows.map { "\($0.title) \($0.from.lane)->\($0.to.lane)" }
    #expect(told == ["perform 1->0", "wakeUp 0->2"])
  }

  @Test func textsOfMarkupAreEscaped() {
    #expect(escapedMarkup("<a & \"b\">\u{1B}\u{85}\u{FFFE}") == "&lt;a &amp; &quot;b&quot;&gt;\u{FFFD}\u{FFFD}\u{FFFD}")
    #expect(escapedMarkup("a\n\tb") == "a\n\tb")
    #expect(escapedMarkup("a\n\tb", asOneLine: true) == "a&#10;&#9;b")
  }

  @Test func everyKindOfEventCanBeDrawn() throws {
    var fixture = TraceFixture()
    for kind in EventKind.allCases + EventKind.allCases.reversed() {
      fixture.add(kind, subject: "x", mode: .defaultMode, other: "y", a: 1, b: 2, c: 3, text: Array("t".utf8))
    }
    let json = fixture.render(PerfettoTrace())
    _ = try JSONSerialization.jsonObject(with: Data(json.utf8))
    #expect(fixture.render(SVGTrace()).hasSuffix("</svg>\n"))
    #expect(fixture.render(HTMLTrace()).hasSuffix("</html>\n"))
    #expect(fixture.render(MermaidTrace()).hasPrefix("sequenceDiagram\n"))
  }

  @Test func aRunWithoutEventsCanBeDrawn() throws {
    let fixture = TraceFixture()
    _ = try JSONSerialization.jsonObject(with: Data(fixture.render(PerfettoTrace()).utf8))
    #expect(fixture.render(MermaidTrace()) == "sequenceDiagram\n")
    #expect(fixture.render(SVGTrace()).hasSuffix("</svg>\n"))
    #expect(fixture.render(HTMLTrace()).hasSuffix("</html>\n"))
  }

  @Test func mermaidLabelsMeanNothingToMermaid() {
    #expect(MermaidTrace.label("timer tick") == "timer tick")
    #expect(MermaidTrace.label("the end") == "the #101;nd")
    #expect(MermaidTrace.label("End") == "#69;nd")
    #expect(MermaidTrace.label("bending") == "bending")
    #expect(MermaidTrace.label("a;b#c:d") == "a#59;b#35;c#58;d")
    let text = fixture().render(MermaidTrace())
    #expect(text.contains("  participant t0 as #60;worker#62; #101;nd\n"))
    #expect(text.contains("  t1->>t0: signal (0.1)\n"))
  }

  @Test func mermaidDiagramsAreNotTooLong() {
    var fixture = TraceFixture()
    for number in 0..<5000 { fixture.add(.timer, subject: "timer\(number)", a: 1, b: 0) }
    let text = fixture.render(MermaidTrace())
    #expect(text.utf8.count < 50_000)
    #expect(text.hasSuffix("too long for one diagram\n"))
  }

  @Test func svgEscapesItsTexts() {
    let text = fixture().render(SVGTrace())
    #expect(text.contains("&lt;worker&gt; end"))
    #expect(text.contains("<title>source &quot;job \\&quot;1\\&quot; &amp; &lt;b&gt;&quot;</title>"))
    #expect(!text.contains("<b>"))
  }

  @Test func thePageHoldsTheTraceAndLoadsNothing() throws {
    let page = fixture().render(HTMLTrace())
    let start = try #require(page.range(of: "<script id=\"data\" type=\"application/json\">"))
    let end = try #require(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
    let data = String(page[start.upperBound..<end.lowerBound])
    #expect(!data.contains("<"))
    let object = try #require(try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any])
    #expect(object["header"] as? String == "rlsim-trace 1 semantics=apple seed=none")
    #expect(object["lines"] as? [String] == fixture().lines)
    #expect((object["arrows"] as? [[Any]])?.count == 3)
    for word in ["http:", "https:", "src=", "href=", "@import", "fetch("] { #expect(!page.contains(word)) }
  }
}
