/// Which lines of two texts have to go and to come so that one becomes the other.
///
/// Myers' greedy algorithm, with the equal beginning and end taken off first. Where the texts have little in common the
/// search is cut into stretches of at most `maximumCost` changes: the result is then right and may not be the shortest.
struct LineDiff {
  /// A stretch of lines that are replaced; either range may be empty.
  struct Change: Equatable {
    var old: Range<Int>
    var new: Range<Int>
  }

  /// All changes, from the top.
  private(set) var changes: [Change] = []

  private let old: [Int32]
  private let new: [Int32]
  private var isRemoved: [Bool]
  private var isAdded: [Bool]

  static let maximumCost = 512

  /// Compares two texts, given as lines.
  ///
  /// - Complexity: O(n) for equal texts, O(n · `maximumCost`) at most.
  init(_ oldLines: [Substring.UTF8View], _ newLines: [Substring.UTF8View]) {
    var numbers: [ArraySlice<UInt8>: Int32] = [:]
    func number(_ lines: [Substring.UTF8View]) -> [Int32] {
      lines.map { line in
        let key = ArraySlice(line)
        if let known = numbers[key] { return known }
        numbers[key] = Int32(numbers.count)
        return Int32(numbers.count - 1)
      }
    }
    self.init(number(oldLines), number(newLines))
  }

  /// Compares two texts, given as a number for each line.
  init(_ old: [Int32], _ new: [Int32]) {
    self.old = old
    self.new = new
    isRemoved = [Bool](repeating: false, count: old.count)
    isAdded = [Bool](repeating: false, count: new.count)
    var start = 0
    while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
    var oldEnd = old.count
    var newEnd = new.count
    while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
    }
    var place = (start, start)
    while place != (oldEnd, newEnd) { place = advance(from: place, to: (oldEnd, newEnd)) }
    collectChanges()
  }

  /// Marks the changes of one stretch.
  ///
  /// - Returns: where it ends.
  private mutating func advance(from: (x: Int, y: Int), to: (x: Int, y: Int)) -> (Int, Int) {
    let width = to.x - from.x
    let height = to.y - from.y
    let limit = min(Self.maximumCost, width + height)
    // furthest[k + limit + 1]: how far down the old text one gets on diagonal k (old minus new lines).
    var furthest = [Int](repeating: -1, count: 2 * limit + 3)
    furthest[limit + 2] = 0
    var history: [[Int]] = []
    for cost in 0...limit {
      history.append(furthest)
      for diagonal in stride(from: -cost, through: cost, by: 2) {
        let index = diagonal + limit + 1
        let down = diagonal == -cost || (diagonal != cost && furthest[index - 1] < furthest[index + 1])
        var x = down ? furthest[index + 1] : furthest[index - 1] + 1
        var y = x - diagonal
        if x > width || y > height || x < 0 || y < 0 {
          // Outside of the texts: a dead end, kept out of the way.
          furthest[index] = Int.min / 2
          continue
        }
        while x < width, y < height, old[from.x + x] == new[from.y + y] {
          x += 1
          y += 1
        }
        furthest[index] = x
        if x == width && y == height { return mark(from, diagonal, cost, limit, history, x) }
      }
    }
    var best = (diagonal: 0, x: 0, sum: -1)
    for diagonal in stride(from: -limit, through: limit, by: 2) {
      let x = furthest[diagonal + limit + 1]
      if x >= 0, 2 * x - diagonal > best.sum { best = (diagonal, x, 2 * x - diagonal) }
    }
    return mark(from, best.diagonal, limit, limit, history, best.x)
  }

  /// Goes back over the history of a search and marks the lines of its path.
  private mutating func mark(
    _ from: (x: Int, y: Int), _ end: Int, _ cost: Int, _ limit: Int, _ history: [[Int]], _ endX: Int
  ) -> (Int, Int) {
    var diagonal = end
    for step in stride(from: cost, to: 0, by: -1) {
      let furthest = history[step]
      let index = diagonal + limit + 1
      if diagonal == -step || (diagonal != step && furthest[index - 1] < furthest[index + 1]) {
        diagonal += 1
        isAdded[from.y + furthest[index + 1] - diagonal] = true
      } else {
        diagonal -= 1
        isRemoved[from.x + furthest[index - 1]] = true
      }
    }
    return (from.x + endX, from.y + endX - end)
  }

  private mutating func collectChanges() {
    var x = 0
    var y = 0
    while x < old.count || y < new.count {
      let start = (x, y)
      while x < old.count, isRemoved[x] { x += 1 }
      while y < new.count, isAdded[y] { y += 1 }
      if (x, y) == start {
        x += 1
        y += 1
      } else {
        changes.append(Change(old: start.0..<x, new: start.1..<y))
      }
    }
  }
}
