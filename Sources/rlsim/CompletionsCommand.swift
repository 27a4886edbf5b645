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

/// Completion scripts, made from the table of commands and their options.
enum Completions {
  private static var names: String { Command.all.map(\.name).joined(separator: " ") }

  private static func flags(_ command: Command) -> String {
    (command.options.map { "--\($0.name)" } + ["--help"]).joined(separator: " ")
  }

  static func bash() -> String {
    var text = """
      # The rest of a list with commas: what is before the last one stays, what it names already is not offered again.
      _rlsim_list() {
        local rest="${word##*,}" list="$1" each
        local given="${word%"$rest"}"
        for each in ${given//,/ }; do list=" $list "; list="${list/ $each / }"; done
        COMPREPLY=($(compgen -P "$given" -W "$list" -- "$rest"))
      }
      _rlsim() {
        local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}"
        # The shell takes --option=word apart.
        if [ "$word" = = ]; then word=
        elif [ "$before" = = ]; then before="${COMP_WORDS[COMP_CWORD-2]}"; fi
        case " \(names) " in *" $command "*) ;; *) [ "$COMP_CWORD" = 1 ] || command=run;; esac
        if [ "$COMP_CWORD" = 1 ]; then
          COMPREPLY=($(compgen -W "\(names) --help --version" -- "$word") $(compgen -f -X '!*.lua' -- "$word"))
          return
        fi
        case "$command $before" in

      """
    for command in Command.all {
      for option in command.options where !option.choices.isEmpty {
        let choices = option.choices.joined(separator: " ")
        text += "    \"\(command.name) --\(option.name)\") "
        text += option.isList ? "_rlsim_list \"\(choices)\"" : "COMPREPLY=($(compgen -W \"\(choices)\" -- \"$word\"))"
        text += "; return;;\n"
      }
    }
    text += "    \"completions completions\") COMPREPLY=($(compgen -W \"bash zsh fish\" -- \"$word\")); return;;\n"
    text += "  esac\n  case \"$command\" in\n"
    for command in Command.all {
      text += "    \(command.name)) COMPREPLY=($(compgen -W \"\(flags(command))\" -- \"$word\"));;\n"
    }
    return text + """
        esac
        case "$word" in -*) ;; *) COMPREPLY=($(compgen -f -- "$word"));; esac
      }
      complete -o filenames -F _rlsim rlsim

      """
  }

  static func zsh() -> String {
    var text = """
      #compdef rlsim
      local -a commands
      commands=(

      """
    for command in Command.all { text += "  '\(command.name):\(escaped(command.summary))'\n" }
    text += """
      )
      if (( CURRENT == 2 )); then
        _describe command commands
        _files -g '*.lua'
        return
      fi
      case $words[2] in

      """
    for command in Command.all {
      text += "  \(command.name)) _arguments \\\n"
      for option in command.options {
        let help = escaped(String(option.help.split(separator: "\n").first ?? ""))
        let choices = option.choices.joined(separator: " ")
        let action = choices.isEmpty ? "_files" : option.isList ? "_values -s , name \(choices)" : "(\(choices))"
        let value = option.argument.isEmpty ? "" : ":value:\(action)"
        text += "    '--\(option.name)[\(help)]\(value)' \\\n"
      }
      text += "    '*:file:_files' ;;\n"
    }
    return text + "esac\n"
  }

  static func fish() -> String {
    var text = "complete -c rlsim -n __fish_use_subcommand -a '\(names)'\n"
    for command in Command.all {
      let condition = "__fish_seen_subcommand_from \(command.name)"
      for option in command.options {
        let help = (option.help.split(separator: "\n").first.map(String.init) ?? "").split(separator: "'").joined()
        let words = option.choices.joined(separator: " ")
        let offered = option.isList ? "(__fish_append , \(words))" : words
        let choices = words.isEmpty ? "" : " -x -a '\(offered)'"
        text += "complete -c rlsim -n '\(condition)' -l \(option.name)\(choices) -d '\(help)'\n"
      }
    }
    return text
  }

  /// A text inside single quotes and brackets of zsh.
  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "'": "'\\''"
      case "[", "]", ":": "\\\(character)"
      default: String(character)
      }
    }.joined()
  }
}
