/// `performSelector:onThread:` and its family (semantics 2.5).
///
/// The pending requests of a thread act as one version-0 source of its loop, in the modes that they were made for: they
/// keep those modes alive, and one perform carries out all that are pending for the mode. Those for other modes keep the
/// source signalled.

extension System {
  /// `thread:perform(fn, options)`.
  mutating func perform(_ target: Int32, _ request: PerformRequest, _ thread: Int32, _ position: Position) -> Step {
    tick &+= 1
    if target == thread, request.wait { return performInline(request, thread) }
    guard threads[Int(target)].state != .ended, !threads[Int(target)].isEnding else {
      return dropPerform(target, request, thread, position)
    }
    // Like a source, a request makes the loop and the modes that it is for.
    let loop = currentLoop(of: ThreadID(rawValue: target)).rawValue
    for name in names(in: request.modes) {
      let targets = name == .commonModes ? loops[Int(loop)].commonModes : [name]
      for name in targets { makeMode(loop, name) }
    }
    let record = PerformRecord(
      request: request, from: thread, position: position, waiter: request.wait ? thread : -1)
    if threads[Int(target)].firstPerform < 0 { threads[Int(target)].performMoment = nextSequence() }
    let index = makePerform(record)
    if threads[Int(target)].lastPerform >= 0 {
      performs[Int(threads[Int(target)].lastPerform)].next = index
    } else {
      threads[Int(target)].firstPerform = index
    }
    threads[Int(target)].lastPerform = index
    _ = wakeLoop(loop, .wakeUp)
    guard request.wait else { return .result(.none) }
    let frame = push(.wait, on: thread, fromHost: true)
    frames[frame].item = target
    threads[Int(thread)].waitPosition = position
    block(thread, .perform(target))
    return giveWay(thread) ? advance(thread) : .parked
  }

  /// The target has ended: nothing can carry the request out.
  private mutating func dropPerform(
    _ target: Int32, _ request: PerformRequest, _ thread: Int32, _ position: Position
  ) -> Step {
    if traces(.block) {
      var event = event(.performDrop, thread)
      event.subject = request.name
      // A thread that is ending may ask itself.
      if target != thread { event.other = threads[Int(target)].name }
      events.append(event)
    }
    noteLatePerform(request, on: target, position)
    releaseRequest(request)
    guard request.wait else { return .result(.none) }
    return .result(.failure(.targetThreadHadExited(ThreadID(rawValue: target), threads[Int(target)].endTime)))
  }

  private mutating func releaseRequest(_ request: PerformRequest) {
    release(request.callback)
    release(request.argument)
  }

  private mutating func makePerform(_ record: PerformRecord) -> Int32 {
    if freePerform >= 0 {
      let index = freePerform
      freePerform = performs[Int(index)].next
      performs[Int(index)] = record
      return index
    }
    performs.append(record)
    return Int32(performs.count - 1)
  }

  private mutating func freePerform(_ index: Int32) {
    performs[Int(index)].next = freePerform
    freePerform = index
  }

  // MARK: On the current thread, waiting: at once

  private mutating func performInline(_ request: PerformRequest, _ thread: Int32) -> Step {
    // The host calls the function, with the argument, before it lets go of either: so an error need not be waited for.
    releaseRequest(request)
    if let failure = refusal(toCall: request.callback, on: thread) { return .result(.failure(failure)) }
    postPerform(request.name, from: thread, thread)
    push(.inlinePerform, on: thread, fromHost: true)
    callout = Callout(kind: .perform, callback: request.callback)
    callout.value = request.argument
    return advance(thread)
  }

  mutating func stepInlinePerform(_ frame: Int, _ thread: Int32) -> Flow {
    if frames[frame].step == 0 {
      frames[frame].step = 1
      return .call
    }
    result = .none
    return .done
  }

  // MARK: As a source of the loop

  /// Whether requests are pending for a mode.
  mutating func hasPerforms(for mode: Int32) -> Bool {
    firstPerform(for: mode) >= 0
  }

  private mutating func firstPerform(for mode: Int32) -> Int32 {
    var index = threads[Int(loops[Int(modes[Int(mode)].loop)].thread)].firstPerform
    while index >= 0, !modeList(performs[Int(index)].request.modes, includes: mode) {
      index = performs[Int(index)].next
    }
    return index
  }

  /// Whether requests for the common modes are pending on a loop's thread: they join a mode that becomes common.
  func hasCommonPerforms(_ loop: Int32) -> Bool {
    var index = threads[Int(loops[Int(loop)].thread)].firstPerform
    while index >= 0 {
      if names(in: performs[Int(index)].request.modes).contains(.commonModes) { return true }
      index = performs[Int(index)].next
    }
    return false
  }

  /// Since when the source that the requests of a mode's thread act as is signalled.
  func performMoment(for mode: Int32) -> UInt64 {
    threads[Int(loops[Int(modes[Int(mode)].loop)].thread)].performMoment
  }

  /// Takes all requests that are pending for the mode; false when none is left.
  mutating func beginPerforms(_ activation: Int, _ thread: Int32) -> Bool {
    let mode = frames[activation].mode
    var first: Int32 = -1
    var last: Int32 = -1
    var previous: Int32 = -1
    var index = threads[Int(thread)].firstPerform
    while index >= 0 {
      let next = performs[Int(index)].next
      if modeList(performs[Int(index)].request.modes, includes: mode) {
        if previous >= 0 { performs[Int(previous)].next = next } else { threads[Int(thread)].firstPerform = next }
        if threads[Int(thread)].lastPerform == index { threads[Int(thread)].lastPerform = previous }
        addCell(index, first: &first, last: &last)
      } else {
        previous = index
      }
      index = next
    }
    guard first >= 0 else { return false }
    // What is left signals the source anew.
    threads[Int(thread)].performMoment = nextSequence()
    let frame = push(.performs, on: thread, fromHost: false)
    frames[frame].list = first
    return true
  }

  mutating func stepPerforms(_ frame: Int, _ thread: Int32) -> Flow {
    if frames[frame].item >= 0 { finishPerform(frame) }
    guard let next = takeCell(frame) else { return .done }
    let record = performs[Int(next.a)]
    tick &+= 1
    postPerform(record.request.name, from: record.from, thread)
    frames[frame].item = next.a
    callout = Callout(kind: .perform, callback: record.request.callback)
    callout.value = record.request.argument
    return .call
  }

  /// - Parameter outcome: how the wait of its caller ends.
  private mutating func finishPerform(_ frame: Int, outcome: Int8 = 1) {
    let index = frames[frame].item
    frames[frame].item = -1
    let record = performs[Int(index)]
    if record.waiter >= 0 { wake(record.waiter, outcome: outcome) }
    releaseRequest(record.request)
    freePerform(index)
  }

  private mutating func postPerform(_ name: NameID, from: Int32, _ thread: Int32) {
    guard traces(.block) else { return }
    var event = event(.perform, thread)
    event.subject = name
    if from != thread { event.other = threads[Int(from)].name }
    events.append(event)
  }

  /// An error, or the end of the thread, left a request's function: its caller waits no longer; those after it go back to
  /// the front of the queue.
  mutating func abandonPerforms(_ frame: Int, _ thread: Int32) {
    if frames[frame].item >= 0 { finishPerform(frame, outcome: threads[Int(thread)].isExiting ? -1 : 1) }
    var first: Int32 = -1
    var last: Int32 = -1
    while let next = takeCell(frame) {
      if last >= 0 { performs[Int(last)].next = next.a } else { first = next.a }
      last = next.a
    }
    guard first >= 0 else { return }
    performs[Int(last)].next = threads[Int(thread)].firstPerform
    if threads[Int(thread)].lastPerform < 0 { threads[Int(thread)].lastPerform = last }
    threads[Int(thread)].firstPerform = first
  }

  /// The thread ends: its pending requests are dropped, and those who wait get an error.
  mutating func dropPerforms(_ thread: Int32) {
    var index = threads[Int(thread)].firstPerform
    threads[Int(thread)].firstPerform = -1
    threads[Int(thread)].lastPerform = -1
    while index >= 0 {
      let record = performs[Int(index)]
      post(.performDrop, thread, subject: record.request.name)
      if record.waiter >= 0 { wake(record.waiter, outcome: -1) }
      releaseRequest(record.request)
      freePerform(index)
      index = record.next
    }
  }
}
