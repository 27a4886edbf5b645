import CLuaHost
import RunLoopEngine

/// Looks at what other threads may change: in the explored mode each is a step, before which those may go on.
extension Session {
  /// Whether a look or the making of something is a step of its own. Where a function of C stands between, the thread cannot
  /// wait for its turn: then it counts for the step before.
  func takesStep(before subject: Subject) -> Bool {
    subject != .time && options.configuration.exploration != nil && clh_can_block(host)
  }

  /// Lets the thread wait for its step; then the function is called once more.
  func step(
    before subject: Subject, _ function: Int, _ arguments: Arguments, _ count: Int,
    _ out: UnsafeMutablePointer<clh_action>
  ) {
    notes.followUps[current] = .again(
      Notes.PendingCall(
        function: function, receiver: arguments.receiver,
        values: Array(UnsafeBufferPointer(start: arguments.values, count: max(0, count))), place: arguments.place))
    fill(state.pointee.perform(.look(subject), on: current, at: position(arguments.place)), out)
  }

  /// The step of a call was taken: now it is done.
  func callAgain(_ call: Notes.PendingCall, _ out: UnsafeMutablePointer<clh_action>) {
    isCallingAgain = true
    defer { isCallingAgain = false }
    do throws(APIError) {
      let answer = try call.values.withUnsafeBufferPointer { values throws(APIError) in
        let none = UnsafePointer<clh_value>(bitPattern: MemoryLayout<clh_value>.alignment).unsafelyUnwrapped
        return try (bindings + call.function).pointee.run(
          self, Arguments(receiver: call.receiver, values: values.baseAddress ?? none, place: call.place))
      }
      switch answer {
      case .nothing: out.pointee.give(count: 0)
      case .value(let value), .look(_, let value): out.pointee.give(value)
      case .operation, .operationThen, .first: fatalError("rlsim defect: a call that was to be done asked again")
      }
    } catch {
      raise("\(APITable.functions[call.function].qualifiedName): \(error.text)", out)
    }
  }
}
