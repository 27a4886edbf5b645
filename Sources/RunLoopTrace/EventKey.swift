import RunLoopEngine

/// A key of an event: what stands before the `=`.
public enum EventKey: UInt8, CaseIterable, Sendable {
  case mode = 1
  case seconds, returnAfterSourceHandled, result, wake, activity
  case fire, scheduled, late, missed, id
  case message, from, lost, ignored, call, holder, spurious, timedOut, op, value, failed, depth, condition, broadcast,
    to, at, reason, readers, on, writer

  /// The key as it is written.
  public var name: StaticString {
    switch self {
    case .mode: "mode"
    case .seconds: "seconds"
    case .returnAfterSourceHandled: "returnAfterSourceHandled"
    case .result: "result"
    case .wake: "wake"
    case .activity: "activity"
    case .fire: "fire"
    case .scheduled: "scheduled"
    case .late: "late"
    case .missed: "missed"
    case .id: "id"
    case .message: "message"
    case .from: "from"
    case .lost: "lost"
    case .ignored: "ignored"
    case .call: "call"
    case .holder: "holder"
    case .spurious: "spurious"
    case .timedOut: "timedOut"
    case .op: "op"
    case .value: "value"
    case .failed: "failed"
    case .depth: "depth"
    case .condition: "condition"
    case .broadcast: "broadcast"
    case .to: "to"
    case .at: "at"
    case .reason: "reason"
    case .readers: "readers"
    case .on: "on"
    case .writer: "writer"
    }
  }

  /// What the key has in an event; nil: the key is left out.
  @inline(__always)
  func value(in event: Event) -> EventValue? {
    switch self {
    case .mode, .writer: event.mode.isNone ? nil : .name(event.mode)
    case .seconds: event.a >= Self.noDeadline ? nil : .seconds(event.a)
    case .returnAfterSourceHandled, .lost, .ignored, .spurious, .failed: event.flags & 1 == 0 ? nil : .flag
    case .timedOut, .broadcast: event.flags & 2 == 0 ? nil : .flag
    case .depth, .readers: event.c > 1 ? .integer(event.c) : nil
    case .condition: event.flags & 4 == 0 ? nil : .integer(event.b)
    case .op: .word(AtomicOperation(rawValue: event.a)?.traceName ?? "?")
    case .result: .word(Self.result(event))
    case .wake: event.a < 0 ? nil : Self.wake(event)
    case .activity: .word(Activities(rawValue: UInt8(truncatingIfNeeded: event.a)).name)
    case .fire, .id: .integer(event.a)
    case .scheduled: .seconds(event.b)
    case .late: event.time > event.b && event.b > .distantPast ? .seconds(event.time &- event.b) : nil
    case .missed: event.c > 0 ? .integer(event.c) : nil
    case .message, .value: .text
    case .from, .to, .holder, .call, .on: event.other.isNone ? nil : .name(event.other)
    case .at: event.position.line == 0 ? nil : .position(event.position)
    case .reason: .word(EndReason(rawValue: event.a)?.traceName ?? "?")
    }
  }

  /// From here on a run has no deadline (semantics 2.2).
  private static let noDeadline: Nanoseconds = 500_000_000_000_000_000

  private static func result(_ event: Event) -> StaticString {
    if let result = RunResult(rawValue: event.a) { return result.traceName }
    return event.a == LeftRunResult.exited.rawValue ? "exited" : "error"
  }

  private static func wake(_ event: Event) -> EventValue {
    switch WakeReason(rawValue: event.a) {
    case .port: .port(event.other)
    case .timer: .word("timer")
    case .wakeUp: .word("wakeUp")
    case .timeout: .word("timeout")
    case .stop: .word("stop")
    case .mainQueue: .word("mainQueue")
    case .nothing, nil: .word("nothing")
    }
  }
}

/// A value of an event, before a format writes it.
enum EventValue {
  /// `true`; without it the key is left out.
  case flag
  case word(StaticString)
  case name(NameID)
  /// `port:` and a name.
  case port(NameID)
  /// The event's text.
  case text
  case integer(Int64)
  /// Nanoseconds, to be written as seconds.
  case seconds(Nanoseconds)
  case position(Position)
}

extension RunResult {
  /// The result as scripts and traces call it.
  public var traceName: StaticString {
    switch self {
    case .finished: "finished"
    case .stopped: "stopped"
    case .timedOut: "timedOut"
    case .handledSource: "handledSource"
    }
  }
}

extension AtomicOperation {
  /// The operation as a trace has it.
  public var traceName: StaticString {
    switch self {
    case .load: "load"
    case .store: "store"
    case .add: "add"
    case .exchange: "exchange"
    case .compareExchange: "compareExchange"
    }
  }
}

extension EndReason {
  /// The reason as the last line of a trace has it.
  public var traceName: StaticString {
    switch self {
    case .returned: "returned"
    case .idle: "idle"
    case .until: "until"
    case .fault: "fault"
    case .limit: "limit"
    }
  }
}

extension FaultKind {
  /// The kind as a trace has it.
  public var traceName: StaticString {
    switch self {
    case .deadlock: "deadlock"
    case .lostWakeup: "lostWakeup"
    case .stuck: "stuck"
    case .busyLoop: "busyLoop"
    case .expectation: "expectation"
    case .trap: "trap"
    case .error: "error"
    case .livelock: "livelock"
    }
  }
}
