import RunLoopScript

extension Command {
  static let api: Command = Command(
    name: "api", synopsis: "api [--format luals|markdown]",
    summary: "print the Lua definition file for editors (LuaLS ---@meta)",
    details: "Save it where the editor's Lua language server looks, for example as .luals/rl.lua of a project.",
    options: ApiOptions.options.map(\.description)
  ) { arguments throws(UsageError) in
    var options = ApiOptions()
    let parsed = try parse(arguments, ApiOptions.options, into: &options, command: "api")
    if parsed.wantsHelp {
      Platform.print(Help.of(.api))
      return .success
    }
    if let operand = parsed.operands.first { throw UsageError("rlsim api takes no '\(operand)'") }
    Platform.print(options.isMarkdown ? ReferencePage.render() : DefinitionFile.render())
    return .success
  }
}

/// What `rlsim api` was asked for.
private struct ApiOptions: Sendable {
  var isMarkdown = false

  static let options: [Option<ApiOptions>] = [
    Option(
      "format", .required("FORMAT"), choices: ["luals", "markdown"],
      "luals: the definition file (default);\nmarkdown: the same as docs/script-reference.md"
    ) { values, text throws(UsageError) in
      guard text == "luals" || text == "markdown" else {
        throw UsageError("unknown format '\(text)' of rlsim api: luals or markdown")
      }
      values.isMarkdown = text == "markdown"
    }
  ]
}
