import Foundation
import Testing

/// The scenarios of the project against their golden traces, by the program itself.
@Suite struct GoldenTests {
  /// The top of the project.
  private static let project = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func everyScenarioGivesItsGoldenTrace() throws {
    let rlsim = try Executable()
    defer { rlsim.remove() }
    let result = try rlsim(
      "test", "--scripts", Self.project.appendingPathComponent("scripts").path,
      "--golden", Self.project.appendingPathComponent("golden").path, "--jobs", "2", environment: ["CI": "1"])
    #expect(result.code == 0, "\(result.output.suffix(4000))")
    #expect(result.output.contains(" passed, 0 failed"))
  }
}
