import RunLoopEngine

/// The library's lock of a run loop, and the run's lock.
///
/// The library holds a loop's lock while it calls the callbacks of a source that is invalidated, that joins or leaves the
/// common modes, or whose thread ends. Such a callback may give the run's lock up and want it back, while another thread
/// has it and waits for the loop's. So while a thread may hold a loop's lock, the others call the library without the
/// run's lock: they wait for the callback, as a program without a lock around everything does.
extension LiveRun {
  /// Calls the library, which may have to wait for a run loop's lock.
  ///
  /// - Parameter body: calls of the library and nothing else: the run's lock may be given up meanwhile.
  func askLibrary<Result>(_ body: () -> Result) -> Result {
    let thread = current
    guard loopHolds > thread.loopHolds else { return body() }
    return holdingLoop(thread) { blocking(.library, body) }
  }

  /// Does what may come to hold a run loop's lock without the run's, on a thread.
  func holdingLoop<Result>(_ thread: LiveThread, _ body: () -> Result) -> Result {
    holdLoop(thread)
    defer {
      thread.loopHolds -= 1
      loopHolds -= 1
    }
    return body()
  }

  /// A thread may hold a run loop's lock from now on.
  func holdLoop(_ thread: LiveThread) {
    thread.loopHolds += 1
    loopHolds += 1
  }

  /// A thread is gone, and holds nothing.
  func releaseLoops(of thread: LiveThread) {
    loopHolds -= thread.loopHolds
    thread.loopHolds = 0
  }
}
