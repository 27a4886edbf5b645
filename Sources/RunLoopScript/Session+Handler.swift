import CLuaHost
import RunLoopEngine

/// The functions that C calls. They borrow the session and hand over plain values only.
extension Session {
  func makeHandler() -> clh_handler {
    clh_handler(
      context: Unmanaged.passUnretained(self).toOpaque(),
      quick_context: hot,
      call: { context, function, arguments, count, place, out in
        Session.from(context)._withUnsafeGuaranteedRef {
          $0.called(Int(function), arguments, Int(count), place, out.unsafelyUnwrapped)
        }
      },
      resumed: { context, out in
        Session.from(context)._withUnsafeGuaranteedRef { $0.resumed(out.unsafelyUnwrapped) }
      },
      returned: { context, result, failed, out in
        Session.from(context)._withUnsafeGuaranteedRef { $0.returned(result, failed, out.unsafelyUnwrapped) }
      },
      next: options.configuration.exploration == nil ? { Hot.from($0).nextCallout() } : nil,
      name: { context, kind, id, bytes, length in
        Session.from(context)._withUnsafeGuaranteedRef {
          let name = $0.name(ofKind: kind, Int32(truncatingIfNeeded: id))
          bytes?.pointee = name.bytes
          length?.pointee = name.length
        }
      },
      now: { context in
        Session.from(context)._withUnsafeGuaranteedRef {
          $0.state.pointee.looks(at: .time)
          return $0.state.pointee.now
        }
      },
      should_stop: { context in
        Session.from(context)._withUnsafeGuaranteedRef {
          $0.askWhetherToStop()
          return $0.leaving != nil
        }
      },
      touches: options.configuration.exploration == nil ? nil : hiddenHandler,
      dictionary: options.configuration.exploration == nil ? nil : dictionaryHandler
    )
  }

  @inline(__always)
  private static func from(_ context: UnsafeMutableRawPointer?) -> Unmanaged<Session> {
    Unmanaged.fromOpaque(UnsafeRawPointer(context.unsafelyUnwrapped))
  }

  /// A function of the table was called.
  private func called(
    _ function: Int, _ values: UnsafePointer<clh_value>?, _ count: Int, _ place: clh_position,
    _ out: UnsafeMutablePointer<clh_action>
  ) {
    self.function = function
    let binding = bindings + function
    let isMethod = binding.pointee.isMethod
    // A method's receiver stands before its parameters. Without either the pointer may be nil, and is not read.
    let values = values ?? UnsafePointer(bitPattern: MemoryLayout<clh_value>.alignment).unsafelyUnwrapped
    let arguments = Arguments(
      receiver: isMethod ? Int32(truncatingIfNeeded: values.pointee.integer) : -1,
      values: isMethod ? values + 1 : values, place: place)
    do throws(APIError) {
      switch try binding.pointee.run(self, arguments) {
      case .nothing: out.pointee.give(count: 0)
      case .value(let value): out.pointee.give(value)
      case .look(let subject, let value):
        if takesStep(before: subject) {
          step(before: subject, function, arguments, isMethod ? count - 1 : count, out)
        } else {
          state.pointee.looks(at: subject)
          out.pointee.give(value)
        }
      case .first(let subject): step(before: subject, function, arguments, isMethod ? count - 1 : count, out)
      case .operation(let operation):
        let before = state.pointee.now
        fill(state.pointee.perform(operation, on: current, at: position(place)), out)
        out.pointee.moved = state.pointee.now != before
      case .operationThen(let operation, let value):
        notes.followUps[current] = .give(value)
        fill(state.pointee.perform(operation, on: current, at: position(place)), out)
      }
    } catch {
      raise("\(APITable.functions[function].qualifiedName): \(error.text)", out)
    }
    tidy(out)
  }

  /// The current thread goes on; the first time, it begins.
  private func resumed(_ out: UnsafeMutablePointer<clh_action>) {
    function = notes.function(of: current) ?? function
    fill(state.pointee.continueThread(current), out)
    tidy(out)
  }

  /// A callout ended.
  private func returned(_ result: UnsafePointer<clh_value>?, _ failed: Bool, _ out: UnsafeMutablePointer<clh_action>) {
    let value = result.map { HostValue($0.pointee) } ?? HostValue(rawValue: 0)
    fill(state.pointee.calloutReturned(on: current, failed: failed, value: value), out)
    tidy(out)
  }

  /// After each call of the engine: gives up values, delivers events, and leaves the thread when the run is to be left.
  @inline(__always)
  private func tidy(_ out: UnsafeMutablePointer<clh_action>) {
    calls &+= 1
    guard state.pointee.needsHost(moreEventsThan: batch) || calls & Session.callsBetweenQuestions == 0 else {
      return
    }
    if !state.pointee.releasedValues.isEmpty { releaseValues() }
    if state.pointee.holds(moreEventsThan: batch) || calls & Session.callsBetweenQuestions == 0 {
      if mustLeaveAfterDelivery() { out.pointee.action = Int32(CLH_BLOCK.rawValue) }
    }
  }

  func mustLeaveAfterDelivery() -> Bool {
    deliver()
    limitMemory()
    askWhetherToStop()
    return leaving != nil
  }

  /// The engine goes on by itself until it needs the host, unless the run is to be left.
  @inline(never)
  func goOn(_ out: UnsafeMutablePointer<clh_action>) {
    while true {
      if !state.pointee.releasedValues.isEmpty { releaseValues() }
      if mustLeaveAfterDelivery() {
        out.pointee.action = Int32(CLH_BLOCK.rawValue)
        return
      }
      let step = state.pointee.continueThread(current)
      if case .unfinished = step { continue }
      return fill(step, out)
    }
  }

  /// An error left a callout. In one of a thread that ends itself by `rl.exitThread` there is nothing left of the script
  /// that could catch it, so the run is over.
  @inline(never)
  func raiseAgain(_ out: UnsafeMutablePointer<clh_action>) {
    if state.pointee.isExiting(current) {
      leaving = .scriptError
      out.pointee.action = Int32(CLH_BLOCK.rawValue)
    } else {
      out.pointee.action = Int32(CLH_RERAISE.rawValue)
    }
  }

  @inline(never)
  private func releaseValues() {
    state.pointee.drainReleasedValues { clh_release(host, $0.reference) }
  }

  /// The script's place of a call, as the engine knows places.
  func position(_ place: clh_position) -> Position {
    guard place.line > 0 else { return .unknown }
    let index = Int(place.chunk)
    if index < notes.files.count, !notes.files[index].isNone {
      return Position(file: notes.files[index], line: place.line)
    }
    let file = UnsafeRawPointer(clh_chunk_name(host, place.chunk)!).assumingMemoryBound(to: UInt8.self)
    var length = 0
    while file[length] != 0 { length += 1 }
    let name = simulation.names.intern(UnsafeBufferPointer(start: file, count: length))
    while notes.files.count <= index { notes.files.append(.none) }
    notes.files[index] = name
    return Position(file: name, line: place.line)
  }
}

extension clh_action {
  @inline(__always) mutating func give(count: Int32) {
    action = Int32(CLH_RETURN.rawValue)
    self.count = count
  }

  @inline(__always) mutating func give(_ value: clh_value) {
    give(count: 1)
    values.0 = value
  }
}
