import RunLoopEngine
import RunLoopTrace

/// The names of run loop modes: free strings, but near misses of the known ones are errors.
enum ModeNames {
  /// The known modes, in the order of their `NameID`s.
  static let known: [StaticString] = [
    "default", "common", "tracking", "modalPanel", "eventTracking", "connectionReply",
  ]

  /// What Cocoa and Core Foundation call them.
  private static let cocoa: [(spelling: StaticString, name: StaticString)] = [
    ("kCFRunLoopDefaultMode", "default"), ("NSDefaultRunLoopMode", "default"), ("NSRunLoopDefaultMode", "default"),
    ("defaultMode", "default"), ("RunLoop.Mode.default", "default"), (".default", "default"),
    ("kCFRunLoopCommonModes", "common"), ("NSRunLoopCommonModes", "common"), ("commonModes", "common"),
    ("RunLoop.Mode.common", "common"), (".common", "common"),
    ("UITrackingRunLoopMode", "tracking"), ("RunLoop.Mode.tracking", "tracking"), (".tracking", "tracking"),
    ("NSModalPanelRunLoopMode", "modalPanel"), ("RunLoop.Mode.modalPanel", "modalPanel"),
    ("NSEventTrackingRunLoopMode", "eventTracking"), ("RunLoop.Mode.eventTracking", "eventTracking"),
    ("NSConnectionReplyMode", "connectionReply"), ("NSConnectionReplyRunLoopMode", "connectionReply"),
  ]

  /// The handle of a known mode, by its exact name.
  static func handle(_ name: UnsafeBufferPointer<UInt8>) -> NameID? {
    for (index, mode) in known.enumerated() where mode.equals(name) { return NameID(rawValue: Int32(index)) }
    return nil
  }

  /// The known mode that a name was probably meant to be.
  static func correction(of name: UnsafeBufferPointer<UInt8>) -> StaticString? {
    for entry in cocoa where entry.spelling.equals(name) { return entry.name }
    for mode in known where abs(mode.utf8CodeUnitCount - name.count) <= 1 {
      let letters = mode.withUTF8Buffer { Array($0) }
      if lowercased(letters) == lowercased(Array(name)) { return mode }
      let appendsDigit = name.dropLast().elementsEqual(letters) && isDigit(name[name.count - 1])
      if !appendsDigit, Spelling.differByOne(Array(name), letters) { return mode }
    }
    return nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func lowercased(_ letters: [UInt8]) -> [UInt8] {
    letters.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }
}

extension StaticString {
  func equals(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    utf8CodeUnitCount == bytes.count && withUTF8Buffer { $0.elementsEqual(bytes) }
  }
}

extension Session {
  /// The mode that an argument names; `standard` when it is left out.
  func mode(_ arguments: Arguments, _ index: Int, default standard: NameID = .defaultMode) throws(APIError) -> NameID {
    arguments.isGiven(index) ? try mode(named: arguments.bytes(index)) : standard
  }

  /// The same, of a mode that is to be run, which the common ones together are not.
  func modeToRun(_ arguments: Arguments, _ index: Int) throws(APIError) -> NameID {
    guard arguments.isGiven(index) else { return .defaultMode }
    let name = arguments.bytes(index)
    if ModeNames.handle(name) == nil, let right = ModeNames.correction(of: name), "\(right)" == "common" {
      let given = Shown.name(String(decoding: name, as: UTF8.self))
      throw APIError(
        "unknown mode '\(given)'; if 'common' is meant, that stands for several modes and is none to run in: run in one of"
          + " them, as 'default'")
    }
    return try mode(named: name)
  }

  /// The modes that an argument names; `standard` when it is left out.
  func modes(
    _ arguments: Arguments, _ index: Int, default standard: NameID = .defaultMode
  ) throws(APIError) -> ModeList {
    guard arguments.isGiven(index) else { return ModeList(standard) }
    let given = arguments.strings(index)
    if given.count == 1 { return ModeList(try mode(named: given[0].utf8)) }
    if given.isEmpty { throw APIError("modes must name at least one mode") }
    var names: [NameID] = []
    for item in given {
      let name = try mode(named: item.utf8)
      if !names.contains(name) { names.append(name) }
    }
    return simulation.makeModeList(names)
  }

  private func mode(named name: UnsafeBufferPointer<UInt8>) throws(APIError) -> NameID {
    if let known = ModeNames.handle(name) { return known }
    if name.isEmpty { throw APIError("the name of a mode must not be empty") }
    if let right = ModeNames.correction(of: name) {
      let given = String(decoding: name, as: UTF8.self)
      throw APIError("unknown mode '\(Shown.name(given))'; did you mean '\(right)'?")
    }
    return try sharedName(name)
  }
}
