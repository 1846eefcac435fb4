import Wire

/// A suite: a YAML file with its includes, variables and matrices resolved.
public struct Suite: Sendable {
    /// The stable name, such as `registration-language`.
    public var id: String
    /// A title for people.
    public var title: String
    /// The path of the file, as the user wrote it.
    public var file: String
    /// The kind of device that it is for, such as `sdl.app`.
    public var deviceRole: String
    /// All requirements of its catalogues.
    public var requirements: [Requirement]
    /// The ways in which devices may break the requirements, by the names of the requirements.
    public var ways: [String: [RequirementWay]] = [:]
    /// All features that its catalogues declare, each with a sentence.
    public var features: [String: String]
    /// The values that depend on the device, in file order.
    public var parameters: [DeviceParameter] = []
    /// The kinds of devices that it declares.
    public var roles: [DeviceRole] = []
    /// Its cases, one for each combination of matrix values, in file order.
    public var cases: [TestCase]
    /// Its rules.
    public var rules: [Rule] = []
    /// The case that stands for all rules on a trace of another tool; `nil` without rules.
    public var rulesCase: TestCase?
    /// Its explorations, in file order.
    public var explorations: [Exploration] = []
    /// The requirements that its cases, rules and explorations check.
    public var checks: Set<String> {
        Set(cases.flatMap(\.allChecks) + rules.flatMap(\.checks) + explorations.flatMap(\.checks))
    }
    /// Warnings that did not prevent it from loading.
    public var warnings: [Diagnostic]
    /// A hash of the text of all its files, as text; empty unless the suite was loaded.
    public internal(set) var fingerprint = ""
    /// The other files from which it was read, in the order of reading.
    public var sources: [SuiteSource] = []
    /// The protocols and kinds of peers of the program that loaded it.
    public let protocols: ProtocolRegistry

    /// Returns the requirement of that name.
    public func requirement(_ id: String) -> Requirement? {
        requirements.first { $0.id == id }
    }
}

/// A file other than the suite's own from which a suite was read.
public struct SuiteSource: Sendable, Hashable {
    /// The role of the file for the suite.
    public enum Role: Sendable, Hashable {
        /// Shared peers, variables and fragments, or a description of messages.
        case include
        /// Requirements.
        case catalogue
    }

    /// The role of the file for the suite.
    public var role: Role
    /// The path of the file.
    public var path: String
}

/// One test purpose, ready to be run or checked.
public struct TestCase: Sendable {
    /// The stable name with its matrix values: `supported-language[language=DE-DE]`.
    public var id: String
    /// What it shows, for people.
    public var title: String
    /// The position of the case.
    public var position: SourcePosition
    /// The requirements that the case judges as a whole.
    ///
    /// They apply to each step and rule that names none.
    public var checks: [String]
    /// Free words by which cases are selected.
    public var tags: [String] = []
    /// The features that the device must have; otherwise the case is skipped.
    public var needs: FeatureExpression?
    /// The matrix values of this instance, in the order of `each`.
    public var values: [Value.Member] = []
    /// The peers of this case with their settings (the suite's, overridden by `given`).
    public var peers: [PeerDeclaration] = []
    /// The further devices, in addition to the one that every case has.
    public var devices: [DeviceDeclaration] = []
    /// Whether `given` sets a scene for this case, which only a live run can provide.
    public var setsPreconditions = false
    /// The configuration of the device (`given.device`); an object, possibly empty.
    public var deviceConfiguration: Value = .object([])
    /// The steps that lead to the starting point; a failure there is inconclusive.
    public var preamble: [Step] = []
    /// The test body, the only part that can fail.
    public var steps: [Step]
    /// The messages that must not be seen in the body and the closing window.
    public var never: [NeverRule] = []
    /// Harmless messages: they are counted and shown, and never cause a failure.
    public var ignore: [MessagePattern] = []
    /// How to judge a message from the device that no step matches.
    public var unexpected: UnexpectedPolicy = .fail
    /// How to judge a message of the device that breaks its protocol's specification.
    public var violations = ViolationPolicy.report
    /// Whether the user, and not the suite, requires `violations: fail`, for all cases.
    public private(set) var isHeldToProtocol = false
    /// The length of the closing window, in which `never` and `unexpected` still apply.
    public var quiet: Duration = .milliseconds(200)
    /// Whether the closing window lasts until the capture ends, whatever `quiet` is.
    public var isQuietToTheEnd = false
    /// The maximum total duration of the case; beyond it the result is an error.
    public var timeout: Duration = .seconds(60)
    /// The suite's parameters that it uses, by name.
    public var parameters: [String] = []
    /// The protocols of the program and of its suite.
    public var known: KnownMessages
    /// Whether the case is judged without the app's reports if a capture has none.
    public var isJudgedWithoutReports = false
    /// Whether the parts that depend on reports are removed.
    public internal(set) var isWithoutReports = false
    /// The quantities that are measured and reported in addition to the verdict.
    public var measures: [Measure] = []
    /// The drawn run that it is; `nil` for a case that the suite contains.
    public internal(set) var drawn: DrawnRun?
    /// Parameters that it needs but that have no value.
    ///
    /// Such a case has no steps and cannot be judged.
    public var missingParameters: [String] = []

    /// Whether it is a case of a suite, or what rules demand.
    public var kind = Kind.ordinary
    /// The rules of its suite, which are judged on everything that happens in it.
    public var rules: [Rule] = []
    /// The states of its suite.
    public var states: [StateVariable] = []
    /// The names of the states that it reads itself.
    public var statesRead: Set<String> = []

    /// How late answers of peers may be where no step says it, as in rules without steps.
    public var tolerance = Tolerance()
    /// How much faster than specified the device runs; the times of the case are scaled already.
    public internal(set) var timeScale = TimeScale.real

    /// The length of the closing window, as suites write it.
    public var quietText: String { isQuietToTheEnd ? "end" : quiet.suiteText }
}

extension TestCase {
    /// Returns the case in a version that breaks if a message of the device breaks its
    /// specification.
    ///
    /// If `isHeld` is false, the case is unchanged.
    public func heldToProtocol(_ isHeld: Bool) -> TestCase {
        guard isHeld, violations != .fail else { return self }
        var other = self
        other.violations = .fail
        other.isHeldToProtocol = true
        return other
    }

    /// Turns it into a case that can only be skipped, because parameters have no value.
    mutating func leaveOut(forWantOf parameters: Set<String>) {
        checks = allChecks
        missingParameters = parameters.sorted()
        (preamble, steps, never, ignore) = ([], [], [], [])
    }

    /// All requirements that it judges: its own, and those that single steps and rules name.
    public var allChecks: [String] {
        let named = (preamble + steps).plain.flatMap(\.checks) + never.flatMap(\.checks)
        return named.reduce(into: checks) { all, check in
            if !all.contains(check) { all.append(check) }
        }
    }
}

/// A simulated counterpart as a suite declares it.
public struct PeerDeclaration: Sendable, Hashable {
    /// The name that steps use, such as `hu`.
    public var name: String
    /// The kind of peer.
    public var kind: PeerKind
    /// Its settings, an object.
    public var settings: Value
    /// Its script, if its kind leaves the messages to the suite.
    public var script = PeerScript()
    /// The protocol of the messages in its streams, if a `.ksy` file describes them.
    public var described: DescribedProtocol?
    /// The protocol of its messages, if a protocol file describes them together with a `.ksy` file.
    public var named: NamedProtocol?
    /// The position of the declaration.
    public var position: SourcePosition

    /// Creates a declaration.
    public init(name: String, kind: PeerKind, settings: Value, position: SourcePosition) {
        self.name = name
        self.kind = kind
        self.settings = settings
        self.position = position
    }

    /// The Bluetooth controller whose air it uses; `nil` for a peer with its own port.
    public var air: String? {
        guard kind.livesOnAir else { return nil }
        return settings["air"]?.stringValue ?? ""
    }

    /// Whether it exchanges datagrams.
    public var isDatagram: Bool {
        kind.usesDatagrams || settings["transport"] == "udp"
    }

    /// Whether a program acts as the peer.
    public var runsProgram: Bool { kind.runsProgram }

    /// The longest delay of its answers that the steps of the case set; zero if they set none.
    var answersLater: Duration = .zero

    /// The longest delay of its answers by its settings and the steps; zero if they set none.
    public var latestAnswer: Duration {
        guard kind.livesOnAir else {
            guard !kind.runsProgram else { return .zero }
            return max(answersLater, settings.latestAnswer, script.latestAnswer)
        }
        return (settings.longest("delay") ?? .zero) + (settings.longest("late") ?? .zero)
    }

    /// The device address that identifies its messages; `nil` for a peer that does not use the air.
    public var airAddress: String? { air == nil ? nil : settings["address"]?.stringValue }
}

/// How to judge a message from the device that no step matches.
public enum UnexpectedPolicy: String, Sendable, Hashable, CaseIterable {
    /// It breaks the case.
    case fail
    /// It is counted and shown.
    case allow
}

/// How to judge a message of the device that decodes but breaks its protocol's specification.
public enum ViolationPolicy: String, Sendable, Hashable, CaseIterable {
    /// It breaks the case, even if a step matches it.
    case fail
    /// It is counted and shown.
    case report
    /// It breaks a step of the body that takes it; otherwise it is counted and shown.
    case steps
}

/// Messages by name, sender and field values.
public struct MessagePattern: Sendable, Hashable {
    /// The message name; a last component `*` matches any rest: `sdl.*`, `sdl.Show.*`.
    public var message: String
    /// The sender; `nil` for any sender.
    public var from: String?
    /// Conditions on its fields, all of which must hold.
    public var conditions: [FieldCondition]
    /// The position of the pattern.
    public var position: SourcePosition

    /// Creates a pattern.
    public init(
        message: String, from: String? = nil, conditions: [FieldCondition] = [],
        position: SourcePosition
    ) {
        self.message = message
        self.from = from
        self.conditions = conditions
        self.position = position
    }

    /// Whether the pattern covers messages of that name.
    public func covers(_ name: String) -> Bool {
        message.hasSuffix(".*")
            ? name.hasPrefix(message.dropLast(1)) : name == message
    }
}

/// The largest number of messages within any period of a length.
public struct MessageRate: Sendable, Hashable {
    /// The number that is allowed.
    public var count: Int
    /// The length of the period; a message that comes as much later than another is outside.
    public var within: Duration

    /// The rate as a phrase: `more than 3 within 1s`.
    public var inWords: String { "more than \(count) within \(within.suiteText)" }
}

/// A message that breaks the case if no step has matched it.
public struct NeverRule: Sendable, Hashable {
    /// The forbidden messages; without `from` they are those of the device.
    public var pattern: MessagePattern
    /// The step on whose connection it is forbidden from then on; `nil` for any connection.
    public var connection: String?
    /// How many such messages are allowed in a time; `nil` if each is forbidden.
    public var rate: MessageRate?
    /// The requirements that the message would break; empty for those of the case.
    public var checks: [String] = []
    /// The step from which it is forbidden; `nil` for the beginning of the body.
    public var since: String?
    /// How long after that it is not forbidden yet: a party needs time to react.
    public var after: Duration?

    /// Whether it is forbidden from the beginning of the body on.
    public var appliesAtOnce: Bool { since == nil && after == nil }
}

extension Value {
    /// The longest delay under `answers` of a peer's settings.
    var latestAnswer: Duration {
        self[FieldDescription.answers.path]?.longest("after") ?? .zero
    }

    /// Returns the longest duration in the members of that name, at any depth.
    fileprivate func longest(_ name: String) -> Duration? {
        let inside =
            objectValue?.map { $0.name == name ? $0.value.longest : $0.value.longest(name) }
            ?? arrayValue?.map { $0.longest(name) }
        return inside?.compactMap(\.self).max()
    }

    private var longest: Duration? {
        stringValue.flatMap(Duration.init(suiteText:))
            ?? objectValue?.compactMap(\.value.longest).max()
    }
}
