#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Finds the tests of a command line.
struct TestDiscovery {
  private(set) var cases: [TestCase] = []
  /// Golden files without a script, when all tests were asked for.
  private(set) var orphans: [String] = []
  /// The names of all that were asked for, before the filters.
  private(set) var names: [String] = []

  init(_ options: TestOptions) throws(UsageError) {
    if options.paths.isEmpty {
      names = try Self.names(below: options.scripts, mayBeMissing: true)
    } else {
      for path in options.paths {
        // Not all of them: a variable of a shell script was not set.
        guard !path.isEmpty else { throw UsageError("cannot read '': \(Platform.errorText(ENOENT))") }
        names += try Self.resolve(path.normalizedPath, options.scripts)
      }
    }
    var seen: Set<String> = []
    names = names.filter { seen.insert($0).inserted }
    names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    if options.paths.isEmpty && options.filters.isEmpty {
      orphans = try Self.goldenNames(options.golden).filter { !seen.contains($0) }.map {
        "\(options.golden)/\($0).trace"
      }
    }
    cases =
      names
      .filter { name in options.filters.isEmpty || options.filters.contains { Self.matches(name, $0) } }
      .map { TestCase(name: $0, scripts: options.scripts, golden: options.golden) }
  }

  /// The names of the scripts that a path means: itself, or all below it. It may be relative to the scripts' directory.
  private static func resolve(_ path: String, _ scripts: String) throws(UsageError) -> [String] {
    for candidate in [path, "\(scripts)/\(path)", "\(scripts)/\(path).lua"] where Platform.exists(candidate) {
      guard let relative = relative(candidate, to: scripts) else { continue }
      if Files.isDirectory(candidate) {
        let prefix = relative.isEmpty ? "" : relative + "/"
        return try names(below: candidate, mayBeMissing: false).map { prefix + $0 }
      }
      if isHelper(relative) {
        throw UsageError("'\(path)' is there for scripts to require, and no test: a part of its path starts with _")
      }
      guard relative.hasSuffix(".lua") else { throw UsageError("'\(path)' is no Lua script") }
      return [String(relative.dropLast(4))]
    }
    if Platform.exists(path) {
      throw UsageError("'\(path)' is not below '\(scripts)' (--scripts DIR says where the scripts are)")
    }
    throw UsageError("cannot read '\(path)': \(Platform.errorText(ENOENT))")
  }

  private static func names(below directory: String, mayBeMissing: Bool) throws(UsageError) -> [String] {
    if mayBeMissing && !Platform.exists(directory) { return [] }
    return try list(directory, ".lua").filter { !isHelper($0) }.map { String($0.dropLast(4)) }
  }

  /// Whether a file is there for scripts to require, and no test itself: a part of its path starts with an underscore.
  private static func isHelper(_ path: String) -> Bool {
    path.split(separator: "/").contains { $0.hasPrefix("_") }
  }

  private static func goldenNames(_ directory: String) throws(UsageError) -> [String] {
    guard Platform.exists(directory) else { return [] }
    return try list(directory, ".trace").map { String($0.dropLast(6)) }
  }

  private static func list(_ directory: String, _ suffix: String) throws(UsageError) -> [String] {
    do throws(FileError) {
      return try Files.list(directory, suffix: suffix)
    } catch {
      throw UsageError("cannot read '\(directory)': \(error.message)")
    }
  }

  /// A path as seen from a directory; nil when it is not below it.
  private static func relative(_ path: String, to directory: String) -> String? {
    // The way back by .. is known only when links are followed.
    if !path.split(separator: "/").contains("..") {
      if directory == ".", !path.hasPrefix("/") { return path == "." ? "" : path }
      if path == directory { return "" }
      if path.hasPrefix(directory + "/") { return String(path.dropFirst(directory.count + 1)) }
    }
    guard let real = Files.realPath(path), let base = Files.realPath(directory), real != path || base != directory
    else { return nil }
    return relative(real, to: base)
  }

  /// Whether a name matches a pattern of the shell: whole or its last part, with or without `.lua`. `*` goes over
  /// slashes, too.
  static func matches(_ name: String, _ pattern: String) -> Bool {
    let spellings: [String] = [name, name + ".lua", name.baseName, name.baseName + ".lua"]
    return spellings.contains { matchPattern(pattern, $0, 0) == 0 }
  }
}
