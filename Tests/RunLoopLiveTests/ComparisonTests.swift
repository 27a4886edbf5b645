import Foundation
import Testing

/// Simulations beside runs on the real library: all scripts that are fit for it, and random ones.
@Suite(.serialized) struct ComparisonTests {
  /// Compares many scripts, several at a time; one that does not agree gets a second chance when it is quiet.
  private func compare(_ scripts: [String], scale: String, tolerance: String) async throws {
    let words = ["compare", "--with", "live", "--time-scale"]
    let doubtful = try await withThrowingTaskGroup(of: String?.self) { group in
      var left = scripts[...]
      var doubtful: [String] = []
      func add() {
        guard let script = left.popFirst() else { return }
        group.addTask {
          let arguments = words + [scale, "--tolerance", tolerance, script]
          return try await Self.onAThread { try Program.run(arguments).code } == 0 ? nil : script
        }
      }
      for _ in 0..<6 { add() }
      while let result = try await group.next() {
        if let result { doubtful.append(result) }
        add()
      }
      return doubtful
    }
    for script in doubtful.sorted() {
      let result = try Program.run(words + ["1", "--tolerance", "0.2", script])
      #expect(result.code == 0, "\(result.output)\(result.errors)")
    }
  }

  /// A run waits for its process: not on the threads that all tests share.
  private static func onAThread(_ body: @escaping @Sendable () throws -> Int32) async throws -> Int32 {
    try await withCheckedThrowingContinuation { continuation in
      Thread { continuation.resume(with: Result { try body() }) }.start()
    }
  }

  @Test(arguments: ["field", "guide", "inside", "notes", "thread-exit", "sync"])
  func scriptsOfADirectoryAgreeWithTheLibrary(_ directory: String) async throws {
    let path = Program.root.appendingPathComponent("scripts/\(directory)").path
    let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".lua") }.sorted()
    #expect(!names.isEmpty)
    try await compare(names.map { "scripts/\(directory)/\($0)" }, scale: "0.2", tolerance: "0.1")
  }

  /// `RLSIM_RANDOM_SCRIPTS=700 swift test --filter randomScripts` compares more of them.
  @Test func randomScriptsAgreeWithTheLibrary() async throws {
    let count = ProcessInfo.processInfo.environment["RLSIM_RANDOM_SCRIPTS"].flatMap(Int.init) ?? 24
    let files = try (1...count).map { try Scratch(RandomScript.make(seed: UInt64($0))) }
    defer { for file in files { file.remove() } }
    try await compare(files.map(\.url.path), scale: "2", tolerance: "0.1")
  }

  @Test func aSeedAlwaysGivesTheSameScript() {
    #expect(RandomScript.make(seed: 7) == RandomScript.make(seed: 7))
    #expect(RandomScript.make(seed: 7) != RandomScript.make(seed: 8))
  }
}
