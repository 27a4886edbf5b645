import Testing

@testable import RunLoopEngine
@testable import RunLoopTrace

@Suite struct EventGrammarTests {
  @Test func everyKindHasANameOfItsOwn() {
    let names = EventKind.allCases.map { EventGrammar[$0].name.description }
    #expect(Set(names).count == names.count)
    for name in names { #expect(!name.isEmpty && name.utf8.allSatisfy { $0 == 0x2E || ($0 | 0x20) >= 0x61 }) }
  }

  @Test func keysAreKeptInTheirOrder() {
    #expect(EventGrammar[.timer].keys == [.fire, .scheduled, .late, .missed])
    #expect(EventGrammar[.threadStart].keys == [])
    #expect(EventGrammar[.runEnter].keys == [.mode, .seconds, .returnAfterSourceHandled])
  }

  @Test func namesOfKeysAreTheirCases() {
    for key in EventKey.allCases { #expect(key.name.description == "\(key)") }
  }

  @Test func namesOfResultsReasonsAndFaultsAreTheirCases() {
    for number in 1...4 {
      #expect(RunResult(rawValue: Int64(number))?.traceName.description == "\(RunResult(rawValue: Int64(number))!)")
    }
    for number in 0...4 {
      #expect(EndReason(rawValue: Int64(number))?.traceName.description == "\(EndReason(rawValue: Int64(number))!)")
    }
    for kind in FaultKind.allCases { #expect(kind.traceName.description == "\(kind)") }
  }

  @Test func categoriesAreReadFromLists() throws {
    #expect(try EventCategories(list: "timer") == EventCategories(.timer))
    #expect(try EventCategories(list: "timer, source") == [EventCategories(.timer), EventCategories(.source)])
    #expect(try EventCategories(list: "all") == .all)
    for category in EventCategory.allCases {
      #expect(category.name == "\(category)")
      #expect(try EventCategories(list: category.name) == EventCategories(category))
    }
  }

  @Test func unknownCategoriesTellTheNearest() {
    #expect(throws: UnknownCategory(name: "tmer", nearest: "timer")) { try EventCategories(list: "run,tmer") }
    #expect(throws: UnknownCategory(name: "sources", nearest: "source")) { try EventCategories(list: "sources") }
    #expect(throws: UnknownCategory(name: "xyzzy", nearest: nil)) { try EventCategories(list: "xyzzy") }
    for (event, category) in [("perform", "block"), ("queue", "block"), ("stop", "loop"), ("semaphore.wait", "lock")] {
      do throws(UnknownCategory) {
        _ = try EventCategories(list: event)
        Issue.record("\(event) is no category")
      } catch {
        #expect(error.message == "unknown event category '\(event)'; that is an event of category '\(category)'")
      }
    }
    #expect(throws: UnknownCategory.self) { try EventCategories(list: "timer,") }
    #expect(throws: UnknownCategory.self) { try EventCategories(list: "") }
  }

  @Test func nearestWordIsNearEnough() {
    #expect(nearest(to: "sed", among: ["seed", "show"]) == "seed")
    #expect(nearest(to: "colour", among: ["color", "also"]) == "color")
    #expect(nearest(to: "tset", among: ["run", "test"]) == "test")
    #expect(nearest(to: "qqqq", among: ["run", "test"]) == nil)
    #expect(nearest(to: "", among: ["run"]) == nil)
    #expect(nearest(to: "a", among: []) == nil)
  }

  @Test func editDistances() {
    #expect(editDistance(Array("".utf8), Array("abc".utf8)) == 3)
    #expect(editDistance(Array("abc".utf8), Array("abc".utf8)) == 0)
    #expect(editDistance(Array("abc".utf8), Array("acb".utf8)) == 1)
    #expect(editDistance(Array("kitten".utf8), Array("sitting".utf8)) == 3)
  }
}
