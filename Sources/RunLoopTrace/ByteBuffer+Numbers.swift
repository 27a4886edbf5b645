/// "00" to "99", to write two digits at a time.
private let digitPairs: StaticString = """
  00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354555657\
  585960616263646566676869707172737475767778798081828384858687888990919293949596979899
  """

extension ByteBuffer {
  /// Appends a whole number.
  public mutating func append(decimal number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(decimal: number.magnitude)
  }

  /// Appends a whole number.
  public mutating func append(decimal number: UInt64) { advance(writeDecimal(number, to: room(20))) }

  /// Appends nanoseconds as seconds with all nine decimals.
  public mutating func append(seconds nanoseconds: Int64) {
    if nanoseconds < 0 { append(UInt8(ascii: "-")) }
    let magnitude = nanoseconds.magnitude
    append(decimal: magnitude / 1_000_000_000)
    writeFraction(UInt32(truncatingIfNeeded: magnitude % 1_000_000_000), to: room(10))
    advance(10)
  }
}

/// Writes a whole number.
///
/// - Returns: how many digits it has, 20 at most.
func writeDecimal(_ number: UInt64, to place: UnsafeMutablePointer<UInt8>) -> Int {
  var length = 1
  var limit: UInt64 = 10
  while number >= limit {
    length &+= 1
    if length == 20 { break }
    limit &*= 10
  }
  let pairs = digitPairs.utf8Start
  var index = length
  var rest = number
  while rest >= 100 {
    index &-= 2
    copyPair(pairs, UInt32(truncatingIfNeeded: rest % 100), place + index)
    rest /= 100
  }
  if rest >= 10 {
    copyPair(pairs, UInt32(truncatingIfNeeded: rest), place)
  } else {
    place[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest)
  }
  return length
}

/// Writes "." and nine digits.
@inline(__always)
func writeFraction(_ fraction: UInt32, to place: UnsafeMutablePointer<UInt8>) {
  let pairs = digitPairs.utf8Start
  let high = fraction / 10_000
  let low = fraction % 10_000
  let top = high / 10_000
  let middle = high % 10_000
  place[0] = UInt8(ascii: ".")
  place[1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: top)
  copyPair(pairs, middle / 100, place + 2)
  copyPair(pairs, middle % 100, place + 4)
  copyPair(pairs, low / 100, place + 6)
  copyPair(pairs, low % 100, place + 8)
}

@inline(__always)
private func copyPair(_ pairs: UnsafePointer<UInt8>, _ number: UInt32, _ place: UnsafeMutablePointer<UInt8>) {
  let index = Int(number) &* 2
  place[0] = pairs[index]
  place[1] = pairs[index &+ 1]
}
