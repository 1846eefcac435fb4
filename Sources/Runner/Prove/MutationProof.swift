import FoundationEssentials
import Suites
import Verdicts

/// A deliberate mistake that the reference device can make.
public struct Mutant: Sendable, Hashable, Codable {
    /// The name after `--mutant`.
    public var name: String
    /// The kind of device that it is a mutant of.
    public var role: String
    /// The requirements that it breaks.
    public var requirements: [String]
    /// The requirements whose situation it never lets arise, so that a case about them cannot
    /// reach its point.
    public var masks: [String]
    /// One sentence of what it does wrong.
    public var summary: String

    /// The mutants of a reference device, as its `mutants` subcommand prints them.
    public static func list(executable: String) throws -> [Mutant] {
        let output = try CommandOutput.of([executable, "mutants"])
        return try JSONDecoder().decode([Mutant].self, from: Data(output))
    }
}

/// Runs suites on the reference device and on each of its mutants, all side by side.
public struct MutationProof {
    /// What came of it.
    public struct Outcome: Sendable {
        /// The unmutated device, then each mutant.
        public var rows: [MutantProof]
        /// Results that keep the proof from holding, for a reader to look at.
        public var problems: [CaseResult]

        /// Whether the reference passes everywhere and every mutant is killed by the case that
        /// claims it, and by no other.
        public var isProved: Bool {
            rows.contains { $0.mutant == nil } && rows.contains { $0.mutant != nil }
                && rows.allSatisfy(\.isProof)
        }
    }

    private let suites: [(path: String, suite: Suite)]
    private let selection: RunPlan.Selection
    private let device: String
    private let options: RunSession.Options

    /// Prepares a proof; `device` is the program of the reference device.
    public init(
        suites: [(path: String, suite: Suite)], selection: RunPlan.Selection, device: String,
        options: RunSession.Options
    ) {
        self.suites = suites
        self.selection = selection
        self.device = device
        self.options = options
    }

    /// Runs everything; `listener` is told each result with the mutant's name, `nil` for none.
    ///
    /// - Throws: `InvalidInput` if there is no reference device for a suite.
    public func run(
        listener: (_ mutant: String?, CaseResult) -> Void
    ) throws -> (outcome: Outcome, interruption: Interruption?) {
        let roles = Set(suites.map(\.suite.deviceRole))
        let wanted = Set(suites.flatMap { $0.suite.cases.flatMap(\.checks) })
        let mutants = try Mutant.list(executable: device).filter {
            roles.contains($0.role) && !wanted.isDisjoint(with: $0.requirements)
        }
        var owners: [String?] = []
        var jobs: [Scheduler.Job] = []
        for mutant in [nil] + mutants.map(Optional.some) {
            let plan = try RunPlan(
                suites: suites, selection: selection,
                device: .reference(executable: device, mutant: mutant?.name))
            let session = try RunSession(plan: plan, options: folder(of: mutant))
            let own = session.jobs
            owners += own.map { _ in mutant?.name }
            jobs += own
        }
        let scheduler = try Scheduler(
            executable: options.executable, network: options.network,
            limit: options.jobs ?? RunSession.defaultJobs)
        var results: [String?: [CaseResult]] = [:]
        let outcome = try scheduler.run(jobs) { event in
            if case .finished(let index, let result) = event {
                results[owners[index], default: []].append(result)
                listener(owners[index], result)
            }
            return true
        }
        FileSystem.removeTree(options.folder + "/.work")
        let rows =
            [MutantProof(mutant: nil, results: results[nil] ?? [])]
            + mutants.map { MutantProof(mutant: $0, results: results[$0.name] ?? []) }
        let problems = rows.flatMap(\.problems)
        let proof = Outcome(rows: rows, problems: problems)
        return (proof, outcome.interruption)
    }

    private func folder(of mutant: Mutant?) -> RunSession.Options {
        var options = options
        options.folder += "/" + (mutant?.name ?? "reference")
        return options
    }
}
