/// The text of a message that waits for its turn, under a preemptive scheduler.
extension System {
  /// Keeps the text of a send that waits for the scheduler: until then the events may be drained, and the text with them.
  mutating func keepText(of operation: Operation, _ thread: Int32) {
    switch operation {
    case .send(_, _, let text, _, _), .setShared(_, _, let text):
      keepText(text, thread)
    case .request(let asked): keepText(asked.text, thread)
    default: break
    }
  }

  private mutating func keepText(_ range: TextRange, _ thread: Int32) {
    if range.length > 0 { pendingTexts.append(PendingText(thread: thread, text: Array(textBytes(range)))) }
  }

  /// The same operation with its text in the buffer again.
  mutating func withPendingText(_ operation: Operation, _ thread: Int32) -> Operation {
    switch operation {
    case .send(let port, let message, _, let date, let replyTo):
      return .send(port, message: message, text: takePendingText(thread), before: date, replyTo: replyTo)
    case .setShared(let shared, let value, _):
      return .setShared(shared, value, text: takePendingText(thread))
    case .request(var asked):
      asked.text = takePendingText(thread)
      return .request(asked)
    default: return operation
    }
  }

  private mutating func takePendingText(_ thread: Int32) -> TextRange {
    guard let place = pendingTexts.firstIndex(where: { $0.thread == thread }) else { return addText([]) }
    return addText(pendingTexts.remove(at: place).text)
  }
}
