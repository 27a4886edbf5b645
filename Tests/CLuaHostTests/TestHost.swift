import CLuaHost

/// A host with a small API of its own and a handler that does what a test needs: it blocks, calls back and raises, and
/// writes down what scripts log.
final class TestHost {
  private(set) var host: OpaquePointer?
  private(set) var lines: [String] = []
  var now: Int64 = 0
  /// Told how often the host has asked before; true stops the script.
  var stop: (Int) -> Bool = { _ in false }
  private var questions = 0
  /// How often the current thread blocked.
  private(set) var blocks = 0
  private var current: Int32 = 0
  private var entries: [Int32: Int32] = [:]
  private var names: [UnsafeMutablePointer<CChar>] = []
  private let functions: UnsafeMutablePointer<clh_function>
  private let parameters: UnsafeMutablePointer<clh_parameter>
  private let kinds: UnsafeMutablePointer<UnsafePointer<CChar>?>
  private var objectName: UnsafeMutablePointer<CChar>?
  private var timers: [Int32] = []
  /// The function of `chain`, and how often it is still to be called.
  private var link: Int32 = 0
  private var links = 0
  /// How many calls of it are left when `next` gives way instead; 0: it does not.
  var givesWayBefore = 0

  struct Row {
    var name: String
    var owner: Int32 = -1
    var flags = 0
    var parameters: [(name: String, accepts: Int, kinds: UInt64, expected: String)] = []
    var positional: Int?
  }

  enum Function: Int32, CaseIterable {
    case log, block, call, raise, echo, now, timer, fire, list, here, same, chain
  }

  static let rows: [Function: Row] = [
    .log: Row(name: "log", parameters: [("texts", CLH_ACCEPT_TEXTS, 0, "values")]),
    .block: Row(name: "block"),
    .call: Row(
      name: "call",
      parameters: [
        ("fn", CLH_ACCEPT_FUNCTION | CLH_REQUIRED, 0, "a function"), ("arguments", CLH_ACCEPT_REST, 0, "values"),
      ]),
    .raise: Row(name: "raise", parameters: [("text", CLH_ACCEPT_STRING | CLH_REQUIRED, 0, "a string")]),
    .echo: Row(name: "echo", parameters: [("value", CLH_ACCEPT_ANY | CLH_WITH_TEXT, 0, "a value")]),
    .now: Row(name: "now"),
    .timer: Row(
      name: "timer", flags: CLH_FIELDS | CLH_FIELDS_REQUIRED,
      parameters: [
        ("name", CLH_ACCEPT_STRING, 0, "a string"), ("fireAt", CLH_ACCEPT_NUMBER, 0, "a number of seconds"),
        ("interval", CLH_ACCEPT_NUMBER, 0, "a number of seconds"), ("fire", CLH_ACCEPT_FUNCTION, 0, "a function"),
      ], positional: 0),
    .fire: Row(name: "fire", owner: 0),
    .list: Row(
      name: "list", parameters: [("modes", CLH_ACCEPT_STRINGS | CLH_ACCEPT_STRING, 0, "a mode or a list of modes")]),
    .here: Row(name: "here", flags: CLH_WANTS_POSITION),
    .same: Row(
      name: "same", parameters: [("a", CLH_ACCEPT_ANY, 0, "a value"), ("b", CLH_ACCEPT_ANY, 0, "a value")]),
    .chain: Row(
      name: "chain",
      parameters: [
        ("fn", CLH_ACCEPT_FUNCTION | CLH_REQUIRED, 0, "a function"),
        ("count", CLH_ACCEPT_INTEGER | CLH_REQUIRED, 0, "a number"),
      ]),
  ]

  init(memory: Int = 0, instructions: UInt64 = 0, seed: Int64 = 1, directory: String? = nil) {
    functions = .allocate(capacity: Function.allCases.count)
    parameters = .allocate(capacity: 64)
    kinds = .allocate(capacity: 2)
    var settings = clh_settings()
    kinds[0] = UnsafePointer(keep("timer"))
    kinds[1] = UnsafePointer(keep("thread"))
    var used = 0
    for function in Function.allCases {
      let row = TestHost.rows[function]!
      let first = used
      for parameter in row.parameters {
        parameters[used] = clh_parameter(
          name: keep(parameter.name), accepts: UInt32(parameter.accepts), kinds: parameter.kinds,
          expected: keep(parameter.expected))
        used += 1
      }
      functions[Int(function.rawValue)] = clh_function(
        name: keep(row.name), owner: row.owner, flags: UInt32(row.flags),
        positional: Int32(row.positional ?? row.parameters.count), parameter_count: Int32(row.parameters.count),
        parameters: parameters + first, nil_means: nil, quick: nil)
    }
    settings.max_memory = memory
    settings.max_instructions = instructions
    settings.seed = seed
    settings.script_directory = directory.map { UnsafePointer(keep($0)) }
    settings.kinds = UnsafePointer(kinds)
    settings.kind_count = 2
    settings.functions = UnsafePointer(functions)
    settings.function_count = Int32(Function.allCases.count)
    settings.handler = clh_handler(
      context: Unmanaged.passUnretained(self).toOpaque(),
      quick_context: Unmanaged.passUnretained(self).toOpaque(),
      call: { TestHost.from($0).call(Function(rawValue: $1)!, $2, $4, $5!) },
      resumed: { TestHost.from($0).resumed($1!) },
      returned: { TestHost.from($0).returned($1!.pointee, $2, $3!) },
      next: { TestHost.from($0).next() },
      name: { context, _, id, bytes, length in
        let text = TestHost.from(context).name(id)
        bytes!.pointee = text.0
        length!.pointee = text.1
      },
      now: { TestHost.from($0).now },
      should_stop: { TestHost.from($0).shouldStop() },
      touches: nil, dictionary: nil)
    host = clh_create(&settings)
  }

  deinit {
    clh_destroy(host)
    functions.deallocate()
    parameters.deallocate()
    kinds.deallocate()
    for name in names { name.deallocate() }
    objectName?.deallocate()
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> TestHost {
    Unmanaged<TestHost>.fromOpaque(context!).takeUnretainedValue()
  }

  private func keep(_ text: String) -> UnsafeMutablePointer<CChar> {
    let copy = TestHost.copy(text)
    names.append(copy)
    return copy
  }

  private static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
    let bytes = Array(text.utf8CString)
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    copy.initialize(from: bytes, count: bytes.count)
    return copy
  }

  // MARK: Handler

  private func shouldStop() -> Bool {
    questions += 1
    return stop(questions - 1)
  }

  private func name(_ id: Int64) -> (UnsafePointer<CChar>, Int) {
    objectName?.deallocate()
    let text = "t\(id)"
    objectName = TestHost.copy(text)
    return (UnsafePointer(objectName!), text.utf8.count)
  }

  private func call(
    _ function: Function, _ arguments: UnsafePointer<clh_value>?, _ at: clh_position,
    _ out: UnsafeMutablePointer<clh_action>
  ) {
    out.pointee = clh_action()
    switch function {
    case .log: lines.append(text(arguments![0]))
    case .block: out.pointee.action = Int32(CLH_BLOCK.rawValue)
    case .call:
      out.pointee.action = Int32(CLH_CALL.rawValue)
      out.pointee.callback = Int32(arguments![0].integer)
      out.pointee.keep = 1
      clh_release(host, out.pointee.callback)
      guard arguments![1].tag == Int32(CLH_PACKED.rawValue) else { break }
      out.pointee.count = 1
      out.pointee.values.0 = arguments![1]
      out.pointee.values.0.kind = 1
    case .raise:
      out.pointee.action = Int32(CLH_RAISE.rawValue)
      out.pointee.message = arguments![0].bytes
      out.pointee.length = arguments![0].length
    case .echo:
      out.pointee.count = 1
      out.pointee.values.0 = arguments![0]
      if arguments![0].tag == Int32(CLH_REFERENCE.rawValue) {
        lines.append(text(arguments![0]))
        out.pointee.values.0.kind = 1
      }
    case .now:
      out.pointee.count = 1
      out.pointee.values.0.tag = Int32(CLH_NUMBER.rawValue)
      out.pointee.values.0.number = Double(now) / 1e9
    case .timer:
      out.pointee.count = 1
      out.pointee.values.0.tag = Int32(CLH_OBJECT.rawValue)
      out.pointee.values.0.integer = Int64(timers.count)
      timers.append(Int32(arguments![3].integer))
    case .fire:
      out.pointee.action = Int32(CLH_CALL.rawValue)
      out.pointee.callback = timers[Int(arguments![0].integer)]
      out.pointee.count = 1
      out.pointee.values.0 = arguments![0]
    case .list:
      let value = arguments![0]
      guard value.tag == Int32(CLH_LIST.rawValue) else { return lines.append("alone " + text(value)) }
      lines.append((0..<value.length).map { text(value.items[$0]) }.joined(separator: "+"))
    case .here: lines.append("\(String(cString: clh_chunk_name(host, at.chunk))):\(at.line)")
    case .same:
      out.pointee.count = 1
      out.pointee.values.0.tag = Int32(CLH_BOOLEAN.rawValue)
      out.pointee.values.0.integer =
        clh_same(host, Int32(arguments![0].integer), Int32(arguments![1].integer)) ? 1 : 0
    case .chain:
      link = Int32(arguments![0].integer)
      links = Int(arguments![1].integer)
      callLink(out)
    }
  }

  /// Calls the function of `chain` with a timer.
  private func callLink(_ out: UnsafeMutablePointer<clh_action>) {
    links -= 1
    out.pointee.action = Int32(CLH_CALL.rawValue)
    out.pointee.callback = link
    out.pointee.count = 1
    out.pointee.values.0.tag = Int32(CLH_OBJECT.rawValue)
  }

  private func next() -> clh_next {
    guard links > 0 else { return clh_next() }
    if links == givesWayBefore {
      links = 0
      return clh_next(callback: Int32(CLH_NEXT_BLOCK), kind: 0, id: 0)
    }
    links -= 1
    return clh_next(callback: link, kind: 0, id: 0)
  }

  private func resumed(_ out: UnsafeMutablePointer<clh_action>) {
    out.pointee = clh_action()
    if let entry = entries.removeValue(forKey: current) {
      out.pointee.action = Int32(CLH_CALL.rawValue)
      out.pointee.callback = entry
      out.pointee.keep = 1
      return
    }
    out.pointee.count = 1
    out.pointee.values.0.tag = Int32(CLH_INTEGER.rawValue)
    out.pointee.values.0.integer = Int64(blocks)
  }

  private func returned(_ result: clh_value, _ failed: Bool, _ out: UnsafeMutablePointer<clh_action>) {
    out.pointee = clh_action()
    if failed {
      out.pointee.action = Int32(CLH_RERAISE.rawValue)
      links = 0
      return
    }
    if links > 0 { return callLink(out) }
    out.pointee.count = 1
    out.pointee.values.0 = result
    out.pointee.values.0.kind = 1
  }

  private func text(_ value: clh_value) -> String {
    let bytes = UnsafeRawBufferPointer(start: value.bytes, count: value.length)
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Running

  func load(_ script: String, name: String = "test.lua") -> (clh_status, Int32) {
    var reference: Int32 = 0
    let status = script.withCString { clh_load(host, $0, script.utf8.count, name, &reference) }
    return (status, reference)
  }

  /// Compiles the script and makes a thread for it.
  func start(_ script: String, thread: Int32 = 0) -> clh_status {
    let (status, reference) = load(script)
    guard status == CLH_OK else { return status }
    entries[thread] = reference
    return clh_start(host, thread)
  }

  func resume(_ thread: Int32 = 0) -> clh_status {
    current = thread
    let status = clh_resume(host, thread)
    if status == CLH_YIELDED { blocks += 1 }
    return status
  }

  /// Runs the script to its end.
  func run(_ script: String) -> clh_status {
    var status = start(script)
    guard status == CLH_OK else { return status }
    repeat {
      status = resume()
      now += 1_000_000_000
    } while status == CLH_YIELDED
    clh_end(host, 0)
    return status
  }

  /// What the script logged, or its error.
  func output(_ script: String) -> [String] {
    let before = lines.count
    let status = run(script)
    return Array(lines[before...]) + (status == CLH_FINISHED ? [] : ["\(status.rawValue): \(error.message)"])
  }

  var error: (message: String, traceback: String) {
    var message: UnsafePointer<CChar>?
    var traceback: UnsafePointer<CChar>?
    var length = 0
    var tracebackLength = 0
    clh_error(host, &message, &length, &traceback, &tracebackLength)
    return (String(cString: message!), String(cString: traceback!))
  }
}
