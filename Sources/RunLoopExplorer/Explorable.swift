/// What the explorer explores: something whose runs are sequences of steps, each of one actor, with a choice before each.
///
/// An actor is a thread, or the clock. The explorer only asks who can go on, lets one of them take a step, and learns what
/// that step touched; so it works the same on a script and on a model of a few lines.
protocol Explorable: AnyObject {
  /// A state to come back to.
  associatedtype Snapshot

  /// Goes back to where no step was taken yet.
  func start()

  /// The state of now, to be restored as often as wanted.
  ///
  /// - Parameter spare: a snapshot that is no longer needed, whose memory may be used.
  func save(reusing spare: Snapshot?) -> Snapshot

  /// Makes a snapshot that is no longer needed one of now, in its memory.
  func save(into snapshot: inout Snapshot)

  /// Takes a snapshot back that nobody needs any more, to use its memory for another.
  func giveBack(_ snapshot: Snapshot)

  /// Goes back to a state.
  func restore(_ snapshot: Snapshot)

  /// The same for the last time: the snapshot is not used afterwards, but for its memory.
  func restoreLast(_ snapshot: Snapshot)

  /// Says who can go on now. Nobody: the run is over.
  ///
  /// - Parameter last: the actor of the last step, -1 at the start.
  func look(after last: Int32, into point: inout ChoicePoint)

  /// Lets an actor that can go on take one step, and all that follows from it up to the next choice.
  ///
  /// - Parameter alternative: which of the ways that the step can go; 0 is the usual one.
  func take(_ actor: Int32, _ alternative: Int32, into step: inout StepRecord)
}

extension Explorable {
  func save(into snapshot: inout Snapshot) { snapshot = save(reusing: snapshot) }
  func giveBack(_ snapshot: Snapshot) {}
  func restoreLast(_ snapshot: Snapshot) { restore(snapshot) }
}

/// Who can go on at a moment of a run.
struct ChoicePoint {
  /// Those who can, the one that goes on without an explorer first: who took the last step, then by ascending number.
  var enabled: [Int32] = []
  /// Those who could if what they need were free.
  var blocked: [BlockedActor] = []
  /// At the end of a run: those who could have gone on if it had not ended.
  var cutOff: [CutOffActor] = []
  /// Set where only one of those who can go on is offered, for the run to get somewhere.
  var lead: Lead?

  /// What there would have been to choose from.
  struct Lead {
    var choice: Int32
    var count: Int32
    var lastCouldGoOn: Bool
  }

  /// Empties it, keeping the memory.
  mutating func clear() {
    enabled.empty()
    blocked.empty()
    cutOff.empty()
    lead = nil
  }

  /// Offers one of those who can go on alone; false when it cannot.
  mutating func lead(to actor: Int32, after last: Int32) -> Bool {
    guard let choice = enabled.firstIndex(of: actor) else { return false }
    lead = Lead(choice: Int32(choice), count: Int32(enabled.count), lastCouldGoOn: enabled.contains(last))
    enabled.removeAll(keepingCapacity: true)
    enabled.append(actor)
    return true
  }
}

/// An actor before a step that it cannot take now.
struct BlockedActor: Sendable {
  var actor: Int32
  var need: Need
}

/// An actor that could have gone on if the run had not ended.
struct CutOffActor: Sendable {
  var actor: Int32
  /// What has to be free for its step, and is.
  var need: Need?
}

/// What must be free before a step can be taken.
struct Need: Hashable, BitwiseCopyable, Sendable {
  var object: UInt32
  /// All of these bits of the object's availability.
  var bits: UInt8
}

/// What a step touches, and how.
struct Touch: Hashable, BitwiseCopyable, Sendable {
  var object: UInt32
  /// Whether it changes the object; two accesses conflict when one of them does.
  var changes: Bool
  /// Stands for all objects at once.
  static let everything = UInt32.max
  /// For an object that threads wait for: what of it was free before the step, and after it.
  var availableBefore: UInt8
  var availableAfter: UInt8
  init(_ object: UInt32, changes: Bool, before: UInt8 = 0xFF, after: UInt8 = 0xFF) {
    self.object = object
    self.changes = changes
    availableBefore = before
    availableAfter = after
  }
}

/// An actor now knows all that another does.
struct Lesson: BitwiseCopyable, Sendable {
  var actor: Int32
  var from: Int32
  init(_ actor: Int32, from: Int32) {
    self.actor = actor
    self.from = from
  }
}

/// What a step did.
struct StepRecord: ~Copyable {
  /// What it touched, each object once.
  var accesses = Stack<Touch>()
  /// Which actors learned what others know, one after the other: who was woken or brought into being, from whom.
  var lessons = Stack<Lesson>()
  /// What had to be free for it.
  var need: Need?
  /// How many ways there were for it to go, 1 or more.
  var alternatives: Int32 = 1
  /// Whether the clock moved afterwards because nobody could go on: all that follows is after all that was.
  var movedClock = false
  /// Those who were before a step of theirs when it moved: what they wait for began before.
  var held = Stack<Int32>()
  /// Whether the run ends with it although others could have gone on: then it is in conflict with all that there is.
  var cutsOff = false

  /// Empties it, keeping the memory.
  mutating func clear() {
    accesses.shorten(to: 0)
    lessons.shorten(to: 0)
    need = nil
    alternatives = 1
    movedClock = false
    held.shorten(to: 0)
    cutsOff = false
  }

  /// Adds an access; of an object that is there already, the stronger one stays.
  mutating func add(_ access: Touch) {
    for index in accesses.indices where accesses[index].object == access.object {
      accesses[index].changes = accesses[index].changes || access.changes
      accesses[index].availableAfter = access.availableAfter
      return
    }
    accesses.append(access)
  }
}

/// The number of the actor that is the clock, where the clock is one; threads have their own number and one.
let clockActor: Int32 = 0
