// The races of a run, and what has to be explored for them.
extension OptimalReduction {
  /// Puts the other order of each race of this run where it has to be explored.
  mutating func noteRaces() {
    races.shorten(to: 0)
    for event in 0..<trail.count { findRaces(of: event) }
    for index in races.indices { reverse(Int(races[index].first), second: Int(races[index].second)) }
    for late in point.cutOff {
      guard let first = lastChance(of: late) else { continue }
      let accesses = [Touch(Touch.everything, changes: true)]
      reverse(first, Move(actor: late.actor, alternative: 0, isOpen: true, footprint: Footprint(accesses)))
    }
    for blocked in point.blocked {
      guard let first = rival(of: blocked.need, before: trail.accessCount, blocked.actor, event: -1) else { continue }
      let accesses = [Touch(blocked.need.object, changes: true)]
      reverse(first, Move(actor: blocked.actor, alternative: 0, isOpen: true, footprint: Footprint(accesses)))
    }
  }

  /// The step before which one has to be tried that the end of the run has cut off: the last, unless what it needs was not
  /// free there.
  private func lastChance(of late: CutOffActor) -> Int? {
    let last = trail.count - 1
    guard last >= 0, trail.events[last].actor != late.actor else { return nil }
    guard let need = late.need, let access = trail.accesses(of: last).first(where: { $0.object == need.object }),
      access.availableBefore & need.bits != need.bits
    else { return last }
    return rival(of: need, before: trail.accessCount, late.actor, event: -1)
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
}
