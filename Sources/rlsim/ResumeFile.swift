import RunLoopExplorer
import RunLoopScript

/// The file of `--resume`: where an exploration was left. It belongs to one script with its options, and to one version.
final class ResumeFile {
  /// Of the form of the file. 2: its last member is a check sum.
  private static let version = 2

  private let path: String
  private let scriptDigest: UInt32
  private let optionsDigest: UInt32
  private let shard: String
  private var hasFailed = false
  /// Whether the file tells of this exploration.
  private var isWritten = false

  init(_ path: String, _ script: ScriptOptions, _ options: ExploreOptions) {
    self.path = path
    var settled = options
    _ = Explorer.settle(&settled, script)
    scriptDigest = Schedule.digest(of: script)
    optionsDigest = settled.digest
    shard = options.shard.map { "\($0.index)/\($0.count)" } ?? ""
  }

  /// What to go on with; nil when there is no such file yet.
  func read() throws(UsageError) -> SavedExploration? {
    let bytes: [UInt8]
    do throws(FileError) {
      guard let found = try Files.readOwn(path) else { return nil }
      bytes = found
    } catch {
      throw UsageError("cannot read '\(path)': \(error.message)")
    }
    guard let json = try? JSON(bytes) else {
      throw UsageError(
        "'\(path)' is no file of --resume, or was cut short: it is no JSON text; remove it to begin anew, or name another "
          + "file")
    }
    guard let version = json["rlsimResume"]?.integer else {
      throw UsageError("'\(path)' is no file of --resume: it does not say so; name another file")
    }
    guard version == Self.version else {
      throw refused("it is of version \(version) of such files, and this rlsim reads version \(Self.version)")
    }
    guard JSON.isSealed(bytes) else { throw refused("it is damaged, or was changed: its check sum does not fit") }
    let tool = json["tool"]?.string ?? "?"
    guard tool == Version.text else { throw refused("it was written by rlsim \(tool), and this is \(Version.text)") }
    guard json["script"]?.integer == Int(scriptDigest) else {
      throw refused("it belongs to another script, or to another state of this one or its run options")
    }
    guard json["options"]?.integer == Int(optionsDigest) else {
      throw refused("it was begun with other options of explore")
    }
    guard json["shard"]?.string == shard else { throw refused("it was begun with another --shard") }
    guard let saved = json["exploration"].flatMap({ SavedExploration($0) }) else {
      throw UsageError("'\(path)' is damaged; remove it to begin anew")
    }
    isWritten = true
    return saved
  }

  private func refused(_ why: String) -> UsageError {
    UsageError("'\(path)' cannot be gone on with: \(why); remove it to begin anew")
  }

  /// Finds out before anything is explored whether the file can be written.
  func check() throws(UsageError) {
    if isWritten { return }
    do throws(FileError) {
      try Files.replace(path, with: [])
      Files.remove(path)
    } catch {
      throw UsageError("cannot write '\(path)': \(error.message)")
    }
  }

  /// Keeps what is known.
  func keep(_ saved: SavedExploration) {
    let json = JSON.object([
      .init("rlsimResume", .integer(Self.version)), .init("tool", .string(Version.text)),
      .init("script", .integer(Int(scriptDigest))), .init("options", .integer(Int(optionsDigest))),
      .init("shard", .string(shard)), .init("exploration", saved.json),
    ])
    do throws(FileError) {
      try Files.replace(path, with: Array((json.sealedText + "\n").utf8))
      isWritten = true
    } catch {
      if !hasFailed { Platform.printError("rlsim: cannot write '\(path)': \(error.message)\n") }
      hasFailed = true
    }
  }

  /// Takes the file away when nothing is left, otherwise says how to go on.
  func finish(_ report: ExploreReport, command: String) {
    guard isWritten else { return }
    if report.isComplete {
      Files.remove(path)
    } else {
      Platform.printError("rlsim: to go on where it was left: \(command)\n")
    }
  }
}
