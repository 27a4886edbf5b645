/// Which values of a script may be the same: cells that hold values, put together wherever one is given to another
/// (B. Steensgaard, "Points-to Analysis in Almost Linear Time"). What is in a table is one cell, whatever the key.
///
/// Rather too many are held to be the same than too few.
struct LuaFlow {
  private var parents: [Int] = []
  /// By the cell that stands for others: the cell of what its tables hold, -1: nobody has asked.
  private var contents: [Int] = []
  /// The functions that it may hold.
  private var functions: [Set<Int>] = []
  /// Whether it may hold a table of the script's.
  private var tables: [Bool] = []
  /// How often something new was learned.
  private(set) var changes = 0

  /// A cell without anything in it.
  mutating func make() -> Int {
    parents.append(parents.count)
    contents.append(-1)
    functions.append([])
    tables.append(false)
    return parents.count - 1
  }

  mutating func makeTable() -> Int {
    let cell = make()
    tables[cell] = true
    return cell
  }

  mutating func make(function: Int) -> Int {
    let cell = make()
    functions[cell] = [function]
    return cell
  }

  /// The cell that stands for all that are the same.
  func root(_ cell: Int) -> Int {
    var cell = cell
    while parents[cell] != cell { cell = parents[cell] }
    return cell
  }

  func holdsTable(_ cell: Int) -> Bool { tables[root(cell)] }
  func functions(in cell: Int) -> Set<Int> { cell < 0 ? [] : functions[root(cell)] }

  mutating func noteTable(_ cell: Int) { tables[root(cell)] = true }

  /// The cell of what the tables hold that are in a cell; -1 of no cell.
  mutating func content(of cell: Int) -> Int {
    guard cell >= 0 else { return -1 }
    let root = root(cell)
    if contents[root] < 0 {
      let content = make()
      contents[root] = content
    }
    return contents[root]
  }

  /// Holds what two cells have for the same. No cell, -1, has nothing.
  mutating func join(_ a: Int, _ b: Int) {
    var pairs = [(a, b)]
    while let (a, b) = pairs.popLast() {
      guard a >= 0, b >= 0 else { continue }
      var (root, other) = (self.root(a), self.root(b))
      if root == other { continue }
      if functions[root].count < functions[other].count { swap(&root, &other) }
      changes += 1
      parents[other] = root
      functions[root].formUnion(functions[other])
      functions[other] = []
      tables[root] = tables[root] || tables[other]
      if contents[root] < 0 {
        contents[root] = contents[other]
      } else if contents[other] >= 0 {
        pairs.append((contents[root], contents[other]))
      }
      // So ways to the root stay short.
      (parents[a], parents[b]) = (root, root)
    }
  }

  /// Holds all for the same that can be reached from a cell.
  mutating func flatten(_ cell: Int) {
    guard cell >= 0 else { return }
    join(cell, content(of: cell))
  }

  /// The cells that can be reached from some, these among them.
  func reachable(from cells: some Sequence<Int>) -> Set<Int> {
    var reached: Set<Int> = []
    var open = cells.map { root($0) }
    while let cell = open.popLast() {
      guard reached.insert(cell).inserted, contents[cell] >= 0 else { continue }
      open.append(root(contents[cell]))
    }
    return reached
  }
}
