import Testing

@testable import RunLoopEngine

/// An event with its names and texts spelled out.
struct Record: Sendable, Equatable {
  var time: Nanoseconds
  var thread: String
  var kind: EventKind
  /// What is written in a trace for it.
  var token: String
  /// Its text: the keys and values of a fault.
  var text: String

  init(_ event: Event, _ simulation: Simulation) {
    time = event.time
    thread = event.thread.isNone ? "-" : simulation.names[simulation.name(of: event.thread)]
    kind = event.kind
    token = event.token(simulation)
    text = event.text(simulation)
  }
}

/// Which events a trace shows.
struct Show: Sendable {
  var kinds: Set<EventKind>

  /// Callouts, logged texts, results of runs and faults.
  static let callouts = Show(kinds: [
    .observer, .timer, .source, .port, .portFull, .block, .perform, .performDrop, .queue, .log, .runExit, .loopGone,
    .expectFail, .fault,
  ])
  /// The same with the notifications.
  static let passes = Show.callouts.and(.entry, .beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting, .exit)
  /// Logged texts only.
  static let logs = Show(kinds: [.log])
  static let everything = Show(kinds: Set(EventKind.allCases))

  func and(_ more: EventKind...) -> Show { Show(kinds: kinds.union(more)) }
  func without(_ less: EventKind...) -> Show { Show(kinds: kinds.subtracting(less)) }
}

extension Machine {
  /// The events as words: `@1.5` when the time changes, `[worker]` when the thread does (it starts with main at 0), then
  ///
  ///     E BT BS BW AW:timer X     the six notifications
  ///     o/BT                      the observer o is called
  ///     t#2 t#2(late=0.5,missed=1)  the second fire of timer t
  ///     S                         the source S is performed
  ///     +S/m -S/m                 the source S is added to, taken out of mode m
  ///     P<hello P>hello P:full    the port P receives, is sent to, is full
  ///     block queue f() drop(f)   blocks and performs
  ///     'text'                    what was logged
  ///     =timedOut                 a run's result
  func trace(_ show: Show) -> String {
    var words: [String] = []
    var time: Nanoseconds = 0
    var thread = "main"
    for record in records where show.kinds.contains(record.kind) {
      if record.time != time { words.append("@" + secondsWord(record.time)) }
      if record.thread != thread { words.append("[\(record.thread)]") }
      time = record.time
      thread = record.thread
      words.append(record.token)
    }
    return words.joined(separator: " ")
  }

  /// What `show` logs of a result; nil for nothing.
  func text(_ result: OperationResult) -> String? {
    switch result {
    case .none: "none"
    case .bool(let value): "\(value)"
    case .run(let outcome): "\(outcome)"
    case .value(let value), .lastValue(let value): "\(value.rawValue)"
    case .date(let date): secondsWord(date)
    case .name(let name): name.isNone ? "none" : simulation.names[name]
    case .number(let value): value.text
    case .results(let value): "\(value.rawValue)"
    case .thread(let thread): simulation.names[simulation.name(of: thread)]
    case .port(let port): port.isNone ? "none" : simulation.names[simulation.name(of: port)]
    case .refused(let refusal): "\(refusal)"
    case .failure: nil
    }
  }
}

/// Seconds without needless zeros.
func secondsWord(_ nanoseconds: Nanoseconds) -> String {
  if nanoseconds == .distantFuture { return "future" }
  if nanoseconds == .distantPast { return "past" }
  let whole = nanoseconds.magnitude / 1_000_000_000
  var fraction = String(nanoseconds.magnitude % 1_000_000_000 + 1_000_000_000).dropFirst()
  while fraction.last == "0" { fraction.removeLast() }
  return (nanoseconds < 0 ? "-" : "") + "\(whole)" + (fraction.isEmpty ? "" : "." + fraction)
}

extension Event {
  private var conditionWord: String { flags & 4 == 0 ? "" : "=\(b)" }

  fileprivate func text(_ simulation: Simulation) -> String {
    String(decoding: simulation.text[Int(textStart)..<Int(textStart + textLength)], as: UTF8.self)
  }

  fileprivate func token(_ simulation: Simulation) -> String {
    let subject = simulation.names[subject]
    let mode = simulation.names[mode]
    let text = text(simulation)
    switch kind {
    case .threadStart: return "start"
    case .threadExit: return "exit"
    case .threadCancel: return "cancel(\(subject))"
    case .threadJoin: return "joined(\(subject))"
    case .threadTerminate: return "terminated"
    case .runEnter: return "run(\(mode))"
    case .runExit:
      let left = LeftRunResult(rawValue: a).map { "\($0)" } ?? "?"
      return "=\(RunResult(rawValue: a).map { "\($0)" } ?? left)"
    case .entry: return "E"
    case .beforeTimers: return "BT"
    case .beforeSources: return "BS"
    case .beforeWaiting: return "BW"
    case .afterWaiting:
      let wake = WakeReason(rawValue: a).map { "\($0)" } ?? "?"
      return "AW:" + (other.isNone ? wake : simulation.names[other])
    case .exit: return "X"
    case .observer:
      let short = [1: "E", 2: "BT", 4: "BS", 32: "BW", 64: "AW", 128: "X"]
      return "\(subject)/\(short[Int(a)] ?? "?")"
    case .timer:
      var parts: [String] = []
      if time != b { parts.append("late=\(secondsWord(time - b))") }
      if c != 0 { parts.append("missed=\(c)") }
      return "\(subject)#\(a)" + (parts.isEmpty ? "" : "(\(parts.joined(separator: ",")))")
    case .source: return subject
    case .sourceSignal: return "signal(\(subject))"
    case .sourceSchedule: return "+\(subject)/\(mode)"
    case .sourceCancel: return "-\(subject)/\(mode)"
    case .port: return "\(subject)<\(text)"
    case .portSend: return "\(subject)>\(text)"
    case .portFull: return "\(subject):full"
    case .block: return mode == "default" ? "block" : "block/\(mode)"
    case .perform: return other.isNone ? "\(subject)()" : "\(subject)(\(simulation.names[other]))"
    case .performDrop: return "drop(\(subject))"
    case .queue: return "queue"
    case .loopStop: return flags == 0 ? "stop(\(subject))" : "stop(\(subject),lost)"
    case .loopWakeUp: return flags == 0 ? "wake(\(subject))" : "wake(\(subject),ignored)"
    case .loopGone: return "gone(\(subject),\(simulation.names[other]))"
    case .log: return "'\(text)'"
    case .fault: return "fault(\(FaultKind(rawValue: a).map { "\($0)" } ?? "?"))"
    case .expectFail: return "failed(\(text))"
    case .lock: return "lock(\(subject)\(conditionWord))"
    case .lockWait: return "wait(\(subject)\(conditionWord),\(simulation.names[other]))"
    case .lockBusy: return "busy(\(subject),\(simulation.names[other])\(flags & 2 == 0 ? "" : ",timedOut"))"
    case .unlock: return "unlock(\(subject)\(conditionWord))"
    case .conditionWake:
      return "conditionWake(\(subject)\(flags & 1 == 0 ? "" : ",spurious")\(flags & 2 == 0 ? "" : ",timedOut"))"
    case .conditionSignal:
      return "conditionSignal(\(subject)\(flags & 2 == 0 ? "" : ",all")\(flags & 1 == 0 ? "" : ",lost"))"
    case .semaphoreWake: return "semaphoreWake(\(subject)\(flags & 2 == 0 ? "" : ",timedOut"))"
    case .end: return "end(\(EndReason(rawValue: a).map { "\($0)" } ?? "?")\(text.isEmpty ? "" : ",\(text)"))"
    case .message: return "\(subject)<\(a):\(text)"
    case .messageSend: return "\(subject)>\(a):\(text)"
    case .messageReply: return "\(subject)=\(a)" + (flags == 0 ? "" : "(lost)")
    case .notificationPost: return "post(\(subject))"
    case .notification: return "note(\(subject))"
    case .poolDrain: return "drain(\(subject))"
    default: return "\(kind)(\(subject))"
    }
  }
}

/// Runs a program to its end.
func simulate(
  _ profile: Profile = .apple, seed: UInt64? = nil, until: Double = .infinity, @Body _ main: () -> [Instruction]
) -> Machine {
  var configuration = Configuration()
  configuration.profile = profile
  configuration.seed = seed
  configuration.until = Nanoseconds(seconds: until)
  var machine = Machine(configuration, main: main())
  machine.run()
  return machine
}

extension Machine {
  /// Checks the trace against words, in any layout.
  func expect(_ show: Show, _ expected: String, at location: SourceLocation = #_sourceLocation) {
    let wanted = expected.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let found = trace(show)
    guard found != wanted else { return }
    Issue.record(
      "expected: \(wanted)\nfound:    \(found.prefix(2_000))\nall:      \(trace(.everything).prefix(5_000))",
      sourceLocation: location)
  }

  /// Checks how the run ended.
  func expect(_ wanted: EndReason, at location: SourceLocation = #_sourceLocation) {
    guard reason != wanted else { return }
    let found = reason.map { "\($0)" } ?? "no end"
    Issue.record("\(found) in place of \(wanted): \(trace(.everything).prefix(5_000))", sourceLocation: location)
  }
}
