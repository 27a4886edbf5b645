import RunLoopEngine
import RunLoopScript

/// Remembers the states of a run, to notice that one comes back.
///
/// A state is all that decides what happens next: every byte that Lua has, and all of the engine. So a state that is the
/// same goes on in the same ways, and what is told of it is never chance; but one that differs in something idle, such as
/// garbage that was left on the way, is not seen to be the same.
struct StateWatch {
  enum Start {
    case never
    /// Once a run has gone on for a while without a step of the clock or a callout.
    case late
    case atOnce
  }

  private struct Point {
    var mark: Session.Mark
    var enabled: ActorSet
  }

  var start = Start.late
  /// Whether a run ends where a state comes back: whoever explores all that follows from the first time needs no more.
  var cutsReturns = false
  /// Whether a run ends when it goes round in a circle in which everybody has a turn.
  var endsInLivelock = true
  /// Whether any state has come back.
  var hasSeenOne = false

  /// By the number of steps before; nil where nothing was noted, or it was forgotten.
  private var points: [Point?] = []

  private static let lateness = 1000
  /// Longer circles are not seen.
  private static let memory = 1024

  /// - Parameters:
  ///   - calmSteps: since the last callout or step of the clock.
  ///   - maximumSteps: after which the run is broken off.
  func isOn(_ calmSteps: Int, of maximumSteps: Int) -> Bool {
    switch start {
    case .never: false
    case .late: calmSteps >= min(Self.lateness, maximumSteps / 2)
    case .atOnce: true
    }
  }

  /// Forgets what came after so many steps.
  mutating func truncate(to depth: Int) {
    if points.count > depth + 1 { points.removeSubrange((depth + 1)...) }
  }

  /// Notes the state after so many steps.
  mutating func note(_ mark: Session.Mark, _ enabled: ActorSet, depth: Int) {
    if points.count > depth { points.removeSubrange(depth...) }
    while points.count < depth { points.append(nil) }
    points.append(Point(mark: mark, enabled: enabled))
    if depth >= Self.memory { points[depth - Self.memory] = nil }
  }

  /// The first time that the state of now was there, as the number of steps before.
  func firstSame(depth: Int, since first: Int) -> Int? {
    guard let now = points[depth] else { return nil }
    return (max(first, depth - Self.memory)..<depth).first { points[$0]?.mark.isSame(as: now.mark) ?? false }
  }

  func isSame(_ a: Int, _ b: Int) -> Bool {
    guard a < points.count, b < points.count, let a = points[a], let b = points[b] else { return false }
    return a.mark.isSame(as: b.mark)
  }

  /// Who could go on at some time.
  func enabled(from first: Int, to last: Int) -> ActorSet {
    var set = ActorSet()
    for point in points[first..<last] {
      if let point { set.formUnion(point.enabled) } else { set.insert(.max) }
    }
    return set
  }
}

/// The search of a circle in which everybody has a turn, from a state that came back: those who had none go on alone.
struct Pursuit {
  /// Where the state was first.
  var base: Int
  var actor: Int32
  var steps = 0

  /// Longer ways back are not gone.
  static let patience = 64
}
