/// The first difference of two traces in one sentence: time, thread, event.
func firstDifference(_ diff: UnifiedDiff) -> String? {
  guard let (line, old, new) = diff.first else { return nil }
  let place = "first difference in line \(line):"
  switch (old, new) {
  case (let old?, let new?): return "\(place) expected \(tell(old)), got \(tell(new))"
  case (let old?, nil): return "\(place) expected \(tell(old)), got the end of the trace"
  case (nil, let new?): return "\(place) expected the end of the trace, got \(tell(new))"
  case (nil, nil): return nil
  }
}

/// A line of a trace in the order in which one says it: the event, then where and when.
private func tell(_ line: String) -> String {
  let fields = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
  guard fields.count == 3, fields[0].contains("."), fields[0].allSatisfy({ $0.isNumber || $0 == "." }) else {
    return "'\(line)'"
  }
  let thread = fields[1] == "-" ? "" : " on \(fields[1])"
  return "'\(fields[2])'\(thread) at \(fields[0])"
}
