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
  var dictionaryHandler: @convention(c) (UnsafeMutableRawPointer?, Int32, Bool) -> Void {
    { context, thread, hasContents in
      Unmanaged<Session>.fromOpaque(UnsafeRawPointer(context.unsafelyUnwrapped))._withUnsafeGuaranteedRef {
        $0.state.pointee.touchDictionary(of: ThreadID(rawValue: thread), by: $0.current, hasContents: hasContents)
      }
    }
  }
}
