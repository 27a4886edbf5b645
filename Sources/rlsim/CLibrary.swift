#if canImport(Darwin)
  @preconcurrency import Darwin
#elseif canImport(Musl)
  @preconcurrency import Musl
#else
  @preconcurrency import Glibc
#endif

/// `struct option` of <getopt.h>, which the Glibc module leaves out.
struct LongOption {
  var name: UnsafePointer<CChar>?
  var hasArgument: Int32 = 0
  var flag: UnsafeMutablePointer<Int32>?
  var value: Int32 = 0
}

/// `getopt_long` of the C library: options and operands in any order, abbreviated names, `--name=value`.
@_silgen_name("getopt_long")
func getoptLong(
  _ count: Int32, _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>, _ short: UnsafePointer<CChar>,
  _ long: UnsafePointer<LongOption>, _ index: UnsafeMutablePointer<Int32>?
) -> Int32

/// `fnmatch` of the C library, from <fnmatch.h>, which the Glibc module leaves out, too: 0 means a match.
@_silgen_name("fnmatch")
func matchPattern(_ pattern: UnsafePointer<CChar>, _ text: UnsafePointer<CChar>, _ flags: Int32) -> Int32

/// Where `getopt_long` is and what it found, which C keeps in globals. One thread reads command lines at a time.
enum Getopt {
  /// Makes it forget where it was, and keep its messages to itself.
  static func restart() {
    opterr = 0
    optarg = nil
    #if canImport(Darwin)
      optreset = 1
      optind = 1
    #else
      optind = 0
    #endif
  }

  /// The option's argument, or the operand.
  static var argument: String? { optarg.map { String(cString: $0) } }
  /// The index of the next word.
  static var next: Int { Int(optind) }
  /// The option that was not understood.
  static var unknown: Int32 { optopt }
}
