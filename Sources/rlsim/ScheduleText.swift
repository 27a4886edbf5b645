import RunLoopExplorer
import RunLoopScript
import RunLoopTrace

/// A schedule of the command line.
enum ScheduleText {
  case compact(Schedule)
  case named(NamedSchedule)

  /// Reads the text of a schedule.
  ///
  /// - Parameter options: of the script that it is to be for.
  /// - Throws: what is wrong with it, or that it was made for another script.
  init(_ text: String, for options: ScriptOptions) throws(UsageError) {
    do throws(Schedule.Unreadable) {
      if NamedSchedule.isNamed(text) {
        self = .named(try NamedSchedule(text: text))
        return
      }
      let schedule = try Schedule(text: text)
      guard schedule.digest == Schedule.digest(of: options) else {
        throw Schedule.Unreadable(
          message: "the schedule was made for another script, or with other options or arguments "
            + "(a named one, from --schedule-format named, survives small changes)")
      }
      self = .compact(schedule)
    } catch {
      throw UsageError(error.message)
    }
  }

  /// What a command line has in place of a schedule: the text itself, or that of `@FILE`.
  static func read(_ word: String) throws(UsageError) -> String {
    guard word.hasPrefix("@") else { return word }
    let path = String(word.dropFirst())
    let bytes: [UInt8]?
    do throws(FileError) {
      bytes = try Files.read(path)
    } catch {
      throw UsageError("cannot read '\(path)': \(error.message)")
    }
    guard let bytes else { throw UsageError("there is no schedule file '\(path)'") }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Runs the script by it.
  func replay(_ options: ScriptOptions, _ writer: TraceWriter) -> (Session, Outcome) {
    switch self {
    case .compact(let schedule):
      let replay = Replay(options, schedule.settings, consumer: writer)
      return (replay.session, replay.go(schedule))
    case .named(let schedule):
      let replay = Replay(options, schedule.settings, consumer: writer)
      let outcome = replay.go(schedule)
      if let disagreement = replay.disagreement {
        Platform.printError("rlsim: the schedule and the script disagree from here on: \(disagreement)\n")
      }
      return (replay.session, outcome)
    }
  }
}
