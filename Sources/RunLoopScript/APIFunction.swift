/// Does what a function of the table promises: looks at the arguments and says what is to happen.
typealias Implementation = @Sendable (Session, Arguments) throws(APIError) -> Answer

/// A function or method that scripts can call. Bindings, definition file and reference are made from these.
public struct APIFunction: Sendable {
  /// Whose method it is; nil for a function of `rl`.
  public let owner: ObjectKind?
  public let name: StaticString
  /// The positional parameters.
  public let parameters: [Parameter]
  /// The fields of the table that is the last argument; nil when there is none.
  public let fields: [Parameter]?
  /// Whether the table of fields must be there.
  public let fieldsAreRequired: Bool
  /// Whether the fields may also stand as positional arguments, in their order.
  public let allowsPositional: Bool
  /// Whether the engine is told the script's place of the call.
  let wantsPosition: Bool
  /// What the session may carry out on the spot.
  let quick: QuickCall
  /// The results' types, as the definition file writes them; nil when there is no result.
  public let resultType: String?
  /// The results in words.
  public var resultDocumentation: String { "\(resultWords)" }
  private let resultWords: StaticString
  /// What it does, in a sentence or two.
  public let documentation: String
  let run: Implementation

  /// Things that hold for some functions only.
  struct Options: OptionSet, Sendable {
    let rawValue: Int
    static let fieldsRequired = Options(rawValue: 1)
    static let orPositional = Options(rawValue: 2)
    static let position = Options(rawValue: 4)
    /// The session may carry it out on the spot.
    static let quickLock = Options(rawValue: 8)
    static let quickTry = Options(rawValue: 16)
    static let quickUnlock = Options(rawValue: 32)
  }

  private init(
    _ owner: ObjectKind?, _ name: StaticString, _ parameters: [Parameter], _ fields: [Parameter]?, _ options: Options,
    _ gives: (type: String, documentation: StaticString)?, _ documentation: String, _ run: @escaping Implementation
  ) {
    self.owner = owner
    self.name = name
    self.parameters = parameters
    self.fields = fields
    fieldsAreRequired = options.contains(.fieldsRequired)
    allowsPositional = options.contains(.orPositional)
    wantsPosition = options.contains(.position)
    quick = QuickCall(options)
    resultType = gives?.type
    resultWords = gives?.documentation ?? ""
    self.documentation = documentation
    self.run = run
  }

  /// A function of `rl`.
  static func function(
    _ name: StaticString, _ parameters: [Parameter] = [], fields: [Parameter]? = nil, options: Options = [],
    gives: (type: String, documentation: StaticString)? = nil, doc documentation: String, run: @escaping Implementation
  ) -> APIFunction {
    APIFunction(nil, name, parameters, fields, options, gives, documentation, run)
  }

  /// A method of a kind of object.
  static func method(
    _ owner: ObjectKind, _ name: StaticString, _ parameters: [Parameter] = [], fields: [Parameter]? = nil,
    options: Options = [], gives: (type: String, documentation: StaticString)? = nil, doc documentation: String,
    run: @escaping Implementation
  ) -> APIFunction {
    APIFunction(owner, name, parameters, fields, options, gives, documentation, run)
  }

  /// When it gives nil; nil: it never does, or that says nothing.
  var meaningOfNil: StaticString? {
    let start: StaticString = "nil "
    guard resultWords.utf8CodeUnitCount > start.utf8CodeUnitCount else { return nil }
    return (0..<start.utf8CodeUnitCount).allSatisfy { resultWords.utf8Start[$0] == start.utf8Start[$0] }
      ? resultWords : nil
  }

  /// As scripts and messages write it: "rl.timer", "timer:fire".
  public var qualifiedName: String { owner.map { "\($0.name):\(name)" } ?? "rl.\(name)" }

  /// All parameters, positional ones first, as the C host numbers them.
  var allParameters: [Parameter] { parameters + (fields ?? []) }
}
