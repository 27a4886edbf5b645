import CLuaHost
import RunLoopEngine
import RunLoopTrace

/// Carries out the operations of a live run: in the engine's place, at once, and on the thread that asks for it.
package protocol Performer: AnyObject {
  /// A call of the API begins; what the script could read of its receiver is brought up to date.
  func callBegins(on kind: ObjectKind?, _ object: Int32)
  /// A call of the API is done, but for its operation; objects were perhaps made.
  func objectsWereMade()
  /// Does what an operation says, however long it takes.
  func perform(_ operation: Operation, at position: Position) -> OperationResult
  /// The call ends.
  func callEnds()
  /// The script asks for the time.
  func clockIsRead()
  /// The entry function of the current thread.
  func entry() -> Callout
  /// The entry function of the current thread has returned.
  func entryReturned(_ results: HostValue)
}

/// A live run's session: each thread is one of the operating system and calls in here in turn, under a lock.
extension Session {
  /// The thread that has the lock.
  package var currentThread: ThreadID {
    get { current }
    set { current = newValue }
  }

  /// The Lua host; nil when there was no memory for it.
  package var luaHost: OpaquePointer? { host }

  /// Why the script cannot be run; nil when it can. To be called first.
  ///
  /// - Parameter consumer: is given the events in batches.
  package func beginLive(consumer: any TraceConsumer) -> Outcome? {
    guard let host else { return Outcome(.limit, message: "there is no memory for Lua") }
    if loaded != CLH_OK { return failure(loaded, host) }
    self.consumer = consumer
    return nil
  }

  /// Starts the current thread's coroutine and lets it run to its end.
  package func runCurrentThread() -> clh_status {
    guard let host else { return CLH_LIMITED }
    let status = clh_start(host, current.rawValue)
    return status == CLH_OK ? clh_resume(host, current.rawValue) : status
  }

  /// Calls a function of the script on the current thread.
  package func callNow(_ callout: Callout) -> (status: clh_status, value: HostValue) {
    var action = clh_action()
    fill(.call(callout), &action)
    var result = clh_value()
    let status = clh_call_now(host, &action, &result)
    return (status, HostValue(result))
  }

  /// The outcome of a run that an error or a limit of the host has ended.
  package func outcome(of status: clh_status) -> Outcome {
    guard let host else { return Outcome(.limit) }
    return failed(current, status, host)
  }

  /// The outcome of a run that is over.
  package func outcome(of reason: EndReason, detail: String = "") -> Outcome {
    simulation.abort(reason, detail: detail)
    return finish(simulation.ending ?? reason)
  }

  /// The outcome of a run that is ended from outside.
  package func interrupt() -> Outcome {
    deliver()
    return Outcome(.interrupted)
  }

  /// Why the run must be left; nil while it can go on.
  package var mustLeave: Outcome? {
    askWhetherToStop()
    guard let leaving else { return nil }
    return Outcome(leaving, message: leavingMessage)
  }

  /// Hands the events over that there are.
  package func deliverEvents() { deliver() }

  /// Gives up kept values.
  package func release(_ value: HostValue) {
    if !value.isNone, let host { clh_release(host, value.reference) }
  }

  func makeLiveHandler() -> clh_handler {
    var handler = makeHandler()
    handler.call = { context, function, arguments, _, place, out in
      Session.live(context).calledLive(Int(function), arguments, place, out.unsafelyUnwrapped)
    }
    handler.next = nil
    handler.now = { context in
      let session = Session.live(context)
      session.performer?.clockIsRead()
      return session.simulation.now
    }
    handler.resumed = { context, out in Session.live(context).resumedLive(out.unsafelyUnwrapped) }
    handler.returned = { context, result, failed, out in
      Session.live(context).returnedLive(result, failed, out.unsafelyUnwrapped)
    }
    return handler
  }

  private static func live(_ context: UnsafeMutableRawPointer?) -> Session {
    Unmanaged<Session>.fromOpaque(UnsafeRawPointer(context.unsafelyUnwrapped)).takeUnretainedValue()
  }

  private func calledLive(
    _ function: Int, _ values: UnsafePointer<clh_value>?, _ place: clh_position, _ out: UnsafeMutablePointer<clh_action>
  ) {
    guard let performer else { return out.pointee.give(count: 0) }
    self.function = function
    let binding = bindings + function
    let values = values ?? UnsafePointer(bitPattern: MemoryLayout<clh_value>.alignment).unsafelyUnwrapped
    let receiver = binding.pointee.isMethod ? Int32(truncatingIfNeeded: values.pointee.integer) : -1
    performer.callBegins(on: APITable.functions[function].owner, receiver)
    let arguments = Arguments(
      receiver: receiver, values: binding.pointee.isMethod ? values + 1 : values, place: place)
    do throws(APIError) {
      let answer = try binding.pointee.run(self, arguments)
      performer.objectsWereMade()
      switch answer {
      case .nothing: out.pointee.give(count: 0)
      case .value(let value), .look(_, let value): out.pointee.give(value)
      case .first: fatalError("rlsim defect: a live run has no explored mode")
      case .operation(let operation): finish(perform(operation, place, function), out)
      case .operationThen(let operation, let value):
        if case .failure(let failure) = perform(operation, place, function) {
          raise(describe(failure), out)
        } else {
          out.pointee.give(value)
        }
      }
    } catch {
      raise("\(APITable.functions[function].qualifiedName): \(error.text)", out)
    }
    performer.callEnds()
  }

  /// Meanwhile other threads call in here: what belongs to this one is put back.
  private func perform(_ operation: Operation, _ place: clh_position, _ function: Int) -> OperationResult {
    let thread = current
    let result = performer?.perform(operation, at: position(place)) ?? .none
    current = thread
    self.function = function
    return result
  }

  private func finish(_ result: OperationResult, _ out: UnsafeMutablePointer<clh_action>) {
    if case .invalidate(let timers) = notes.followUps.removeValue(forKey: current) {
      for timer in timers.reversed() { _ = performer?.perform(.invalidate(.timer(timer)), at: .unknown) }
    }
    fill(.result(result), out)
  }

  private func resumedLive(_ out: UnsafeMutablePointer<clh_action>) {
    guard let performer else { return out.pointee.give(count: 0) }
    fill(.call(performer.entry()), out)
  }

  private func returnedLive(
    _ result: UnsafePointer<clh_value>?, _ failed: Bool, _ out: UnsafeMutablePointer<clh_action>
  ) {
    if failed {
      out.pointee.action = Int32(CLH_RERAISE.rawValue)
      return
    }
    performer?.entryReturned(result.map { HostValue($0.pointee) } ?? .none)
    out.pointee.give(count: 0)
  }
}
