@preconcurrency import CoreFoundation
import RunLoopEngine

/// A port: a source of version 1 with its queue.
///
/// One message at a time has a notice in the channel. A run's wait reads the notice, and that is when the message is
/// taken: what comes between the wait and the call of the source, a nested run in an observer of afterWaiting, does not
/// get it. So the run's first observer asks which notice the wait has read (`take(for:)`), and keeps its message for the
/// call. A wait that only looks has no such observer, but the call comes right after it (`receive(for:)`).
struct LivePort {
  struct Message {
    var value: HostValue
    var text: [UInt8]
    var replyTo: PortID
    /// What it asks for, if it goes to a message port.
    var request: LiveRequest?
  }

  /// A run of a thread's loop: the thread, and how many runs of it are inside each other.
  struct Run: Equatable {
    var thread: ThreadID
    var depth: Int
  }

  var source: CFRunLoopSource
  var channel: PortChannel
  /// What no wait has taken, first come first.
  private(set) var messages: [Message] = []
  /// What the waits of these runs have taken and nobody has received.
  private var taken: [(run: Run, message: Message)] = []
  /// There is a notice for the first message whose notice was not read.
  private var isNoticed = false
  /// So many notices were read, by waits of which no more is known yet; they are for the first messages.
  private var read = 0

  init(source: CFRunLoopSource, channel: PortChannel) {
    self.source = source
    self.channel = channel
  }

  mutating func send(_ message: Message) {
    messages.append(message)
    look()
  }

  /// Sees whether the notice was read; the next message then gets one.
  private mutating func look() {
    if isNoticed, !channel.isNoticed {
      isNoticed = false
      read += 1
    }
    guard !isNoticed, messages.count > read else { return }
    channel.notice()
    isNoticed = true
  }

  /// After a wait of this run, while the port is in its mode: takes the message whose notice the wait has read.
  ///
  /// - Returns: whether it was one of this port.
  mutating func take(for run: Run) -> Bool {
    look()
    guard read > 0, !messages.isEmpty else { return false }
    read -= 1
    taken.append((run, messages.removeFirst()))
    return true
  }

  /// The library calls the source in this run: the message that its wait has taken.
  mutating func receive(for run: Run) -> Message? {
    if let index = taken.firstIndex(where: { $0.run == run }) { return taken.remove(at: index).message }
    look()
    if read == 0, let index = taken.firstIndex(where: { $0.run.thread != run.thread }) {
      // The port is in the loops of several threads, and the other one saw first that a notice was read: by this one.
      return taken.remove(at: index).message
    }
    read = max(0, read - 1)
    guard !messages.isEmpty else { return nil }
    let message = messages.removeFirst()
    look()
    return message
  }

  /// What the run's wait has taken and the library had nobody to give it to, as the port has left the mode meanwhile.
  mutating func dropTaken(where isOver: (Run) -> Bool) -> [Message] {
    guard taken.contains(where: { isOver($0.run) }) else { return [] }
    let dropped = taken.filter { isOver($0.run) }.map(\.message)
    taken.removeAll { isOver($0.run) }
    return dropped
  }

  /// The port is gone, and what was sent to it.
  mutating func dropAll() -> [Message] {
    defer {
      messages = []
      taken = []
      read = 0
    }
    return taken.map(\.message) + messages
  }
}
