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
    /// The carriers of accessories on which nothing that it does wrong comes to the wire; `nil` for
    /// none.
    public var hidingCarriers: [AccessoryCarrier]?
    /// One sentence of what it does wrong.
    public var summary: String

    /// Makes a mutant.
    public init(
        name: String, role: String, requirements: [String], masks: [String] = [],
        hidingCarriers: [AccessoryCarrier]? = nil, summary: String = ""
    ) {
        self.name = name
        self.role = role
        self.requirements = requirements
        self.masks = masks
        self.hidingCarriers = hidingCarriers
        self.summary = summary
    }

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
        /// The runs of devices on which a case ended, each with a report folder of its own.
        public var runs: [RunResult]
        /// The mutants that were left out, because nothing of them shows on the carrier.
        public var hidden: [Mutant] = []
        /// The signal that ended it early, if one did.
        public var interruption: Interruption?

        /// Whether the reference passes everywhere and every mutant is killed by the case that
        /// claims it, and by no other.
        public var isProved: Bool {
            interruption == nil && rows.contains { $0.mutant == nil }
                && rows.contains { $0.mutant != nil } && rows.allSatisfy(\.isProof)
        }
    }

    /// One case on one device.
    private struct Place {
        var owner: Int
        var index: Int
    }

    /// How often a case is executed again at most, while all that its executions show is that the
    /// machine was too busy to judge it.
    private static let lateRetries = 2

    private let suites: [(path: String, suite: Suite)]
    private let selection: RunPlan.Selection
    private let device: String
    private let options: RunSession.Options
    private let parameters: ParameterOverrides
    private let timeScale: TimeScale
    private let carrier: AccessoryCarrier?

    /// Prepares a proof; `device` is the program of the reference device.
    public init(
        suites: [(path: String, suite: Suite)], selection: RunPlan.Selection, device: String,
        options: RunSession.Options, parameters: ParameterOverrides = ParameterOverrides(),
        timeScale: TimeScale = .real, carrier: AccessoryCarrier? = nil
    ) {
        self.carrier = carrier
        self.parameters = parameters
        self.timeScale = timeScale
        self.suites = suites
        self.selection = selection
        self.device = device
        self.options = options
    }

    /// How far a proof is.
    public enum Progress: Sendable {
        /// A case ended on the unmutated device.
        case result(CaseResult)
        /// All cases ended on a mutant: so many devices are done, of so many.
        case mutant(MutantProof, done: Int, total: Int)
    }

    /// Runs everything; `listener` is told how it goes on.
    ///
    /// - Throws: `InvalidInput` if there is no reference device for a suite.
    public func run(listener: (Progress) -> Void) throws -> Outcome {
        try run(by: WorkerServer(options), listener: listener)
    }

    /// Runs everything with workers that `launcher` starts.
    func run(by launcher: any WorkerLauncher, listener: (Progress) -> Void) throws -> Outcome {
        let relevant = try relevantMutants()
        let mutants = [nil] + relevant.filter { !isHidden($0) }.map(Optional.some)
        let sessions = try mutants.map(session)
        var runs = sessions.map { RunResult(header: $0.header) }
        // How many cases of each device have not ended.
        var left = sessions.map(\.entries.count)
        let start = ContinuousClock.now
        let ending = try execute(sessions, by: launcher) { owner, result in
            let judged = judged(result, isReference: owner == 0)
            runs[owner].cases.append(judged)
            left[owner] -= 1
            if owner == 0 {
                listener(.result(judged))
            } else if left[owner] == 0 {
                let proof = MutantProof(mutant: mutants[owner], results: runs[owner].cases)
                listener(.mutant(proof, done: left.count { $0 == 0 }, total: left.count))
            }
        }
        let begun = runs.indices.filter { left[$0] < sessions[$0].entries.count }
        for index in runs.indices {
            sessions[index].removeScratch()
            runs[index].end(
                seconds: start.duration(to: .now) / .seconds(1),
                interruption: ending.interruption)
        }
        let rows = runs.indices.map {
            left[$0] == 0
                ? MutantProof(mutant: mutants[$0], results: runs[$0].cases)
                : MutantProof(unfinished: mutants[$0])
        }
        return Outcome(
            rows: rows, runs: begun.map { runs[$0] }, hidden: relevant.filter(isHidden),
            interruption: ending.interruption)
    }

    /// Executes the cases of all devices side by side, and those again that the machine was too busy
    /// for; `settled` is told the device, by its place, and the last result of each case.
    private func execute(
        _ sessions: [RunSession], by launcher: any WorkerLauncher,
        settled: (Int, CaseResult) -> Void
    ) throws -> Scheduler.Outcome {
        let scheduler = try Scheduler(
            launcher: launcher, pace: RunSession.pace(options.jobs))
        let places = sessions.enumerated().flatMap { owner, session in
            session.entries.indices.map { Place(owner: owner, index: $0) }
        }
        var ledger = AttemptLedger(
            policy: .once, lateRetries: Self.lateRetries, cases: places.count)
        return try scheduler.run(
            rounds: { ledger.nextRound() },
            job: { turn in
                let place = places[turn.place]
                return try sessions[place.owner].job(place.index, attempt: turn.number)
            },
            waiting: {},
            listener: { turn, ended in
                guard let ended else { return true }
                let owner = places[turn.place].owner
                let named = sessions[owner].named(ended, attempt: turn.number)
                if let result = ledger.take(named, of: turn) { settled(owner, result) }
                return true
            })
    }

    /// A result in the light of the known failures.
    ///
    /// They are those of the reference: that a mutant does not fail where it does says nothing.
    private func judged(_ result: CaseResult, isReference: Bool) -> CaseResult {
        guard let known = options.known else { return result }
        let judged = known.judged(result)
        return isReference ? known.concluded(judged) : judged
    }

    /// The mutants that break a requirement which the suites for their kind of device judge.
    private func relevantMutants() throws -> [Mutant] {
        let judged = Dictionary(
            suites.map { ($0.suite.deviceRole, Set($0.suite.cases.flatMap(\.allChecks))) },
            uniquingKeysWith: { $0.union($1) })
        return try Mutant.list(executable: device).filter {
            judged[$0.role]?.isDisjoint(with: $0.requirements) == false
        }
    }

    private func isHidden(_ mutant: Mutant) -> Bool {
        carrier.map { mutant.hidingCarriers?.contains($0) ?? false } ?? false
    }

    /// The run of a mutant, or of the unmutated device, on the suites for its kind of device.
    private func session(of mutant: Mutant?) throws -> RunSession {
        let plan = try RunPlan(
            suites: suites.filter { mutant == nil || $0.suite.deviceRole == mutant?.role },
            selection: selection,
            device: .reference(executable: device, mutant: mutant?.name), parameters: parameters,
            timeScale: timeScale, carrier: carrier)
        var options = options
        options.folder += "/" + (mutant?.name ?? "reference")
        return try RunSession(plan: plan, options: options)
    }
}
