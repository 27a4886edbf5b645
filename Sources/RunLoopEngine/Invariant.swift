/// Stops the program with a message that says that rlsim itself is wrong, in every build mode.
@inline(__always)
func invariant(_ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String) {
  if !condition() { defect(message()) }
}

@inline(never)
func defect(_ message: String) -> Never {
  fatalError("rlsim defect: \(message)")
}
