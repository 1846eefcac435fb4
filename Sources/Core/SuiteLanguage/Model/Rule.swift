import Wire

/// The part of a trace over which a state is kept, or in which an instance of a rule is judged.
public enum RuleScope: String, Sendable, Hashable, CaseIterable {
    /// All of the trace.
    case trace
    /// One session of a connection; the connection, if its protocol has only one session on it.
    case session
    /// One connection.
    case connection
    /// Everything that one device exchanges.
    case device

    /// Whether something of this scope can read a state of another scope.
    ///
    /// The scope of the state must contain this one, so that exactly one value is meant.
    public func canRead(_ other: RuleScope) -> Bool {
        other == .trace || other == self || self == .session && other == .connection
    }
}

/// What the trace has said so far: a fold over messages, with one value for each part of its scope.
public struct StateVariable: Sendable {
    /// The name by which rules and steps read it.
    public var name: String
    /// The parts of a trace that have a value of their own.
    public var scope: RuleScope = .trace
    /// The value at the beginning of the scope; it may refer to what is given to the parties.
    public var starts: ValueExpression = .literal(.null)
    /// The updates, which are applied in their order.
    public var updates: [StateUpdate]
    /// The names that its updates read: of states, `message` and `request`.
    public var reads: Set<String> = []
    /// Whether its value depends on the configuration of the device.
    public var readsConfiguration = false
    /// The position of the declaration.
    public var position: SourcePosition
}

/// How a message changes a state.
public struct StateUpdate: Sendable {
    /// What is done with the value.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
        /// It becomes the state.
        case set
        /// It is a mapping, whose members replace those of the same name.
        case merge
        /// It is added to a list unless the list has it.
        case insert
        /// It is removed from a list, or the member of that name from a mapping.
        case remove
        /// It is a number that is added.
        case count
    }

    /// The messages that change the state; without `from` those of any sender.
    public var pattern: MessagePattern
    /// What is done.
    public var operation: Operation
    /// The value; `message` and `request` are the fields of the message and of its request.
    public var value: ValueExpression
}

/// A condition on a value that is computed from state and from the trigger of a rule.
public struct ValueCondition: Sendable {
    /// The value.
    public var value: ValueExpression
    /// The condition on it.
    public var matcher: ValueMatcher
    /// The position of the condition.
    public var position: SourcePosition
}

/// A sentence that holds over a whole trace: when something has happened, something must follow, or
/// must never follow.
public struct Rule: Sendable {
    /// The stable name, unique in its suite.
    public var id: String
    /// What it says, for people.
    public var title: String
    /// The features that the device must have; otherwise the rule is not judged.
    public var needs: FeatureExpression?
    /// The part of the trace in which an instance is judged.
    public var scope: RuleScope = .trace
    /// The messages that start an instance; `nil` for the beginning of the scope.
    public var trigger: MessagePattern?
    /// What must hold when the trigger comes; otherwise it starts nothing.
    public var conditions: [ValueCondition] = []
    /// What the trigger itself must fulfil, by what was said before it.
    public var holds: [ValueCondition] = []
    /// The messages that end an instance without a verdict on what is still owed.
    public var until: [MessagePattern] = []
    /// What must hold whenever nothing is owed and all parties have been silent for `quiet`.
    public var atRest: [ValueCondition] = []
    /// How long all parties must be silent.
    public var quiet: Duration = .seconds(1)
    /// What is judged from the trigger on, as a case: its steps, `never` and requirements.
    public var testCase: TestCase
    /// The names of the states that it reads.
    public var reads: Set<String> = []
    /// Whether it, or a state that it reads, depends on the request that a message answers.
    public var readsRequest = false
    /// Whether it, or a state that it reads, depends on the configuration of the device.
    public var readsConfiguration = false

    /// Whether it is clear what it says about several devices that have no names.
    ///
    /// A rule on the whole trace is, if it says how much all of them may do together.
    public var isOfSeveralDevices: Bool {
        scope != .trace
            || testCase.steps.isEmpty && atRest.isEmpty && holds.isEmpty
                && testCase.never.allSatisfy { $0.rate != nil }
    }

    /// The name of the seconds since the beginning of the trace, in rules and updates of states.
    ///
    /// A device that runs faster has a clock that does so too.
    public static let now = "now"

    /// Whether its trigger, its steps or what it forbids is that message.
    public func names(_ message: String) -> Bool {
        ([trigger].compactMap(\.self) + until + testCase.never.map(\.pattern))
            .contains { $0.covers(message) }
            || testCase.awaitedMessages.contains {
                $0 == message || $0.hasSuffix("*") && message.hasPrefix($0.dropLast())
            }
    }

    /// The position of the rule.
    public var position: SourcePosition { testCase.position }
    /// The requirements that it judges.
    public var checks: [String] { testCase.allChecks }

    /// Returns the rule at another time scale.
    func scaled(by scale: TimeScale) -> Rule {
        var result = self
        result.testCase = testCase.scaled(by: scale)
        result.testCase.timeout = testCase.timeout
        result.quiet = scale.scaled(quiet)
        return result
    }
}

extension TestCase {
    /// The kind of a case: one of a suite, what a rule demands, or all rules of a suite.
    public enum Kind: Sendable, Hashable {
        /// A case of a suite.
        case ordinary
        /// What a rule demands from its trigger on.
        case rule
        /// The rules of a suite alone, on the whole of a trace that another tool made.
        case rules
    }

    /// The id of the case that stands for all rules of a suite.
    public static let rulesID = "rules"

    /// Returns the case without the rules that the features of a device exclude.
    public func rulesApplying(to features: Set<String>) -> TestCase {
        withoutRules { !($0.needs?.isSatisfied(by: features) ?? true) }
    }

    /// Returns the case without some of its rules.
    public func withoutRules(_ isLeftOut: (Rule) -> Bool) -> TestCase {
        guard rules.contains(where: isLeftOut) else { return self }
        var result = self
        result.rules.removeAll(where: isLeftOut)
        return result
    }
}

extension TestCase {
    /// Whether one of its rules says what must hold at rest.
    public var demandsRest: Bool { rules.contains { !$0.atRest.isEmpty } }
}
