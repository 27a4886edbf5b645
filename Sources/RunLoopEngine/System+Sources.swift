/// Sources of version 0 (semantics 2.2 step 6, 2.4).

extension System {
  /// `source:signal()`: marks, and wakes nobody.
  mutating func signal(_ source: Int32, _ thread: Int32, _ position: Position) -> Step {
    tick &+= 1
    let index = Int(source)
    post(.sourceSignal, thread, subject: sources[index].name)
    guard sources[index].isValid else { return .result(.none) }
    if !sources[index].isSignalled {
      sources[index].isSignalled = true
      sources[index].signalMoment = nextSequence()
      sources[index].signalPosition = position
      for mode in sources[index].modes { modes[Int(mode)].signalled += 1 }
    }
    return .result(.none)
  }

  /// Collects the signalled valid sources of the mode, and the pending performs, which count as one: by order, then by
  /// the moment of their first signal (__CFRunLoopDoSources0).
  mutating func collectSignalledSources(_ frame: Int) -> Bool {
    let mode = frames[frame].mode
    let hasPerforms = hasPerforms(for: mode)
    guard modes[Int(mode)].signalled > 0 || hasPerforms else { return false }
    var batch: [(order: Int64, moment: UInt64, source: Int32)] = []
    for source in modes[Int(mode)].sources where sources[Int(source)].isSignalled && sources[Int(source)].isValid {
      batch.append((sources[Int(source)].order, sources[Int(source)].signalMoment, source))
    }
    if hasPerforms { batch.append((0, performMoment(for: mode), -1)) }
    guard !batch.isEmpty else { return false }
    batch.sort { ($0.order, $0.moment) < ($1.order, $1.moment) }
    var first: Int32 = -1
    var last: Int32 = -1
    for entry in batch { addCell(entry.source, first: &first, last: &last) }
    frames[frame].list = first
    return true
  }

  /// Clears the signal and prepares the perform; false when the source is no longer signalled, or no longer valid
  /// (__CFRunLoopDoSource0).
  mutating func beginSource(_ source: Int32, _ frame: Int, _ thread: Int32) -> Bool {
    let index = Int(source)
    guard clearSignal(source) else { return false }
    guard sources[index].isValid else { return false }
    tick &+= 1
    post(.source, thread, subject: sources[index].name)
    callout = Callout(kind: .source, callback: sources[index].perform, object: source)
    return true
  }

  /// The source is signalled no more; false when it was not.
  @discardableResult
  mutating func clearSignal(_ source: Int32) -> Bool {
    guard sources[Int(source)].isSignalled else { return false }
    sources[Int(source)].isSignalled = false
    for mode in sources[Int(source)].modes { modes[Int(mode)].signalled -= 1 }
    return true
  }

  // MARK: Schedule callbacks

  /// Adds sources to modes of a loop, one after the other, each with its schedule callback.
  mutating func schedule(_ added: [Int32], _ loop: Int32, _ targets: [NameID], _ thread: Int32) -> Step {
    var first: Int32 = -1
    var last: Int32 = -1
    for target in targets {
      for source in added { addCell(source, target.rawValue, first: &first, last: &last) }
    }
    let frame = push(.scheduling, on: thread, fromHost: true)
    frames[frame].list = first
    frames[frame].loop = loop
    return advance(thread)
  }

  mutating func stepScheduling(_ frame: Int, _ thread: Int32) -> Flow {
    while let (source, mode) = joinNext(frame, thread) {
      callout = Callout(kind: .schedule, callback: sources[Int(source)].schedule, object: source)
      callout.loop = LoopID(rawValue: frames[frame].loop)
      callout.mode = modes[Int(mode)].name
      if callout.callback != .none { return .call }
    }
    result = .none
    return .done
  }

  /// Adds the next source to the next mode; nil when all are where they belong.
  private mutating func joinNext(_ frame: Int, _ thread: Int32) -> (source: Int32, mode: Int32)? {
    while let next = takeCell(frame) {
      let source = Int(next.a)
      let mode = makeMode(frames[frame].loop, NameID(rawValue: next.b))
      guard sources[source].isValid, !sources[source].modes.contains(mode) else { continue }
      sources[source].modes.append(mode)
      modes[Int(mode)].sources.append(next.a)
      if sources[source].isSignalled { modes[Int(mode)].signalled += 1 }
      post(.sourceSchedule, thread, subject: sources[source].name, mode: modes[Int(mode)].name)
      return (next.a, mode)
    }
    return nil
  }

  /// An error left a schedule callback: the source is added to the other modes all the same, and no more is called.
  mutating func abandonScheduling(_ frame: Int, _ thread: Int32) { while joinNext(frame, thread) != nil {} }

  // MARK: Cancel callbacks

  /// Takes sources out of modes, one after the other, each with its cancel callback.
  ///
  /// - Parameter removed: `~mode` stands for the common items of that mode's loop.
  mutating func cancel(_ removed: [(source: Int32, mode: Int32)], _ thread: Int32, fromHost: Bool = true) -> Step {
    var first: Int32 = -1
    var last: Int32 = -1
    for entry in removed { addCell(entry.source, entry.mode, first: &first, last: &last) }
    let frame = push(.cancelling, on: thread, fromHost: fromHost)
    frames[frame].list = first
    return fromHost ? advance(thread) : .parked
  }

  mutating func stepCancelling(_ frame: Int, _ thread: Int32) -> Flow {
    while let next = leaveNext(frame, thread) {
      callout = next
      if callout.callback != .none { return .call }
    }
    result = .none
    return .done
  }

  /// Takes the next source out of the next mode, and says what is to be called; nil when none is left to take out.
  private mutating func leaveNext(_ frame: Int, _ thread: Int32) -> Callout? {
    while let next = takeCell(frame) {
      let source = Int(next.a)
      if next.b < 0 {
        touch(.loop, loops[Int(modes[Int(~next.b)].loop)].thread)
        forgetCommonItem(.source(SourceID(rawValue: next.a)), [~next.b])
        continue
      }
      guard let place = sources[source].modes.firstIndex(of: next.b) else { continue }
      sources[source].modes.remove(at: place)
      if let place = modes[Int(next.b)].sources.firstIndex(of: next.a) { modes[Int(next.b)].sources.remove(at: place) }
      if sources[source].isSignalled { modes[Int(next.b)].signalled -= 1 }
      post(.sourceCancel, thread, subject: sources[source].name, mode: modes[Int(next.b)].name)
      var left = Callout(kind: .cancel, callback: sources[source].cancel, object: next.a)
      left.loop = LoopID(rawValue: modes[Int(next.b)].loop)
      left.mode = modes[Int(next.b)].name
      if !sources[source].isValid { forgetFunctions(next.a) }
      return left
    }
    return nil
  }

  /// An invalid source calls nothing any more but its cancel callback, once for each mode that it still has to leave. (The
  /// host makes the callout that it has been given before it lets go of the function.)
  mutating func forgetFunctions(_ source: Int32) {
    let index = Int(source)
    release(sources[index].perform)
    release(sources[index].schedule)
    sources[index].perform = .none
    sources[index].schedule = .none
    guard sources[index].modes.isEmpty else { return }
    release(sources[index].cancel)
    sources[index].cancel = .none
  }

  /// An error left a cancel callback: the source leaves the other modes all the same, and no more is called.
  mutating func abandonCancelling(_ frame: Int, _ thread: Int32) { while leaveNext(frame, thread) != nil {} }
}
