/// Notifications (semantics 2.7; __CFRunLoopDoObservers).

extension System {
  /// Posts an activity and begins to tell its observers; false when none is to be told.
  @inline(__always)
  mutating func notify(_ activity: Activities, _ kind: EventKind, _ activation: Int, _ thread: Int32) -> Bool {
    if traces(.activity) { postActivity(kind, activation, thread) }
    let mode = Int(frames[activation].mode)
    guard !modes[mode].observerMask.isDisjoint(with: activity) else { return false }
    return collectObservers(activity, activation, thread)
  }

  private mutating func postActivity(_ kind: EventKind, _ activation: Int, _ thread: Int32) {
    var event = event(kind, thread)
    event.mode = modes[Int(frames[activation].mode)].name
    if kind == .afterWaiting {
      event.a = frames[activation].wakeReason.rawValue
      let port = frames[activation].live
      if port >= 0 { event.other = ports[Int(port)].name }
    }
    events.append(event)
  }

  private mutating func collectObservers(_ activity: Activities, _ activation: Int, _ thread: Int32) -> Bool {
    var first: Int32 = -1
    var last: Int32 = -1
    for observer in modes[Int(frames[activation].mode)].observers {
      let record = observers[Int(observer)]
      guard record.isValid, !record.isFiring, !record.activities.isDisjoint(with: activity) else { continue }
      addCell(observer, first: &first, last: &last)
    }
    guard first >= 0 else { return false }
    let frame = push(.notification, on: thread, fromHost: false)
    frames[frame].list = first
    frames[frame].loop = frames[activation].loop
    frames[frame].live = Int32(activity.rawValue)
    return true
  }

  mutating func stepNotification(_ frame: Int, _ thread: Int32) -> Flow {
    endTelling(frame)
    while let next = takeCell(frame) {
      let observer = Int(next.a)
      guard observers[observer].isValid else { continue }
      let activity = Activities(rawValue: UInt8(truncatingIfNeeded: frames[frame].live))
      if traces(.observer) {
        var event = event(.observer, thread)
        event.subject = observers[observer].name
        event.a = Int64(activity.rawValue)
        events.append(event)
      }
      frames[frame].item = Int32(observer)
      observers[observer].isFiring = true
      callout = Callout(kind: .observer, callback: observers[observer].handler, object: Int32(observer))
      callout.activity = activity
      callout.loop = LoopID(rawValue: frames[frame].loop)
      return callout.callback == .none ? .again : .call
    }
    // The result of the run that is being told of its exit is kept in its frame.
    return .done
  }

  /// The observer that was told has returned, or was left by an error: one that does not repeat is done.
  private mutating func endTelling(_ frame: Int) {
    guard frames[frame].item >= 0 else { return }
    let observer = Int(frames[frame].item)
    frames[frame].item = -1
    observers[observer].isFiring = false
    if !observers[observer].repeats { invalidateObserver(Int32(observer)) }
  }

  /// An error, or the end of the thread, leaves a notification. In the latter case the observer never comes back: the
  /// library leaves it as it was then, in its handler.
  mutating func abandonNotification(_ frame: Int, _ thread: Int32) {
    freeCells(frames[frame].list)
    if !threads[Int(thread)].isExiting { endTelling(frame) }
  }

  // MARK: Membership

  /// Ascending by order, behind equal ones (CFRunLoopAddObserver).
  mutating func insertObserver(_ observer: Int32, _ loop: Int32, _ mode: Int32) {
    guard !observers[Int(observer)].modes.contains(mode) else { return }
    observers[Int(observer)].loop = loop
    observers[Int(observer)].modes.append(mode)
    modes[Int(mode)].observerMask.formUnion(observers[Int(observer)].activities)
    let order = observers[Int(observer)].order
    var place = modes[Int(mode)].observers.count
    while place > 0, observers[Int(modes[Int(mode)].observers[place - 1])].order > order { place -= 1 }
    modes[Int(mode)].observers.insert(observer, at: place)
  }

  mutating func removeObserver(_ observer: Int32, _ mode: Int32) {
    if let place = modes[Int(mode)].observers.firstIndex(of: observer) { modes[Int(mode)].observers.remove(at: place) }
    observers[Int(observer)].modes.removeAll { $0 == mode }
    if observers[Int(observer)].modes.isEmpty { observers[Int(observer)].loop = -1 }
  }

  mutating func invalidateObserver(_ observer: Int32) {
    guard observers[Int(observer)].isValid else { return }
    observers[Int(observer)].isValid = false
    let item = Item.observer(ObserverID(rawValue: observer))
    forgetCommonItem(item, observers[Int(observer)].modes)
    for mode in observers[Int(observer)].modes { removeObserver(observer, mode) }
    release(observers[Int(observer)].handler)
    observers[Int(observer)].handler = .none
  }
}
