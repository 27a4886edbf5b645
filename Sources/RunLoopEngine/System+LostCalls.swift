/// Calls that came when nobody was there to notice them, for those who ask why a thread waits (`--explain`).
///
/// They change nothing and are no part of a state; an exploration, which tells of them in its report, notes none here.

/// The last call of a kind on an object that nobody noticed.
struct LostCall: Sendable {
  enum Kind: Sendable {
    /// A stop of a loop that nothing ran.
    case stop
    /// A condition's signal or broadcast while nobody waited for it.
    case signal, broadcast
    /// A cancel, which wakes nobody.
    case cancel
  }

  var kind: Kind
  /// The loop, condition or thread.
  var target: Int32
  var thread: Int32
  var time: Nanoseconds
  var position: Position

  fileprivate var isOfCondition: Bool { kind == .signal || kind == .broadcast }
}

extension System {
  /// So many are kept, the last ones.
  private static let mostLostCalls = 64

  @inline(never)
  mutating func noteLost(_ kind: LostCall.Kind, _ target: Int32, by thread: Int32, at position: Position) {
    if isExplored { return }
    let call = LostCall(kind: kind, target: target, thread: thread, time: now, position: position)
    for index in lostCalls.indices.reversed() where lostCalls[index].target == target {
      guard lostCalls[index].kind == kind || lostCalls[index].isOfCondition && call.isOfCondition else { continue }
      lostCalls[index] = call
      return
    }
    if lostCalls.count == Self.mostLostCalls { lostCalls.removeFirst() }
    lostCalls.append(call)
  }

  /// What a waiting thread has missed, to stand behind what it waits for; empty: nothing.
  func missed(by thread: Int32) -> String {
    let record = threads[Int(thread)]
    guard record.state == .blocked else { return "" }
    var text = ""
    if case .condition(let lock) = record.wait,
      let call = lostCalls.last(where: { $0.isOfCondition && $0.target == lock })
    {
      let verb = call.kind == .broadcast ? "broadcast" : "signalled"
      text += "; \(verb) in vain by \(words(call)): nobody waited then"
    }
    if case .loop = record.wait,
      let call = lostCalls.last(where: { $0.kind == .stop && $0.target == record.loop })
    {
      text += "; a stop by \(words(call)) was lost: nothing ran the loop then"
    }
    if record.isCancelled {
      let call = lostCalls.last { $0.kind == .cancel && $0.target == thread }
      text += "; cancelled\(call.map { " by \(words($0))" } ?? ""), which only sets a flag and wakes nobody"
    }
    return text
  }

  private func words(_ call: LostCall) -> String {
    let place = names.text(of: call.position, after: " (", before: ")")
    return "\(names[threads[Int(call.thread)].name]) at \(call.time.traceText)\(place)"
  }
}
