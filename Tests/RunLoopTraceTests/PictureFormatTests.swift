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
        "3 source job \"1\" & <b> 13-18", "4 lock.wait lock holder=main 14-17", "4 lock lock 17-17",
      ])
  }

  @Test func arrowsGoFromCauseToEffect() {
    let told = picture(fixture()).arrows.map {
      "\($0.title) \($0.from.lane):\($0.from.moment.order)->\($0.to.lane):\($0.to.moment.order)"
    }
    #expect(told == ["wakeUp 1:9->0:10", "signal 1:8->0:13", "unlock 1:15->0:17"])
  }

  /// A signal that woke nobody is no cause of a later wake, and a broadcast is one of each wake.
  @Test func arrowsComeFromTheSignalThatWoke() {
    var fixture = TraceFixture()
    let (gate, items) = (fixture.names.add("gate"), fixture.names.add("items"))
    let workers = [ThreadID(rawValue: 1), ThreadID(rawValue: 2)]
    fixture.threadNames += [fixture.names.add("a"), fixture.names.add("b")]
    func add(_ kind: EventKind, _ name: NameID, _ thread: ThreadID = .main, flags: UInt8 = 0) {
      fixture.events[fixture.add(kind, flags: flags, thread: thread)].subject = name
    }
    add(.semaphoreSignal, items)
    add(.semaphoreWait, items, workers[0])
    add(.semaphoreWait, items, workers[0])
    add(.semaphoreSignal, items)
    add(.semaphoreWake, items, workers[0])
    add(.conditionSignal, gate, flags: 1)
    for worker in workers { add(.conditionWait, gate, worker) }
    add(.conditionSignal, gate, flags: 2)
    for worker in workers { add(.conditionWake, gate, worker) }
    let told = picture(fixture).arrows.map { "\($0.from.moment.order)->\($0.to.moment.order)" }
    #expect(told == ["3->4", "8->9", "8->10"])
  }

  @Test func arrowsComeFromTheStopThatWoke() {
    var fixture = TraceFixture()
    let name = fixture.names.add("worker")
    fixture.threadNames.append(name)
    let worker = ThreadID(rawValue: 1)
    func stop(flags: UInt8 = 0) { fixture.events[fixture.add(.loopStop, flags: flags)].subject = name }
    func wake(_ reason: WakeReason) {
      fixture.add(.afterWaiting, mode: .defaultMode, a: reason.rawValue, thread: worker)
    }
    stop(flags: 1)  // lost
    stop()
    wake(.timer)
    stop()
    stop()
    wake(.stop)
    let told = picture(fixture).arrows.map { "\($0.title) \($0.from.moment.order)->\($0.to.moment.order)" }
    #expect(told == ["stop 4->5"])
  }

  /// A perform comes from where it woke the loop, if it did; else it was asked for at an unknown moment before.
  @Test func onlyTheWakeOfItsOwnPassIsThatOfAPerform() {
    var fixture = TraceFixture()
    fixture.threadNames.append(fixture.names.add("worker"))
    let worker = ThreadID(rawValue: 1)
    fixture.add(.threadStart)
    func pass(wake: WakeReason?) {
      if let wake { fixture.add(.afterWaiting, mode: .defaultMode, a: wake.rawValue, thread: worker) }
      fixture.add(.beforeTimers, mode: .defaultMode, thread: worker)
      fixture.events[fixture.add(.perform, subject: "job", thread: worker)].other = .mainThread
    }
    pass(wake: .wakeUp)
    pass(wake: nil)
    pass(wake: .timer)
    let told = picture(fixture).arrows.map { "\($0.from.moment.order)->\($0.to.moment.order)" }
    #expect(told == ["1->3", "5->5", "8->8"])
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
  }

  /// What woke the other thread is a message to it, at its own place and time; locks say who has them.
  @Test func mermaidTellsTheRunInTheOrderOfTheTrace() {
    #expect(
      fixture().render(MermaidTrace()) == """
        sequenceDiagram
          participant t0 as #60;worker#62; #101;nd
          participant t1 as main
          Note over t0: run default (0.1)
          Note over t0: wait (0.1)
          t1->>t1: lock lock (0.1)
          t1->>t0: source.signal job #34;1#34; #38; #60;b#62; (0.1)
          t1->>t0: loop.wakeUp #60;worker#62; #101;nd (0.1)
          t0->>t0: source job #34;1#34; #38; #60;b#62; (0.1)
          Note over t0: lock.wait lock holder=main (0.1)
          t1->>t0: unlock lock (0.100005)
          t0->>t0: lock lock (0.100005)
          Note over t0: run default is over (0.100006)
          Note over t0: #101;nd reason=fault

        """)
  }

  @Test(arguments: [EndReason.idle, .fault])
  func aRunThatNeverEndsIsNotToldToBeOver(reason: EndReason) {
    var fixture = TraceFixture()
    fixture.add(.runEnter, mode: .defaultMode)
    fixture.add(.beforeWaiting, mode: .defaultMode)
    fixture.add(.end, a: reason.rawValue, thread: .none)
    let text = fixture.render(MermaidTrace())
    #expect(text.contains("  Note over t0: run default (0.1)\n"))
    #expect(!text.contains("is over"))
  }

  @Test func automaticNamesAreInThePictures() {
    var fixture = TraceFixture()
    let timer = fixture.names.automatic(.timer)
    let lock = fixture.names.automatic(.mutex)
    for (kind, name) in [(.timer, timer), (.lockWait, lock), (.unlock, lock)] as [(EventKind, NameID)] {
      fixture.events[fixture.add(kind, a: 1)].subject = name
    }
    let mermaid = fixture.render(MermaidTrace())
    let perfetto = fixture.render(PerfettoTrace())
    for title in ["timer timer1", "lock.wait mutex1", "unlock mutex1"] {
      #expect(mermaid.contains(": \(title) (0.1)\n"))
      #expect(perfetto.contains("\"name\":\"\(title)\""))
    }
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

  @Test func svgHasRoomForItsFaults() throws {
    var fixture = TraceFixture()
    let cause = "waits=join:" + String(repeating: "w", count: 150)
    fixture.add(.fault, a: FaultKind.stuck.rawValue, text: Array(cause.utf8))
    fixture.add(.fault, a: FaultKind.stuck.rawValue, text: Array("thread=worker".utf8))
    let text = fixture.render(SVGTrace())
    let width = try #require(text.firstMatch(of: #/width="([0-9]+)"/#)).output.1
    let lines = text.matches(of: #/<text x="4" y="([0-9]+)"[^>]*>([^<]*)</text>/#).dropFirst()
    #expect(lines.map { String($0.output.2) } == fixture.lines)
    #expect(Set(lines.map(\.output.1)).count == 2)
    #expect(try #require(Int(width)) >= 4 + 6 * fixture.lines[0].count)
  }

  @Test func svgLabelsSayWhereTheyAreCut() {
    // From event 14 to 17: three steps of 14, and 28 for the 5,000 ns between them: room for eleven letters of 6.
    #expect(fixture().render(SVGTrace()).contains(">lock.wait …</text>"))
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
