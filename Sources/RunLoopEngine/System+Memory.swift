/// How much memory a system takes, so that the host can set a bound: objects of a run are never given up before its end.

extension Simulation {
  /// Bytes that the simulation's objects and queues take, without what the allocator adds.
  ///
  /// It depends on what happened only, so that a bound ends each run at the same moment.
  ///
  /// - Complexity: O(1).
  public var memory: Int { shared.pointee.memory }
}

extension System {
  fileprivate var memory: Int {
    let items = threads.bytes + loops.bytes + modes.bytes + sources.bytes + ports.bytes + places.bytes
    let queued = delayedPerforms.bytes + blocks.bytes + performs.bytes + heldMessages.bytes + requests.bytes
    let memory = locks.bytes + semaphores.bytes + atomics.bytes + cellsOfMemory.bytes + readers.bytes
    let noted = observers.bytes + objects.bytes + pools.bytes + notificationObservers.bytes + posts.bytes
    let events = self.events.count * MemoryLayout<Event>.stride + text.count
    return items + queued + memory + noted + events + frames.bytes + cells.bytes + readyPorts.bytes + names.size
  }
}
