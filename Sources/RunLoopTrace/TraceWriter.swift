import RunLoopEngine

/// Renders the events of a running simulation to its outputs, each in its format.
public final class TraceWriter: TraceConsumer {
  private struct Target {
    let format: any TraceFormat
    let output: TraceOutput
  }

  private var targets: [Target] = []
  private var begun = false
  private var threadNames: [NameID] = []
  /// What was seen so far.
  public private(set) var counts = TraceCounts()
  /// Whether each batch is written at once, for somebody who watches.
  public var isInteractive = false

  /// A writer without outputs; it only counts.
  public init() {}

  /// Adds an output, before the first events come.
  public func add(_ format: any TraceFormat, to output: TraceOutput) {
    targets.append(Target(format: format, output: output))
  }

  /// The first output that is gone for another reason than a closed pipe, as an error.
  public var error: OutputError? {
    for target in targets {
      if case .system(let number) = target.output.failure {
        return OutputError(name: target.output.name, number: number)
      }
    }
    return nil
  }

  private var outputsWork: Bool { targets.allSatisfy { $0.output.failure == nil } }

  public func consume(_ simulation: borrowing Simulation) -> Bool {
    learnThreadNames(simulation)
    let context = TraceContext(
      names: simulation.names, text: simulation.text, threadNames: threadNames,
      configuration: simulation.configuration)
    return consume(simulation.events, context)
  }

  /// Renders a batch of events.
  ///
  /// - Returns: false when an output is gone.
  public func consume(_ events: [Event], _ context: TraceContext) -> Bool {
    if !begun {
      begun = true
      for target in targets { target.format.begin(context.configuration, into: &target.output.buffer) }
    }
    counts.count(events)
    // Small steps, so that a buffer is written when it is full and not when the batch is over.
    var start = 0
    while start < events.count {
      let end = min(start + 256, events.count)
      for target in targets {
        target.format.write(events[start..<end], context, into: &target.output.buffer)
        target.output.flushIfFull()
      }
      start = end
    }
    if isInteractive { for target in targets { target.output.flush() } }
    return outputsWork
  }

  /// Ends the trace and writes what is left.
  ///
  /// - Returns: false when an output is gone.
  public func finish() -> Bool {
    for target in targets {
      if begun { target.format.finish(into: &target.output.buffer) }
      target.output.flush()
    }
    return outputsWork
  }

  private func learnThreadNames(_ simulation: borrowing Simulation) {
    for event in simulation.events where Int(event.thread.rawValue) >= threadNames.count {
      for index in threadNames.count...Int(event.thread.rawValue) {
        threadNames.append(simulation.name(of: ThreadID(rawValue: Int32(index))))
      }
    }
  }
}

/// How much happened in a run, for `--stats`.
public struct TraceCounts: Sendable {
  /// Events that were rendered.
  public private(set) var events = 0
  /// Calls of functions of the script among them.
  public private(set) var callouts = 0
  /// The time of the last event.
  public private(set) var time: Nanoseconds = 0

  mutating func count(_ batch: [Event]) {
    events += batch.count
    for event in batch {
      switch event.kind {
      case .observer, .timer, .source, .port, .block, .perform, .queue: callouts += 1
      default: break
      }
    }
    if let last = batch.last { time = last.time }
  }
}
