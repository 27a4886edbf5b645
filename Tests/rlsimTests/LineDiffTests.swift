import Testing

@testable import rlsim

@Suite struct LineDiffTests {
  /// The number of lines that two texts have in common, by the textbook.
  private func common(_ a: [Int32], _ b: [Int32]) -> Int {
    var table = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in 0..<a.count {
      for j in 0..<b.count {
        table[i + 1][j + 1] = a[i] == b[j] ? table[i][j] + 1 : max(table[i][j + 1], table[i + 1][j])
      }
    }
    return table[a.count][b.count]
  }

  /// What becomes of the old text when the changes are made.
  private func apply(_ changes: [LineDiff.Change], _ old: [Int32], _ new: [Int32]) -> [Int32] {
    var result: [Int32] = []
    var place = 0
    for change in changes {
      result += old[place..<change.old.lowerBound]
      result += new[change.new]
      place = change.old.upperBound
    }
    return result + old[place...]
  }

  @Test func everyPairOfShortTextsIsComparedRightAndShortest() {
    var texts: [[Int32]] = [[]]
    for length in 1...4 {
      for code in 0..<81 where length == 4 || code < [3, 9, 27][length - 1] {
        texts.append((0..<length).map { Int32(code / [1, 3, 9, 27][$0] % 3) })
      }
    }
    for old in texts {
      for new in texts {
        let changes = LineDiff(old, new).changes
        let cost = changes.reduce(0) { $0 + $1.old.count + $1.new.count }
        guard apply(changes, old, new) == new, cost == old.count + new.count - 2 * common(old, new) else {
          Issue.record("\(old) to \(new): \(changes)")
          return
        }
      }
    }
  }

  @Test func longTextsWithLittleInCommonAreComparedRightAndSoon() {
    var state: UInt64 = 1
    func random(_ below: UInt64) -> Int32 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int32((state >> 33) % below)
    }
    for below in [2, 50, 1_000_000] as [UInt64] {
      let old = (0..<20_000).map { _ in random(below) }
      let new = (0..<15_000).map { _ in random(below) }
      #expect(apply(LineDiff(old, new).changes, old, new) == new)
    }
  }

  @Test func aChangeInALongTextIsFoundAlone() {
    let old = (0..<100_000).map { Int32($0) }
    var new = old
    new[50_000] = -1
    new.remove(at: 70_000)
    #expect(
      LineDiff(old, new).changes == [
        LineDiff.Change(old: 50_000..<50_001, new: 50_000..<50_001),
        LineDiff.Change(old: 70_000..<70_001, new: 70_000..<70_000),
      ])
  }
}
