/// Runs tests as child processes, several at a time, and tells their results in the order of the tests.
struct TestRunner {
  let cases: [TestCase]
  let jobs: Int
  /// The folder of `--scripts`, which is where `require` looks last; nil: none was given.
  var scripts: String?

  /// What a test's run gave: its output, or why it could not be run.
  typealias Run = Result<ChildProcess.Result, UsageError>

  private enum State {
    case running(ChildProcess)
    case done(Run)
  }

  /// Runs them all.
  ///
  /// - Parameters:
  ///   - started: told how many were started so far, and the latest.
  ///   - finished: told each result in turn; false ends the runs.
  /// - Returns: false when Ctrl-C ended it.
  func run(started: (Int, TestCase) -> Void, finished: (TestCase, Run) -> Bool) -> Bool {
    var states: [State] = []
    var told = 0
    var running: [Int32: Int] = [:]
    defer { for index in running.values { if case .running(let child) = states[index] { child.end() } } }
    while told < cases.count {
      while states.count < cases.count, running.count < jobs, !Platform.isInterrupted {
        let test = cases[states.count]
        states.append(start(test))
        if case .running(let child) = states[states.count - 1] { running[child.process] = states.count - 1 }
        started(states.count, test)
      }
      while told < states.count, case .done(let run) = states[told] {
        if !finished(cases[told], run) { return true }
        told += 1
      }
      if Platform.isInterrupted { return false }
      if running.isEmpty { continue }
      guard let ended = ChildProcess.waitForAny() else { return false }
      guard let index = running.removeValue(forKey: ended.process) else { continue }
      guard case .running(let child) = states[index] else { continue }
      states[index] = .done(collect(child, ended.status))
    }
    return true
  }

  /// Starts a script with the options of its header.
  private func start(_ test: TestCase) -> State {
    do throws(UsageError) {
      let header = try ScriptHeader(ScriptFile.read(test.script))
      return .running(try child(TestRunner.arguments(test, header, scripts: scripts)))
    } catch {
      return .done(.failure(error))
    }
  }

  /// The arguments of the run, or of the exploration, that a test is.
  static func arguments(_ test: TestCase, _ header: ScriptHeader, scripts: String? = nil) -> [String] {
    let script = test.script.hasPrefix("-") ? "./" + test.script : test.script
    let operands = (scripts.map { ["--scripts=\($0)"] } ?? []) + [script]
    // An exploration reads the header itself.
    return header.exploration == nil ? ["run"] + operands + header.words : ["explore", "--orders"] + operands
  }

  private func child(_ arguments: [String]) throws(UsageError) -> ChildProcess {
    do throws(FileError) {
      return try ChildProcess.start(arguments)
    } catch {
      throw UsageError("cannot start a run: \(error.message)")
    }
  }

  private func collect(_ child: ChildProcess, _ status: Int32) -> Run {
    do throws(FileError) {
      return .success(try child.collect(status: status))
    } catch {
      return .failure(UsageError("cannot read the output of a run: \(error.message)"))
    }
  }
}
