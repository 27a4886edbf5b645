import CLuaHost
import RunLoopEngine
import RunLoopTrace

/// Turns the engine's steps into actions of the C host. The hot path of every callout.
extension Session {
  @inline(__always)
  func fill(_ step: Step, _ out: UnsafeMutablePointer<clh_action>) {
    switch step {
    case .call(let callout): fill(callout, out)
    case .result(let result): fill(result, out)
    case .parked:
      notes.setFunction(function, of: current)
      out.pointee.action = Int32(CLH_BLOCK.rawValue)
    case .unfinished: goOn(out)
    case .raise: raiseAgain(out)
    }
  }

  @inline(__always)
  private func fill(_ callout: Callout, _ out: UnsafeMutablePointer<clh_action>) {
    out.pointee.action = Int32(CLH_CALL.rawValue)
    out.pointee.callback = callout.callback.reference
    out.pointee.keep = 0
    switch callout.kind {
    case .timer: out.pointee.pass(.timer, callout.object)
    case .source: out.pointee.pass(.source, callout.object)
    case .observer:
      out.pointee.values.0 = .string(Activity.name(of: callout.activity))
      out.pointee.values.1 = .object(.observer, callout.object)
      out.pointee.values.2 = .object(.loop, callout.loop.rawValue)
      out.pointee.count = 3
    case .port:
      out.pointee.values.0 = .host(callout.value, givenUp: true)
      out.pointee.values.1 = .object(.port, callout.object)
      out.pointee.count = 2
    case .perform: out.pointee.pass(.host(callout.value))
    case .block, .dealloc:
      out.pointee.count = 0
      clh_release(host, callout.callback.reference)
    case .schedule, .cancel:
      out.pointee.values.0 = .object(.source, callout.object)
      out.pointee.values.1 = .object(.loop, callout.loop.rawValue)
      out.pointee.values.2 = text(of: callout.mode)
      out.pointee.count = 3
    case .guarded:
      out.pointee.keep = 2
      out.pointee.count = 0
      clh_release(host, callout.callback.reference)
    case .message: fillMessage(callout, out)
    case .notification: fillNotification(callout, out)
    case .entry: fillEntry(callout, out)
    }
  }

  private func fillMessage(_ callout: Callout, _ out: UnsafeMutablePointer<clh_action>) {
    let message = simulation.message(of: callout)
    out.pointee.keep = 2
    out.pointee.values.0 = .integer(message.id)
    out.pointee.values.1 = .host(callout.value, givenUp: true)
    out.pointee.values.2 = .object(.messagePort, message.port.rawValue)
    out.pointee.count = 3
  }

  private func fillNotification(_ callout: Callout, _ out: UnsafeMutablePointer<clh_action>) {
    let notification = simulation.notification(of: callout)
    out.pointee.values.0 = text(of: notification.name)
    switch notification.sender {
    case .any: out.pointee.values.1 = .null
    case .thread(let thread): out.pointee.values.1 = .object(.thread, thread.rawValue)
    case .known(let value), .other(let value): out.pointee.values.1 = .host(value)
    }
    out.pointee.values.2 = .host(notification.info)
    out.pointee.count = 3
  }

  private func fillEntry(_ callout: Callout, _ out: UnsafeMutablePointer<clh_action>) {
    out.pointee.keep = 2
    let arguments = clh_value.host(callout.value, givenUp: true)
    if callout.object == ThreadID.main.rawValue {
      out.pointee.count = 0
    } else if callout.callback.isBare {
      out.pointee.pass(arguments)
    } else {
      out.pointee.pass(.object(.thread, callout.object))
      if arguments.has(CLH_NIL) { return }
      out.pointee.values.1 = arguments
      out.pointee.count = 2
    }
  }

  private func fill(_ result: OperationResult, _ out: UnsafeMutablePointer<clh_action>) {
    switch result {
    case .none:
      if notes.followUps.isEmpty { out.pointee.give(.null) } else { followUp(out) }
    case .bool(let value): out.pointee.give(.boolean(value))
    case .run(let result): out.pointee.give(.string(Session.name(of: result)))
    case .value(let value): out.pointee.give(.host(value))
    case .date(let date): out.pointee.give(.number(date.seconds))
    case .name(let name): out.pointee.give(name.isNone ? .null : text(of: name))
    case .thread(let thread): out.pointee.give(.object(.thread, thread.rawValue))
    case .port(let port): give(port, out)
    case .refused(let refusal):
      out.pointee.give(.null)
      out.pointee.values.1 = .string(refusal.name)
      out.pointee.count = 2
    case .number(.integer(let value)): out.pointee.give(.integer(value))
    case .number(.float(let value)): out.pointee.give(.number(value))
    case .results(let values):
      if values.isNone { out.pointee.give(count: 0) } else { out.pointee.give(.host(values, givenUp: true)) }
    case .failure(let failure):
      notes.followUps[current] = nil
      raise(describe(failure), out)
    }
  }

  /// A port that was looked up: of a message port, the remote end.
  private func give(_ port: PortID, _ out: UnsafeMutablePointer<clh_action>) {
    if port.isNone { return out.pointee.give(.null) }
    out.pointee.give(.object(simulation.isMessagePort(port) ? .remotePort : .port, port.rawValue))
  }

  /// The operation of a call is done; goes on with what follows it.
  private func followUp(_ out: UnsafeMutablePointer<clh_action>) {
    switch notes.followUps.removeValue(forKey: current) {
    case nil: out.pointee.give(.null)
    case .give(let value): out.pointee.give(value)
    case .again(let call): callAgain(call, out)
    case .invalidate(var timers):
      guard let next = timers.popLast() else { return out.pointee.give(.null) }
      notes.followUps[current] = .invalidate(timers)
      fill(state.pointee.perform(.invalidate(.timer(next)), on: current), out)
    }
  }

  /// The text of a name, for Lua.
  func text(of name: NameID) -> clh_value {
    if name.rawValue >= 0, Int(name.rawValue) < ModeNames.known.count {
      return .string(ModeNames.known[Int(name.rawValue)])
    }
    let held = simulation.names.utf8(name).withUnsafeBufferPointer { scratch.hold($0) }
    return .string(held.bytes, held.length)
  }

  /// A text, for Lua.
  func text(_ string: String) -> clh_value {
    let held = scratch.hold(string)
    return .string(held.bytes, held.length)
  }

  func raise(_ message: String, _ out: UnsafeMutablePointer<clh_action>) {
    let held = scratch.hold(Shown.line(message))
    out.pointee.action = Int32(CLH_RAISE.rawValue)
    out.pointee.message = held.bytes
    out.pointee.length = held.length
  }

  private static func name(of result: RunResult) -> StaticString {
    switch result {
    case .finished: "finished"
    case .stopped: "stopped"
    case .timedOut: "timedOut"
    case .handledSource: "handledSource"
    }
  }
}

extension clh_action {
  /// One argument of a callout.
  @inline(__always) mutating func pass(_ value: clh_value) {
    values.0 = value
    count = 1
  }

  /// An object as the one argument. C reads nothing else of such a value, so nothing else of the last one is changed.
  @inline(__always) mutating func pass(_ kind: ObjectKind, _ id: Int32) {
    values.0.tag = Int32(CLH_OBJECT.rawValue)
    values.0.kind = kind.rawValue
    values.0.integer = Int64(id)
    count = 1
  }
}
