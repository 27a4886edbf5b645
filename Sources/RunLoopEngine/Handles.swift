/// Integer handles of what a simulation holds. Each is an index into flat storage; -1 stands for none.

public protocol Handle: RawRepresentable, Hashable, Sendable where RawValue == Int32 {
  init(rawValue: Int32)
}

extension Handle {
  /// No object.
  public static var none: Self { Self(rawValue: -1) }
  /// Whether this is `none`.
  public var isNone: Bool { rawValue < 0 }
  @inline(__always) var index: Int { Int(rawValue) }
  @inline(__always) init(_ index: Int) { self.init(rawValue: Int32(truncatingIfNeeded: index)) }
}

/// A virtual thread. 0 is the main thread.
public struct ThreadID: Handle {
  public var rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
  /// The thread that runs the script's main chunk.
  public static let main = ThreadID(rawValue: 0)
}

/// A run loop.
public struct LoopID: Handle {
  public var rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// A source of version 0.
public struct SourceID: Handle {
  public var rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// A port: a source of version 1 with its queue.
public struct PortID: Handle {
  public var rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// A timer.
public struct TimerID: Handle {
  public var rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// An observer.
public struct ObserverID: Handle {
  public var rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// A reference-counted object.
public struct ObjectID: Handle {
  public var rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// An autorelease pool that a script has in hand.
public struct PoolID: Handle {
  public var rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// An observer of the notification centre.
public struct NotificationToken: Handle {
  public var rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// A name: of a mode, an object, a file. Either an entry of the `NameTable`, or (negative, below -1) a name made from a
/// kind and a counter, which takes no memory.
public struct NameID: Handle {
  public var rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
  /// Whether this is `none`. The handles below it are automatic names.
  public var isNone: Bool { rawValue == -1 }
}

/// A value of the host (a function, a message, a result) that the engine stores and gives back, and never looks into.
/// 0 stands for nil.
public struct HostValue: Hashable, Sendable {
  public var rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  /// Nothing.
  public static let none = HostValue(rawValue: 0)
}

/// A place in a script: the file's name and a line. Line 0 stands for "not known".
public struct Position: Hashable, Sendable {
  public var file: NameID
  public var line: Int32
  public init(file: NameID, line: Int32) {
    self.file = file
    self.line = line
  }
  /// Not known.
  public static let unknown = Position(file: .none, line: 0)
}
