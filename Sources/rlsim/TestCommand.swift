extension Command {
  static let test: Command = Command(
    name: "test", synopsis: "test [OPTION...] [PATH...]", summary: "run scripts and compare with their golden traces",
    details: """
      Without PATH: all of scripts/**/*.lua, each against the trace of the same relative path below golden/. Files and
      directories whose names start with _ hold what scripts require, and are no tests.
      A first line '--! rlsim: OPTIONS' in a script gives the options of its run. A failed test leaves its trace beside
      the golden file as .trace.new; with CI set nothing is written without --update.
      """,
    options: TestOptions.options.map(\.description)
  ) { arguments throws(UsageError) in
    guard let options = try TestOptions.parse(arguments) else {
      Platform.print(Help.of(.test))
      return .success
    }
    return try TestCommand(options: options).run()
  }
}

/// One run of `rlsim test`.
struct TestCommand {
  let options: TestOptions

  func run() throws(UsageError) -> ExitCode {
    let tests = try TestDiscovery(options)
    if tests.cases.isEmpty && tests.orphans.isEmpty {
      Platform.printError("rlsim: nothing to run: \(nothingFound(tests))\n")
      return options.allowEmpty ? .success : .nothingToRun
    }
    if options.list {
      for test in tests.cases { Platform.print(test.script + "\n") }
      return .success
    }
    Platform.catchInterrupts()
    return runAll(tests)
  }

  private func nothingFound(_ tests: TestDiscovery) -> String {
    if !options.filters.isEmpty, !tests.names.isEmpty { return FilterAdvice(tests.names).sentence(options.filters) }
    guard options.paths.isEmpty else { return "no script matches" }
    if Platform.exists(options.scripts) { return "there is no script below '\(options.scripts)'" }
    // In the scripts' directory itself, or below it.
    let root = Files.realPath(".").flatMap { ScriptFile.root(of: $0) }
    let advice = root.map { "; run it one level above '\($0)', or" } ?? ""
    return "there is no directory '\(options.scripts)'\(advice) (--scripts DIR says where the scripts are)"
  }

  private func runAll(_ tests: TestDiscovery) -> ExitCode {
    let judge = TestJudge(options)
    let progress = Progress()
    var report = options.makeReport()
    var passed = 0
    var failed = 0
    report.begin(count: tests.cases.count + tests.orphans.count)
    let runner = TestRunner(cases: tests.cases, jobs: options.jobs, scripts: options.givenScripts)
    let completed = runner.run { number, test in
      progress.show("\(number)/\(tests.cases.count) \(test.name)")
    } finished: { test, run in
      let result = judge.judge(test, run)
      progress.clear()
      if case .failed = result { failed += 1 } else { passed += 1 }
      if case .updated = result {
        report.add(test.name, file: test.golden, result)
      } else {
        report.add(test.name, file: test.script, result)
      }
      return failed == 0 || !options.failFast
    }
    progress.clear()
    if completed && (failed == 0 || !options.failFast) {
      for orphan in tests.orphans {
        failed += 1
        report.add(orphan, file: orphan, .failed(judge.judge(orphan: orphan)))
        if options.failFast { break }
      }
    }
    report.end(passed: passed, failed: failed)
    if !completed { return .interrupted }
    return failed == 0 ? .success : .finding
  }
}
