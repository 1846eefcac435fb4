import Wire

/// A suite: a YAML file after includes, variables and matrices have been worked in.
public struct Suite: Sendable {
    /// The stable name, such as `registration-language`.
    public var id: String
    /// What it is about, for people.
    public var title: String
    /// The file, as the user named it.
    public var file: String
    /// The kind of device it is for, such as `sdl.app`.
    public var deviceRole: String
    /// Every requirement of its catalogues.
    public var requirements: [Requirement]
    /// The ways in which devices may break the requirements, by their names.
    public var ways: [String: [RequirementWay]] = [:]
    /// Every feature that its catalogues declare, with a sentence about it.
    public var features: [String: String]
    /// Values that depend on the device, in file order.
    public var parameters: [DeviceParameter] = []
    /// The kinds of devices that it declares.
    public var roles: [DeviceRole] = []
    /// Its cases, one for each combination of matrix values, in file order.
    public var cases: [TestCase]
    /// Warnings that did not keep it from loading.
    public var warnings: [Diagnostic]
    /// A number made from the text of all its files, as text; empty unless it was loaded.
    public internal(set) var fingerprint = ""
    /// The files beside its own that it was read from, in the order of reading.
    public var sources: [SuiteSource] = []
    /// The protocols and kinds of peers of the program that loaded it.
    public let protocols: ProtocolRegistry

    /// Makes a suite.
    public init(
        id: String, title: String, file: String, deviceRole: String, requirements: [Requirement],
        features: [String: String], cases: [TestCase], warnings: [Diagnostic],
        protocols: ProtocolRegistry
    ) {
        self.id = id
        self.title = title
        self.file = file
        self.deviceRole = deviceRole
        self.requirements = requirements
        self.features = features
        self.cases = cases
        self.warnings = warnings
        self.protocols = protocols
    }

    /// The requirement of that name.
    public func requirement(_ id: String) -> Requirement? {
        requirements.first { $0.id == id }
    }
}

/// A file that a suite was read from beside its own.
public struct SuiteSource: Sendable, Hashable {
    /// What the suite takes from it.
    public enum Role: Sendable, Hashable {
        /// Shared peers, variables and fragments, or what describes messages.
        case include
        /// Requirements.
        case catalogue
    }

    /// What the suite takes from it.
    public var role: Role
    /// The file.
    public var path: String

    /// Makes a source.
    public init(_ role: Role, path: String) {
        self.role = role
        self.path = path
    }
}

/// One test purpose, ready to be run or checked.
public struct TestCase: Sendable {
    /// The stable name with its matrix values: `supported-language[language=DE-DE]`.
    public var id: String
    /// What it shows, for people.
    public var title: String
    /// Where it stands.
    public var position: SourcePosition
    /// The requirements that it judges as a whole: those of each step and rule that names none.
    public var checks: [String]
    /// Free words for selection.
    public var tags: [String]
    /// Features that the device must have, or the case is skipped.
    public var needs: FeatureExpression?
    /// The matrix values of this instance, in the order of `each`.
    public var values: [Value.Member]
    /// The peers of this case with their settings (the suite's, overridden by `given`).
    public var peers: [PeerDeclaration]
    /// The devices beside the one that every case has.
    public var devices: [DeviceDeclaration] = []
    /// Whether `given` sets a scene for this case, which only a live run can see to.
    public var setsScene = false
    /// What the device is configured with (`given.device`); an object, possibly empty.
    public var deviceConfiguration: Value
    /// Steps that lead to the starting point; what goes wrong there is inconclusive.
    public var preamble: [Step]
    /// The body, the only part that can fail.
    public var steps: [Step]
    /// What must not be seen in the body and the closing window.
    public var never: [NeverRule]
    /// Harmless messages: counted and shown, never a failure.
    public var ignore: [MessagePattern]
    /// What a message from the device that no step takes means.
    public var unexpected: UnexpectedPolicy
    /// What a message of the device means that breaks its protocol's specification.
    public var violations = ViolationPolicy.report
    /// Whether it is not the suite that says `violations: fail`, but the user for all cases.
    public private(set) var isHeldToProtocol = false
    /// Length of the closing window, in which `never` and `unexpected` still watch.
    public var quiet: Duration
    /// Whether the closing window lasts until the capture ends, whatever `quiet` is.
    public var isQuietToTheEnd = false
    /// The longest that the case may take altogether; beyond it the case is an error.
    public var timeout: Duration
    /// The suite's parameters that it uses, by name.
    public var parameters: [String] = []
    /// The protocols of the program and of its suite.
    public var known: KnownMessages
    /// Whether it is judged without the app's reports where a capture has none.
    public var isJudgedWithoutReports = false
    /// Whether what speaks of reports is left out.
    public internal(set) var isWithoutReports = false
    /// What is measured and reported beside the verdict.
    public var measures: [Measure] = []
    /// Parameters that it needs and that have no value: it has no steps and cannot be judged.
    public var missingParameters: [String] = []

    /// The length of the closing window as suites write it.
    public var quietText: String { isQuietToTheEnd ? "end" : quiet.suiteText }

    /// Makes a case.
    public init(
        id: String, title: String, position: SourcePosition, checks: [String], tags: [String] = [],
        needs: FeatureExpression? = nil, values: [Value.Member] = [],
        peers: [PeerDeclaration] = [], deviceConfiguration: Value = .object([]),
        preamble: [Step] = [], steps: [Step], never: [NeverRule] = [],
        ignore: [MessagePattern] = [], unexpected: UnexpectedPolicy = .fail,
        quiet: Duration = .milliseconds(200), timeout: Duration = .seconds(60),
        known: KnownMessages
    ) {
        self.id = id
        self.title = title
        self.position = position
        self.checks = checks
        self.tags = tags
        self.needs = needs
        self.values = values
        self.peers = peers
        self.deviceConfiguration = deviceConfiguration
        self.preamble = preamble
        self.steps = steps
        self.never = never
        self.ignore = ignore
        self.unexpected = unexpected
        self.quiet = quiet
        self.timeout = timeout
        self.known = known
    }
}

extension TestCase {
    /// The case, in which a message of the device that breaks its specification breaks the case, if
    /// that is asked for.
    public func heldToProtocol(_ isHeld: Bool) -> TestCase {
        guard isHeld, violations == .report else { return self }
        var other = self
        other.violations = .fail
        other.isHeldToProtocol = true
        return other
    }

    /// Makes it a case that can only be skipped, because parameters have no value.
    mutating func leaveOut(forWantOf parameters: Set<String>) {
        checks = allChecks
        missingParameters = parameters.sorted()
        (preamble, steps, never, ignore) = ([], [], [], [])
    }

    /// Every requirement that it judges: its own, and those that single steps and rules name.
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
    /// What it plays.
    public var kind: PeerKind
    /// Its settings, an object.
    public var settings: Value
    /// What it says, if its kind leaves that to the suite.
    public var script = PeerScript()
    /// What the messages of its streams are, if a `.ksy` file describes them.
    public var described: DescribedProtocol?
    /// What its messages are, if a file of ours describes them together with a `.ksy` file.
    public var named: NamedProtocol?
    /// Where it stands.
    public var position: SourcePosition

    /// Makes a declaration.
    public init(name: String, kind: PeerKind, settings: Value, position: SourcePosition) {
        self.name = name
        self.kind = kind
        self.settings = settings
        self.position = position
    }

    /// The Bluetooth controller on whose air it lives; `nil` for a peer that has a port of its own.
    public var air: String? {
        guard kind.livesOnAir else { return nil }
        return settings["air"]?.stringValue ?? ""
    }

    /// Whether it exchanges datagrams.
    public var isDatagram: Bool {
        kind.usesDatagrams || settings["transport"] == "udp"
    }

    /// Whether a program plays it.
    public var runsProgram: Bool { kind.runsProgram }

    /// How late its settings let it answer at the most; zero if they say nothing of it.
    public var latestAnswer: Duration {
        guard kind.livesOnAir else { return .zero }
        return (settings.longest("delay") ?? .zero) + (settings.longest("late") ?? .zero)
    }

    /// Its device address, by which its messages are known; `nil` for a peer that does not live on
    /// the air.
    public var airAddress: String? { air == nil ? nil : settings["address"]?.stringValue }
}

/// What a message from the device that no step takes means.
public enum UnexpectedPolicy: String, Sendable, Hashable, CaseIterable {
    /// It breaks the case.
    case fail
    /// It is counted and shown.
    case allow
}

/// What a message of the device means that decodes and breaks its protocol's specification.
public enum ViolationPolicy: String, Sendable, Hashable, CaseIterable {
    /// It breaks the case, also where a step takes it.
    case fail
    /// It is counted and shown.
    case report
}

/// Messages by name, sender and field values.
public struct MessagePattern: Sendable, Hashable {
    /// The message name; a last component `*` stands for any: `sdl.*`, `sdl.Show.*`.
    public var message: String
    /// Who sends it; `nil` for anyone.
    public var from: String?
    /// Conditions on its fields, all of which must hold.
    public var conditions: [FieldCondition]
    /// Where it stands.
    public var position: SourcePosition

    /// Makes a pattern.
    public init(
        message: String, from: String? = nil, conditions: [FieldCondition] = [],
        position: SourcePosition
    ) {
        self.message = message
        self.from = from
        self.conditions = conditions
        self.position = position
    }

    /// Whether a message of that name is meant.
    public func covers(_ name: String) -> Bool {
        message.hasSuffix(".*")
            ? name.hasPrefix(message.dropLast(1)) : name == message
    }
}

/// A message that breaks the case if no step has taken it.
public struct NeverRule: Sendable, Hashable {
    /// What must not be seen; without `from` it means the device.
    public var pattern: MessagePattern
    /// The step on whose connection it must not be seen from then on; `nil` for any connection.
    public var connection: String?
    /// The requirements that it would break; empty for those of the case.
    public var checks: [String]

    /// Makes a rule.
    public init(pattern: MessagePattern, connection: String? = nil, checks: [String] = []) {
        self.pattern = pattern
        self.connection = connection
        self.checks = checks
    }
}

extension Value {
    /// The longest duration that a member of that name is, or holds, however deep.
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
