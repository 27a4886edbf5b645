/// First in, first out.
///
/// The first element is taken by moving on where the queue begins: an array would move all those behind it.
struct Queue<Element: Equatable & Sendable>: Equatable, Sendable {
  /// Those that were taken, and behind them those that wait.
  private var elements: [Element] = []
  private var start = 0

  @inline(__always) var isEmpty: Bool { start == elements.count }
  @inline(__always) var count: Int { elements.count - start }

  /// Those that wait, the longest first.
  var waiting: ArraySlice<Element> { elements[start...] }

  static func == (a: Queue, b: Queue) -> Bool { a.waiting == b.waiting }

  mutating func append(_ element: Element) { elements.append(element) }

  /// Takes the one that waited longest. There is one.
  ///
  /// - Complexity: O(1) amortised.
  mutating func removeFirst() -> Element {
    let element = elements[start]
    start += 1
    if isEmpty {
      empty()
    } else if start >= 16, start * 2 >= elements.count {
      // As many were taken as are left to be moved.
      elements.removeSubrange(..<start)
      start = 0
    }
    return element
  }

  /// Takes out an element, wherever it stands.
  ///
  /// - Complexity: O(n); O(1) for the first.
  mutating func remove(_ element: Element) {
    guard let place = waiting.firstIndex(of: element) else { return }
    if place == start { _ = removeFirst() } else { elements.remove(at: place) }
  }

  mutating func empty() {
    elements.empty()
    start = 0
  }
}
