/// Takes one run of each trace (optimal dynamic partial-order reduction: Abdulla, Aronis, Jonsson and Sagonas, "Source
/// Sets: A Foundation for Optimal Dynamic Partial Order Reduction").
///
/// After each run the races in it are looked for: two steps in conflict with nothing between them. For each, the steps that
/// lead to the other order are put into the wakeup tree of the place where the first of the two was taken, unless some
/// step that was explored there before can come first in them: then that exploration has seen it.
///
/// A lock is a step that can only be taken while the lock is free. Its race is not with the unlock before it, which cannot
/// be reversed, but with the last step before which the lock was free, too.
struct OptimalReduction<System: Explorable>: Search, ~Copyable {
  private struct Node {
    /// Steps explored here, or before, that need not be taken again until something in conflict with them was.
    var sleeping: [Move] = []
    var tree = WakeupTree()
    var snapshot: System.Snapshot?
    /// Whether everything that can go on is taken here: something sleeps of which other parts find out what follows, and
    /// they do not tell here. It is so up to where nothing of that kind sleeps any more.
    var takesAll = false
  }

  private let system: System
  private let beginning: Beginning
  private var bound: PreemptionBound?
  private var nodes: [Node] = []
  private(set) var trail = Trail()
  private var point = ChoicePoint()
  private var step = StepRecord()
  private var spares: [System.Snapshot] = []
  private var isStarted = false
  // Of the run whose races are looked for: these; and of one of its steps those in conflict with it.
  private var races = Stack<Race>()
  private var direct = Stack<Int32>()
  private var fixed = Stack<Int32>()

  struct Race: BitwiseCopyable {
    var first: Int32
    var second: Int32
  }

  /// - Parameters:
  ///   - beginning: what all runs begin with.
  ///   - maximumPreemptions: traces that need more are left out, as far as that is found out on the way.
  init(_ system: System, from beginning: Beginning = Beginning(), maximumPreemptions: Int? = nil) {
    self.system = system
    self.beginning = beginning
    bound = maximumPreemptions.map { PreemptionBound($0) }
  }

  deinit {
    for snapshot in spares { system.giveBack(snapshot) }
    for node in nodes { if let snapshot = node.snapshot { system.giveBack(snapshot) } }
  }

  /// Goes on to the end of the next run.
  ///
  /// None is redundant where the search begins at the start of the runs.
  mutating func nextRun() -> Advance {
    if !isStarted {
      isStarted = true
      guard begin() else { return .over }
    } else {
      noteRaces()
      guard goBack() else { return .over }
    }
    return goOn()
  }

  /// Goes to the end of what all runs begin with.
  private mutating func begin() -> Bool {
    system.start()
    for move in beginning.moves {
      system.look(after: trail.events.last?.actor ?? -1, into: &point)
      guard point.enabled.contains(move.actor) else { return false }
      nodes.append(Node())
      take(move.actor, move.alternative)
    }
    return true
  }

  func withEnd<Result>(_ body: (borrowing Trail, ChoicePoint) -> Result) -> Result { body(trail, point) }

  // MARK: Forward

  /// Takes steps to the end of the run, or until everything that could go on is asleep.
  private mutating func goOn() -> Advance {
    var sleeping = beginning.sleeping
    var tree = WakeupTree()
    if nodes.count > beginning.moves.count, let last = nodes.last {
      (sleeping, tree) = (awake(last.sleeping), pendingTree)
    }
    while true {
      system.look(after: trail.events.last?.actor ?? -1, into: &point)
      if point.enabled.isEmpty { return .run }
      if bound?.excludes(trail, point) == true { return .beyondBound }
      var node = Node(sleeping: sleeping, tree: tree)
      let branch: WakeupTree.Branch
      if let first = node.tree.popFirst() {
        branch = first
      } else {
        node.takesAll = sleeping.contains(where: \.isForeign)
        for actor in point.enabled where !sleeping.contains(where: { $0.actor == actor }) {
          node.tree.add(Move(actor: actor, alternative: 0, isOpen: true, footprint: Footprint([])))
          if !node.takesAll { break }
        }
        guard let first = node.tree.popFirst() else { return .redundant }
        branch = first
      }
      guard point.enabled.contains(branch.move.actor) else { return .redundant }
      if point.enabled.count > 1, SnapshotPlaces.contains(nodes.count) {
        node.snapshot = system.save(reusing: spares.popLast())
      }
      nodes.append(node)
      take(branch.move.actor, branch.move.alternative)
      if branch.move.isOpen { addAlternatives() }
      (sleeping, tree) = (awake(nodes[nodes.count - 1].sleeping), branch.rest)
    }
  }

  /// The rest of the wakeup tree along which the step taken last was chosen.
  private var pendingTree = WakeupTree()

  private mutating func take(_ actor: Int32, _ alternative: Int32) {
    step.clear()
    system.take(actor, alternative, into: &step)
    trail.append(actor, alternative, step, at: point)
  }

  /// The other ways that the step taken last could have gone.
  private mutating func addAlternatives() {
    guard step.alternatives > 1 else { return }
    let last = trail.count - 1
    // Before others: once the step sleeps, it does so with all its ways.
    for alternative in (1..<step.alternatives).reversed() {
      var move = trail.move(last)
      move.alternative = alternative
      nodes[last].tree.addFirst(move)
    }
  }

  /// Those of the sleeping steps that are not in conflict with the step taken last.
  private func awake(_ sleeping: [Move]) -> [Move] {
    if sleeping.isEmpty { return sleeping }
    let last = trail.count - 1
    let actor = trail.events[last].actor
    let accesses = trail.accesses(of: last)
    return sleeping.filter { $0.actor != actor && !$0.footprint.conflicts(with: accesses) }
  }

  // MARK: Back

  /// Goes back to the last place where something is left to explore, and takes the first step of it.
  private mutating func goBack() -> Bool {
    while nodes.count > beginning.moves.count {
      let place = nodes.count - 1
      // What the steps of this place have touched is known now.
      if trail.count > place { fallAsleep(place) }
      trail.truncate(to: place)
      guard let branch = nodes[place].tree.popFirst() else {
        if let snapshot = nodes.removeLast().snapshot { spares.append(snapshot) }
        continue
      }
      returnTo(place)
      guard point.enabled.contains(branch.move.actor) else { continue }
      take(branch.move.actor, branch.move.alternative)
      if branch.move.isOpen { addAlternatives() }
      pendingTree = branch.rest
      return true
    }
    return false
  }

  /// What was taken at a place was explored.
  private mutating func fallAsleep(_ place: Int) {
    var move = trail.move(place)
    move.isForeign = nodes[place].takesAll
    nodes[place].sleeping.append(move)
  }

  /// Brings the system to a place of the path: from the last snapshot before it, by the same steps.
  private mutating func returnTo(_ place: Int) {
    var from = place
    while from > 0, nodes[from].snapshot == nil { from -= 1 }
    if let snapshot = nodes[from].snapshot { system.restore(snapshot) } else { system.start() }
    for index in from..<place {
      let event = trail.events[index]
      step.clear()
      system.take(event.actor, event.alternative, into: &step)
    }
    system.look(after: place > 0 ? trail.events[place - 1].actor : -1, into: &point)
  }

  // MARK: Races

  /// Puts the other order of each race of this run where it has to be explored.
  private mutating func noteRaces() {
    races.shorten(to: 0)
    for event in 0..<trail.count { findRaces(of: event) }
    for index in races.indices { reverse(Int(races[index].first), second: Int(races[index].second)) }
    // A step that the end of the run has cut off has to be tried before the last one.
    let last = trail.count - 1
    for actor in point.cutOff where last >= 0 && trail.events[last].actor != actor {
      let accesses = [Touch(Touch.everything, changes: true)]
      reverse(last, Move(actor: actor, alternative: 0, isOpen: true, footprint: Footprint(accesses)))
    }
    for blocked in point.blocked {
      guard let first = rival(of: blocked.need, before: trail.accessCount, blocked.actor, event: -1) else { continue }
      let accesses = [Touch(blocked.need.object, changes: true)]
      reverse(first, Move(actor: blocked.actor, alternative: 0, isOpen: true, footprint: Footprint(accesses)))
    }
  }

  /// The earlier steps that a step is in a race with.
  private mutating func findRaces(of event: Int) {
    let record = trail.events[event]
    // Steps in conflict with it; those about what it needed cannot be reversed, but stand between others and it.
    direct.shorten(to: 0)
    fixed.shorten(to: 0)
    for place in record.accesses.range {
      let access = trail.accesses[place]
      let isNeeded = record.need?.object == access.object
      if isNeeded, let need = record.need, let first = rival(of: need, before: place, record.actor, event: event) {
        races.append(Race(first: Int32(first), second: Int32(event)))
      }
      var other = trail.access(before: place)
      while other >= 0 {
        let isChange = trail.accesses[other].changes
        let earlier = trail.event(ofAccess: other)
        if access.changes || isChange {
          // Who only looked at what is needed may as well look later.
          if isNeeded, isChange { fixed.append(Int32(earlier)) } else { direct.insert(Int32(earlier)) }
        }
        if isChange { break }
        other = trail.access(before: other)
      }
    }
    addTotal(event)
    for index in direct.indices {
      let first = Int(direct[index])
      if trail.events[first].actor == record.actor || trail.isKnown(first, to: event) { continue }
      if isImmediate(first) { races.append(Race(first: Int32(first), second: Int32(event))) }
    }
  }

  /// Whether nothing of what is in conflict with a step comes between it and this one, which is.
  private func isImmediate(_ first: Int) -> Bool {
    for index in fixed.indices where trail.happens(first, before: Int(fixed[index])) { return false }
    for index in direct.indices where Int(direct[index]) != first {
      if trail.happens(first, before: Int(direct[index])) { return false }
    }
    return true
  }

  /// Steps that touch all objects at once are in conflict with all others.
  private mutating func addTotal(_ event: Int) {
    if trail.accesses(of: event).contains(where: { $0.object == Touch.everything }) {
      var seen: [Int32] = []
      for earlier in stride(from: event - 1, through: 0, by: -1) where !seen.contains(trail.events[earlier].actor) {
        seen.append(trail.events[earlier].actor)
        direct.insert(Int32(earlier))
      }
    } else if let earlier = trail.total.elements.last(where: { $0 < event }) {
      direct.insert(earlier)
    }
  }

  /// The last step before which what is needed was there already, if the actor does not know of it.
  ///
  /// - Parameters:
  ///   - place: the access before which to look.
  ///   - event: the event that needs it; -1 when it was never taken.
  private func rival(of need: Need, before place: Int, _ actor: Int32, event: Int) -> Int? {
    var other = event >= 0 ? trail.access(before: place) : trail.lastAccess(of: need.object)
    while other >= 0 {
      let earlier = trail.event(ofAccess: other)
      if trail.events[earlier].actor == actor { return nil }
      if event >= 0 ? trail.isKnown(earlier, to: event) : trail.isKnown(earlier, toActor: actor) { return nil }
      let access = trail.accesses[other]
      if access.changes, access.availableBefore & need.bits == need.bits { return earlier }
      other = trail.access(before: other)
    }
    return nil
  }

  /// Plans a run in which a step comes before `first`.
  ///
  /// - Parameters:
  ///   - second: which one; -1: one that was never taken.
  ///   - pending: that one.
  private mutating func reverse(_ first: Int, second: Int = -1, _ pending: Move? = nil) {
    // Before that, other parts of the exploration have it; or it is taken anyway.
    if first < beginning.moves.count || nodes[first].takesAll { return }
    var sequence = WakeupTree.Sequence(events: [], pending: pending)
    sequence.events.reserveCapacity(trail.count - first)
    for event in first + 1..<trail.count where event != second && !trail.happens(first, before: event) {
      sequence.events.append(Int32(event))
    }
    if second >= 0 {
      sequence.events.append(Int32(second))
      sequence.open = Int32(second)
    }
    for asleep in nodes[first].sleeping where sequence.canBegin(with: asleep, trail) { return }
    nodes[first].tree.insert(sequence, trail)
  }

  // MARK: Going on later

  /// The steps of the run, and for each place what sleeps there and what is left to explore.
  var state: JSON {
    .object([
      .init("moves", trail.movesAsJSON),
      .init(
        "places",
        .array(
          nodes[beginning.moves.count...].map {
            .array([.array($0.sleeping.map(\.json)), .bool($0.takesAll), $0.tree.json])
          })),
    ])
  }

  mutating func restore(_ state: JSON) -> Bool {
    guard let moves = state["moves"]?.integers.flatMap({ RunMove.list($0) }), let places = state["places"]?.array,
      moves.count == beginning.moves.count + places.count, moves.starts(with: beginning.moves), begin()
    else { return false }
    isStarted = true
    for (place, move) in zip(places, moves.dropFirst(beginning.moves.count)) {
      guard let parts = place.array, parts.count == 3, let sleeping = Move.list(parts[0]), let takesAll = parts[1].bool,
        let tree = WakeupTree(parts[2])
      else { return false }
      system.look(after: trail.events.last?.actor ?? -1, into: &point)
      guard point.enabled.contains(move.actor) else { return false }
      var node = Node(sleeping: sleeping, tree: tree, takesAll: takesAll)
      if point.enabled.count > 1, SnapshotPlaces.contains(nodes.count) { node.snapshot = system.save(reusing: nil) }
      nodes.append(node)
      take(move.actor, move.alternative)
    }
    system.look(after: trail.events.last?.actor ?? -1, into: &point)
    return true
  }
}
