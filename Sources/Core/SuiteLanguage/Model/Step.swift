import Wire

/// One step of a case's sequence.
public struct Step: Sendable {
    /// The operation of the step.
    public var verb: Verb
    /// The position of the step.
    public var position: SourcePosition
    /// The name by which other steps refer to it (`since: registered`).
    public var id: String?
    /// The sender of the message; for `expect` the device by default.
    public var from: String = Step.device
    /// The receiver; `nil` for any party.
    public var to: String?
    /// Conditions on the fields, all of which must hold.
    public var conditions: [FieldCondition] = []
    /// Variables that take their value from the message's fields.
    public var saves: [Save] = []
    /// The latest time, counted from `since`.
    public var within: Duration = .seconds(5)
    /// Whether the suite names the latest time.
    public var isWithinNamed = false
    /// The step that `within`, `after` and `at` count from; `nil` for the one before.
    public var since: String?
    /// The earliest time, counted from `since`.
    public var after: Duration?
    /// The exact time, counted from `since`, plus or minus `tolerance`.
    public var at: Duration?
    /// The permitted deviation of a time.
    public var tolerance: Tolerance = Tolerance()
    /// How a `send` changes the bytes of its message; `nil` if it does not.
    ///
    /// Empty if its fields make it a frame that no message need show.
    public var corruption: Corruption?
    /// The size in bytes of the TCP segments that a `send` uses; `nil` for the kernel's choice.
    public var segmentSize: Int?
    /// The earlier step whose connection carries this step's message; `nil` for any connection.
    public var connection: String?
    /// Whether the next message of that name between these parties must match.
    ///
    /// If it does not, the step fails at once.
    public var isNext = false
    /// Whether its times stay the same at every time scale.
    ///
    /// Such times allow for something that no scale shortens, such as the start of a device.
    public var isFixed = false
    /// A remark for the report.
    public var note: String?
    /// The requirements that this step judges; empty for those of the case.
    public var checks: [String] = []
    /// The uses of fragments that contain it, the innermost first; empty for a step of the case
    /// itself.
    public var uses: [FragmentUse] = []

    /// The name of the device under test wherever a party is named.
    public static let device = "device"

    /// The operation of a step.
    public enum Verb: Sendable {
        /// A message must come.
        case expect(String)
        /// A peer sends a message: its default message of that name with some fields replaced.
        ///
        /// `answering` is the index of the earlier step whose message it answers, counted over the
        /// plain steps of the preamble and then of the body. The peer's automatic answer to that
        /// message is withheld.
        case send(String, overrides: [FieldAssignment], answering: Int?)
        /// A peer's action (`hu.close`) or a device control (`device.background`).
        case perform(Action)
        /// A pause of that length; messages that arrive meanwhile are judged as usual.
        case wait(Duration)
        /// The attempts of a client, wait by wait; `from`, `to` and `conditions` select the
        /// attempts.
        case backoff(BackoffSchedule)
        /// Bytes that do not decode must come.
        case lost
        /// A peer sends these bytes unchanged.
        case sendBytes(ByteExpression)
        /// Messages must come that match all of these entries, in any order and in any number.
        ///
        /// One message may match several entries. Then the device is silent for the given time.
        case collect([Collected], quiet: Duration)
        /// Other steps, in an order that the group defines.
        indirect case group(Group)
    }

    /// Steps inside another step.
    public enum Group: Sendable {
        /// All of these steps, or none.
        case optional([Step])
        /// The steps of exactly one of these lists.
        case either([[Step]])
        /// All of these lists, in any order; each is completed before the next begins.
        case anyOrder([[Step]])
        /// These steps repeatedly, with a minimum and a maximum number of rounds.
        case `repeat`(ClosedRange<Int>, [Step])
        /// The second steps repeatedly, up to a maximum number of rounds, until the message of the
        /// first step comes.
        ///
        /// The first step is an `expect` or `lost`.
        case repeatUntil(Step, max: Int?, [Step])

        /// The lists of steps.
        public var parts: [[Step]] {
            switch self {
            case .optional(let steps), .repeat(_, let steps): [steps]
            case .repeatUntil(let until, _, let steps): [steps, [until]]
            case .either(let lists), .anyOrder(let lists): lists
            }
        }

        /// Returns the group with each of its lists changed.
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

        /// Whether the group can be completed without any step.
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

    /// The group that this step is; `nil` for a plain step.
    public var group: Group? {
        if case .group(let group) = verb { group } else { nil }
    }

    /// The lists of steps inside this one; empty for a plain step.
    public var parts: [[Step]] { group?.parts ?? [] }

    /// An entry of a `collect` step: the condition on a message.
    public struct Collected: Sendable, Hashable {
        /// The name, sender (the device if `nil`) and fields.
        public var pattern: MessagePattern
        /// The variables that take their value from each message that matches; the newest value is
        /// kept.
        public var saves: [Save] = []
    }

    /// A peer's action or a device control.
    public struct Action: Sendable, Hashable {
        /// The peer's name, or `device`.
        public var party: String
        /// The action's name, such as `close`.
        public var name: String
        /// The argument; null if there is none.
        public var arguments: ValueExpression = .literal(.null)
    }

    /// One `save` entry.
    public struct Save: Sendable, Hashable {
        /// The variable's name.
        public var variable: String
        /// The field that gives the value.
        public var path: FieldPath
        /// The value if the message has no such field; `nil` for no value.
        public var fallback: ValueExpression?

        /// Returns the value of the variable from a message; `nil` if it has no value then.
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
    /// Returns the same operation with its durations at another scale.
    func scaled(by scale: TimeScale) -> Step.Verb {
        switch self {
        case .wait(let pause): .wait(scale.scaled(pause))
        case .backoff(let schedule): .backoff(schedule.scaled(by: scale))
        case .collect(let entries, let quiet): .collect(entries, quiet: scale.scaled(quiet))
        case .group(let group): .group(group.mapParts { $0.map { $0.scaled(by: scale) } })
        case .expect, .send, .sendBytes, .lost, .perform: self
        }
    }

    /// The minimum duration in seconds: a wait, the waits of a schedule, a silence.
    public var leastSeconds: Double {
        switch self {
        case .wait(let length), .collect(_, let length): length / .seconds(1)
        case .backoff(let schedule): schedule.leastSeconds
        case .expect, .send, .sendBytes, .lost, .perform, .group: 0
        }
    }
}

extension BackoffSchedule {
    /// The maximum total in seconds of the minimum number of waits, and the silence after them.
    fileprivate var leastSeconds: Double {
        (0..<attempts.lowerBound).reduce((silence ?? .zero) / .seconds(1)) { sum, number in
            sum + bounds(ofWait: number + 1, after: nil).upper / .seconds(1)
        }
    }
}

extension [Step] {
    /// The plain steps of this list, including those inside other steps, in the order of the file.
    public var plain: [Step] {
        flatMap { $0.parts.isEmpty ? [$0] : $0.parts.flatMap(\.plain) }
    }

    /// Whether the list can be completed without any step.
    var canBeEmpty: Bool { allSatisfy { $0.group?.canBeEmpty ?? false } }
}

/// One replaced field of a message that a peer sends.
public struct FieldAssignment: Sendable, Hashable {
    /// The field.
    public var path: FieldPath
    /// Its new value; `nil` removes the field.
    public var value: ValueExpression?
}

/// The permitted deviation of a time: the larger of an absolute and a relative bound.
public struct Tolerance: Sendable, Hashable {
    /// The absolute bound.
    public var absolute: Duration
    /// The relative bound, in percent of the time span that is judged.
    public var percent: Double

    /// Creates a tolerance.
    public init(absolute: Duration = .milliseconds(50), percent: Double = 0) {
        self.absolute = absolute
        self.percent = percent
    }

    /// Returns the bound for a time span of that length.
    public func bound(for gap: Duration) -> Duration { max(absolute, gap * (percent / 100)) }
}
