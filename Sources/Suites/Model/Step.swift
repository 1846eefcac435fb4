import Wire

/// One line of a case's sequence.
public struct Step: Sendable {
    /// What the step does.
    public var verb: Verb
    /// Where it stands.
    public var position: SourcePosition
    /// The name by which others refer to it (`since: registered`).
    public var id: String?
    /// Who sends the message; for `expect` the device unless it is said.
    public var from: String
    /// Who receives it; `nil` for anyone.
    public var to: String?
    /// Conditions on the fields, all of which must hold.
    public var conditions: [FieldCondition]
    /// Variables that take their value from the message's fields.
    public var saves: [Save]
    /// The latest time, counted from `since`.
    public var within: Duration
    /// The step that `within`, `after` and `at` count from; `nil` for the one before.
    public var since: String?
    /// The earliest time, counted from `since`.
    public var after: Duration?
    /// The exact time, counted from `since`, give or take `tolerance`.
    public var at: Duration?
    /// How far off a time may be.
    public var tolerance: Tolerance
    /// How a `send` changes the bytes of its message; `nil` if it does not.
    public var corruption: Corruption?
    /// The size in bytes of the TCP segments in which a `send` goes out; `nil` for the kernel's.
    public var segmentSize: Int?
    /// The earlier step on whose connection this one's message goes; `nil` for any.
    public var connection: String?
    /// Whether the next message of that name between these parties must fit: one that does not is
    /// the step's failure at once.
    public var isNext = false
    /// Whether its times stay as they are at every time scale: they allow for what no scale makes
    /// shorter, such as the start of a device.
    public var isFixed = false
    /// A remark for the report.
    public var note: String?
    /// The requirements that this step judges; empty for those of the case.
    public var checks: [String]
    /// The uses of fragments that it stands in, the innermost first; none for a step of the case.
    public var uses: [FragmentUse] = []

    /// Makes a step.
    public init(
        _ verb: Verb, position: SourcePosition, id: String? = nil, from: String = Step.device,
        to: String? = nil, conditions: [FieldCondition] = [], saves: [Save] = [],
        within: Duration = .seconds(5), since: String? = nil, after: Duration? = nil,
        at: Duration? = nil, tolerance: Tolerance = Tolerance(), note: String? = nil,
        checks: [String] = []
    ) {
        self.verb = verb
        self.position = position
        self.id = id
        self.from = from
        self.to = to
        self.conditions = conditions
        self.saves = saves
        self.within = within
        self.since = since
        self.after = after
        self.at = at
        self.tolerance = tolerance
        self.note = note
        self.checks = checks
    }

    /// The name of the device under test wherever a party is named.
    public static let device = "device"

    /// What a step does; exactly one.
    public enum Verb: Sendable {
        /// A message must come.
        case expect(String)
        /// A peer sends a message: its default of that name with fields replaced. `answering` is
        /// the index of the earlier step whose message it answers, counted over plain steps through
        /// the preamble and on through the body; the peer's automatic answer to it is withheld.
        case send(String, overrides: [FieldAssignment], answering: Int?)
        /// A peer's action (`hu.close`) or a device control (`device.background`).
        case perform(Action)
        /// Nothing happens for that long; what comes meanwhile is judged as ever.
        case wait(Duration)
        /// The attempts of a client, wait by wait; `from`, `to` and `conditions` say which ones.
        case backoff(BackoffSchedule)
        /// Bytes must come that do not decode.
        case lost
        /// A peer sends these bytes as they are.
        case sendBytes(ByteExpression)
        /// Messages must come that fit every one of these, in any order and in any number, one
        /// message perhaps several of them; then the device is silent for that long.
        case collect([Collected], quiet: Duration)
        /// Other steps, in an order that the group says.
        indirect case group(Group)
    }

    /// Steps that stand inside of another one.
    public enum Group: Sendable {
        /// All of these steps, or none.
        case optional([Step])
        /// The steps of exactly one of these lists.
        case either([[Step]])
        /// Every one of these lists, in whatever order; each is done before the next begins.
        case anyOrder([[Step]])
        /// These steps, over and over: at least and at most so many times.
        case `repeat`(ClosedRange<Int>, [Step])
        /// The second steps, over and over, at most so many times, until the message of the first
        /// comes, which is an `expect` or `lost`.
        case repeatUntil(Step, max: Int?, [Step])

        /// The lists of steps.
        public var parts: [[Step]] {
            switch self {
            case .optional(let steps), .repeat(_, let steps): [steps]
            case .repeatUntil(let until, _, let steps): [steps, [until]]
            case .either(let lists), .anyOrder(let lists): lists
            }
        }

        /// The group with each of its lists changed.
        func mapParts(_ change: ([Step]) -> [Step]) -> Group {
            switch self {
            case .optional(let steps): .optional(change(steps))
            case .either(let lists): .either(lists.map(change))
            case .anyOrder(let lists): .anyOrder(lists.map(change))
            case .repeat(let counts, let steps): .repeat(counts, change(steps))
            case .repeatUntil(let until, let max, let steps):
                .repeatUntil(change([until]).first ?? until, max: max, change(steps))
            }
        }

        /// Whether nothing need be done for it to be over.
        fileprivate var canBeEmpty: Bool {
            switch self {
            case .optional: true
            case .either(let lists): lists.contains(where: \.canBeEmpty)
            case .anyOrder(let lists): lists.allSatisfy(\.canBeEmpty)
            case .repeat(let counts, let steps): counts.lowerBound == 0 || steps.canBeEmpty
            case .repeatUntil: false
            }
        }
    }

    /// The group of steps that this one is; `nil` of a plain step.
    public var group: Group? {
        if case .group(let group) = verb { group } else { nil }
    }

    /// The lists of steps inside of this one; none in a plain step.
    public var parts: [[Step]] { group?.parts ?? [] }

    /// What a message of a `collect` step must be like.
    public struct Collected: Sendable, Hashable {
        /// Name, sender (the device if `nil`) and fields.
        public var pattern: MessagePattern
        /// Variables that take their value from each message that fits: the newest one stands.
        public var saves: [Save]

        /// Makes an entry.
        public init(_ pattern: MessagePattern, saves: [Save] = []) {
            self.pattern = pattern
            self.saves = saves
        }
    }

    /// A peer's action or a device control.
    public struct Action: Sendable, Hashable {
        /// The peer's name, or `device`.
        public var party: String
        /// The action's name, such as `close`.
        public var name: String
        /// What it is given; null if nothing.
        public var arguments: ValueExpression

        /// Makes an action.
        public init(party: String, name: String, arguments: ValueExpression = .literal(.null)) {
            self.party = party
            self.name = name
            self.arguments = arguments
        }
    }

    /// One `save` entry.
    public struct Save: Sendable, Hashable {
        /// The variable's name.
        public var variable: String
        /// The field whose value it takes.
        public var path: FieldPath
        /// What it takes where the message has no such field; `nil` for nothing.
        public var fallback: ValueExpression?

        /// Makes an entry.
        public init(variable: String, path: FieldPath, fallback: ValueExpression? = nil) {
            self.variable = variable
            self.path = path
            self.fallback = fallback
        }

        /// What the variable takes from a message; `nil` if it has no value then.
        public func value(
            of message: any DissectedMessage, _ bindings: [String: Value]
        ) -> Value? {
            if let value = message.value(at: path) { return value }
            do throws(EvaluationError) {
                return try fallback?.evaluate(bindings)
            } catch {
                return nil
            }
        }
    }
}

extension Step.Verb {
    /// The same with its lengths of time at another scale.
    func scaled(by scale: TimeScale) -> Step.Verb {
        switch self {
        case .wait(let pause): .wait(scale.scaled(pause))
        case .backoff(let schedule): .backoff(schedule.scaled(by: scale))
        case .collect(let entries, let quiet): .collect(entries, quiet: scale.scaled(quiet))
        case .group(let group): .group(group.mapParts { $0.map { $0.scaled(by: scale) } })
        case .expect, .send, .sendBytes, .lost, .perform: self
        }
    }

    /// How many seconds it lasts at least: a wait, the waits of a schedule, a silence.
    public var leastSeconds: Double {
        switch self {
        case .wait(let length), .collect(_, let length): length / .seconds(1)
        case .backoff(let schedule): schedule.leastSeconds
        case .expect, .send, .sendBytes, .lost, .perform, .group: 0
        }
    }
}

extension BackoffSchedule {
    /// How many seconds its fewest waits take at most, and the silence after them.
    fileprivate var leastSeconds: Double {
        (0..<attempts.lowerBound).reduce((silence ?? .zero) / .seconds(1)) { sum, number in
            sum + bounds(ofWait: number + 1, after: nil).upper / .seconds(1)
        }
    }
}

extension [Step] {
    /// The plain steps of this list and of all that stands inside of it, in the order of the file.
    public var plain: [Step] {
        flatMap { $0.parts.isEmpty ? [$0] : $0.parts.flatMap(\.plain) }
    }

    /// Whether nothing need be done for it to be over.
    var canBeEmpty: Bool { allSatisfy { $0.group?.canBeEmpty ?? false } }
}

/// One replaced field of a message that a peer sends.
public struct FieldAssignment: Sendable, Hashable {
    /// The field.
    public var path: FieldPath
    /// Its new value; `nil` takes the field out.
    public var value: ValueExpression?

    /// Makes an assignment.
    public init(path: FieldPath, value: ValueExpression?) {
        self.path = path
        self.value = value
    }
}

/// How far off a time may be: the larger of an absolute and a relative bound.
public struct Tolerance: Sendable, Hashable {
    /// The absolute bound.
    public var absolute: Duration
    /// The relative bound, in percent of the gap that is judged.
    public var percent: Double

    /// Makes a tolerance.
    public init(absolute: Duration = .milliseconds(50), percent: Double = 0) {
        self.absolute = absolute
        self.percent = percent
    }

    /// The bound for a gap of that length.
    public func bound(for gap: Duration) -> Duration { max(absolute, gap * (percent / 100)) }
}
