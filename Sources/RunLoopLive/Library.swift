@preconcurrency import CoreFoundation
import Foundation

/// What the library has and its headers do not say.
enum Library {
  #if !canImport(Darwin)
    /// A descriptor that counts, from <sys/eventfd.h>, which the Glibc module leaves out.
    @_silgen_name("eventfd")
    static func eventDescriptor(_ count: UInt32, _ flags: Int32) -> Int32

    /// What Foundation's condition does with that date here: it ends the process.
    static func waitForConditionUntilDistantFuture() {
      let condition = NSCondition()
      condition.lock()
      _ = condition.wait(until: .distantFuture)
      condition.unlock()
    }

    /// What Foundation's condition lock does where it has to wait: it does so until that date.
    static func waitForConditionLock() { NSConditionLock(condition: 0).lock(whenCondition: 1) }

    /// What Foundation's mutexes do with that date where they have to wait.
    static func waitForMutexUntilDistantFuture() {
      let lock = NSLock()
      lock.lock()
      _ = lock.lock(before: .distantFuture)
    }

    static let closeOnExec: Int32 = 0o2000000
    static let nonBlocking: Int32 = 0o4000
  #endif

  @_silgen_name("CFRunLoopSourceIsSignalled")
  private static func sourceIsSignalled(_ source: CFRunLoopSource) -> UInt8

  // MARK: Modes: a type of their own on Darwin, strings elsewhere

  #if canImport(Darwin)
    static var defaultMode: CFRunLoopMode { .defaultMode }
    static var commonModes: CFRunLoopMode { .commonModes }

    static func mode(_ name: CFString) -> CFRunLoopMode { CFRunLoopMode(rawValue: name) }
    static func name(of mode: CFRunLoopMode) -> CFString { mode.rawValue }
  #else
    static var defaultMode: CFRunLoopMode { kCFRunLoopDefaultMode }
    static var commonModes: CFRunLoopMode { kCFRunLoopCommonModes }

    static func mode(_ name: CFString) -> CFRunLoopMode { name }
    static func name(of mode: CFRunLoopMode) -> CFString { mode }
  #endif

  /// Whether a mode is empty, for the Foundation layer.
  @_silgen_name("_CFRunLoopFinished")
  private static func runLoopFinished(_ loop: CFRunLoop, _ mode: CFString) -> UInt8

  static func isSignalled(_ source: CFRunLoopSource) -> Bool { sourceIsSignalled(source) != 0 }
  static func isEmpty(_ loop: CFRunLoop, _ mode: CFRunLoopMode) -> Bool { runLoopFinished(loop, name(of: mode)) != 0 }
}
