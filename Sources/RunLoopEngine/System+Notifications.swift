/// The notification centre (NSNotificationCenter): observers are called on the thread that posts, in order of adding.

extension System {
  /// Makes an observer that `addNotificationObserver` adds.
  mutating func makeNotificationObserver(
    name: NameID, sender: NotificationSender, callback: HostValue
  ) -> NotificationToken {
    notificationObservers.append(NotificationRecord(name: name, sender: sender, callback: callback))
    return NotificationToken(notificationObservers.count - 1)
  }

  mutating func addNotificationObserver(_ token: NotificationToken) -> Step {
    tick &+= 1
    notificationObservers[token.index].isActive = true
    activeObservers.append(token.rawValue)
    return .result(.none)
  }

  /// Removing twice is harmless. One that is removed during a post is not called by it any more.
  mutating func removeNotificationObserver(_ token: NotificationToken) -> Step {
    tick &+= 1
    guard notificationObservers[token.index].isActive else { return .result(.none) }
    notificationObservers[token.index].isActive = false
    activeObservers.removeAll { $0 == token.rawValue }
    release(notificationObservers[token.index].callback)
    notificationObservers[token.index].callback = .none
    return .result(.none)
  }

  /// `rl.notifications:post(name, object, info)`.
  mutating func postNotification(
    _ name: NameID, _ sender: NotificationSender, _ info: HostValue, _ thread: Int32
  ) -> Step {
    tick &+= 1
    let isTooDeep = threads[Int(thread)].depth >= configuration.maximumDepth
    if !isTooDeep, beginPost(name, sender, info, thread, fromHost: true) { return advance(thread) }
    release(info)
    release(sender.ownedValue)
    if isTooDeep { return .result(.failure(.nestedTooDeep(configuration.maximumDepth))) }
    post(.notificationPost, thread, subject: name)
    return .result(.none)
  }

  /// Begins to tell the observers of a notification; false when there are none.
  mutating func beginPost(
    _ name: NameID, _ sender: NotificationSender, _ info: HostValue, _ thread: Int32, fromHost: Bool,
    starts target: Int32 = -1, gives outcome: OperationResult = .none
  ) -> Bool {
    var first: Int32 = -1
    var last: Int32 = -1
    for token in activeObservers {
      let observer = notificationObservers[Int(token)]
      guard observer.name == name, observer.sender == .any || observer.sender == sender else { continue }
      addCell(token, first: &first, last: &last)
    }
    guard first >= 0 else { return false }
    post(.notificationPost, thread, subject: name)
    let record = PostRecord(name: name, sender: sender, info: info, starts: target, outcome: outcome)
    let frame = push(.posting, on: thread, fromHost: fromHost)
    frames[frame].item = makePost(record)
    frames[frame].list = first
    return true
  }

  mutating func stepPosting(_ frame: Int, _ thread: Int32) -> Flow {
    let index = frames[frame].item
    while let next = takeCell(frame) {
      let observer = notificationObservers[Int(next.a)]
      guard observer.isActive else { continue }
      tick &+= 1
      post(.notification, thread, subject: observer.name)
      callout = Callout(kind: .notification, callback: observer.callback, object: index)
      return .call
    }
    let target = posts[Int(index)].starts
    result = posts[Int(index)].outcome
    endPost(index)
    if target >= 0 {
      if threads[Int(target)].state == .new {
        makeRunnable(target)
      } else {
        // An observer started it.
        result = .failure(.alreadyStarted(ThreadID(rawValue: target), threads[Int(target)].startPosition))
      }
    }
    return .done
  }

  /// An error left an observer: the others are not told.
  mutating func abandonPosting(_ frame: Int) {
    freeCells(frames[frame].list)
    endPost(frames[frame].item)
  }

  /// The known senders that observers ask for, or that notifications come from which are being posted or about to be.
  ///
  /// - Complexity: O(observers + posts + threads).
  func sendersInUse() -> Set<HostValue> {
    var found: Set<HostValue> = []
    func add(_ sender: NotificationSender) { if case .known(let value) = sender { found.insert(value) } }
    // One without a function was removed.
    for index in notificationObservers.indices where notificationObservers[index].callback != .none {
      add(notificationObservers[index].sender)
    }
    for index in posts.indices { add(posts[index].sender) }
    for index in threads.indices {
      if case .postNotification(_, let sender, _) = threads[index].pending { add(sender) }
    }
    return found
  }

  private mutating func makePost(_ record: PostRecord) -> Int32 {
    if freePost >= 0 {
      let index = freePost
      freePost = posts[Int(index)].next
      posts[Int(index)] = record
      return index
    }
    posts.append(record)
    return Int32(posts.count - 1)
  }

  private mutating func endPost(_ index: Int32) {
    release(posts[Int(index)].info)
    release(posts[Int(index)].sender.ownedValue)
    posts[Int(index)].sender = .any
    posts[Int(index)].next = freePost
    freePost = index
  }
}

/// Whom a notification comes from, or an observer wants it from.
public enum NotificationSender: Hashable, Sendable {
  /// Nobody in particular; for an observer: anybody.
  case any
  case thread(ThreadID)
  /// A value that stands for one identity as long as it is in use, and belongs to the host.
  case known(HostValue)
  /// A value that no observer asked for; given up after the post.
  case other(HostValue)

  var ownedValue: HostValue {
    if case .other(let value) = self { return value }
    return .none
  }
}
