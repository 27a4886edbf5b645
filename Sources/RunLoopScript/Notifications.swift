import CLuaHost
import RunLoopEngine

/// The notification centre.
enum Notifications {
  private static let name = Parameter.required("name", .name, "the notification's name")

  static let functions: [APIFunction] = [
    .method(
      .notifications, "addObserver",
      [
        name, .optional("object", sender, default: "any", "whose notifications are wanted; nil: anybody's"),
        .required("fn", .function("fun(name: string, object: any, info: any)"), "what is called, by whoever posts"),
      ], gives: ("rl.Token", "what `removeObserver` wants"),
      doc:
        "Adds an observer. The system posts `threadWillExit` (on the thread that ends, which is the object) and `willBecomeMultiThreaded` (before the first thread starts).",
      run: add),
    .method(
      .notifications, "removeObserver", [.required("token", .object(.token, "a token"), "what `addObserver` gave")],
      doc: "Removes an observer, which is not called any more, not even by a post that is under way."
    ) { _, arguments in .operation(.removeNotificationObserver(NotificationToken(rawValue: arguments.object(0)))) },
    .method(
      .notifications, "post",
      [
        name, .optional("object", sender, default: "nil", "who posts"),
        .optional("info", .any, default: "nil", "handed to the observers"),
      ], options: .position, doc: "Calls the observers of a notification, in order of adding, on this thread.",
      run: post),
  ]

  private static let sender = ValueType.any(or: .thread)

  private static func add(_ session: Session, _ arguments: Arguments) throws(APIError) -> Answer {
    let name = try notificationName(session, arguments)
    session.giveUpSenders()
    var sender = session.sender(arguments)
    if case .other(let value) = sender {
      session.simulation.touchSenders(changes: true)
      session.notes.senders.add(value, session.identity(of: value))
      sender = .known(value)
    }
    let token = session.simulation.makeNotificationObserver(name: name, sender: sender, callback: arguments.host(2))
    return .operationThen(.addNotificationObserver(token), .object(.token, token.rawValue))
  }

  private static func post(_ session: Session, _ arguments: Arguments) throws(APIError) -> Answer {
    let name = try notificationName(session, arguments)
    return .operation(.postNotification(name, session.sender(arguments), info: arguments.host(2)))
  }

  private static func notificationName(_ session: Session, _ arguments: Arguments) throws(APIError) -> NameID {
    try session.sharedName(arguments.bytes(0))
  }
}

extension Session {
  /// Who posts, or is asked for. A value that an observer asked for is always represented by the same one.
  fileprivate func sender(_ arguments: Arguments) -> NotificationSender {
    guard arguments.isGiven(1) else { return .any }
    if arguments[1].has(CLH_OBJECT) { return .thread(ThreadID(rawValue: arguments.object(1))) }
    let value = arguments.host(1)
    simulation.touchSenders(changes: false)
    guard let known = notes.senders.candidates(identity(of: value)).first(where: { isSame($0, value) }) else {
      return .other(value)
    }
    clh_release(host, value.reference)
    return .known(known)
  }

  /// Gives up the values that no observer asks for any more, once there may be many.
  fileprivate func giveUpSenders() {
    guard notes.senders.isFull else { return }
    for value in notes.senders.removeAll(but: simulation.sendersInUse()) { clh_release(host, value.reference) }
  }
}
