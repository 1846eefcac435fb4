import FoundationEssentials
import SuiteLanguage
import Wire

/// The data of a run before its first case: device, machine, suites, and plan.
public struct RunHeader: Sendable, Hashable, Codable {
    /// The version of `conform`.
    public var version: String
    /// The run's name, also the name of its report folder.
    public var id: String
    /// The report folder as seen from the working directory, such as `Reports/2026-01-02-1`.
    public var folder: String
    /// When the run began.
    public var started: Moment
    /// The command line, word by word.
    public var command: [String]
    /// The seed of everything random.
    public var seed: UInt64
    /// The fewest cases that must pass.
    public var minimum: Int
    /// Whether a flaky case fails the run.
    public var strict: Bool
    /// The device under test.
    public var device: RunDevice
    /// The machine that the run takes place on.
    public var environment: RunEnvironment
    /// The suites, in the order in which they were named.
    public var suites: [SuiteSummary]
    /// The plan.
    public var planned: [PlannedCase]
    /// The problems of the list of known failures with this plan, one sentence for each entry.
    ///
    /// It is `nil` without a list.
    public var knownFindings: [String]?
    /// The values of the suites' parameters; `nil` if no suite has any.
    public var parameters: [RunParameter]?
    /// How many times faster than its specification the device ran; `nil` for 1.
    ///
    /// 1 is the only scale at which a run certifies anything.
    public var timeScale: TimeScale?
    /// The part of the plan that this run is; `nil` for a run of the whole plan.
    public var shard: RunShard?
    /// The CI job; `nil` outside of one.
    public var job: RunJob?
    /// The files that the verdicts depend on, each with its digest.
    ///
    /// It is `nil` in results of an older version, and if no reports are written.
    public var digests: [RunDigest]?

    /// Creates a header.
    public init(
        version: String, id: String, folder: String, started: Moment, command: [String],
        seed: UInt64, minimum: Int = 1, strict: Bool = false, device: RunDevice,
        environment: RunEnvironment, suites: [SuiteSummary], planned: [PlannedCase],
        knownFindings: [String]? = nil, shard: RunShard? = nil, job: RunJob? = nil
    ) {
        self.version = version
        self.id = id
        self.folder = folder
        self.started = started
        self.command = command
        self.seed = seed
        self.minimum = minimum
        self.strict = strict
        self.device = device
        self.environment = environment
        self.suites = suites
        self.planned = planned
        self.knownFindings = knownFindings
        self.shard = shard
        self.job = job
    }
}

/// A point in time that is written both as text for readers and as a number for programs.
public struct Moment: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
        case utc, nanoseconds
    }

    /// The point in time.
    public var time: Timestamp

    /// Creates a moment.
    public init(_ time: Timestamp) {
        self.time = time
    }

    /// Reads the number; the text only repeats it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        time = try container.decode(Timestamp.self, forKey: .nanoseconds)
    }

    /// Writes the text and the number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(utc, forKey: .utc)
        try container.encode(time, forKey: .nanoseconds)
    }

    /// ISO 8601 in UTC, truncated to whole seconds: `2026-01-02T03:04:05Z`.
    public var utc: String {
        let (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let whole = rest < 0 ? seconds - 1 : seconds
        return Date(timeIntervalSince1970: Double(whole)).formatted(.iso8601)
    }
}

/// The device under test, as a run names it.
public struct RunDevice: Sendable, Hashable, Codable {
    /// The name of its profile.
    public var name: String
    /// Its version; empty if the profile gives none.
    public var version: String
    /// Its role, such as `sdl.app`.
    public var role: String
    /// The deliberate fault of the reference device; `nil` for none.
    public var mutant: String?

    /// Creates a device.
    public init(name: String, version: String = "", role: String, mutant: String? = nil) {
        self.name = name
        self.version = version
        self.role = role
        self.mutant = mutant
    }

    /// `name version`, followed by the mutant in brackets if there is one.
    public var label: String {
        let name = version.isEmpty ? name : "\(name) \(version)"
        return mutant.map { "\(name) [mutant \($0)]" } ?? name
    }
}

/// The machine that a run took place on.
public struct RunEnvironment: Sendable, Hashable, Codable {
    /// The machine's name.
    public var host: String
    /// The operating system, such as `Debian GNU/Linux 12`.
    public var system: String
    /// The kernel's release.
    public var kernel: String
    /// How the cases were isolated, such as `user, network, mount and PID namespaces`.
    public var isolation: String
    /// How many processors the run may use.
    public var cores: Int

    /// Creates an environment.
    public init(host: String, system: String, kernel: String, isolation: String, cores: Int) {
        self.host = host
        self.system = system
        self.kernel = kernel
        self.isolation = isolation
        self.cores = cores
    }
}

/// The data of a suite that reports need.
public struct SuiteSummary: Sendable, Hashable, Codable {
    /// The stable name.
    public var id: String
    /// What it is about, in words for readers.
    public var title: String
    /// The file, as the user named it.
    public var file: String
    /// The requirements of its catalogues.
    public var requirements: [Requirement]
    /// Its rules; `nil` if it has none.
    public var rules: [RuleSummary]?
}

extension SuiteSummary {
    /// Creates the summary of a suite.
    public init(_ suite: Suite) {
        self.init(
            id: suite.id, title: suite.title, file: suite.file, requirements: suite.requirements)
        if !suite.rules.isEmpty { rules = suite.rules.map(RuleSummary.init) }
    }
}

/// The data of a rule that reports need.
public struct RuleSummary: Sendable, Hashable, Codable {
    /// The rule's id.
    public var id: String
    /// The requirements that it judges.
    public var checks: [String]
    /// The features that the device must have, in suite syntax; `nil` for any device.
    public var needs: String?
}

extension RuleSummary {
    /// Creates the summary of a rule.
    public init(_ rule: Rule) {
        self.init(id: rule.id, checks: rule.checks, needs: rule.needs?.suiteText)
    }
}

/// One entry of the plan.
public struct PlannedCase: Sendable, Hashable, Codable {
    /// The suite's id.
    public var suite: String
    /// The case's id with its matrix values.
    public var id: String
    /// What it shows, in words for readers.
    public var title: String
    /// Its position in the suite.
    public var position: SourcePosition
    /// The requirements that it will judge.
    public var checks: [String]
    /// How many steps its preamble and body have.
    public var steps: Int

    /// Creates a planned case.
    public init(
        suite: String, id: String, title: String, position: SourcePosition, checks: [String],
        steps: Int
    ) {
        self.suite = suite
        self.id = id
        self.title = title
        self.position = position
        self.checks = checks
        self.steps = steps
    }

    /// Creates the planned case for a suite's case.
    public init(suite: Suite, testCase: TestCase) {
        self.init(
            suite: suite.id, id: testCase.id, title: testCase.title, position: testCase.position,
            checks: testCase.kind == .rules ? [] : testCase.allChecks,
            steps: (testCase.preamble + testCase.steps).plain.count)
    }

    /// The case's unique name.
    public var reference: CaseReference { CaseReference(suite: suite, id: id) }

    /// Returns the result of this case if it is not run.
    ///
    /// `cause` is a clause such as `the run was stopped`.
    public func notRun(because cause: String) -> CaseResult {
        CaseResult(
            suite: suite, id: id, title: title, position: position, verdict: .skipped,
            reason: Reason(.notRun, "not run: \(cause)"),
            checks: checks.map { CheckResult(requirement: $0, verdict: .none) })
    }
}
