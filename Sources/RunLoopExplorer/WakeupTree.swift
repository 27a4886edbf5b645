/// Sequences of steps that have to be explored from some point on, as a tree whose branches are taken from left to right
/// (wakeup trees: Abdulla, Aronis, Jonsson and Sagonas, "Source Sets").
struct WakeupTree {
  /// Steps one after the other, and what follows them: so a plan of many steps is no deeper than one of a few.
  struct Branch {
    /// The last step first; at least one.
    fileprivate var moves: [Move]
    var rest: WakeupTree
    /// The first step.
    var move: Move { moves[moves.count - 1] }
    /// Whether a race has led to it.
    var isPlanned: Bool { !move.footprint.accesses.isEmpty }
  }

  private(set) var branches: [Branch] = []

  var isEmpty: Bool { branches.isEmpty }

  /// Takes the first branch: its first step, and what follows that.
  mutating func popFirst() -> Branch? {
    guard !branches.isEmpty else { return nil }
    var branch = branches.removeFirst()
    guard branch.moves.count > 1, let move = branch.moves.popLast() else { return branch }
    var rest = WakeupTree()
    rest.branches = [branch]
    return Branch(moves: [move], rest: rest)
  }

  /// Adds one step as a branch of its own.
  mutating func add(_ move: Move) { branches.append(Branch(moves: [move], rest: WakeupTree())) }

  /// The same, before all others.
  mutating func addFirst(_ move: Move) { branches.insert(Branch(moves: [move], rest: WakeupTree()), at: 0) }

  /// Adds a sequence, unless a branch leads to all its continuations anyway.
  mutating func insert(_ sequence: consuming Sequence, _ trail: borrowing Trail) {
    if sequence.isEmpty { return }
    for index in branches.indices where sequence.remove(branches[index].move, trail) {
      branches[index].insert(sequence, trail)
      return
    }
    branches.append(sequence.branch(trail))
  }

  /// Steps of a trail, in an order that it allows, and perhaps a last one that was never taken.
  struct Sequence {
    /// Places in the trail.
    var events: [Int32]
    var pending: Move?
    /// The last of them, which comes earlier than it did: in how many ways it can go there is not known.
    var open: Int32 = -1

    var isEmpty: Bool { events.isEmpty && pending == nil }

    /// What a step is to a sequence in which it can come first.
    private enum Beginning {
      /// One of its steps, at this place, that depends on none before it.
      case step(Int)
      /// The one that was never taken.
      case pending
      /// None of them, and it depends on none.
      case independent
    }

    /// What a step is to the sequence; nil when it cannot come first.
    private func beginning(_ move: Move, _ trail: borrowing Trail) -> Beginning? {
      for place in events.indices where trail.events[Int(events[place])].actor == move.actor {
        let event = Int(events[place])
        guard event == Int(open) || trail.events[event].alternative == move.alternative else { return nil }
        for before in events[..<place] {
          let earlier = Int(before)
          // What it touches when it comes first, which need not be what it has touched here.
          if trail.isKnown(earlier, to: event) || move.footprint.conflicts(with: trail.accesses(of: earlier)) {
            return nil
          }
        }
        return .step(place)
      }
      if let pending, pending.actor == move.actor {
        for before in events {
          let earlier = Int(before)
          if trail.isKnown(earlier, toActor: pending.actor)
            || move.footprint.conflicts(with: trail.accesses(of: earlier))
          {
            return nil
          }
        }
        return .pending
      }
      for event in events where move.footprint.conflicts(with: trail.accesses(of: Int(event))) { return nil }
      if let pending, pending.footprint.conflicts(with: move.footprint) { return nil }
      return .independent
    }

    /// Takes a step out that can come first, when it is one of these. false, and no change, when it cannot.
    mutating func remove(_ move: Move, _ trail: borrowing Trail) -> Bool {
      switch beginning(move, trail) {
      case nil: return false
      case .step(let place): events.remove(at: place)
      case .pending: pending = nil
      case .independent: break
      }
      return true
    }

    /// Whether a step can come first.
    func canBegin(with move: Move, _ trail: borrowing Trail) -> Bool { beginning(move, trail) != nil }

    /// All steps, one after the other.
    func branch(_ trail: borrowing Trail) -> Branch {
      var moves = events.map { trail.move(Int($0)) }
      if open >= 0, events.last == open {
        moves[moves.count - 1].alternative = 0
        moves[moves.count - 1].isOpen = true
      }
      if let pending { moves.append(pending) }
      return Branch(moves: moves.reversed(), rest: WakeupTree())
    }
  }
}

extension WakeupTree.Branch {
  /// Adds what is left of a sequence after the first step.
  fileprivate mutating func insert(_ sequence: consuming WakeupTree.Sequence, _ trail: borrowing Trail) {
    var place = moves.count - 1
    while place > 0 {
      if sequence.isEmpty { return }
      guard sequence.remove(moves[place - 1], trail) else {
        // From here on there are two ways.
        var old = self
        old.moves.removeSubrange(place...)
        moves.removeSubrange(..<place)
        rest = WakeupTree()
        rest.append(old)
        rest.append(sequence.branch(trail))
        return
      }
      place -= 1
    }
    // A leaf stands for all continuations.
    if !rest.isEmpty { rest.insert(sequence, trail) }
  }
}

extension WakeupTree {
  fileprivate mutating func append(_ branch: Branch) { branches.append(branch) }

  /// Adds a step with what follows it.
  private mutating func append(_ move: Move, before rest: consuming WakeupTree) {
    guard rest.branches.count == 1 else { return branches.append(Branch(moves: [move], rest: rest)) }
    rest.branches[0].moves.append(move)
    branches += rest.branches
  }

  /// In one list, for it may be very deep: how many branches there are, then each with its move and what follows.
  var json: JSON {
    var list: [JSON] = [.integer(branches.count)]
    var open: [ArraySlice<Branch>] = [branches[...]]
    while var rest = open.popLast() {
      guard let branch = rest.popFirst() else { continue }
      open.append(rest)
      for place in branch.moves.indices.reversed() {
        list += [branch.moves[place].json, .integer(place > 0 ? 1 : branch.rest.branches.count)]
      }
      open.append(branch.rest.branches[...])
    }
    return .array(list)
  }

  /// Takes what `json` gave; nil when it is something else.
  init?(_ json: JSON) {
    guard let list = json.array, let count = list.first?.integer else { return nil }
    // A tree that is being read, and the move that leads to it.
    var open: [(move: Move?, missing: Int, tree: WakeupTree)] = [(nil, count, WakeupTree())]
    var place = 1
    while true {
      let last = open.count - 1
      if open[last].missing == 0 {
        var done = open.removeLast()
        guard let move = done.move else {
          self = done.tree
          return
        }
        // Taken out, so that it is nobody else's and need not be copied for each step.
        var rest = WakeupTree()
        swap(&rest, &done.tree)
        open[last - 1].tree.append(move, before: consume rest)
        continue
      }
      guard place + 1 < list.count, let move = Move(list[place]), let count = list[place + 1].integer, count >= 0
      else { return nil }
      open[last].missing -= 1
      open.append((move, count, WakeupTree()))
      place += 2
    }
  }
}
