/// Something that is wrong in some interleavings.
public struct Finding: Sendable {
  /// `deadlock`, `lostWakeup`, `stuck`, `busyLoop`, `expectation`, `trap`, `error`, `dataRace`, `lockOrder`, `leak`,
  /// `livelock`.
  public var kind: String
  /// What it is about: threads, objects, lines of the script.
  public var details: [String]
  /// Which loops sleep at the end of the shortest run that shows it, who could have woken them, and what was lost.
  public var loops: [String] = []
  /// How many of the runs show it.
  public var runs = 0
  /// How many interleavings show it, as far as they were counted.
  public var interleavings = 0.0
  /// The chance that a random walk shows it, as far as was explored.
  public var chance = 0.0
  /// The least number of preemptions that shows it.
  public var preemptions = 0
  /// The shortest schedule that shows it; empty when it is in no single run.
  public var schedule = ""
  /// The same in readable decisions.
  public var named = ""
  /// Whether the shortest schedule was replayed and showed it again.
  public var wasReplayed = false
  /// The last step after which every continuation fails.
  public var criticalStep: String?

  /// Whether no schedule with fewer preemptions shows it: it was looked for.
  public var isLeast = true

  /// What runs show that have it.
  var observations: [Observation] = []
  /// The steps of the shortest schedule, and by what it was judged.
  var moves: [RunMove] = []
  var cost = Cost.none

  /// What the shortest schedule has least of.
  struct Cost: Comparable, Sendable {
    var preemptions: Int
    /// How many choices differ from the default policy.
    var choices: Int
    var length: Int

    /// No schedule.
    static let none = Cost(preemptions: .max, choices: .max, length: .max)

    static func < (a: Cost, b: Cost) -> Bool {
      (a.preemptions, a.choices, a.length) < (b.preemptions, b.choices, b.length)
    }
  }
}

/// Who took a step, and which way it went.
struct RunMove: Hashable, Sendable {
  var actor: Int32
  var alternative: Int32
}

/// What is wrong with one run: a kind and a place.
struct Observation: Hashable, Comparable, Sendable {
  var kind: String
  var details: [String]

  static func < (a: Observation, b: Observation) -> Bool {
    a.kind == b.kind ? a.details.lexicographicallyPrecedes(b.details) : a.kind < b.kind
  }
}
