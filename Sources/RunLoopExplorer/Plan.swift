/// An exploration cut into parts that do not depend on each other, by how their runs begin: the same parts wherever and by
/// how many processes it is explored.
///
/// The parts are all beginnings of the least length of which there are enough. Those that come before others put their
/// first steps to sleep in these, so that no trace is in two parts (sleep sets: Godefroid, "Partial-Order Methods for the
/// Verification of Concurrent Systems"). While such a step sleeps, the reduction takes all that can go on, and some runs in
/// vain: it would need to know which races the other part has found.
enum Plan {
  /// So many parts are enough: for the processors of a machine to have work up to the end. More would cost more runs in
  /// vain.
  static let enoughParts = 64
  /// Longer beginnings are not looked for: there is little to choose in such a script.
  private static let maximumLength = 64

  /// - Parameters:
  ///   - reduces: whether one interleaving of a trace is to be in all the parts, not each.
  ///   - maximumPreemptions: interleavings with more are left out, where `reduces` is not set.
  ///   - enough: how many parts are enough.
  static func parts<System: Explorable>(
    of system: System, reduces: Bool, maximumPreemptions: Int?, enough: Int = enoughParts
  ) -> [Beginning] {
    var parts = [Beginning()]
    for _ in 0..<maximumLength where parts.count < enough {
      var next: [Beginning] = []
      for part in parts {
        if reduces { expand(part, system, &next) } else { expand(part, system, maximumPreemptions ?? .max, &next) }
      }
      parts = next
    }
    return parts
  }

  /// Adds all beginnings with one step more.
  private static func expand<System: Explorable>(
    _ part: Beginning, _ system: System, _ parts: inout [Beginning]
  ) {
    var sleeping = part.sleeping
    var walk = Walk(system, part)
    if walk.point.enabled.isEmpty { parts.append(part) }
    for actor in walk.point.enabled where !sleeping.contains(where: { $0.actor == actor }) {
      var alternative: Int32 = 0
      repeat {
        walk.goBack()
        walk.take(actor, alternative)
        var child = Beginning(moves: part.moves + [RunMove(actor: actor, alternative: alternative)])
        let taken = walk.trail.accesses(of: part.moves.count)
        child.sleeping = sleeping.filter { $0.actor != actor && !$0.footprint.conflicts(with: taken) }
        parts.append(child)
        var move = walk.trail.move(part.moves.count)
        move.isForeign = true
        sleeping.append(move)
        alternative += 1
      } while alternative < walk.alternatives
    }
  }

  /// The same where each interleaving is in a part.
  private static func expand<System: Explorable>(
    _ part: Beginning, _ system: System, _ maximumPreemptions: Int, _ parts: inout [Beginning]
  ) {
    var walk = Walk(system, part)
    if walk.point.enabled.isEmpty { parts.append(part) }
    var enabled = walk.point.enabled
    if walk.trail.preemptions >= maximumPreemptions, let last = part.moves.last?.actor, last != clockActor,
      enabled.contains(last)
    {
      enabled = [last]
    }
    for actor in enabled {
      var alternative: Int32 = 0
      repeat {
        walk.goBack()
        walk.take(actor, alternative)
        parts.append(Beginning(moves: part.moves + [RunMove(actor: actor, alternative: alternative)]))
        alternative += 1
      } while alternative < walk.alternatives
    }
  }

  /// The steps of a part, taken from the start, and one more.
  private struct Walk<System: Explorable>: ~Copyable {
    private let system: System
    var trail = Trail()
    var point = ChoicePoint()
    private var step = StepRecord()
    /// Where the part ends.
    private let length: Int
    private var snapshot: System.Snapshot?

    init(_ system: System, _ part: Beginning) {
      self.system = system
      length = part.moves.count
      system.start()
      look()
      for move in part.moves {
        take(move.actor, move.alternative)
        look()
      }
    }

    deinit {
      if let snapshot { system.giveBack(snapshot) }
    }

    /// In how many ways the last step could have gone.
    var alternatives: Int32 { step.alternatives }

    private mutating func look() { system.look(after: trail.events.last?.actor ?? -1, into: &point) }

    /// To where the part ends.
    mutating func goBack() {
      if let snapshot {
        system.restore(snapshot)
        trail.truncate(to: length)
      } else {
        snapshot = system.save(reusing: nil)
      }
    }

    mutating func take(_ actor: Int32, _ alternative: Int32) {
      step.clear()
      system.take(actor, alternative, into: &step)
      trail.append(actor, alternative, step, at: point)
    }
  }
}
