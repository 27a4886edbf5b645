import CLuaHost

/// A buffer for text that C reads after a call has returned. The text stays valid until the next `hold`.
struct Scratch: ~Copyable {
  private var buffer: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var items: UnsafeMutablePointer<clh_value>?

  init() {
    capacity = 256
    buffer = .allocate(capacity: capacity)
  }

  deinit {
    buffer.deallocate()
    items?.deallocate()
  }

  /// Keeps a copy of some bytes, in place of those of before.
  mutating func hold(_ bytes: UnsafeBufferPointer<UInt8>) -> (bytes: UnsafePointer<CChar>, length: Int) {
    reserve(bytes.count)
    if let start = bytes.baseAddress { buffer.update(from: start, count: bytes.count) }
    return (start(0), bytes.count)
  }

  mutating func hold(_ text: String) -> (bytes: UnsafePointer<CChar>, length: Int) {
    var text = text
    return text.withUTF8 { hold($0) }
  }

  /// Keeps a list of strings, as a value for Lua.
  mutating func hold(_ strings: [[UInt8]]) -> clh_value {
    reserve(strings.reduce(0) { $0 + $1.count })
    items?.deallocate()
    let list = UnsafeMutablePointer<clh_value>.allocate(capacity: max(1, strings.count))
    items = list
    var used = 0
    for (index, string) in strings.enumerated() {
      string.withUnsafeBufferPointer {
        if let from = $0.baseAddress { (buffer + used).update(from: from, count: $0.count) }
      }
      (list + index).initialize(to: .string(start(used), string.count))
      used += string.count
    }
    var value = clh_value()
    value.tag = Int32(CLH_LIST.rawValue)
    value.items = UnsafePointer(list)
    value.length = strings.count
    return value
  }

  private func start(_ offset: Int) -> UnsafePointer<CChar> {
    UnsafeRawPointer(buffer + offset).assumingMemoryBound(to: CChar.self)
  }

  private mutating func reserve(_ count: Int) {
    guard count > capacity else { return }
    buffer.deallocate()
    capacity = max(count, capacity * 2)
    buffer = .allocate(capacity: capacity)
  }
}
