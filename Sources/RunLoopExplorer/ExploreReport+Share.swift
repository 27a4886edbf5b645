#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension ExploreReport {
  /// Takes the figures and findings of what was seen; the findings' schedules are still to be written.
  ///
  /// - Parameter isLeast: whether the least number of preemptions of each finding is known.
  mutating func take(_ share: Share, _ options: ExploreOptions, isLeast: Bool) {
    schedules = share.schedules
    redundant = share.redundant
    brokenOff = share.brokenOff
    cameBack = share.cameBack
    choicePoints = share.choicePoints
    orders = share.orders.estimate
    ordersAreEstimated = !share.orders.isExact
    notes += share.notes.prefix(Recorder.maximumNotes)
    isExhausted = isExhausted && share.brokenOff == 0
    takeTraces(share, options)
    if share.hasMoreFindings || share.findings.count > Share.maximumFindings {
      let most = Share.maximumFindings
      notes.append("there are more than \(most) different findings: the first ones by kind and text are told")
    }
    for observations in share.observationsByCause {
      guard let shown = share.findings[observations[0]] else { continue }
      var finding = Finding(kind: observations[0].kind, details: share.details(of: observations))
      finding.observations = observations
      finding.runs = shown.runs
      finding.interleavings = shown.interleavings.value
      finding.chance = shown.chance.value
      finding.cost = shown.cost
      finding.preemptions = shown.cost.preemptions
      finding.moves = shown.moves
      finding.isLeast = isLeast || shown.cost.preemptions == 0
      findings.append(finding)
    }
    addLockOrder(share)
    if options.strategy == .pct {
      let changes = Double(max(1, options.depth) - 1)
      guarantee = 1 / Double(max(1, share.threadCount)) / pow(Double(max(1, share.longest)), changes)
    }
  }

  private mutating func takeTraces(_ share: Share, _ options: ExploreOptions) {
    var byPreemptions = share.byPreemptions
    if options.reduces, options.strategy == .exhaustive {
      traces = share.traceCount
      interleavings = share.interleavings.value
      seenShare = share.chance.value
    } else {
      traces = share.traces.estimate
      tracesAreEstimated = !share.traces.isExact
      var counts = Share()
      let weight = share.traces.weight
      share.traces.visit { _, figures in
        counts.countTrace(preemptions: figures.preemptions, times: weight)
        counts.interleavings.add(figures.interleavings * Double(weight))
        counts.chance.add(figures.chance * Double(weight))
      }
      byPreemptions = counts.byPreemptions
      let isExhaustive = options.strategy == .exhaustive
      // Of runs by chance, what their traces stand for is known only where those interleavings are the same.
      interleavings =
        isExhaustive ? share.interleavings.value : options.reduces ? counts.interleavings.value : .infinity
      seenShare = isExhaustive ? share.chance.value : counts.chance.value
    }
    var sum = 0
    for count in byPreemptions {
      sum += count
      cumulative.append(sum)
    }
    if cumulative.isEmpty { cumulative = [0] }
  }

  private mutating func addLockOrder(_ share: Share) {
    let mark = "waits=lock:"
    let deadlocks = findings.filter { $0.kind == "deadlock" }.map { finding in
      Set(
        finding.details.flatMap { $0.split(separator: " ") }.filter { $0.hasPrefix(mark) }
          .map { String($0.dropFirst(mark.count)) })
    }
    for circle in share.lockOrder.circles(besides: deadlocks) {
      var finding = Finding(kind: circle.kind, details: circle.details)
      finding.runs = schedules
      findings.append(finding)
    }
  }

  /// Comes to the verdict.
  mutating func judge(_ share: Share, _ options: ExploreOptions) {
    findings.sort { ($0.cost, $0.kind, $0.details.joined()) < ($1.cost, $1.kind, $1.details.joined()) }
    if share.leftSomethingOut, isExhausted, let bound = options.maximumPreemptions {
      isExhausted = false
      reason = "only interleavings with at most \(bound) preemptions were asked for"
    }
    // Where every interleaving was seen, and each shows it, no step is to be looked for.
    if isExhausted, shard == nil {
      for index in findings.indices where findings[index].runs == schedules && !findings[index].schedule.isEmpty {
        if findings[index].kind != "dataRace" { findings[index].criticalStep = CriticalStep.none }
      }
    }
    if !findings.isEmpty {
      verdict = .fails
    } else if brokenOff > 0 {
      if reason.isEmpty { reason = brokenOffText(share, options) }
    } else if !share.hadChoice, reason.isEmpty, schedules > 0 {
      reason = "nothing to explore: no two threads ever had a choice"
    } else if isExhausted {
      verdict = .holds
    }
  }

  private func brokenOffText(_ share: Share, _ options: ExploreOptions) -> String {
    let runs = brokenOff == 1 ? "1 run" : "\(brokenOff) runs"
    if let message = share.limitMessage { return "\(runs) reached a limit: \(message)" }
    return
      "\(runs) \(brokenOff == 1 ? "was" : "were") broken off after \(options.maximumSteps) steps (--max-steps); some "
      + "schedules may never end"
  }
}
