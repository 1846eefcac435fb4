import Judge
import Offline
import Results
import SuiteLanguage

/// Runs suites on the reference device and on each of its mutants, all in parallel.
///
/// A mutant is run on the cases that claim it until one of them fails, and on their neighbours. It
/// is run on the other cases only if none of the claiming cases fails, or if the proof is thorough.
public struct MutationProof {
    /// The outcome of a proof.
    public struct Outcome: Sendable {
        /// The unmutated device, then each mutant.
        public var rows: [MutantProof]
        /// The runs of devices on which a case ended, each with a report folder of its own.
        public var runs: [RunResult]
        /// The mutants that were left out, because their effect does not show on the carrier.
        public var hidden: [Mutant] = []
        /// The signal that ended the proof early; `nil` if none did.
        public var interruption: Interruption?

        /// Whether the reference passes everywhere and a claiming case kills each mutant.
        ///
        /// No other case may fail on a mutant.
        public var isProved: Bool {
            interruption == nil && rows.contains { $0.mutant == nil }
                && rows.contains { $0.mutant != nil } && rows.allSatisfy(\.isProof)
        }
    }

    /// Whether each mutant is run on all cases.
    public var isThorough = false
    /// The patterns of the wanted mutants; empty for all.
    public var mutants: [CasePattern] = []

    private let suites: [(path: String, suite: Suite)]
    private let selection: CaseSelection
    private let device: String
    private let options: RunSession.Options
    private let parameters: ParameterOverrides
    private let timeScale: TimeScale
    private let carrier: AccessoryCarrier?

    /// Prepares a proof; `device` is the program of the reference device.
    public init(
        suites: [(path: String, suite: Suite)], selection: CaseSelection, device: String,
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

    /// The progress of a proof.
    public enum Progress: Sendable {
        /// A case ended on the unmutated device.
        case result(CaseResult)
        /// The outcome for a mutant is clear: `done` of `total` devices are done.
        case mutant(MutantProof, done: Int, total: Int)
    }

    /// Runs everything; `listener` is called as the proof progresses.
    ///
    /// - Throws: `InvalidInput` if there is no reference device for a suite.
    public func run(listener: (Progress) -> Void) throws -> Outcome {
        try run(by: WorkerServer(options), listener: listener)
    }

    /// Runs everything with workers that `launcher` starts.
    func run(by launcher: any WorkerLauncher, listener: (Progress) -> Void) throws -> Outcome {
        let relevant = try relevantMutants()
        let mutants = [nil] + relevant.filter { !isHidden($0) }.map(Optional.some)
        var schedule = ProofSchedule(
            devices: try mutants.map { ProvedDevice($0, try session(of: $0)) },
            isThorough: isThorough, isPart: !self.mutants.isEmpty)
        let scheduler = try Scheduler(launcher: launcher, pace: RunSession.pace(options.jobs))
        let start = ContinuousClock.now
        func ended(_ result: CaseResult?, _ place: ProofSchedule.Place) {
            let judged = result.map { self.judged($0, isReference: place.owner == 0) }
            schedule.consume(judged, of: place)
            let device = schedule.devices[place.owner]
            if device.mutant == nil {
                if let judged { listener(.result(judged)) }
            } else if device.isOver {
                let total = schedule.devices.count
                let done = schedule.devices.count(where: \.isOver)
                listener(.mutant(device.row, done: done, total: total))
            }
        }
        func execute(_ places: [ProofSchedule.Place]) throws -> Scheduler.Outcome {
            let sessions = schedule.devices.map(\.session)
            var ledger = AttemptLedger(
                policy: .once, lateRetries: AttemptPolicy.lateRetries, cases: places.count)
            return try scheduler.run(
                rounds: { ledger.nextRound() },
                job: { turn in
                    let place = places[turn.place]
                    return try sessions[place.owner].job(place.index, attempt: turn.number)
                },
                selects: { turn in
                    let isWanted = schedule.selects(places[turn.place])
                    if !isWanted { ended(nil, places[turn.place]) }
                    return isWanted
                },
                waiting: {},
                listener: { turn, result in
                    guard let result else { return true }
                    let place = places[turn.place]
                    let named = sessions[place.owner].named(result, attempt: turn.number)
                    if let last = ledger.consume(named, of: turn) { ended(last, place) }
                    return true
                })
        }
        var ending = try execute(schedule.firstPlaces())
        if ending == .completed { ending = try execute(schedule.furtherPlaces()) }
        schedule.end(
            seconds: start.duration(to: .now) / .seconds(1), interruption: ending.interruption)
        return Outcome(
            rows: schedule.devices.map(\.row),
            runs: schedule.devices.filter(\.isBegun).map(\.run),
            hidden: relevant.filter(isHidden), interruption: ending.interruption)
    }

    /// Returns a result judged against the known failures.
    ///
    /// They are those of the reference: that a mutant does not fail a case with a known failure has
    /// no meaning.
    private func judged(_ result: CaseResult, isReference: Bool) -> CaseResult {
        guard let known = options.known else { return result }
        let judged = known.judged(result)
        return isReference ? known.concluded(judged) : judged
    }

    /// Returns the wanted mutants that break a requirement judged by the suites for their kind.
    public func relevantMutants() throws -> [Mutant] {
        let judged = Dictionary(
            suites.map { ($0.suite.deviceRole, $0.suite.checks) },
            uniquingKeysWith: { $0.union($1) })
        return try Mutant.list(executable: device).filter {
            judged[$0.role]?.isDisjoint(with: $0.requirements) == false
                && isWanted($0)
        }
    }

    private func isWanted(_ mutant: Mutant) -> Bool {
        mutants.isEmpty || mutants.contains { $0.matches(mutant.name) }
    }

    private func isHidden(_ mutant: Mutant) -> Bool {
        carrier.map { mutant.hidingCarriers?.contains($0) ?? false } ?? false
    }

    /// Returns the run of a mutant, or of the unmutated device, on the suites for its kind.
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
