import RunLoopExplorer
import RunLoopScript
import RunLoopTrace

extension Command {
  static let replay: Command = Command(
    name: "replay", synopsis: "replay [OPTION...] SCRIPT.lua SCHEDULE [-- ARG...]",
    summary: "run one interleaving again, as rlsim explore has printed it",
    details: """
      SCHEDULE is the text of a schedule (rls1:..., or rls1-named ...), or @FILE. White space in it does not matter.
      Preemptions are marked in the trace: switch FROM to=THREAD. Past the schedule's end the default policy goes on.
      """,
    options: RunOptions.options.map(\.description)
  ) { arguments throws(UsageError) in
    var values = RunOptions()
    let parsed = try parse(arguments, RunOptions.options, into: &values, command: "replay")
    if parsed.wantsHelp {
      Platform.print(Help.of(.replay))
      return .success
    }
    guard parsed.operands.count >= 2 else {
      throw UsageError("a script and a schedule are needed ('rlsim replay --help' tells the usage)")
    }
    values.script = parsed.operands[0]
    let file = try ScriptFile.read(values.script, scripts: values.scripts)
    let header = try ScriptHeader(file)
    var both = RunOptions()
    let own = try parse(header.words, RunOptions.options, into: &both, command: "run")
    _ = try parse(arguments, RunOptions.options, into: &both, command: "replay")
    both.script = values.script
    both.arguments = parsed.rest.isEmpty ? own.rest : parsed.rest
    values = both
    // A schedule that was copied with its line breaks may have become several words.
    let text = try ScheduleText.read(parsed.operands.dropFirst().joined(separator: " "))
    return try RunCommand(values, file, arguments, command: "replay") { options, writer throws(UsageError) in
      var options = options
      options.requiredTexts = Schedule.textsRequired(by: file.source, module: file.module)
      return try ScheduleText.replay(text, options, writer)
    }.run()
  }
}

/// Schedules on the command line.
enum ScheduleText {
  /// The text itself, or that of `@FILE`.
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

  /// Runs a script by the text of a schedule.
  static func replay(
    _ text: String, _ options: ScriptOptions, _ writer: TraceWriter
  ) throws(UsageError) -> (Session, Outcome) {
    do throws(Schedule.Unreadable) {
      if NamedSchedule.isNamed(text) {
        let schedule = try NamedSchedule(text: text)
        let replay = Replay(options, schedule.settings, consumer: writer)
        let outcome = replay.go(schedule)
        if let disagreement = replay.disagreement {
          Platform.printError("rlsim: the schedule and the script disagree from here on: \(disagreement)\n")
        }
        return (replay.session, outcome)
      }
      let schedule = try Schedule(text: text)
      guard schedule.digest == Schedule.digest(of: options) else {
        throw Schedule.Unreadable(
          message: "the schedule was made for another script, or with other options or arguments "
            + "(a named one, from --schedule-format named, survives small changes)")
      }
      let replay = Replay(options, schedule.settings, consumer: writer)
      return (replay.session, replay.go(schedule))
    } catch {
      throw UsageError(error.message)
    }
  }
}
