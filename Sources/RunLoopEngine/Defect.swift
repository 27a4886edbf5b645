/// Stops the program with a message that says that rlsim itself is wrong, in every build mode.
@inline(never)
func defect(_ message: String) -> Never {
  fatalError("rlsim defect: \(message)")
}
