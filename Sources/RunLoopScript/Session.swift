import CLuaHost
import RunLoopEngine
import RunLoopTrace

/// One run of one script: an engine, a Lua host, and the table between them.
///
/// The state lies behind pointers, and C's handler functions borrow the session without retaining it, so that a
/// callout costs no reference counting and no exclusivity check.
public final class Session {
  let options: ScriptOptions
  @usableFromInline let state: UnsafeMutablePointer<Simulation>
  let table: CTable
  let bindings: UnsafeMutablePointer<Binding>
  /// The Lua host; nil when there was no memory for it.
  private(set) var host: OpaquePointer?
  /// What the script's compilation gave.
  private(set) var loaded: clh_status = CLH_LIMITED
  /// What every callout looks at; behind a pointer for the same reason.
  let hot: UnsafeMutablePointer<Hot>
  /// The number of the function that was called last; for messages.
  var function = 0
  /// Text for C: results and messages.
  var scratch = Scratch()
  /// Text for C: names of objects.
  var nameScratch = Scratch()
  let notesPointer: UnsafeMutablePointer<Notes>
  /// Where the trace goes, during `run`.
  var consumer: (any TraceConsumer)?
  /// Events that were handed to the consumer.
  var deliveredEvents = 0
  /// Why the run must be left before the engine says so.
  var leaving: Outcome.Kind?
  var leavingMessage: String?
  private let directory: [CChar]?
  private let root: [CChar]?

  /// What belongs to the run and the engine does not know.
  var notes: Notes {
    @inline(__always) unsafeAddress { UnsafePointer(notesPointer) }
    @inline(__always) unsafeMutableAddress { notesPointer }
  }

  /// The thread whose coroutine is running.
  @inline(__always) var current: ThreadID {
    get { hot.pointee.current }
    set { hot.pointee.current = newValue }
  }

  /// How often the engine was called; wraps.
  @inline(__always) var calls: UInt32 {
    get { hot.pointee.calls }
    set { hot.pointee.calls = newValue }
  }

  /// `calls` when the running thread got its turn.
  @inline(__always) var callsAtResume: UInt32 {
    get { hot.pointee.callsAtResume }
    set { hot.pointee.callsAtResume = newValue }
  }

  /// Events are handed to the consumer when there are more than this.
  @inline(__always) var batch: Int {
    get { hot.pointee.batch }
    set { hot.pointee.batch = newValue }
  }

  /// The state of the run.
  public var simulation: Simulation {
    @inlinable @inline(__always) unsafeAddress { UnsafePointer(state) }
    @inlinable @inline(__always) unsafeMutableAddress { state }
  }

  /// The most Lua memory there ever was, in bytes.
  public var peakMemory: Int { host.map { Int(clh_peak_memory($0)) } ?? 0 }

  /// Whether a function of the table is called for the second time, after its step.
  var isCallingAgain = false

  /// Carries out the operations in the engine's place, in a live run.
  package var performer: (any Performer)?
  private let isLive: Bool

  /// Compiles the script; an error in it is told by `run`.
  public convenience init(_ options: ScriptOptions) { self.init(options, isLive: false) }

  /// Compiles the script.
  ///
  /// - Parameter isLive: whether a performer will carry out the operations.
  package init(_ options: ScriptOptions, isLive: Bool) {
    self.options = options
    self.isLive = isLive
    state = .allocate(capacity: 1)
    hot = .allocate(capacity: 1)
    hot.initialize(to: Hot(state: state))
    let isExplored = options.configuration.exploration != nil
    table = CTable(wantsAllPlaces: isExplored, isQuick: !isExplored && !isLive)
    bindings = table.bindings.baseAddress!
    notesPointer = .allocate(capacity: 1)
    notesPointer.initialize(to: Notes())
    directory = options.scriptDirectory.map { Array($0.utf8CString) }
    root = options.scriptRoot.map { Array($0.utf8CString) }
    var entry: Int32 = 0
    hot.pointee.session = .passUnretained(self)
    batch = min(Session.largestBatch, max(0, options.maximumTraceEvents))
    host = makeHost()
    if let host { loaded = load(into: host, &entry) }
    var configuration = options.configuration
    configuration.tracing = CategoryNames.selection(options)
    state.initialize(to: Simulation(configuration, mainEntry: HostValue(reference: Int64(entry))))
    if let host { setConstants(host) }
    tellWantedTexts()
  }

  deinit {
    if let host { clh_destroy(host) }
    state.deinitialize(count: 1)
    state.deallocate()
    hot.deallocate()
    notesPointer.deinitialize(count: 1)
    notesPointer.deallocate()
  }

  private func makeHost() -> OpaquePointer? {
    var settings = clh_settings()
    settings.max_memory = options.maximumMemory
    settings.max_instructions = options.maximumInstructions
    settings.seed = Int64(bitPattern: options.configuration.seed ?? 0)
    settings.kinds = UnsafePointer(table.kinds.baseAddress)
    settings.kind_count = Int32(table.kinds.count)
    settings.functions = UnsafePointer(table.functions.baseAddress)
    settings.function_count = Int32(table.functions.count)
    settings.field_synonyms = UnsafePointer(table.fieldSynonyms.baseAddress)
    settings.field_synonym_count = Int32(table.fieldSynonyms.count)
    settings.call_synonyms = UnsafePointer(table.callSynonyms.baseAddress)
    settings.call_synonym_count = Int32(table.callSynonyms.count)
    settings.handler = isLive ? makeLiveHandler() : makeHandler()
    guard let directory else { return clh_create(&settings) }
    return directory.withUnsafeBufferPointer { directory in
      settings.script_directory = directory.baseAddress
      guard let root else { return clh_create(&settings) }
      return root.withUnsafeBufferPointer { root in
        settings.script_root = root.baseAddress
        return clh_create(&settings)
      }
    }
  }

  private func load(into host: OpaquePointer, _ entry: inout Int32) -> clh_status {
    options.source.withUnsafeBufferPointer { source in
      source.withMemoryRebound(to: CChar.self) { text in
        var empty: CChar = 0
        return withUnsafePointer(to: &empty) { nothing in
          clh_load(host, text.baseAddress ?? nothing, text.count, options.chunkName, &entry)
        }
      }
    }
  }

  /// Texts of values that only accesses show are made only while those are traced.
  func tellWantedTexts() {
    if let host { clh_want_texts(host, simulation.traces(.access)) }
  }

  private func setConstants(_ host: OpaquePointer) {
    func set(_ name: StaticString, _ value: clh_value) {
      var value = value
      _ = clh_set_constant(host, name.cString, &value)
    }
    set("distantFuture", .number(.infinity))
    set("distantPast", .number(-.infinity))
    set("mainThread", .object(.thread, ThreadID.main.rawValue))
    set("mainLoop", .object(.loop, state.pointee.currentLoop(of: .main).rawValue))
    set("mainQueue", .object(.mainQueue, 0))
    set("notifications", .object(.notifications, 0))
    set("portServer", .object(.portServer, 0))
    set("args", scratch.hold(options.arguments.map { Array($0.utf8) }))
  }
}
