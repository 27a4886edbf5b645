import RunLoopExplorer

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
    let word = parsed.operands.dropFirst().joined(separator: " ")
    let text = try ScheduleText.read(word)
    if let output = values.outputs.first(where: { word.hasPrefix("@") && Files.isSame($0, String(word.dropFirst())) }) {
      throw UsageError("the output '\(output)' would overwrite the schedule")
    }
    var options = values.scriptOptions(file)
    options.requiredTexts = Schedule.textsRequired(by: file.source, module: file.module)
    // Before the outputs are opened: a schedule that cannot be used leaves what they hold.
    let schedule = try ScheduleText(text, for: options)
    return try RunCommand(values, file, arguments, command: "replay") { _, writer in schedule.replay(options, writer) }
      .run()
  }
}
