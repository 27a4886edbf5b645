extension Command {
  static let completions: Command = Command(
    name: "completions", synopsis: "completions bash|zsh|fish", summary: "print a shell's completion script",
    details: """
      bash:  rlsim completions bash > /etc/bash_completion.d/rlsim
      zsh:   rlsim completions zsh > "${fpath[1]}/_rlsim"
      fish:  rlsim completions fish > ~/.config/fish/completions/rlsim.fish
      """, options: []
  ) { arguments throws(UsageError) in
    var nothing: Void = ()
    let parsed = try parse(arguments, [Option<Void>](), into: &nothing, command: "completions")
    if parsed.wantsHelp {
      Platform.print(Help.of(.completions))
      return .success
    }
    guard let shell = parsed.operands.first, parsed.operands.count == 1 else {
      throw UsageError("rlsim completions takes one shell: bash, zsh or fish")
    }
    switch shell {
    case "bash": Platform.print(Completions.bash())
    case "zsh": Platform.print(Completions.zsh())
    case "fish": Platform.print(Completions.fish())
    default: throw UsageError("no completions for '\(shell)': bash, zsh or fish")
    }
    return .success
  }
}
