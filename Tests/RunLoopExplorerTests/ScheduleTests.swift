import Testing

@testable import RunLoopExplorer

@Suite struct ScheduleTests {
  private func schedule(_ symbols: [UInt32]) -> Schedule {
    var settings = Schedule.Settings()
    settings.timeIsFree = true
    settings.spuriousWakeups = 3
    return Schedule(symbols: symbols, settings: settings, digest: 0xDEAD_BEEF)
  }

  @Test(arguments: [[], [1], [0, 0, 0, 7], [200, 0, 1, 1, 0, 0, 70_000], [0, 0]]) func aTextIsReadBack(
    symbols: [UInt32]
  )
    throws
  {
    let schedule = schedule(symbols)
    #expect(try Schedule(text: schedule.text) == schedule)
  }

  @Test func whiteSpaceAndUpperCaseDoNotMatter() throws {
    let schedule = schedule([1, 0, 2, 0, 0, 1])
    let letters = schedule.text.dropFirst(5).uppercased()
    let spaced = "rls1:" + letters.map { "\($0)\n " }.joined()
    #expect(try Schedule(text: spaced) == schedule)
  }

  @Test func stepsOfTheDefaultAtTheEndAreLeftOut() {
    #expect(schedule([1, 0, 0]).text == schedule([1]).text)
  }

  @Test func everyMistypedLetterIsNoticed() {
    let text = Array(schedule([1, 0, 2, 0, 0, 1]).text)
    for place in 5..<text.count {
      var wrong = text
      wrong[place] = text[place] == "7" ? "8" : "7"
      #expect(throws: Schedule.Unreadable.self) { try Schedule(text: String(wrong)) }
    }
  }

  @Test func everyCutIsNoticed() {
    let text = schedule([1, 0, 2, 0, 0, 1]).text
    for length in 0..<text.count {
      #expect(throws: Schedule.Unreadable.self) { try Schedule(text: String(text.prefix(length))) }
    }
  }

  @Test func otherVersionsAreNamed() {
    #expect(throws: Schedule.Unreadable(message: "the schedule is of version 'rls9'; this rlsim reads rls1")) {
      try Schedule(text: "rls9:abc")
    }
  }

  @Test func readableDecisionsAreReadBack() throws {
    let schedule = NamedSchedule(
      decisions: [
        .init(thread: "main", operation: "lock a lock", alternative: 0),
        .init(thread: "a:b_c", operation: "get x/1", alternative: 2),
        .init(thread: "a\u{A0}b\r\n\u{2028}c#2", operation: "50% \u{3000}", alternative: 0),
        .init(thread: "w", number: 3, operation: "end", alternative: 0),
      ], settings: .init())
    #expect(try NamedSchedule(text: schedule.text) == schedule)
  }

  /// What is kept of runs decides whether an exploration can be gone on with.
  @Test func optionsThatKeepMoreAreOthers() {
    let plain = ExploreOptions()
    for change in [{ $0.keptOrders = .max }, { $0.keepsTraces = true }, { $0.checksDeterminism = true }]
      as [(inout ExploreOptions) -> Void]
    {
      var options = plain
      change(&options)
      #expect(options.digest != plain.digest)
    }
  }
}
