import RunLoopScript

/// One interleaving as a line of text: `rls1:` and letters.
///
/// It holds for each step which of those who could go on took it, as its place in the default order, and which way it
/// went. Past its end the default policy goes on, so steps at the end that it would take anyway are left out, and any
/// beginning is a schedule too.
public struct Schedule: Equatable, Sendable {
  /// For each step, the place of who took it among those who could, plus their number times the way that the step went.
  public var symbols: [UInt32]
  public var settings: Settings
  /// Of the script and the options that decide what happens.
  public var digest: UInt32

  /// What the choices were made from.
  public struct Settings: Equatable, Sendable {
    public var timeIsFree = false
    public var isUnfair = false
    public var spuriousWakeups = 0
    public init() {}
  }

  public init(symbols: [UInt32], settings: Settings, digest: UInt32) {
    self.symbols = symbols
    self.settings = settings
    self.digest = digest
    while self.symbols.last == 0 { self.symbols.removeLast() }
  }

  /// What is wrong with the text of a schedule.
  public struct Unreadable: Error, Equatable, Sendable {
    public var message: String
    public init(message: String) { self.message = message }
  }

  private static let prefix = "rls1:"

  // MARK: Text

  public var text: String {
    var bytes: [UInt8] = []
    for shift in stride(from: 24, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: digest >> UInt32(shift)))
    }
    bytes.append(UInt8((settings.timeIsFree ? 1 : 0) | (settings.isUnfair ? 2 : 0)))
    VariableLength.append(UInt64(settings.spuriousWakeups), to: &bytes)
    var zeros: UInt64 = 0
    for symbol in symbols {
      if symbol == 0 {
        zeros += 1
      } else {
        VariableLength.append(zeros, to: &bytes)
        VariableLength.append(UInt64(symbol), to: &bytes)
        zeros = 0
      }
    }
    let sum = FNVHash.short(bytes)
    bytes += [
      UInt8(truncatingIfNeeded: sum >> 16), UInt8(truncatingIfNeeded: sum >> 8), UInt8(truncatingIfNeeded: sum),
    ]
    return Self.prefix + Base32.encode(bytes)
  }

  /// Reads the text of a schedule; white space in it does not matter.
  public init(text: String) throws(Unreadable) {
    let letters = String(text.unicodeScalars.filter { !$0.properties.isWhitespace }.map(Character.init))
    guard letters.hasPrefix(Self.prefix) else {
      if letters.hasPrefix("rls"), let colon = letters.firstIndex(of: ":") {
        throw Unreadable(message: "the schedule is of version '\(letters[..<colon])'; this rlsim reads rls1")
      }
      throw Unreadable(message: "this is no schedule: it does not begin with 'rls1:'")
    }
    let bytes: [UInt8]
    do throws(Base32.BadCharacter) {
      bytes = try Base32.decode(letters.dropFirst(Self.prefix.count))
    } catch {
      throw Unreadable(message: "the schedule is mistyped or cut short: '\(error.character)' cannot stand there")
    }
    guard bytes.count >= 9 else { throw Unreadable(message: "the schedule is cut short") }
    let body = Array(bytes.dropLast(3))
    let sum = bytes.suffix(3).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard sum == FNVHash.short(body) else {
      throw Unreadable(message: "the schedule is mistyped or cut short: its check sum does not fit")
    }
    var settings = Settings()
    settings.timeIsFree = body[4] & 1 != 0
    settings.isUnfair = body[4] & 2 != 0
    var place = 5
    var numbers: [UInt64] = []
    while place < body.count {
      guard let number = VariableLength.read(body, &place) else { throw Unreadable(message: "the schedule is damaged") }
      numbers.append(number)
    }
    guard numbers.count % 2 == 1, numbers.allSatisfy({ $0 <= UInt64(UInt32.max) }) else {
      throw Unreadable(message: "the schedule is damaged")
    }
    settings.spuriousWakeups = Int(numbers[0])
    var symbols: [UInt32] = []
    for index in stride(from: 1, to: numbers.count, by: 2) {
      guard symbols.count + Int(numbers[index]) < 1 << 26 else { throw Unreadable(message: "the schedule is damaged") }
      symbols += Array(repeating: 0, count: Int(numbers[index]))
      symbols.append(UInt32(numbers[index + 1]))
    }
    let digest = body[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    self.init(symbols: symbols, settings: settings, digest: digest)
  }

  /// A number for a script with the options that decide what happens in it.
  public static func digest(of options: ScriptOptions) -> UInt32 {
    var hash = FNVHash()
    func mix(_ bytes: some Sequence<UInt8>) {
      hash.add(bytes)
      hash.add(0xFF)
    }
    // The rules of what a step is: with others, the same choices mean something else.
    mix("steps 2".utf8)
    mix(options.source)
    mix((options.profileIsFixed ? options.configuration.profile.rawValue : "").utf8)
    mix("\(options.configuration.seed ?? 0) \(options.configuration.until)".utf8)
    for argument in options.arguments { mix(argument.utf8) }
    for text in options.requiredTexts { mix(text) }
    return hash.folded
  }
}

extension Schedule {
  /// The schedule of a run that was taken.
  static func symbols(of trail: borrowing Trail) -> [UInt32] {
    var symbols: [UInt32] = []
    for index in 0..<trail.count {
      let event = trail.events[index]
      symbols.append(UInt32(event.choice) + UInt32(event.enabledCount) * UInt32(event.alternative))
    }
    return symbols
  }
}
