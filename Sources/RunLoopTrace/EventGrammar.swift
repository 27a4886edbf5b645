import RunLoopEngine

/// How an event of one kind is written: its name, what stands after the name, and its keys in their order.
///
/// This table is the only place that knows it: every format and the documentation are fed from here.
public struct EventGrammar: Sendable {
  /// What follows the event's name, without a key.
  public enum Subject: UInt8, Sendable {
    /// Nothing.
    case none
    /// `Event.subject`, the name of an object or thread.
    case name
    /// The event's text as a value, quoted where needed.
    case text
    /// The event's text as it is, to the end of the line.
    case line
    /// The name of a fault's kind.
    case faultKind
    /// The word `main`.
    case mainQueue
  }

  /// Whether the line ends with the event's text as it is: keys and values that were made with the event.
  public let hasTail: Bool
  /// The event's name in a trace.
  public let name: StaticString
  /// What stands after the name.
  public let subject: Subject
  /// The keys, one a byte from the lowest, so that writing a line touches no array.
  let packedKeys: UInt64

  init(_ name: StaticString, _ subject: Subject = .none, _ keys: EventKey..., hasTail: Bool = false) {
    self.hasTail = hasTail
    self.name = name
    self.subject = subject
    packedKeys = keys.reversed().reduce(0) { $0 << 8 | UInt64($1.rawValue) }
  }

  /// The keys that may follow, in their order; which of them do depends on the event.
  public var keys: [EventKey] {
    (0..<8).compactMap { EventKey(rawValue: UInt8(truncatingIfNeeded: packedKeys >> ($0 * 8))) }
  }

  /// The grammar of every kind of event, indexed by its raw value.
  static let table: [EventGrammar] = EventKind.allCases.map(EventGrammar.init(_:))

  /// The grammar of a kind of event.
  public static subscript(kind: EventKind) -> EventGrammar { table[Int(kind.rawValue)] }

  private init(_ kind: EventKind) {
    switch kind {
    case .threadStart: self.init("thread.start")
    case .threadExit: self.init("thread.exit")
    case .threadCancel: self.init("thread.cancel", .name)
    case .threadJoin: self.init("thread.join", .name)
    case .threadTerminate: self.init("thread.terminate")
    case .runEnter: self.init("run.enter", .none, .mode, .seconds, .returnAfterSourceHandled)
    case .runExit: self.init("run.exit", .none, .mode, .result)
    case .entry: self.init("entry", .none, .mode)
    case .beforeTimers: self.init("beforeTimers", .none, .mode)
    case .beforeSources: self.init("beforeSources", .none, .mode)
    case .beforeWaiting: self.init("beforeWaiting", .none, .mode)
    case .afterWaiting: self.init("afterWaiting", .none, .mode, .wake)
    case .exit: self.init("exit", .none, .mode)
    case .observer: self.init("observer", .name, .activity)
    case .timer: self.init("timer", .name, .fire, .scheduled, .late, .missed)
    case .source: self.init("source", .name)
    case .sourceSignal: self.init("source.signal", .name)
    case .sourceSchedule: self.init("source.schedule", .name, .mode)
    case .sourceCancel: self.init("source.cancel", .name, .mode)
    case .port: self.init("port", .name, .message)
    case .portSend: self.init("port.send", .name, .message)
    case .portFull: self.init("port.full", .name)
    case .message: self.init("message", .name, .id, .message)
    case .messageSend: self.init("message.send", .name, .id, .message)
    case .messageReply: self.init("message.reply", .name, .id, .lost)
    case .block: self.init("block", .none, .mode)
    case .perform: self.init("perform", .name, .from)
    case .performDrop: self.init("perform.drop", .name, .on)
    case .queue: self.init("queue", .mainQueue)
    case .loopStop: self.init("loop.stop", .name, .lost)
    case .loopWakeUp: self.init("loop.wakeUp", .name, .ignored)
    case .loopGone: self.init("loop.gone", .name, .call)
    case .notificationPost: self.init("notification.post", .name)
    case .notification: self.init("notification", .name)
    case .lock: self.init("lock", .name, .depth, .condition)
    case .lockWait: self.init("lock.wait", .name, .holder, .readers, .writer, .condition)
    case .lockBusy: self.init("lock.busy", .name, .holder, .readers, .writer, .timedOut)
    case .unlock: self.init("unlock", .name, .depth, .condition)
    case .lockBreak: self.init("lock.break", .name, .holder)
    case .conditionWait: self.init("condition.wait", .name)
    case .conditionSignal: self.init("condition.signal", .name, .broadcast, .lost)
    case .conditionWake: self.init("condition.wake", .name, .spurious, .timedOut)
    case .semaphoreWait: self.init("semaphore.wait", .name)
    case .semaphoreSignal: self.init("semaphore.signal", .name)
    case .semaphoreWake: self.init("semaphore.wake", .name, .timedOut)
    case .dealloc: self.init("dealloc", .name)
    case .poolDrain: self.init("pool.drain", .name)
    case .sharedGet: self.init("shared.get", .name)
    case .sharedSet: self.init("shared.set", .name, .value)
    case .atomic: self.init("atomic", .name, .op, .value, .failed)
    case .log: self.init("log", .line)
    case .expectFail: self.init("expect.fail", .text, .at)
    case .fault: self.init("fault", .faultKind, hasTail: true)
    case .switch: self.init("switch", .name, .to)
    case .end: self.init("end", .none, .reason, hasTail: true)
    }
  }
}
