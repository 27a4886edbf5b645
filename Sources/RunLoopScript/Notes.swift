import CLuaHost
import RunLoopEngine

/// What a session knows of a run beside the engine. A value: it belongs to a snapshot of the run.
struct Notes {
  /// What a script sets and reads back.
  struct Settings {
    var priority = 0.5
    var stackSize: Int64?
  }

  /// What follows when the engine is through with the operation of a thread's call.
  enum FollowUp {
    /// The call gives this value.
    case give(clh_value)
    /// These timers are invalidated, the last one first.
    case invalidate([TimerID])
  }

  var settings: [ThreadID: Settings] = [:]
  var followUps: [ThreadID: FollowUp] = [:]
  /// The names of the script's files, by the host's number of a chunk; `none` where it was not asked for yet.
  var files: [NameID] = []
  private var started: [Bool] = []

  /// Whether a thread was started, or is the main thread.
  func isStarted(_ thread: ThreadID) -> Bool {
    thread == .main || (Int(thread.rawValue) < started.count && started[Int(thread.rawValue)])
  }

  mutating func start(_ thread: ThreadID) {
    let index = Int(thread.rawValue)
    while started.count <= index { started.append(false) }
    started[index] = true
  }
}
