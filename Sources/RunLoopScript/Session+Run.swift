import CLuaHost
import RunLoopEngine
import RunLoopTrace

/// The driver: asks the engine whose turn it is and lets that thread's coroutine run.
extension Session {
  /// Events are handed to the consumer when there are more than this, or than are allowed still.
  static let largestBatch = 512
  /// Calls of the handler between two questions whether to stop; a power of two less one.
  static let callsBetweenQuestions: UInt32 = 0xfff

  /// Runs the script to its end. To be called once.
  ///
  /// - Parameter consumer: is given the events in batches, all of them before this returns.
  public func run(consumer: any TraceConsumer) -> Outcome {
    self.consumer = consumer
    defer { self.consumer = nil }
    guard let host else { return endBeforeBegin(Outcome(.limit, message: "there is no memory for Lua")) }
    if loaded != CLH_OK { return endBeforeBegin(failure(loaded, host)) }
    while true {
      switch state.pointee.nextTurn() {
      case .start(let thread):
        let status = clh_start(host, thread.rawValue)
        if status != CLH_OK { return failed(thread, status, host) }
        if let outcome = resume(thread, host) { return outcome }
      case .resume(let thread):
        if let outcome = resume(thread, host) { return outcome }
      case .ended(let reason): return finish(reason)
      }
      if state.pointee.holds(moreEventsThan: batch) { deliver() }
      if let leaving { return leave(leaving, host) }
    }
  }

  /// The script cannot even be begun: for want of memory, that is how its trace ends; else it has none.
  private func endBeforeBegin(_ outcome: Outcome) -> Outcome {
    guard outcome.kind == .limit else { return outcome }
    simulation.abort(.limit, detail: "memory")
    deliver()
    return outcome
  }

  /// Lets a thread run until it blocks or ends.
  @inline(__always)
  func resume(_ thread: ThreadID, _ host: OpaquePointer) -> Outcome? {
    current = thread
    callsAtResume = calls
    hot.pointee.locks = state.pointee.locksOfThisTurn()
    let status = clh_resume(host, thread.rawValue)
    // A thread that ended itself by `rl.exitThread` gives way for good.
    let hasEnded = state.pointee.hasEnded(thread)
    if status == CLH_YIELDED, !hasEnded { return nil }
    // Inside a function that Lua's C library called it cannot give way; an error that nothing catches has left it instead.
    if status == CLH_FINISHED || hasEnded && status != CLH_LIMITED {
      clh_end(host, thread.rawValue)
      return nil
    }
    return leaving == nil ? failed(thread, status, host) : nil
  }

  /// A thread's error ends the run; so does a limit of the host.
  func failed(_ thread: ThreadID, _ status: clh_status, _ host: OpaquePointer) -> Outcome {
    if status == CLH_LIMITED, clh_limit(host) == CLH_LIMIT_INTERRUPTED {
      deliver()
      return Outcome(.interrupted)
    }
    var outcome = failure(status, host)
    if outcome.kind == .limit {
      if clh_limit(host) == CLH_LIMIT_INSTRUCTIONS { outcome.message? += adviceAgainstCurrent }
      simulation.abort(.limit, detail: clh_limit(host) == CLH_LIMIT_MEMORY ? "memory" : "instructions")
    } else {
      simulation.scriptFailed(on: thread, message: outcome.message ?? "")
    }
    deliver()
    return outcome
  }

  /// The run is left before the engine has come to its end.
  func leave(_ kind: Outcome.Kind, _ host: OpaquePointer) -> Outcome {
    if kind == .scriptError { return failed(current, CLH_FAILED, host) }
    let message = kind == .limit ? leavingMessage.map { withBlame($0, host) } : leavingMessage
    deliver()
    return Outcome(kind, message: message)
  }

  /// What the host says about an error.
  func failure(_ status: clh_status, _ host: OpaquePointer) -> Outcome {
    var message: UnsafePointer<CChar>?
    var traceback: UnsafePointer<CChar>?
    var messageLength = 0
    var tracebackLength = 0
    clh_error(host, &message, &messageLength, &traceback, &tracebackLength)
    let trace = Session.string(traceback, tracebackLength)
    let kind: Outcome.Kind =
      switch status {
      case CLH_SYNTAX: .syntaxError
      case CLH_LIMITED: .limit
      default: .scriptError
      }
    return Outcome(kind, message: Session.string(message, messageLength), traceback: trace.isEmpty ? nil : trace)
  }

  private static func string(_ bytes: UnsafePointer<CChar>?, _ length: Int) -> String {
    clh_value.string(bytes ?? UnsafePointer(bitPattern: 1)!, bytes == nil ? 0 : length).text
  }

  /// The run is over in one of the engine's ways.
  func finish(_ reason: EndReason) -> Outcome {
    var outcome = Outcome(.ended(reason))
    // A trap ends the process as an uncaught error does.
    if reason == .fault, simulation.endDetail == "trap" {
      outcome = Outcome(.scriptError, message: simulation.endMessage)
    }
    if reason == .limit, let host { outcome.message = withBlame(simulation.endMessage, host) }
    if reason == .fault, !simulation.endMessage.isEmpty, outcome.message == nil {
      outcome.message = simulation.endMessage
    }
    deliver()
    if leaving == .outputGone { return Outcome(.outputGone) }
    return outcome
  }

  /// Hands the events over and forgets them.
  func deliver() {
    // An exploration has no consumer.
    if consumer == nil { return }
    let count = simulation.events.count
    // There are texts of what is not traced all the same.
    guard count > 0, let consumer else { return simulation.removeEvents() }
    deliveredEvents += count
    if !consumer.consume(state.pointee) { leaving = leaving ?? .outputGone }
    simulation.removeEvents()
    batch = min(Session.largestBatch, max(0, options.maximumTraceEvents - deliveredEvents))
    if deliveredEvents > options.maximumTraceEvents, leaving == nil {
      simulation.abort(.limit, detail: "trace")
      leavingMessage =
        "more than \(options.maximumTraceEvents) trace events (--max-trace; --until SECONDS ends a run that has no end)"
      leaving = .limit
    }
  }

  /// Lua's memory is limited by the host, block by block; that of the engine's objects is looked at now and then.
  func limitMemory() {
    guard leaving == nil, simulation.memory > options.maximumMemory else { return }
    simulation.abort(.limit, detail: "memory")
    leavingMessage =
      "not enough memory: the simulation's objects take more than \(options.maximumMemory) bytes (--max-memory)"
    leaving = .limit
  }

  func askWhetherToStop() {
    if leaving == nil, let shouldStop = options.shouldStop, shouldStop() { leaving = .interrupted }
  }
}

extension clh_value {
  /// The text of a string.
  var text: String { String(decoding: utf8, as: UTF8.self) }
}
