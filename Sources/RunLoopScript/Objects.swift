import CLuaHost
import RunLoopEngine

/// Reference-counted objects.
enum Objects {
  static let functions: [APIFunction] = [
    .function(
      "object",
      fields: [
        .optional("name", .name, default: "`object1`, …", "its name in the trace"),
        .optional("dealloc", .function(), default: "nothing", "called when its last reference is given up"),
      ], options: .fieldsRequired, gives: ("rl.Object", "the new object, with one reference"),
      doc: "Makes a reference-counted object.", run: make),
    .method(
      .object, "retain", gives: ("rl.Object", "the object"),
      doc: "Adds a reference. An object that was deallocated is an error here and below."
    ) { _, arguments in .operationThen(.retain(arguments.object), .object(.object, arguments.receiver)) },
    .method(
      .object, "release", options: .position,
      doc:
        "Gives up a reference; with the last one the object is deallocated, on this thread. The last one while a pool will give it up, too, is an error."
    ) { _, arguments in .operation(.release(arguments.object)) },
    .method(
      .object, "autorelease", options: .position, gives: ("rl.Object", "the object"),
      doc: "Has the innermost autorelease pool of this thread give up a reference when it is drained."
    ) { _, arguments in .operationThen(.autorelease(arguments.object), .object(.object, arguments.receiver)) },
  ]

  private static func make(_ session: Session, _ arguments: Arguments) throws(APIError) -> Answer {
    let object = session.simulation.makeObject(
      name: try session.name(arguments, 0, .object), dealloc: arguments.host(1))
    return .value(.object(.object, object.rawValue))
  }
}

extension Arguments {
  /// The object whose method was called.
  var object: ObjectID { ObjectID(rawValue: receiver) }
}
