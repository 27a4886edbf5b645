import RunLoopTrace

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What the system says when something about a file fails.
struct FileError: Error {
  let number: Int32
  /// In place of the system's words.
  var detail: String?
  var message: String { detail ?? Platform.errorText(number) }
  /// The error of the call that has just failed.
  static var last: FileError { FileError(number: errno) }
}

/// Reading and writing whole files, by the system's own calls.
enum Files {
  /// No file that a person names is larger than this: an endless one is told, and does not fill the memory.
  static let largestInput = 1 << 28

  /// Everything from a descriptor's position on.
  ///
  /// - Parameter most: bytes; more than that is an error.
  static func readAll(_ descriptor: Int32, atMost most: Int = largestInput) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0) }
      if count > 0 {
        guard bytes.count + count <= most else {
          throw FileError(number: EFBIG, detail: "it is longer than \(most >> 20) MiB")
        }
        bytes.append(contentsOf: chunk[..<count])
      } else if count == 0 {
        return bytes
      } else if errno != EINTR || Platform.isInterrupted {
        throw .last
      }
    }
  }

  /// The whole of a file; nil when there is none.
  static func read(_ path: String) throws(FileError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .last
    }
    defer { _ = close(descriptor) }
    return try readAll(descriptor)
  }

  /// The whole of a file that rlsim keeps itself; nil when there is none. What is no file is not opened: a pipe could be
  /// waited for without end.
  static func readOwn(_ path: String) throws(FileError) -> [UInt8]? {
    guard !isSpecial(path) else { throw FileError(number: EINVAL, detail: "it is no regular file") }
    return try read(path)
  }

  /// Makes or replaces a file, and the directories above it.
  static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    try makeDirectories(path.directoryName)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .last }
    defer { _ = close(descriptor) }
    let failure = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
    if failure != 0 { throw FileError(number: failure) }
  }

  /// Makes or replaces a file in one step: whoever reads it meets the old or the new one, whatever happens meanwhile.
  static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    let temporary = "\(path).\(getpid()).tmp"
    do throws(FileError) {
      try write(bytes, to: temporary)
    } catch {
      remove(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      let error = FileError.last
      remove(temporary)
      throw error
    }
  }

  /// Makes a directory and those above it, if they are not there.
  static func makeDirectories(_ path: String) throws(FileError) {
    if isDirectory(path) { return }
    if path != path.directoryName { try makeDirectories(path.directoryName) }
    if mkdir(path, 0o777) != 0 && errno != EEXIST { throw .last }
  }

  /// A new file that has no name and is gone when it is closed.
  ///
  /// - Parameter isInherited: whether a program that this one becomes or starts has it as well.
  static func makeNameless(isInherited: Bool = false) throws(FileError) -> Int32 {
    let directory = Platform.isSet("TMPDIR") ? Platform.environment("TMPDIR")! : "/tmp"
    // mkstemp(3) writes the name over the six letters.
    var path = Array("\(directory)/rlsim-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw .last }
    if !isInherited { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    unlink(path)
    return descriptor
  }

  /// Takes a file away, if it is there.
  static func remove(_ path: String) { _ = unlink(path) }

  /// False also when there is nothing, or nothing that may be looked at: reading it says why.
  static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
  }

  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The absolute path without links, `.` and `..`; nil when there is nothing.
  static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Whether two paths lead to the same file, or would if it were made.
  static func isSame(_ a: String, _ b: String) -> Bool {
    var first = stat()
    var second = stat()
    switch (stat(a, &first) == 0, stat(b, &second) == 0) {
    case (true, true): return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    case (false, false): return a == b || (a.baseName == b.baseName && isSame(a.directoryName, b.directoryName))
    default: return false
    }
  }

  /// The files below a directory whose names end in `suffix`, as paths relative to it, sorted bytewise. Hidden ones are
  /// passed over; links to directories are not followed.
  static func list(_ directory: String, suffix: String) throws(FileError) -> [String] {
    var found: [String] = []
    var open = [""]
    while let next = open.popLast() {
      for name in try names(next.isEmpty ? directory : "\(directory)/\(next)") {
        let relative = next.isEmpty ? name : "\(next)/\(name)"
        var status = stat()
        guard !name.hasPrefix("."), lstat("\(directory)/\(relative)", &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR {
          open.append(relative)
        } else if name.hasSuffix(suffix) {
          found.append(relative)
        }
      }
    }
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func names(_ directory: String) throws(FileError) -> [String] {
    guard let stream = opendir(directory) else { throw .last }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let (name, isText) = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) {
          (String(cString: $0), String(validatingCString: $0) != nil)
        }
      }
      guard isText else { throw FileError(number: EILSEQ, detail: "the name of '\(name)' in it is not UTF-8") }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}

/// read(2), under a name that `Files` does not hide.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, bytes.baseAddress, bytes.count)
}
