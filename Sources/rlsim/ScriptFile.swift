#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A script's text, and what it is called.
struct ScriptFile {
  var source: [UInt8]
  /// Whether the first line is for other programs, as `#!/usr/bin/env rlsim` is: a comment in `source`.
  let hasShebang: Bool
  /// What positions and messages say: the file's base name, or `stdin`.
  var chunkName: String
  /// Where `require` looks first; nil for standard input.
  var directory: String?
  /// The last folder where it looks, going up: the one that was given, or the nearest one that is named `scripts`. nil:
  /// there is none.
  var root: String?

  /// Reads a script; `-` is standard input.
  ///
  /// - Parameter scripts: the folder of `--scripts`; nil: none was given.
  /// - Throws: a message that names the file and what is wrong with it.
  static func read(_ path: String, scripts: String? = nil) throws(UsageError) -> ScriptFile {
    if path == "-" { return try ScriptFile(readAll(0, "standard input"), path: path, scripts: scripts) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let reason = Platform.errorText(errno)
      let near = errno == ENOENT && Platform.exists(path + ".lua") ? "; did you mean '\(path).lua'?" : ""
      throw UsageError("cannot read '\(path)': \(reason)\(near)")
    }
    defer { _ = close(descriptor) }
    return try ScriptFile(readAll(descriptor, path), path: path, scripts: scripts)
  }

  /// A script of these bytes, as if they had been read from a path.
  init(_ bytes: [UInt8], path: String, scripts: String? = nil) throws(UsageError) {
    let isInput = path == "-"
    (source, hasShebang) = try Self.prepare(bytes, isInput ? "standard input" : path)
    chunkName = isInput ? "stdin" : path.baseName
    directory = isInput ? nil : path.directoryName
    let real = directory.flatMap { Files.realPath($0) }
    let root = try scripts.map { folder throws(UsageError) in try Self.root(folder, of: path, in: real) }
    guard let real, let root = root ?? Self.root(of: real) else { return }
    directory = real
    self.root = root
  }

  /// The real path of the folder of `--scripts`, which the script's has to be, or be below.
  private static func root(_ scripts: String, of path: String, in directory: String?) throws(UsageError) -> String {
    guard let root = Files.realPath(scripts) else {
      throw UsageError("cannot use --scripts '\(scripts)': \(Platform.errorText(errno))")
    }
    guard Files.isDirectory(root) else { throw UsageError("cannot use --scripts '\(scripts)': it is no directory") }
    guard let directory else { throw UsageError("--scripts is for a script in a file, which standard input is not") }
    guard directory == root || directory.hasPrefix(root == "/" ? root : root + "/") else {
      throw UsageError("'\(path)' is not below '\(scripts)', the folder of --scripts")
    }
    return root
  }

  /// The nearest folder named `scripts`, of an absolute path and all above it.
  static func root(of directory: String) -> String? {
    var folder = directory
    while folder != "/" {
      if folder.baseName == "scripts" { return folder }
      folder = folder.directoryName
    }
    return nil
  }

  /// The text of a module that the script requires, and its file's name as messages show it; nil when there is none.
  ///
  /// It is looked for as `require` does.
  func module(_ name: String) -> (text: [UInt8], file: String)? {
    guard var folder = directory else { return nil }
    let base = name.split(separator: ".", omittingEmptySubsequences: false).joined(separator: "/")
    var up = ""
    while true {
      for path in ["\(base).lua", "\(base)/init.lua"] {
        // What is no file is no module, and to read it could wait for ever.
        let file = "\(folder)/\(path)"
        if !Files.isSpecial(file), let text = try? Files.read(file) { return (text, up + path) }
      }
      guard let root, folder != root else { return nil }
      folder = folder.directoryName
      up += "../"
    }
  }

  private static func readAll(_ descriptor: Int32, _ path: String) throws(UsageError) -> [UInt8] {
    do throws(FileError) {
      return try Files.readAll(descriptor)
    } catch {
      throw UsageError("cannot read '\(path)': \(error.message)")
    }
  }

  /// Refuses what is no text, and takes away what only other programs read: a byte order mark, and `#` in front of the
  /// first line (which stays a line).
  private static func prepare(
    _ bytes: [UInt8], _ path: String
  ) throws(UsageError) -> (source: [UInt8], hasShebang: Bool) {
    var source = bytes
    if source.starts(with: [0xEF, 0xBB, 0xBF]) { source.removeFirst(3) }
    if source.first == 0x1B {
      throw UsageError("'\(path)' is a compiled Lua chunk; rlsim runs the text of a script only")
    }
    guard source.first == UInt8(ascii: "#") else { return (source, false) }
    source.replaceSubrange(0..<1, with: "--".utf8)
    return (source, true)
  }
}
