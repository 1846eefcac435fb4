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
    /// One sentence of what it does wrong.
    public var summary: String

    /// The mutants of a reference device, as its `mutants` subcommand prints them.
    public static func list(executable: String) throws -> [Mutant] {
        let output = try CommandOutput.of([executable, "mutants"])
        return try JSONDecoder().decode([Mutant].self, from: Data(output))
    }
}

/// What the suites say of one mutant.
public struct MutantVerdict: Sendable, Hashable {
    /// The mutant.
    public let mutant: Mutant
    /// The cases that failed and cite a requirement that the mutant breaks.
    public let killers: [CaseReference]
    /// Failures that cite a requirement that the mutant does not break, and cases in error.
    public let strays: [CaseResult]

    /// Whether a case that claims to watch the broken rule has failed, and no other.
    public var isProven: Bool { !killers.isEmpty && strays.isEmpty }

    /// Weighs the results of all cases run on the mutant.
    public init(mutant: Mutant, results: [CaseResult]) {
        self.mutant = mutant
        let broken = Set(mutant.requirements)
        func cited(_ result: CaseResult) -> [String] {
            result.checks.filter { $0.verdict == .fail }.map(\.requirement)
        }
        killers = results.filter { $0.verdict == .fail && !broken.isDisjoint(with: cited($0)) }
            .map(CaseReference.init)
        strays = results.filter {
            $0.verdict == .error
                || $0.verdict == .fail && broken.isDisjoint(with: cited($0))
        }
    }
}

/// Runs suites on the reference device and on each of its mutants, all side by side.
public struct MutationProof {
    /// What came of it.
    public struct Outcome: Sendable {
        /// The results on the unmutated device.
        public var baseline: [CaseResult]
        /// What the suites say of each mutant.
        public var mutants: [MutantVerdict]

        /// Whether the reference passes everywhere and every mutant is killed by the case that
        /// claims it.
        public var isProven: Bool {
            !baseline.isEmpty && !mutants.isEmpty
                && baseline.allSatisfy { $0.verdict == .pass }
                && mutants.allSatisfy(\.isProven)
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
        let proof = Outcome(
            baseline: results[nil] ?? [],
            mutants: mutants.map { MutantVerdict(mutant: $0, results: results[$0.name] ?? []) })
        return (proof, outcome.interruption)
    }

    private func folder(of mutant: Mutant?) -> RunSession.Options {
        var options = options
        options.folder += "/" + (mutant?.name ?? "reference")
        return options
    }
}
