/// The API table as a page of the documentation: docs/script-reference.md.
public enum ReferencePage {
  /// The whole page, as Markdown.
  public static func render() -> String {
    var text = """
      # Script reference

      Made from rlsim's table of functions; not to be changed by hand. `rlsim api` prints the same for editors.
      Times and dates are seconds of virtual time. Every object has a `name`. What is in brackets can be left out;
      braces stand for a table with named fields.

      ## rl

      | Field | Type | Meaning |
      |---|---|---|

      """
    for constant in APITable.constants {
      text += row(["`rl.\(constant.name)`", code(constant.luaType), constant.documentation])
    }
    for function in APITable.functions where function.owner == nil { text += render(function) }
    for kind in APITable.kinds {
      text += "\n## \(kind.name)\n\n\(kind.documentation)\n"
      if kind == .thread { text += "`thread.dictionary` is a table of the thread's own.\n" }
      for function in APITable.functions where function.owner == kind { text += render(function) }
    }
    text += "\n## Names\n\n| Type | Values |\n|---|---|\n"
    for alias in APITable.aliases {
      let values = alias.values.map { "`\"\($0)\"`" }.joined(separator: ", ")
      text += row(["`\(alias.name)`: \(alias.documentation)", values])
    }
    return text
  }

  /// How a function is called: `loop:runInMode(mode[, seconds[, returnAfterSourceHandled]])`.
  static func signature(_ function: APIFunction) -> String {
    if function.parameters.isEmpty, function.fields != nil { return "\(function.qualifiedName){ … }" }
    var list = ""
    var open = 0
    let lastRequired = function.parameters.lastIndex(where: \.isRequired) ?? -1
    for (index, parameter) in function.parameters.enumerated() {
      let separator = index == 0 ? "" : ", "
      if parameter.type.canBeLeftOut {
        list += "[\(parameter.name), ]"
      } else if index <= lastRequired || parameter.type.isRest {
        list += (list.hasSuffix(", ]") ? "" : separator) + "\(parameter.name)"
      } else {
        list += "[\(separator)\(parameter.name)"
        open += 1
      }
    }
    if function.fields != nil { list += function.parameters.isEmpty ? "{ … }" : "[, { … }]" }
    return "\(function.qualifiedName)(\(list)\(String(repeating: "]", count: open)))"
  }

  private static func render(_ function: APIFunction) -> String {
    var text = "\n### `\(signature(function))`\n\n\(function.documentation)\n"
    let parameters = function.allParameters
    if !parameters.isEmpty {
      text +=
        "\n| \(function.parameters.isEmpty ? "Field" : "Parameter") | Type | Default | Meaning |\n|---|---|---|---|\n"
    }
    for parameter in parameters {
      let standard = parameter.isRequired ? "required" : parameter.standard ?? ""
      text += row(["`\(parameter.name)`", code(parameter.type.luaType), standard, parameter.documentation])
    }
    if let type = function.resultType {
      let words = function.resultDocumentation.isEmpty ? "" : ": \(function.resultDocumentation)"
      text += "\nGives \(code(type))\(words).\n"
    }
    return text
  }

  private static func code(_ text: String) -> String { "`\(text)`" }

  private static func row(_ cells: [String]) -> String {
    "| " + cells.map(escaped).joined(separator: " | ") + " |\n"
  }

  private static func escaped(_ cell: String) -> String {
    String(cell.flatMap { $0 == "|" ? Array("\\|") : [$0] })
  }
}
