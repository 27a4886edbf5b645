import CLuaHost
import RunLoopEngine

/// The main queue.
enum MainQueue {
  private static let fn = Parameter.required("fn", .function(), "what to call")

  static let functions: [APIFunction] = [
    .method(.mainQueue, "async", [fn], options: .position, doc: "Queues a function for the main thread.") {
      _, arguments in
      .operation(.mainQueueAsync(arguments.host(0)))
    },
    .method(
      .mainQueue, "sync", [fn], options: .position,
      doc: "Queues a function for the main thread and waits until it has run. On the main thread it is an error."
    ) { _, arguments in .operation(.mainQueueSync(arguments.host(0))) },
    .method(
      .mainQueue, "after", [.required("seconds", .seconds, "the delay"), fn], options: .position,
      doc: "Queues a function for the main thread after a delay."
    ) { _, arguments in .operation(.mainQueueAfter(arguments.nanoseconds(0), arguments.host(1))) },
  ]
}
