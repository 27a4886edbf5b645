import Testing

@testable import RunLoopTrace

@Suite struct NumberTests {
  private func seconds(_ nanoseconds: Int64) -> String {
    var buffer = ByteBuffer()
    buffer.append(seconds: nanoseconds)
    return buffer.text()
  }

  @Test func secondsHaveNineDecimals() {
    #expect(seconds(0) == "0.000000000")
    #expect(seconds(1) == "0.000000001")
    #expect(seconds(999_999_999) == "0.999999999")
    #expect(seconds(1_000_000_000) == "1.000000000")
    #expect(seconds(1_203_045_067_080) == "1203.045067080")
    #expect(seconds(-1) == "-0.000000001")
    #expect(seconds(.max) == "9223372036.854775807")
    #expect(seconds(.min) == "-9223372036.854775808")
  }

  /// Each pair of digits at each place.
  @Test func everyPairOfDigitsIsRight() {
    for pair in 0..<100 {
      for scale in [1, 100, 10_000, 1_000_000] {
        let number = pair * scale
        let digits = "\(number)"
        #expect(seconds(Int64(number)) == "0." + String(repeating: "0", count: 9 - digits.count) + digits)
      }
    }
  }

  @Test func wholeNumbers() {
    for number in [0, 9, 10, 99, 100, 12_345, Int64.max, -1, -10, Int64.min] {
      var buffer = ByteBuffer()
      buffer.append(decimal: number)
      #expect(buffer.text() == "\(number)")
    }
  }

  @Test func numbersOfEveryLength() {
    var power: UInt64 = 1
    for _ in 0..<20 {
      for number in [power - 1, power, power + 1, power &* 9, power &* 9 &+ 87] {
        var buffer = ByteBuffer()
        buffer.append(decimal: number)
        #expect(buffer.text() == "\(number)")
      }
      power &*= 10
    }
    var buffer = ByteBuffer()
    buffer.append(decimal: UInt64.max)
    #expect(buffer.text() == "18446744073709551615")
  }

  @Test func bufferGrowsAndKeepsItsBytes() {
    var buffer = ByteBuffer(capacity: 1)
    for number in 0..<1000 { buffer.append(decimal: Int64(number)) }
    #expect(buffer.text() == (0..<1000).map { "\($0)" }.joined())
    buffer.truncate(to: 3)
    #expect(buffer.text() == "012")
  }
}
