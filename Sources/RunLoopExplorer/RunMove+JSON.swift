extension RunMove {
  /// Actors and ways in turn; nil when the numbers are something else.
  static func list(_ numbers: [Int]) -> [RunMove]? {
    guard numbers.count % 2 == 0 else { return nil }
    var moves: [RunMove] = []
    for index in stride(from: 0, to: numbers.count, by: 2) {
      guard let actor = Int32(exactly: numbers[index]), let way = Int32(exactly: numbers[index + 1]), actor >= 0,
        way >= 0
      else { return nil }
      moves.append(RunMove(actor: actor, alternative: way))
    }
    return moves
  }
}
