/// The items that a loop adds to each of its common modes, in order of adding.
struct CommonItems: Equatable, Sendable {
  /// nil: taken out. Fewer than half of them are, or a handful.
  private var items: [Item?] = []
  private var places: [Item: Int] = [:]

  /// The items in order of adding.
  var inOrder: some Sequence<Item> { items.lazy.compactMap(\.self) }

  static func == (a: CommonItems, b: CommonItems) -> Bool { a.inOrder.elementsEqual(b.inOrder) }

  func contains(_ item: Item) -> Bool { places[item] != nil }

  /// Adds an item at the end, unless it is one of them.
  ///
  /// - Complexity: O(1) amortised.
  mutating func add(_ item: Item) {
    guard places[item] == nil else { return }
    places[item] = items.count
    items.append(item)
  }

  /// Takes an item out; false when it was none of them.
  ///
  /// - Complexity: O(1) amortised.
  @discardableResult
  mutating func remove(_ item: Item) -> Bool {
    guard let place = places.removeValue(forKey: item) else { return false }
    items[place] = nil
    if items.count > 2 * places.count + 8 { closeGaps() }
    return true
  }

  private mutating func closeGaps() {
    items.removeAll { $0 == nil }
    for (place, item) in items.enumerated() { if let item { places[item] = place } }
  }
}
