import RunLoopTrace

/// A script and the golden file it is compared with.
struct TestCase: Equatable {
  /// The relative path without `.lua`: what reports call it.
  var name: String
  var script: String
  var golden: String

  init(name: String, scripts: String, golden: String) {
    self.name = name
    script = "\(scripts)/\(name).lua"
    self.golden = "\(golden)/\(name).trace"
  }
}

/// How a test ended.
enum TestResult {
  case passed
  /// The golden file was written, of a run with this exit code.
  case updated(Int32)
  case failed(TestFailure)
}

/// Why a test failed, and what to do.
struct TestFailure {
  /// One sentence.
  var message: String { didSet { message = Shown.line(message) } }
  /// A diff, or what the run wrote to standard error.
  var details: [String] = []
  /// What repeats the failure.
  var repeatCommand: String
  /// What makes the new trace the golden one; nil: nothing does.
  var acceptCommand: String?

  init(message: String, details: [String] = [], repeatCommand: String, acceptCommand: String? = nil) {
    self.message = Shown.line(message)
    self.details = details
    self.repeatCommand = repeatCommand
    self.acceptCommand = acceptCommand
  }
}
