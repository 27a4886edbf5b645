/// Objects, pools, notifications, message ports and the machine, as a host sees them.
extension Simulation {
  // MARK: Making objects

  /// Makes a reference-counted object with one reference.
  public mutating func makeObject(name: NameID, dealloc: HostValue) -> ObjectID {
    own.pointee.makeObject(name: name, dealloc: dealloc)
  }

  /// Makes an autorelease pool, the innermost of a thread.
  public mutating func pushPool(name: NameID, on thread: ThreadID) -> PoolID {
    own.pointee.pushPool(name: name, on: thread)
  }

  /// Makes an observer of the notification centre, which `addNotificationObserver` adds.
  ///
  /// - Parameters:
  ///   - name: of the notification, interned.
  ///   - sender: `any`: whoever posts it.
  public mutating func makeNotificationObserver(
    name: NameID, sender: NotificationSender, callback: HostValue
  ) -> NotificationToken {
    own.pointee.makeNotificationObserver(name: name, sender: sender, callback: callback)
  }

  /// Makes the local end of a message port. Its name must not be that of a valid one.
  public mutating func makeMessagePort(
    name: NameID, receive: HostValue, at position: Position = .unknown
  ) -> PortID {
    own.pointee.makeMessagePort(name: name, receive: receive, at: position)
  }

  // MARK: Reading

  /// The valid message port of an interned name; `none` when there is none.
  public func messagePort(named name: NameID) -> PortID { shared.pointee.messagePort(named: name) }
  /// Whether a port is the local end of a message port.
  public func isMessagePort(_ port: PortID) -> Bool { !shared.pointee.ports[port.index].service.isNone }
  public func name(of object: ObjectID) -> NameID { shared.pointee.name(of: object) }
  public func name(of pool: PoolID) -> NameID { shared.pointee.name(of: pool) }
  /// 0 to 1.
  public func priority(of thread: ThreadID) -> Double { shared.pointee.threads[thread.index].priority }
  /// Bytes; nil when it was not set.
  public func stackSize(of thread: ThreadID) -> Int64? { shared.pointee.threads[thread.index].stackSize }

  /// What a callout of kind `message` is called with, beside the data.
  public func message(of callout: Callout) -> (id: Int64, port: PortID) {
    let request = shared.pointee.requests[Int(callout.object)]
    return (request.id, PortID(rawValue: request.port))
  }

  /// What a callout of kind `notification` is called with.
  public func notification(of callout: Callout) -> (name: NameID, sender: NotificationSender, info: HostValue) {
    let post = shared.pointee.posts[Int(callout.object)]
    return (post.name, post.sender, post.info)
  }

  /// The known senders that observers ask for, or that notifications come from which are being posted or about to be.
  ///
  /// - Complexity: O(observers + posts + threads).
  public func sendersInUse() -> Set<HostValue> { shared.pointee.sendersInUse() }

  // MARK: The machine

  /// Describes the machine, once and before a thread is started; otherwise changes nothing and says why.
  public mutating func setMachine(_ change: (inout Configuration) -> Void) -> MachineRefusal? {
    own.pointee.setMachine(change)
  }
}
