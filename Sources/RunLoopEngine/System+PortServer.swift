/// The port server (NSPortNameServer): ports by name.
extension System {
  /// `rl.portServer:register(name, port)`: false when a valid port has the name.
  mutating func registerPort(_ name: NameID, _ port: PortID) -> Step {
    tick &+= 1
    guard ports[port.index].isValid, registeredPort(name).isNone else { return .result(.bool(false)) }
    registeredPorts[name] = port
    return .result(.bool(true))
  }

  /// The valid port of an interned name; `none` when there is none.
  func registeredPort(_ name: NameID) -> PortID {
    guard let port = registeredPorts[name], ports[port.index].isValid else { return .none }
    return port
  }

  mutating func unregisterPort(_ name: NameID) -> Step {
    tick &+= 1
    let wasThere = !registeredPort(name).isNone
    registeredPorts[name] = nil
    return .result(.bool(wasThere))
  }
}
