/// Takes one run of each trace (optimal dynamic partial-order reduction: Abdulla, Aronis, Jonsson and Sagonas, "Source
/// Sets: A Foundation for Optimal Dynamic Partial Order Reduction").
///
/// After each run the races in it are looked for: two steps in conflict with nothing between them. For each, the steps that
/// lead to the other order are put into the wakeup tree of the place where the first of the two was taken, unless some
/// step that was explored there before can come first in them: then that exploration has seen it.
///
/// A lock is a step that can only be taken while the lock is free. Its race is not with the unlock before it, which cannot
/// be reversed, but with the last step before which the lock was free, too.
///
/// What a step touches may depend on what came before (a value that it reads decides what the thread does next), so a step
/// that was planned may turn out to touch something else where it is taken. The tree of that place, and what was not put
/// into it because of what was there, rest on what does not hold then; so everything is taken there that can go on.
struct OptimalReduction<System: Explorable>: Search, ~Copyable {
  struct Node {
    /// Steps explored here, or before, that need not be taken again until something in conflict with them was.
    var sleeping: [Move] = []
    var tree = WakeupTree()
    var snapshot: System.Snapshot?
    /// Whether everything that can go on is taken here: a plan does not hold, or something sleeps of which is not told
    /// here what follows from it, as another part finds that out. It is so up to where nothing of that kind sleeps any
    /// more.
    var takesAll = false

    /// Whether all steps that are planned can be taken, and none sleeps, which would touch less than was known when it was
    /// planned.
    func planHolds(at point: borrowing ChoicePoint) -> Bool {
      for branch in tree.branches {
        if !point.enabled.contains(branch.move.actor) { return false }
        if sleeping.contains(where: { $0.isSame(as: branch.move) }) { return false }
      }
      return true
    }

    /// Everything is taken instead that does not sleep.
    mutating func forgetPlan() {
      tree = WakeupTree()
      sleeping = sleeping.map(\.asForeign)
    }

    /// Adds all who can go on and do not sleep, or the first of them.
    ///
    /// - Parameter taken: who was taken here already.
    mutating func addFree(_ point: borrowing ChoicePoint, but taken: Int32 = -1) {
      for actor in point.enabled where actor != taken && !sleeping.contains(where: { $0.actor == actor }) {
        tree.add(Move(actor: actor, alternative: 0, isOpen: true, footprint: Footprint([])))
        if !takesAll { return }
      }
    }
  }

  private let system: System
  let beginning: Beginning
  private var bound: PreemptionBound?
  var nodes: [Node] = []
  private(set) var trail = Trail()
  private(set) var point = ChoicePoint()
  private var step = StepRecord()
  private var spares: [System.Snapshot] = []
  private var isStarted = false
  // Of the run whose races are looked for: these; and of one of its steps those in conflict with it.
  var races = Stack<Race>()
  var direct = Stack<Int32>()
  var fixed = Stack<Int32>()

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
  /// One is redundant only where everything is taken.
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
    var (sleeping, tree) = (beginning.sleeping, WakeupTree())
    if nodes.count > beginning.moves.count, let pending {
      (sleeping, tree) = (asleep(after: pending), pending.rest)
    }
    while true {
      system.look(after: trail.events.last?.actor ?? -1, into: &point)
      if point.enabled.isEmpty { return .run }
      if bound?.excludes(trail, point) == true { return .beyondBound }
      var node = Node(sleeping: sleeping, tree: tree)
      if !node.planHolds(at: point) { node.forgetPlan() }
      let branch: WakeupTree.Branch
      if let first = node.tree.popFirst() {
        branch = first
      } else {
        node.takesAll = node.sleeping.contains(where: \.isForeign)
        node.addFree(point)
        guard let first = node.tree.popFirst() else { return .redundant }
        branch = first
      }
      if point.enabled.count > 1, SnapshotPlaces.contains(nodes.count) {
        node.snapshot = system.save(reusing: spares.popLast())
      }
      nodes.append(node)
      take(branch)
      (sleeping, tree) = (asleep(after: branch), branch.rest)
    }
  }

  /// The branch along which the step taken last was chosen by going back.
  private var pending: WakeupTree.Branch?

  private mutating func take(_ actor: Int32, _ alternative: Int32) {
    step.clear()
    system.take(actor, alternative, into: &step)
    trail.append(actor, alternative, step, at: point)
  }

  /// Takes the first step of a branch.
  private mutating func take(_ branch: WakeupTree.Branch) {
    take(branch.move.actor, branch.move.alternative)
    guard branch.move.isOpen else { return }
    if branch.isPlanned, !branch.move.footprint.isSame(as: trail.accesses(of: trail.count - 1)) {
      takeAll(but: branch.move.actor)
    }
    addAlternatives()
  }

  /// A step cannot be taken that was planned, or touches something else than was known then: so what was to be explored
  /// here, and what need not be, was taken from what does not hold.
  ///
  /// - Parameter taken: who is being explored here.
  private mutating func takeAll(but taken: Int32 = -1) {
    let place = nodes.count - 1
    nodes[place].takesAll = true
    nodes[place].forgetPlan()
    nodes[place].addFree(point, but: taken)
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

  /// What sleeps after the step taken last.
  private func asleep(after branch: WakeupTree.Branch) -> [Move] {
    let sleeping = awake(nodes[nodes.count - 1].sleeping)
    if sleeping.isEmpty || !branch.move.isOpen || !branch.isPlanned || !branch.rest.isEmpty { return sleeping }
    // What was planned is in conflict with all that sleeps where it begins. So its last step touches less than was known
    // when it was planned, and it need not have been; but since then it stood for others that were to be explored.
    return sleeping.map(\.asForeign)
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
      guard point.enabled.contains(branch.move.actor) else {
        takeAll()
        continue
      }
      take(branch)
      pending = branch
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
