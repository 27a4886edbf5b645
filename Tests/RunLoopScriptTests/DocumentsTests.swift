import Foundation
import Testing

@testable import RunLoopScript

/// What is written down is what the table says.
@Suite struct DocumentsTests {
  @Test func theScriptReferenceIsMadeFromTheTable() throws {
    let project = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: project.appendingPathComponent("docs/script-reference.md"), encoding: .utf8)
    #expect(page == ReferencePage.render(), "make it anew: rlsim api --format markdown > docs/script-reference.md")
  }
}
