/// Completion scripts, made from the table of commands and their options. Words without a command belong to `run`.
enum Completions {
  private static let shells = "bash zsh fish"
  private static var names: String { Command.all.map(\.name).joined(separator: " ") }
  private static var others: [Command] { Command.all.filter { $0.name != Command.run.name } }

  private static func flags(_ command: Command) -> String {
    (command.options.map { "--\($0.name)" } + ["--help"]).joined(separator: " ")
  }

  // MARK: bash

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
        if [ "$word" = = ]; then word= before="$before="
        elif [ "$before" = = ]; then before="${COMP_WORDS[COMP_CWORD-2]}="; fi
        if [ "$COMP_CWORD" = 1 ]; then
          COMPREPLY=($(compgen -W "\(names) \(flags(.run)) --version" -- "$word") $(compgen -f -X '!*.lua' -- "$word"))
          return
        fi
        case " \(names) " in *" $command "*) ;; *) command=run;; esac
        case "$command $before" in

      """
    for command in Command.all {
      for option in command.options {
        guard let offer = bash(option) else { continue }
        let words = "\(command.name) --\(option.name)"
        text += "    \(option.isOptional ? "" : "\"\(words)\"|")\"\(words)=\") \(offer); return;;\n"
      }
    }
    text += "    \"completions completions\") COMPREPLY=($(compgen -W \"\(shells)\" -- \"$word\")); return;;\n"
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

  /// What offers an option's argument; nil: nothing does, as the next word is none.
  private static func bash(_ option: OptionDescription) -> String? {
    let choices = option.choices.joined(separator: " ")
    return switch option.completed {
    case .nothing: nil
    case .something: "COMPREPLY=()"
    case .file: "COMPREPLY=($(compgen -f -- \"$word\"))"
    case .folder: "COMPREPLY=($(compgen -d -- \"$word\"))"
    case .choice: "COMPREPLY=($(compgen -W \"\(choices)\" -- \"$word\"))"
    case .list: "_rlsim_list \"\(choices)\""
    }
  }

  // MARK: zsh

  static func zsh() -> String {
    var text = """
      #compdef rlsim
      local -a commands
      commands=(

      """
    for command in Command.all { text += "  '\(command.name):\(escaped(command.summary))'\n" }
    text += """
      )
      if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
        _describe command commands
        _files -g '*.lua'
        return
      fi
      case $words[2] in

      """
    for command in others { text += "  \(command.name)) \(zsh(command)) ;;\n" }
    return text + "  *) \(zsh(.run)) ;;\nesac\n"
  }

  private static func zsh(_ command: Command) -> String {
    var text = "_arguments \\\n"
    for option in command.options {
      let name = "--\(option.name)\(option.isOptional ? "=-" : option.argument.isEmpty ? "" : "=")"
      text += "    '\(option.mayRepeat ? "*" : "")\(name)[\(escaped(option.sentence))]\(zsh(option))' \\\n"
    }
    if command.name == Command.completions.name {
      return text + "    '2:shell:(\(shells))'"
    }
    return text + "    '*:file:_files'"
  }

  /// What offers an option's argument.
  private static func zsh(_ option: OptionDescription) -> String {
    let choices = option.choices.joined(separator: " ")
    return switch option.completed {
    case .nothing: ""
    case .something: ":value: "
    case .file: ":file:_files"
    case .folder: ":folder:_files -/"
    case .choice: "\(option.isOptional ? ":" : ""):value:(\(choices))"
    case .list: ":value:_values -s , name \(choices)"
    }
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

  // MARK: fish

  static func fish() -> String {
    var text = "complete -c rlsim -n __fish_use_subcommand -a '\(names)'\n"
    text += "complete -c rlsim -n '__fish_seen_subcommand_from completions' -f -a '\(shells)'\n"
    for command in Command.all {
      let isRun = command.name == Command.run.name
      let seen = (isRun ? others : [command]).map(\.name).joined(separator: " ")
      let condition = "\(isRun ? "not " : "")__fish_seen_subcommand_from \(seen)"
      for option in command.options {
        let help = option.sentence.split(separator: "'").joined(separator: "\\'")
        text += "complete -c rlsim -n '\(condition)' -l \(option.name)\(fish(option)) -d '\(help)'\n"
      }
    }
    return text
  }

  /// What offers an option's argument.
  private static func fish(_ option: OptionDescription) -> String {
    let choices = option.choices.joined(separator: " ")
    return switch option.completed {
    case .nothing: ""
    case .something: " -x"
    case .file: " -r -F"
    case .folder: " -x -a '(__fish_complete_directories)'"
    case .choice: " \(option.isOptional ? "-f" : "-x") -a '\(choices)'"
    case .list: " -x -a '(__fish_append , \(choices))'"
    }
  }
}

extension OptionDescription {
  /// What a shell can offer for an option's argument.
  fileprivate enum Completed { case nothing, something, file, folder, choice, list }

  fileprivate var completed: Completed {
    if !choices.isEmpty { return isList ? .list : .choice }
    if argument.isEmpty { return .nothing }
    return argument.hasSuffix(" FILE") ? .file : argument.hasSuffix("DIR") ? .folder : .something
  }

  /// The help in one line, up to what only adds to it.
  fileprivate var sentence: String {
    let line = help.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
    return line.prefix { $0 != ";" }.description
  }

  /// Whether its argument may be left out, and so must follow an =.
  fileprivate var isOptional: Bool { argument.hasPrefix("[") }

  fileprivate var mayRepeat: Bool { help.contains("may be repeated") }
}
