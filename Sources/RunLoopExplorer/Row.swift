/// Rows of numbers by actor, in whole vectors.
enum Row {
  private typealias Vector = SIMD8<Int32>
  /// Numbers in a vector: the least width of a row, which others are multiples of.
  static let count = Vector.scalarCount

  @inline(__always)
  static func copy(_ row: UnsafePointer<Int32>, to other: UnsafeMutablePointer<Int32>, _ width: Int) {
    for place in stride(from: 0, to: width, by: count) { store(load(row + place), other + place) }
  }

  /// Makes of each number the greater one.
  @inline(__always)
  static func join(_ row: UnsafeMutablePointer<Int32>, _ other: UnsafePointer<Int32>, _ width: Int) {
    for place in stride(from: 0, to: width, by: count) {
      store(pointwiseMax(load(row + place), load(other + place)), row + place)
    }
  }

  @inline(__always)
  private static func load(_ place: UnsafePointer<Int32>) -> Vector {
    UnsafeRawPointer(place).loadUnaligned(as: Vector.self)
  }

  @inline(__always)
  private static func store(_ vector: Vector, _ place: UnsafeMutablePointer<Int32>) {
    UnsafeMutableRawPointer(place).storeBytes(of: vector, as: Vector.self)
  }
}
