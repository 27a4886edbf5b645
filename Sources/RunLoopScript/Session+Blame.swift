import CLuaHost
import RunLoopEngine

/// Why a limit was reached: often because a thread asks again and again for what only another could do.
extension Session {
  /// So many calls without giving way are taken for a thread that waits for others in vain.
  private static let callsOfSpinning: UInt32 = 10_000

  /// The message of a limit, with the place of a thread that has reached it by not waiting, and whom it kept waiting.
  func withBlame(_ message: String, _ host: OpaquePointer) -> String {
    guard calls &- callsAtResume > Session.callsOfSpinning else { return message }
    let advice = adviceAgainstCurrent
    if advice.isEmpty { return message }
    let place = position(clh_place_of(host, current.rawValue))
    return simulation.names.text(of: place, before: ": ") + message + advice
  }

  /// Whom the current thread kept waiting by not waiting itself. An exploration gives the others their turns.
  var adviceAgainstCurrent: String {
    options.configuration.exploration == nil ? simulation.advice(against: current) : ""
  }
}
