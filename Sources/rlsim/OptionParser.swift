import RunLoopTrace

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What stands on a command line beside options.
struct Operands: Equatable {
  /// Before `--`.
  var operands: [String] = []
  /// After `--`.
  var rest: [String] = []
  /// Whether `--help` was among the options.
  var wantsHelp = false
}

extension Operands {
  /// The one script of a command that runs one.
  func script(of command: String) throws(UsageError) -> String {
    guard let script = operands.first else {
      throw UsageError("no script given ('rlsim \(command) --help' tells the usage)")
    }
    guard operands.count == 1 else {
      throw UsageError("one script at a time: '\(operands[1])' is too many (arguments for a script come after --)")
    }
    return script
  }
}

/// Reads a command line by `getopt_long`, options and operands in any order.
///
/// - Parameter command: the command's name, for messages.
/// - Throws: what is wrong, with the option that is near when one is not known.
func parse<Values>(
  _ arguments: [String], _ options: [Option<Values>], into values: inout Values, command: String
) throws(UsageError) -> Operands {
  var arena = CStrings()
  var long: [LongOption] = []
  for (index, option) in options.enumerated() {
    let hasArgument: Int32 =
      switch option.argument {
      case .none: 0
      case .required: 1
      case .optional: 2
      }
    long.append(
      LongOption(name: arena.add(option.name), hasArgument: hasArgument, value: firstLong + Int32(index)))
  }
  long.append(LongOption(name: arena.add("help"), value: helpCode))
  long.append(LongOption())
  // "-": operands come in their order as code 1. ":": a missing argument is told apart.
  var short = "-:h"
  for option in options {
    guard let letter = option.short else { continue }
    short.append(letter)
    if option.argument != .none { short.append(":") }
  }
  var argv: [UnsafeMutablePointer<CChar>?] = [arena.add("rlsim")] + arguments.map { arena.add($0) } + [nil]
  Getopt.restart()

  var result = Operands()
  while true {
    let code = getoptLong(Int32(arguments.count + 1), &argv, short, long, nil)
    let argument = Getopt.argument ?? ""
    switch code {
    case -1:
      result.rest = Array(arguments.dropFirst(Getopt.next - 1))
      return result
    case 1: result.operands.append(argument)
    case helpCode, Int32(UInt8(ascii: "h")): result.wantsHelp = true
    case Int32(UInt8(ascii: ":")): throw missingArgument(Getopt.unknown, options, command)
    case Int32(UInt8(ascii: "?")):
      throw unknownOption(at: Getopt.next, Getopt.unknown, arguments, options, command)
    default:
      guard let option = option(for: code, options) else { continue }
      // Nothing that an option needs has an empty name: a variable of a shell script was not set.
      if case .required = option.argument, argument.isEmpty { throw missingArgument(code, options, command) }
      try option.apply(&values, argument)
    }
  }
}

private let firstLong: Int32 = 1000
private let helpCode: Int32 = 999

private func option<Values>(for code: Int32, _ options: [Option<Values>]) -> Option<Values>? {
  if code >= firstLong { return options[Int(code - firstLong)] }
  return options.first { $0.short?.asciiValue.map(Int32.init) == code }
}

private func spelling<Values>(_ code: Int32, _ options: [Option<Values>]) -> String {
  code >= firstLong ? "--\(options[Int(code - firstLong)].name)" : "-\(Character(UnicodeScalar(UInt8(code & 0x7F))))"
}

private func missingArgument<Values>(_ code: Int32, _ options: [Option<Values>], _ command: String) -> UsageError {
  UsageError("option '\(spelling(code, options))' needs an argument ('rlsim \(command) --help' says which)")
}

private func unknownOption<Values>(
  at next: Int, _ code: Int32, _ arguments: [String], _ options: [Option<Values>], _ command: String
) -> UsageError {
  let hint = "('rlsim \(command) --help' lists the options)"
  if code >= firstLong || code == helpCode {
    let name = code == helpCode ? "--help" : spelling(code, options)
    return UsageError("option '\(name)' takes no argument \(hint)")
  }
  let word = next >= 2 && next - 2 < arguments.count ? arguments[next - 2] : ""
  if code == Int32(UInt8(ascii: "v")) {
    return UsageError("unknown option '-v'; did you mean 'rlsim --version', or '-V'? \(hint)")
  }
  guard word.hasPrefix("--") else { return UsageError("unknown option '\(spelling(code, options))' \(hint)") }
  let name = String(word.dropFirst(2).prefix { $0 != "=" })
  let names = options.map(\.name) + ["help"]
  let longer = names.filter { $0.hasPrefix(name) }
  if longer.count > 1 {
    let list = longer.map { "'--\($0)'" }.joined(separator: ", ")
    return UsageError("option '--\(name)' could be \(list) \(hint)")
  }
  if let near = nearest(to: name, among: names) {
    return UsageError("unknown option '--\(name)'; did you mean '--\(near)'? \(hint)")
  }
  return UsageError("unknown option '--\(name)' \(hint)")
}

/// C strings that live as long as this value.
private struct CStrings: ~Copyable {
  private var strings: [UnsafeMutablePointer<CChar>] = []

  mutating func add(_ text: String) -> UnsafeMutablePointer<CChar> {
    let string = strdup(text)!
    strings.append(string)
    return string
  }

  deinit { for string in strings { free(string) } }
}
