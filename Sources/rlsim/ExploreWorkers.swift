import RunLoopExplorer

#if canImport(Darwin)
  @preconcurrency import Darwin
#elseif canImport(Musl)
  @preconcurrency import Musl
#else
  @preconcurrency import Glibc
#endif

/// Processes that explore parts (`--jobs`): this program once more, each told by its standard input what to explore.
///
/// A message is a line of JSON. The first one to a worker is the script's text, so that all explore the same even while
/// the file changes.
final class ExploreWorkers: Crew {
  private struct Worker {
    var process: WorkerProcess
    var assignment: Assignment?
  }

  let width: Int
  private let arguments: [String]
  private let greeting: String
  private var workers: [Worker] = []
  private var attempts: [Assignment.Key: Int] = [:]
  private var unable: [CrewReport] = []
  private var wasToldToStop = false
  /// Told, in a sentence, that a worker has ended.
  private let tell: (String) -> Void
  /// Called every moment while nothing comes.
  private let whileWaiting: () -> Void

  /// A part that ends its worker so often is given up.
  private static let maximumAttempts = 2

  /// - Parameters:
  ///   - arguments: of `rlsim explore`, as they were given.
  ///   - source: the script's text.
  init(
    _ width: Int, _ arguments: [String], source: [UInt8], tell: @escaping (String) -> Void,
    whileWaiting: @escaping () -> Void
  ) {
    self.width = width
    self.arguments = arguments
    self.tell = tell
    self.whileWaiting = whileWaiting
    greeting = ExploreWorker.greeting(source) + "\n"
  }

  deinit { cancel() }

  func cancel() {
    for worker in workers { worker.process.end() }
    workers = []
    unable = []
  }

  func start(_ assignment: Assignment) {
    let text = assignment.json.text + "\n"
    if let free = workers.firstIndex(where: { $0.assignment == nil }) {
      workers[free].assignment = assignment
      // When nobody is there any more, the wait finds out.
      _ = workers[free].process.send(text)
      return
    }
    do throws(FileError) {
      let process = try WorkerProcess.start(["explore", ExploreWorker.word] + arguments)
      workers.append(Worker(process: process, assignment: assignment))
      _ = process.send(greeting) && process.send(text)
    } catch {
      unable.append(.lost(assignment, "a process cannot be started: \(error.message)"))
    }
  }

  func wait() -> CrewReport? {
    if let report = unable.popLast() { return report }
    while true {
      let busy = workers.indices.filter { workers[$0].assignment != nil }
      if busy.isEmpty { return nil }
      if Platform.isInterrupted, !wasToldToStop {
        wasToldToStop = true
        for index in busy { workers[index].process.interrupt() }
      }
      whileWaiting()
      for index in WorkerProcess.waitForInput(busy.map { workers[$0].process }).map({ busy[$0] }) {
        guard let assignment = workers[index].assignment else { continue }
        switch workers[index].process.receive() {
        case .nothingYet: continue
        case .line(let line):
          guard let json = try? JSON(line), let result = PartResult(json) else { return failed(index, assignment) }
          workers[index].assignment = nil
          return .done(assignment, result)
        case .end: return failed(index, assignment)
        }
      }
    }
  }

  /// A worker is gone, or says what makes no sense. Another takes its part over, once.
  private func failed(_ index: Int, _ assignment: Assignment) -> CrewReport? {
    let worker = workers.remove(at: index)
    let how = worker.process.collect()
    attempts[assignment.key, default: 0] += 1
    let what = "a process that explored part \(assignment.part + 1) \(how)"
    if Platform.isInterrupted { return .lost(assignment, what) }
    guard attempts[assignment.key, default: 0] < Self.maximumAttempts else {
      return .lost(assignment, "\(what), twice: what it found is not in the report")
    }
    tell("\(what); another one takes the part over")
    start(assignment)
    return wait()
  }
}

extension Assignment {
  fileprivate struct Key: Hashable {
    var phase: Phase
    var part: Int
  }
  fileprivate var key: Key { Key(phase: phase, part: part) }
}
