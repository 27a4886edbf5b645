/// Kinds of objects that get a name from their kind and a counter when the script gives none.
public enum NameKind: Int32, CaseIterable, Sendable {
  case thread, source, port, timer, observer, block, perform, mutex, recursiveMutex, readWriteLock, spinLock
  case distributedLock, condition, conditionLock, semaphore, once, synchronized, atomic, shared, object, pool
  case messagePort, remotePort, notification
}

/// The names of a simulation, as UTF-8 in one buffer.
///
/// Names made from a kind and a counter ("timer17") are not stored: the handle itself says them.
public struct NameTable: Sendable {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var counters = [Int32](repeating: 0, count: NameKind.allCases.count)
  /// Interned names, each at the place that the hash of its text says or at the next one that was free; -1: free. At
  /// most half of the places are taken, of a power of two.
  private var interned: [Int32] = []
  private var internedCount = 0

  private static let automaticBits: Int32 = 26

  init() {}

  /// Bytes that the names take.
  var size: Int {
    bytes.count + ends.count * MemoryLayout<Int>.stride + interned.count * MemoryLayout<Int32>.stride
  }

  /// Stores a name; equal texts get different handles.
  ///
  /// - Complexity: O(length), amortised.
  public mutating func add(_ text: UnsafeBufferPointer<UInt8>) -> NameID {
    bytes.append(contentsOf: text)
    ends.append(bytes.count)
    return NameID(ends.count - 1)
  }

  /// The one handle of a text that stands for a concept (a mode, a file), so that handles can be compared.
  ///
  /// - Complexity: O(length), amortised.
  public mutating func intern(_ text: UnsafeBufferPointer<UInt8>) -> NameID {
    if interned.count < 2 * (internedCount + 1) { makeRoomToIntern() }
    let place = internedPlace(of: text)
    if interned[place] >= 0 { return NameID(rawValue: interned[place]) }
    let name = add(text)
    interned[place] = name.rawValue
    internedCount += 1
    return name
  }

  /// Where an interned text is, or would be.
  private func internedPlace(of text: UnsafeBufferPointer<UInt8>) -> Int {
    let mask = interned.count - 1
    var place = Self.hash(text) & mask
    while interned[place] >= 0 {
      let isEqual = withUTF8(NameID(rawValue: interned[place])) { stored in
        stored.count == text.count && stored.elementsEqual(text)
      }
      if isEqual { break }
      place = (place + 1) & mask
    }
    return place
  }

  private mutating func makeRoomToIntern() {
    let names = interned.filter { $0 >= 0 }
    interned = [Int32](repeating: -1, count: max(32, interned.count * 2))
    for name in names { interned[withUTF8(NameID(rawValue: name)) { internedPlace(of: $0) }] = name }
  }

  /// FNV-1a, its upper bits mixed in.
  private static func hash(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: hash ^ hash >> 32)
  }

  /// The one handle of a text.
  public mutating func intern(_ text: String) -> NameID {
    var text = text
    return text.withUTF8 { intern($0) }
  }

  /// Stores a name; equal texts get different handles.
  public mutating func add(_ text: String) -> NameID {
    var text = text
    return text.withUTF8 { add($0) }
  }

  /// The next name of a kind: `timer1`, `timer2`, …
  ///
  /// - Complexity: O(1), no memory.
  public mutating func automatic(_ kind: NameKind) -> NameID {
    counters[Int(kind.rawValue)] += 1
    return NameID(rawValue: -2 - (kind.rawValue << Self.automaticBits | counters[Int(kind.rawValue)]))
  }

  /// Where the bytes of a stored name are.
  private func place(of name: NameID) -> Range<Int> {
    (name.rawValue == 0 ? 0 : ends[name.index - 1])..<ends[name.index]
  }

  private func stored(_ name: NameID) -> ArraySlice<UInt8> {
    bytes[place(of: name)]
  }

  /// The text of a name, as UTF-8. Empty for `none`.
  public func utf8(_ name: NameID) -> [UInt8] {
    if name.rawValue >= 0 { return Array(stored(name)) }
    if name.rawValue == -1 { return [] }
    let value = -2 - name.rawValue
    let kind = NameKind(rawValue: value >> Self.automaticBits)
    let number = value & ((1 << Self.automaticBits) - 1)
    return Array("\(kind.map { "\($0)" } ?? "?")\(number)".utf8)
  }

  /// Where the bytes of a stored name are that has ASCII characters only.
  mutating func plainText(of name: NameID) -> Range<Int>? {
    guard name.rawValue >= 0 else { return nil }
    let range = place(of: name)
    for index in range where bytes[index] >= 0x80 { return nil }
    return range
  }

  @inline(__always)
  mutating func byte(_ index: Int) -> UInt8 { bytes[index] }

  /// The text of a name.
  public subscript(name: NameID) -> String { String(decoding: utf8(name), as: UTF8.self) }

  /// A place in a script as "file:line", with words before and behind it; empty when it is not known.
  public func text(of position: Position, after start: String = "", before end: String = "") -> String {
    position.line > 0 ? "\(start)\(self[position.file]):\(position.line)\(end)" : ""
  }

  /// The kind and counter of an automatic name, nil for a stored one.
  public func automaticParts(_ name: NameID) -> (kind: NameKind, number: Int32)? {
    guard name.rawValue < -1 else { return nil }
    let value = -2 - name.rawValue
    guard let kind = NameKind(rawValue: value >> Self.automaticBits) else { return nil }
    return (kind, value & ((1 << Self.automaticBits) - 1))
  }

  /// Calls `body` with the bytes of a stored name, without a copy.
  public func withUTF8<R>(_ name: NameID, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[place(of: name)])) }
  }
}

/// Handles of the mode names that every simulation knows. They are the first names of the table, in this order.
extension NameID {
  /// The name of every run loop's first mode.
  public static let defaultMode = NameID(rawValue: 0)
  /// The label of the common modes; no mode itself.
  public static let commonModes = NameID(rawValue: 1)
  /// UITrackingRunLoopMode.
  public static let tracking = NameID(rawValue: 2)
  /// NSModalPanelRunLoopMode.
  public static let modalPanel = NameID(rawValue: 3)
  /// NSEventTrackingRunLoopMode.
  public static let eventTracking = NameID(rawValue: 4)
  /// NSConnectionReplyMode.
  public static let connectionReply = NameID(rawValue: 5)
  /// The main thread.
  public static let mainThread = NameID(rawValue: 6)
  /// The autorelease pool of a thread.
  static let topPool = NameID(rawValue: 7)
  /// The autorelease pool of a callout.
  static let calloutPool = NameID(rawValue: 8)
  /// The notification of a thread that ends.
  public static let threadWillExit = NameID(rawValue: 9)
  /// The notification before the first thread starts.
  public static let willBecomeMultiThreaded = NameID(rawValue: 10)

  static let wellKnown = [
    "default", "common", "tracking", "modalPanel", "eventTracking", "connectionReply", "main",
    "top", "callout", "threadWillExit", "willBecomeMultiThreaded",
  ]
}
