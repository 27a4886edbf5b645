import CLuaHost
import RunLoopEngine

extension Session {
  /// What C calls when a thread has to do with what all share and is no object, so that the explorer knows of it.
  var hiddenHandler: @convention(c) (UnsafeMutableRawPointer?, clh_hidden, Bool) -> Void {
    { context, what, changes in
      Unmanaged<Session>.fromOpaque(UnsafeRawPointer(context.unsafelyUnwrapped))._withUnsafeGuaranteedRef {
        $0.state.pointee.touchHidden(Int32(truncatingIfNeeded: what.rawValue), changes: changes)
      }
    }
  }

  /// The same for the dictionary of a thread.
  var dictionaryHandler:
    @convention(c) (UnsafeMutableRawPointer?, Int32, Bool, Bool, UnsafeMutablePointer<clh_action>?) -> Void
  {
    { context, thread, hasContents, mayWait, out in
      Unmanaged<Session>.fromOpaque(UnsafeRawPointer(context.unsafelyUnwrapped))._withUnsafeGuaranteedRef {
        $0.reachesDictionary(
          of: ThreadID(rawValue: thread), hasContents: hasContents, mayWait: mayWait, out.unsafelyUnwrapped)
      }
    }
  }

  private func reachesDictionary(
    of thread: ThreadID, hasContents: Bool, mayWait: Bool, _ out: UnsafeMutablePointer<clh_action>
  ) {
    if mayWait {
      fill(state.pointee.perform(.look(.dictionary(thread)), on: current, at: position(clh_place(host))), out)
      if out.pointee.action == Int32(CLH_BLOCK.rawValue) { return }
    }
    state.pointee.touchDictionary(of: thread, by: current, hasContents: hasContents)
  }
}
