import RunLoopEngine

/// What a run does about states that come back.
extension ScriptRun {
  /// Whether a state has come back, without a step of the clock or a callout since.
  func lookForCircle() {
    returnedTo = nil
    let progress = session.simulation.progress
    if progress != record.progress {
      record.progress = progress
      record.calmSince = record.depth
      if record.pursuit != nil { record.isCut = true }
    }
    guard watch.isOn(record.depth - record.calmSince, of: maximumSteps) else { return }
    var enabled = ActorSet()
    for candidate in session.candidates() where candidate.isEnabled { enabled.insert(candidate.thread.rawValue + 1) }
    if session.clockCanMove { enabled.insert(clockActor) }
    watch.note(session.mark(), enabled, depth: record.depth)
    if let pursuit = record.pursuit { return pursue(pursuit) }
    guard let first = watch.firstSame(depth: record.depth, since: record.calmSince) else { return }
    watch.hasSeenOne = true
    returnedTo = first
    close(first)
  }

  /// A state came back: the steps since are a circle. When everybody who could go on has had a turn, it may go on for
  /// ever; when not, those who had none get theirs.
  private func close(_ first: Int) {
    let turns = ActorSet(taken[first..<record.depth].map(\.actor))
    let left = watch.enabled(from: first, to: record.depth).subtracting(turns)
    if left.isEmpty {
      guard watch.endsInLivelock else { return }
      session.simulation.endInLivelock(Circle.words(taken[first..<record.depth], self))
      record.pursuit = nil
      record.outcome = session.advanceToChoice()
      drain()
    } else if watch.cutsReturns {
      if let next = left.first(in: watch.enabled(from: record.depth, to: record.depth + 1)) {
        record.pursuit = Pursuit(base: first, actor: next)
      } else {
        record.pursuit = nil
        record.isCut = true
      }
    }
  }

  private func pursue(_ pursuit: Pursuit) {
    if watch.isSame(pursuit.base, record.depth) { return close(pursuit.base) }
    record.pursuit?.steps += 1
    if pursuit.steps >= Pursuit.patience { record.isCut = true }
  }
}
