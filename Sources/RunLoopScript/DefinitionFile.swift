/// The API table as a definition file for the Lua language server (LuaLS): what `rlsim api` prints.
public enum DefinitionFile {
  /// The whole file.
  public static func render() -> String {
    var text = "---@meta\n\n-- What rlsim scripts can call. Made by `rlsim api`; not to be changed by hand.\n\n"
    for alias in APITable.aliases { text += render(alias) }
    for kind in APITable.kinds {
      text += "---\(kind.documentation)\n---@class \(kind.className)\n---@field name string\n"
      if kind == .thread { text += "---@field dictionary table a table of the thread's own\n" }
      text += "local \(local(kind)) = {}\n\n"
    }
    text += "---@class rl\n"
    for constant in APITable.constants {
      text += "---@field \(constant.name) \(constant.luaType) \(constant.documentation)\n"
    }
    text += "rl = {}\n"
    for function in APITable.functions { text += render(function) }
    return text
  }

  private static func render(_ alias: APIAlias) -> String {
    var text = "---\(alias.documentation)\n---@alias \(alias.name)\n"
    for value in alias.values { text += "---| \"\(value)\"\n" }
    return text + (alias.isOpen ? "---| string\n\n" : "\n")
  }

  private static func local(_ kind: ObjectKind) -> String { String(kind.className.dropFirst("rl.".count)) }

  private static func render(_ function: APIFunction) -> String {
    var text = "\n"
    let fieldsClass = fieldsClass(of: function)
    if let fields = function.fields {
      text += "---@class \(fieldsClass)\n"
      for field in fields {
        text += "---@field \(field.name)\(field.isRequired ? "" : "?") \(field.type.luaType) \(sentence(field))\n"
      }
      text += "\n"
    }
    text += "---\(function.documentation)\n"
    for parameter in function.parameters {
      let mark = parameter.isRequired || parameter.type.isRest ? "" : "?"
      text += "---@param \(parameter.name)\(mark) \(parameter.type.luaType) \(sentence(parameter))\n"
    }
    if function.fields != nil {
      text += "---@param fields\(function.fieldsAreRequired ? "" : "?") \(fieldsClass)\n"
    }
    if let type = function.resultType {
      text += "---@return \(type)"
      text += function.resultDocumentation.isEmpty ? "\n" : " # \(function.resultDocumentation)\n"
    }
    text += overloads(of: function)
    let names = function.parameters.map { "\($0.name)" } + (function.fields == nil ? [] : ["fields"])
    let owner = function.owner.map { "\(local($0)):" } ?? "rl."
    return text + "function \(owner)\(function.name)(\(names.joined(separator: ", "))) end\n"
  }

  /// The class of a function's fields: `rl.timer.fields`, `rl.Loop.scheduleTimer.fields`.
  private static func fieldsClass(of function: APIFunction) -> String {
    "\(function.owner?.className ?? "rl").\(function.name).fields"
  }

  /// The other ways to call it.
  private static func overloads(of function: APIFunction) -> String {
    let result = function.resultType.map { ": \($0)" } ?? ""
    if function.allowsPositional, let fields = function.fields {
      let list = fields.map { "\($0.name)\($0.isRequired ? "" : "?"): \($0.type.luaType)" }.joined(separator: ", ")
      return "---@overload fun(\(list))\(result)\n"
    }
    let needed = function.parameters.filter { !$0.type.canBeLeftOut }
    if let owner = function.owner, needed.count < function.parameters.count {
      let list = (["self: \(owner.className)"] + needed.map { "\($0.name): \($0.type.luaType)" })
      return "---@overload fun(\(list.joined(separator: ", ")))\(result)\n"
    }
    return ""
  }

  private static func sentence(_ parameter: Parameter) -> String {
    guard let standard = parameter.standard else { return parameter.documentation }
    return "\(parameter.documentation) (default: \(standard))"
  }
}
