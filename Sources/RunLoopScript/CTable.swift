import CLuaHost

/// The API table as the C host wants it. All text in it is that of static strings; the arrays live as long as this.
final class CTable {
  let functions: UnsafeMutableBufferPointer<clh_function>
  /// What each function does, by the same number.
  let bindings: UnsafeMutableBufferPointer<Binding>
  let kinds: UnsafeMutableBufferPointer<UnsafePointer<CChar>?>
  let fieldSynonyms: UnsafeMutableBufferPointer<clh_synonym>
  let callSynonyms: UnsafeMutableBufferPointer<clh_synonym>
  private let parameters: UnsafeMutableBufferPointer<clh_parameter>

  /// - Parameters:
  ///   - wantsAllPlaces: whether every call tells its place in the script, not only those whose messages do.
  ///   - isQuick: whether some calls may be carried out on the spot.
  init(wantsAllPlaces: Bool, isQuick: Bool) {
    let table = APITable.functions
    functions = .allocate(capacity: table.count)
    bindings = .allocate(capacity: table.count)
    parameters = .allocate(capacity: table.reduce(0) { $0 + $1.allParameters.count })
    kinds = .allocate(capacity: ObjectKind.allCases.count)
    fieldSynonyms = Self.synonyms(AppleNames.fields)
    callSynonyms = Self.synonyms(AppleNames.calls)
    for kind in ObjectKind.allCases { kinds.initializeElement(at: Int(kind.rawValue), to: kind.name.cString) }
    var used = 0
    for (index, function) in table.enumerated() {
      let first = used
      for parameter in function.allParameters { used = store(parameter, at: used) }
      var flags = 0
      if function.fields != nil { flags |= CLH_FIELDS }
      if function.fieldsAreRequired { flags |= CLH_FIELDS_REQUIRED }
      if function.allowsPositional { flags |= CLH_OR_POSITIONAL }
      if function.wantsPosition || wantsAllPlaces { flags |= CLH_WANTS_POSITION }
      if function.quick != .none { flags |= CLH_OFTEN }
      if function.quick.wantsPosition { flags |= CLH_QUICK_POSITION }
      if function.quick == .tryLock { flags |= CLH_QUICK_TRUE }
      let row = clh_function(
        name: function.name.cString, owner: function.owner?.rawValue ?? -1, flags: UInt32(flags),
        positional: Int32(function.parameters.count), parameter_count: Int32(used - first),
        parameters: UnsafePointer(parameters.baseAddress! + first), nil_means: function.meaningOfNil?.cString,
        quick: isQuick ? function.quick.function : nil)
      functions.initializeElement(at: index, to: row)
      bindings.initializeElement(
        at: index, to: Binding(run: function.run, isMethod: function.owner != nil))
    }
  }

  private static func synonyms(
    _ names: [(name: StaticString, ours: StaticString)]
  ) -> UnsafeMutableBufferPointer<clh_synonym> {
    let rows = UnsafeMutableBufferPointer<clh_synonym>.allocate(capacity: names.count)
    for (index, each) in names.enumerated() {
      rows.initializeElement(at: index, to: clh_synonym(name: each.name.cString, ours: each.ours.cString))
    }
    return rows
  }

  private func store(_ parameter: Parameter, at index: Int) -> Int {
    // nil is a truth value too.
    let mustBeThere = parameter.isRequired && parameter.type.accepts & UInt32(CLH_ACCEPT_TRUTH) == 0
    let row = clh_parameter(
      name: parameter.name.cString,
      accepts: parameter.type.accepts | (mustBeThere ? UInt32(CLH_REQUIRED) : 0),
      kinds: parameter.type.kinds, expected: parameter.type.expected.cString)
    parameters.initializeElement(at: index, to: row)
    return index + 1
  }

  deinit {
    functions.deallocate()
    bindings.deinitialize()
    bindings.deallocate()
    parameters.deallocate()
    fieldSynonyms.deallocate()
    callSynonyms.deallocate()
    kinds.deallocate()
  }
}

/// A function of the table, as a call finds it. (A struct, as a bare closure in a buffer is called through a thunk.)
struct Binding {
  let run: Implementation
  let isMethod: Bool
}

extension StaticString {
  /// The text with the zero byte that every static string has behind it.
  var cString: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}
