import RunLoopEngine

/// The machine that scripts run on.
enum Machine {
  static let functions: [APIFunction] = [
    .function(
      "machine",
      fields: [
        .optional(
          "cores", .integer, default: "as many as threads", "the processors, 1 or more: how many threads work at once"),
        .optional(
          "quantum", .seconds, default: "no limit",
          "how long a thread works before ready ones of the same or a higher priority get their turn"),
        .optional("spuriousWakeups", .boolean, default: "false", "whether conditions wake up for nothing"),
        .optional(
          "poolPerCallout", .boolean, default: "true", "whether each callout of a loop has an autorelease pool"),
      ], options: .fieldsRequired, doc: "Describes the machine, once and before any thread starts.", run: machine)
  ]

  private static func machine(_ session: Session, _ arguments: Arguments) throws(APIError) -> Answer {
    let cores = arguments.integer(0, default: .max)
    let quantum = arguments.nanoseconds(1, default: .distantFuture)
    if cores < 1 { throw APIError("cores must be 1 or more, got \(cores)") }
    if quantum <= 0 { throw APIError("quantum must be more than 0, got \(arguments.text(1))") }
    let refusal = session.simulation.setMachine {
      $0.cores = Int(cores)
      $0.quantum = quantum
      $0.spuriousWakeups = arguments.boolean(2, default: $0.spuriousWakeups)
      $0.poolPerCallout = arguments.boolean(3, default: $0.poolPerCallout)
    }
    switch refusal {
    case .threadWasStarted: throw APIError("the machine must be described before a thread starts")
    case .wasSet: throw APIError("the machine was already described")
    case nil: return .nothing
    }
  }
}
