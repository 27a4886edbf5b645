/// What an event belongs to; the categories that `--show` and `--hide` choose from.
public enum EventCategory: UInt8, CaseIterable, Sendable {
  case thread, run, activity, observer, timer, source, port, block, loop, lock, memory, access, log, fault, schedule
  case notification
}

/// Every event of a simulation, in the order of trace.md. The comment says when it is posted and what its fields hold;
/// fields that are not named are not used.
public enum EventKind: UInt8, CaseIterable, Sendable {
  // thread
  /// A thread enters its entry function.
  case threadStart
  /// A thread has ended: after the cancel callbacks of its sources.
  case threadExit
  /// `thread:cancel()`. subject: the thread's name.
  case threadCancel
  /// A join returned. subject: the thread that was joined.
  case threadJoin
  /// A detached thread is ended with the process. (thread: itself)
  case threadTerminate
  // run
  /// A run begins. mode; a: seconds in nanoseconds, `distantFuture` when there is no limit; flags bit 0: return after
  /// one source.
  case runEnter
  /// A run ends. mode; a: `RunResult`, or `LeftRunResult`.
  case runExit
  // activity: mode
  case entry
  case beforeTimers
  case beforeSources
  case beforeWaiting
  /// mode; a: `WakeReason`, -1 when it is not known (live runs); other: the port's name.
  case afterWaiting
  case exit
  // callouts
  /// An observer is called. subject; a: the activity's bit.
  case observer
  /// A timer fires. subject; a: which fire, from 1; b: the scheduled date; c: missed points since the last fire. Late
  /// when the event's time is after b.
  case timer
  /// A source is performed. subject.
  case source
  /// `source:signal()`. subject.
  case sourceSignal
  /// A source was added to a mode. subject; mode.
  case sourceSchedule
  /// A source was taken out of a mode. subject; mode.
  case sourceCancel
  /// A port receives. subject; text: the message.
  case port
  /// A message was queued. subject; text: the message.
  case portSend
  /// A sender waits for room. subject.
  case portFull
  /// A message port's callback is called. subject; a: the message's number; text: its data.
  case message
  /// A message was queued in a message port. As `message`.
  case messageSend
  /// A message port replies. subject; a: the message's number; flags bit 0: lost, its caller waits no longer.
  case messageReply
  /// A queued block runs. mode: the mode being run.
  case block
  /// A perform request is carried out. subject: its name; other: the thread it came from.
  case perform
  /// A perform request is dropped, its thread has ended. subject; other: that thread, when it is not the event's.
  case performDrop
  /// A block of the main queue runs.
  case queue
  // loop: subject is the name of the thread whose loop it is
  /// `loop:stop()`. flags bit 0: lost, nothing was running.
  case loopStop
  /// `loop:wakeUp()`. flags bit 0: ignored.
  case loopWakeUp
  /// A call on the loop of a thread that has ended does nothing. subject; other: the call's name.
  case loopGone
  // notification
  /// A notification is posted. subject.
  case notificationPost
  /// An observer of the notification centre is called. subject: the notification.
  case notification
  // lock
  /// A thread has a lock. subject; c: how often it has it, when more than once. Of a condition lock also flags bit 2 and
  /// b: its number.
  case lock
  /// A thread waits for a lock. subject; other: the holder's name; c: how many readers have it. Flags bit 2 and b: the number
  /// it waits for. mode: of a reader, the waiting writer that goes first.
  case lockWait
  /// A lock was not to be had. subject; other: the holder's name; c: how many readers have it; flags bit 1: in time; mode: as
  /// above.
  case lockBusy
  /// A lock was given back. As `lock`.
  case unlock
  /// A lock was broken. subject; other: who held it.
  case lockBreak
  /// A thread gives a condition's mutex back and waits. subject.
  case conditionWait
  /// subject; flags bit 0: lost, nobody waited; flags bit 1: for all.
  case conditionSignal
  /// A thread has a condition's mutex again. subject; flags bit 0: spurious; flags bit 1: timed out.
  case conditionWake
  /// A thread takes one of a semaphore's value, or waits for one. subject.
  case semaphoreWait
  /// subject.
  case semaphoreSignal
  /// A wait for a semaphore is over. subject; flags bit 1: timed out.
  case semaphoreWake
  // memory
  /// An object is gone. subject.
  case dealloc
  /// An autorelease pool that holds objects is drained, or any by hand. subject: its name; `top` for a thread's, `callout`
  /// for a callout's own.
  case poolDrain
  // access
  /// subject.
  case sharedGet
  /// subject; text: the value.
  case sharedSet
  /// subject; a: `AtomicOperation`; text: the value that it left or read; flags bit 0: a failed `compareExchange`.
  case atomic
  // log
  /// text.
  case log
  // fault
  /// A failed `rl.expect`. text: its message; position.
  case expectFail
  /// One line of a fault. a: `FaultKind`; text: the keys and values, made by whoever posted it.
  case fault
  // schedule
  /// The scheduler leaves a thread that could go on (replays only). subject: from; other: to.
  case `switch`
  // end
  /// The last event. a: `EndReason`; text: detail, may be empty.
  case end

  /// The category, for `--show` and `--hide`. `end` is always shown.
  public var category: EventCategory {
    switch self {
    case .threadStart, .threadExit, .threadCancel, .threadJoin, .threadTerminate: .thread
    case .runEnter, .runExit: .run
    case .entry, .beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting, .exit: .activity
    case .observer: .observer
    case .timer: .timer
    case .source, .sourceSignal, .sourceSchedule, .sourceCancel: .source
    case .port, .portSend, .portFull, .message, .messageSend, .messageReply: .port
    case .block, .perform, .performDrop, .queue: .block
    case .loopStop, .loopWakeUp, .loopGone: .loop
    case .notificationPost, .notification: .notification
    case .lock, .lockWait, .lockBusy, .unlock, .lockBreak, .conditionWait, .conditionSignal, .conditionWake: .lock
    case .semaphoreWait, .semaphoreSignal, .semaphoreWake: .lock
    case .dealloc, .poolDrain: .memory
    case .sharedGet, .sharedSet, .atomic: .access
    case .log: .log
    case .expectFail, .fault, .end: .fault
    case .switch: .schedule
    }
  }
}

/// Something that happened, as plain data. Texts are in the simulation's text buffer, names in its `NameTable`.
public struct Event: Sendable {
  /// When, in nanoseconds.
  public var time: Nanoseconds = 0
  /// On which thread; `none`: on none.
  public var thread: ThreadID = .none
  /// What happened. It says which of the fields below are used, and for what.
  public var kind: EventKind
  /// Yes or no, by bit.
  public var flags: UInt8 = 0
  /// The name of what it is about.
  public var subject: NameID = .none
  /// The name of a run loop mode.
  public var mode: NameID = .none
  /// The name of what else has to do with it.
  public var other: NameID = .none
  public var a: Int64 = 0
  public var b: Int64 = 0
  public var c: Int64 = 0
  /// Where the text begins in the simulation's text buffer, in bytes.
  public var textStart: Int32 = 0
  /// Bytes; 0: there is no text.
  public var textLength: Int32 = 0
  /// Where the script asked for it.
  public var position: Position = .unknown
}

/// Why a loop came out of its wait.
public enum WakeReason: Int64, Sendable {
  /// A look without a wait found nothing, or the entry was no longer ready.
  case nothing
  case timer
  case port
  case wakeUp
  case timeout
  case stop
  case mainQueue
}

/// What `run` and `runInMode` give back (CFRunLoopRunResult, with its numbers).
public enum RunResult: Int64, Sendable {
  case finished = 1
  case stopped = 2
  case timedOut = 3
  case handledSource = 4
}

/// How a run of a loop was left from inside, so that it gives nothing back.
public enum LeftRunResult: Int64, Sendable {
  case error = -1
  /// Its thread ended itself (`rl.exitThread`).
  case exited = -2
}

/// Why a run of the simulation ended (semantics 5).
public enum EndReason: Int64, Sendable {
  /// The process ended.
  case returned
  /// Every thread left sleeps in a run loop and nothing pending could ever wake one.
  case idle
  /// The asked-for time was reached.
  case until
  case fault
  case limit
}

/// What can be wrong with a run (semantics 5), in the order in which they are reported.
public enum FaultKind: Int64, CaseIterable, Sendable {
  case deadlock, lostWakeup, stuck, busyLoop, expectation
  /// The process ended itself (a trap in the library).
  case trap
  /// An error that nothing caught.
  case error
  /// The state of all threads came back without a callout or a step of the clock (explored runs only).
  case livelock
}
