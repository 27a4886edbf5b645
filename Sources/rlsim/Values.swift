import RunLoopEngine
import RunLoopTrace

/// Reads the arguments of options, and says what is wrong with them.
enum Values {
  /// A whole number from `least` on.
  static func count(_ text: String, _ option: String, least: UInt64 = 0) throws(UsageError) -> UInt64 {
    guard let number = UInt64(text), !text.hasPrefix("+") else {
      throw UsageError("--\(option) needs a whole number, not '\(text)'")
    }
    guard number >= least else { throw UsageError("--\(option) needs a number of at least \(least), not \(text)") }
    return number
  }

  /// A seed: decimal, or hexadecimal after `0x`.
  static func seed(_ text: String) throws(UsageError) -> UInt64 {
    let number = text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    guard let number, !text.contains("+") else {
      throw UsageError("--seed needs a whole number from 0 to \(UInt64.max), not '\(text)'")
    }
    return number
  }

  /// A number that may end in K, M, G or T.
  ///
  /// - Parameter unit: what K multiplies by: 1024 for bytes, 1000 for counts.
  static func size(_ text: String, _ option: String, unit: UInt64) throws(UsageError) -> Int {
    let suffixes: [Character: Int] = ["K": 1, "M": 2, "G": 3, "T": 4]
    var digits = text[...]
    var power = 0
    if let last = text.last, let suffix = suffixes[Character(last.uppercased())] {
      power = suffix
      digits = text.dropLast()
    }
    guard var number = UInt64(digits), !digits.hasPrefix("+") else {
      throw UsageError("--\(option) needs a whole number that may end in K, M, G or T, not '\(text)'")
    }
    for _ in 0..<power {
      let (product, overflow) = number.multipliedReportingOverflow(by: unit)
      number = overflow ? .max : product
    }
    guard number > 0 else { throw UsageError("--\(option) needs a number of at least 1, not \(text)") }
    guard number <= UInt64(Int.max) else { throw UsageError("--\(option) is too large: \(text)") }
    return Int(number)
  }

  /// Seconds from the start of the run; `inf` means never.
  static func seconds(_ text: String, _ option: String) throws(UsageError) -> Nanoseconds {
    guard let number = Double(text), !number.isNaN, number >= 0 else {
      throw UsageError("--\(option) needs a number of seconds, 0 or more, not '\(text)'")
    }
    return Nanoseconds(seconds: number)
  }

  /// A finite number more than 0.
  static func positive(_ text: String, _ option: String) throws(UsageError) -> Double {
    guard let number = Double(text), number.isFinite, number > 0 else {
      throw UsageError("--\(option) needs a number more than 0, not '\(text)'")
    }
    return number
  }

  /// What a measured time is multiplied by, or compared with: beyond a million, either way, nobody can wait for it, and
  /// nanoseconds cannot hold it.
  static func factor(_ text: String, _ option: String) throws(UsageError) -> Double {
    let number = try positive(text, option)
    guard number >= 1e-6, number <= 1e6 else {
      throw UsageError("--\(option) needs a number from 0.000001 to 1000000, not '\(text)'")
    }
    return number
  }

  /// A list of event categories.
  static func categories(_ text: String, _ option: String) throws(UsageError) -> EventCategories {
    do throws(UnknownCategory) {
      return try EventCategories(list: text)
    } catch {
      throw UsageError("--\(option): \(error.message)")
    }
  }

  /// One of some words.
  static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ text: String, _ option: String
  ) throws(UsageError) -> Choice {
    guard let choice = Choice(rawValue: text) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("--\(option) knows \(words), not '\(text)'")
    }
    return choice
  }
}

/// When something that suits a terminal is done.
enum When: String, CaseIterable, Sendable {
  case auto, always, never

  /// Reads an optional argument; without one: always.
  init(_ text: String, _ option: String) throws(UsageError) {
    self = text.isEmpty ? .always : try Values.choice(text, option)
  }

  /// The decision.
  ///
  /// - Parameter automatic: what `auto` means here.
  func decide(_ automatic: Bool) -> Bool {
    switch self {
    case .auto: automatic
    case .always: true
    case .never: false
    }
  }
}
