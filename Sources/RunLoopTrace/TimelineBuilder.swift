import RunLoopEngine

/// Makes slices, marks and arrows of events: what a picture of a run shows.
///
/// Callouts have no event of their own for their end: one ends where the thread's loop goes on, or where the thread does.
final class TimelineBuilder {
  private enum Frame {
    case thread, run, pass, wait, callout
    /// The thread waits for something: until its next event.
    case blocked
  }

  private let sink: any TimelineSink
  private var stacks: [Int: [Frame]] = [:]
  /// In the order in which they were seen.
  private var lanes: [Int] = []
  private var order = 0
  private var now: Nanoseconds = 0
  private var writer = LineWriter()
  var causes = TimelineCauses()

  init(_ sink: any TimelineSink) { self.sink = sink }

  /// Takes a batch of events.
  func add(_ events: ArraySlice<Event>, _ context: TraceContext) {
    for event in events {
      now = event.time
      add(event, context)
      order += 1
    }
  }

  /// Ends what is still open.
  func finish() {
    for lane in lanes { pop(lane, while: { _ in true }) }
  }

  private func add(_ event: Event, _ context: TraceContext) {
    guard !event.thread.isNone else {
      if event.kind != .end || event.a >= EndReason.fault.rawValue { mark(.fault, event, context, lane: -1) }
      return
    }
    let lane = Int(event.thread.rawValue)
    if stacks[lane] == nil { open(lane, event, context) }
    let point = TimelinePoint(lane: lane, moment: moment)
    frame(event, lane, context)
    for arrow in causes.arrows(event, at: point, context) {
      sink.addArrow(arrow.title, from: arrow.from, to: point)
    }
    switch event.kind {
    case .log: mark(.log, event, context, lane: lane)
    case .loopStop: mark(.stop, event, context, lane: lane)
    case .timer where event.c > 0: mark(.missed, event, context, lane: lane)
    case .fault, .expectFail, .performDrop: mark(.fault, event, context, lane: lane)
    default: break
    }
  }

  private var moment: Moment { Moment(time: now, order: order) }

  private func open(_ lane: Int, _ event: Event, _ context: TraceContext) {
    let name = context.names[context.threadName(event.thread)]
    lanes.append(lane)
    stacks[lane] = []
    sink.addLane(lane, name: name)
    let slice = TimelineSlice(kind: .thread, title: name, category: .thread, line: "thread")
    push(.thread, slice, lane)
  }

  // MARK: Slices

  /// Begins and ends the slices of a thread at an event.
  private func frame(_ event: Event, _ lane: Int, _ context: TraceContext) {
    pop(lane) { $0 == .blocked }
    switch event.kind {
    case .threadExit: pop(lane, while: { _ in true })
    case .runEnter: push(.run, slice(.run, event, context), lane)
    case .runExit:
      popTo(lane, .run)
      popOne(lane)
    case .beforeTimers:
      popTo(lane, .run)
      push(.pass, slice(.pass, event, context), lane)
    case .entry, .beforeSources: popToLoop(lane)
    case .beforeWaiting:
      popToLoop(lane)
      push(.wait, slice(.wait, event, context), lane)
    case .afterWaiting: popToLoop(lane)
    case .exit: popTo(lane, .run)
    case .observer, .timer, .source, .port, .message, .block, .perform, .queue:
      popToLoop(lane)
      push(.callout, slice(.callout, event, context), lane)
    case .lockWait, .conditionWait, .semaphoreWait, .portFull:
      push(.blocked, slice(.blocked, event, context), lane)
    case .sourceSignal, .portSend, .messageSend, .messageReply, .loopWakeUp, .loopStop, .lock, .lockBusy, .lockBreak,
      .unlock, .conditionSignal, .semaphoreSignal:
      sink.add(slice(.action, event, context), at: here(lane))
    default: break
    }
  }

  private func here(_ lane: Int) -> TimelinePoint { TimelinePoint(lane: lane, moment: moment) }

  private func push(_ frame: Frame, _ slice: TimelineSlice, _ lane: Int) {
    stacks[lane, default: []].append(frame)
    sink.begin(slice, at: here(lane))
  }

  private func popOne(_ lane: Int) {
    if stacks[lane, default: []].popLast() != nil { sink.end(at: here(lane)) }
  }

  private func pop(_ lane: Int, while condition: (Frame) -> Bool) {
    while let last = stacks[lane]?.last, condition(last) { popOne(lane) }
  }

  /// Ends everything inside the innermost frame of a kind; nothing when there is none.
  private func popTo(_ lane: Int, _ wanted: Frame) {
    guard stacks[lane, default: []].contains(wanted) else { return }
    pop(lane) { $0 != wanted }
  }

  /// Ends the callouts and waits of the innermost run, and those of a thread that runs none.
  private func popToLoop(_ lane: Int) {
    pop(lane) {
      switch $0 {
      case .run, .pass, .thread: false
      case .wait, .callout, .blocked: true
      }
    }
  }

  // MARK: Texts

  private func slice(_ kind: TimelineSlice.Kind, _ event: Event, _ context: TraceContext) -> TimelineSlice {
    let line = line(event, context)
    let title: String =
      switch kind {
      case .run: "run \(context.names[event.mode])"
      case .pass: "pass"
      case .wait: "wait"
      case .callout, .action, .blocked, .thread: title(event, context)
      }
    return TimelineSlice(kind: kind, title: title, category: event.kind.category, line: line)
  }

  /// The event's name, its subject, and who has the lock that it did not get.
  private func title(_ event: Event, _ context: TraceContext) -> String {
    var title = "\(EventGrammar[event.kind].name)"
    if !event.subject.isNone { title += " \(context.names[event.subject])" }
    if event.kind == .lockWait || event.kind == .lockBusy, !event.other.isNone {
      title += " holder=\(context.names[event.other])"
    }
    return title
  }

  private func mark(_ kind: TimelineMark.Kind, _ event: Event, _ context: TraceContext, lane: Int) {
    let title: String =
      switch kind {
      case .missed: "\(event.c) missed"
      case .log: context.string(textOf: event)
      default: line(event, context)
      }
    sink.add(TimelineMark(kind: kind, title: title), at: TimelinePoint(lane: lane, moment: moment))
  }

  /// The event's text line from its name on.
  private func line(_ event: Event, _ context: TraceContext) -> String {
    var buffer = ByteBuffer(capacity: 1024)
    var cursor = writer.open(event, context, &buffer)
    writer.putEvent(event.kind, &cursor)
    writer.putRest(event, context, &cursor, &buffer)
    buffer.advance(to: cursor.place)
    return buffer.text(from: 1)
  }
}
