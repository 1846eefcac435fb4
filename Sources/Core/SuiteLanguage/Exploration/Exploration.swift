import Wire

/// Drawn runs: initial values and acts that are drawn from named classes.
///
/// It creates ordinary cases: the same seed and number give the same case on every machine.
public struct Exploration: Sendable {
    /// The stable name, unique among the cases and explorations of the suite.
    public let id: String
    /// What it is about, for people.
    public let title: String
    /// The requirements that each of its runs checks, beside those of the rules.
    public var checks: [String] {
        let node = caseEntries.first { $0.key == "checks" }?.value.value
        return node?.arrayValue?.compactMap(\.stringValue) ?? []
    }
    /// The position of the exploration.
    public let position: SourcePosition
    /// What can be done to the device, in file order.
    public let acts: [ExplorationAct]
    /// The draws of the initial values, in the order of the file.
    public let givenDraws: [ExplorationDraw]
    /// The fewest and the most acts of a run.
    public let length: ClosedRange<Int>
    /// How many runs are part of `conform run` by default.
    public let quick: Int

    /// The flags of the model before the first act; a flag that is absent is `false`.
    let model: [String: Value]
    /// The keys that a drawn case takes over: `checks`, `needs`, `given`, `never` and others.
    let caseEntries: [YAMLNode.Entry]
    /// The steps before the first act.
    let preamble: [YAMLNode]
    /// The step that waits until the device is silent, before the first act.
    let firstRest: YAMLNode
    /// What reads drawn cases; the same as for the other cases of the suite.
    var surroundings: DrawingSurroundings?
    /// The rules of the suite, which judge drawn cases too.
    var rules: [Rule] = []
    /// The longest time from the beginning of the last act to the end of a run, if the device is
    /// silent.
    var lastWatch: Duration = .zero
    /// The states of the suite.
    var states: [StateVariable] = []

    /// The limits of explorations.
    enum Limits {
        static let acts = 200
        static let length = 100
        static let quick = 10_000
        /// The elements of a class, so that a subset of them fits the bits of a number.
        static let elements = 62
        /// The states of the model that are followed.
        static let states = 5_000
    }
}

/// One thing that can be done to a device in an exploration.
public struct ExplorationAct: Sendable {
    /// The name.
    public let name: String
    /// The position of the act.
    public let position: SourcePosition
    /// How often it is drawn in comparison with the others.
    public let weight: Int
    /// The flags that it needs, each with the values that are accepted.
    public let when: [(flag: String, values: [Value])]
    /// The flags that it changes.
    public let sets: [(flag: String, value: Value)]
    /// The draws of its steps, in the order of the file.
    public let draws: [ExplorationDraw]
    /// Its steps, and the step that waits until the device is silent after them.
    let steps: [YAMLNode]

    /// Whether it may be done while the flags have these values.
    func isPossible(_ flags: [String: Value]) -> Bool {
        when.allSatisfy { condition in
            condition.values.contains { $0.isEqual(to: flags[condition.flag] ?? .bool(false)) }
        }
    }

    /// Returns the flags after the act.
    func flags(after flags: [String: Value]) -> [String: Value] {
        sets.reduce(into: flags) { $0[$1.flag] = $1.value }
    }
}

/// A place of an exploration where a value is drawn.
public struct ExplorationDraw: Sendable {
    /// The key under which it stands.
    public let label: String
    /// The elements of its class: their names and values, the plainest first.
    public let elements: [DrawnElement]
    /// The fewest and the most elements, for a subset; `nil` for one value.
    public let subset: ClosedRange<Int>?

    /// Whether the elements are derived from the description of a message.
    var isDerived: Bool { elements.first?.kind != nil }

    /// Returns the name of a choice: `unsupported`, or for a subset `a+b`, `none`, `all`.
    public func name(of choice: UInt64) -> String {
        guard subset != nil else { return element(choice)?.name ?? "" }
        let chosen = chosen(choice)
        if chosen.isEmpty { return "none" }
        if chosen.count == elements.count, chosen.count > 1 { return "all" }
        return chosen.map(\.name).joined(separator: "+")
    }

    /// Whether the choice is one of this place.
    func holds(_ choice: UInt64) -> Bool {
        guard let subset else { return choice < UInt64(elements.count) }
        return choice >> UInt64(elements.count) == 0 && subset.contains(choice.nonzeroBitCount)
    }

    /// The elements of a subset.
    func chosen(_ choice: UInt64) -> [DrawnElement] {
        elements.enumerated().filter { choice >> UInt64($0.offset) & 1 == 1 }.map(\.element)
    }

    private func element(_ choice: UInt64) -> DrawnElement? {
        Int(exactly: choice).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
    }

    /// Returns the node that replaces the draw; `nil` if the key or the element is left out.
    func node(of choice: UInt64, at position: SourcePosition) -> YAMLNode? {
        guard subset == nil else {
            return YAMLNode(.sequence(chosen(choice).compactMap(\.value)), at: position)
        }
        return element(choice)?.value
    }

    /// The choice with the plainest value.
    var plainest: UInt64 {
        guard let subset else { return 0 }
        return (1 << UInt64(subset.lowerBound)) - 1
    }

    /// The choices that a covering set contains.
    ///
    /// They are each element, of elements with a kind the first of each kind, and for a subset all
    /// elements, none, and each one alone, as far as its size may be so.
    var covering: [UInt64] {
        guard let subset else {
            var kinds: Set<String> = []
            return elements.indices.filter {
                elements[$0].kind.map { kinds.insert($0).inserted } ?? true
            }.map { UInt64($0) }
        }
        let all: UInt64 = (1 << UInt64(elements.count)) - 1
        let choices = [all] + elements.indices.map { 1 << UInt64($0) } + [0]
        let fitting = choices.filter { subset.contains($0.nonzeroBitCount) }
        return fitting.isEmpty ? [plainest] : fitting
    }
}

/// One element of a class.
public struct DrawnElement: Sendable {
    /// The name of the class of the value.
    public let name: String
    /// The value; `nil` leaves the key out.
    let value: YAMLNode?
    /// The kind of the value, if it was derived from a description.
    var kind: String?
}
