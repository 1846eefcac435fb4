import SuiteLanguage

/// Everything that is known about one run; all reports are pure functions of it.
public struct RunResult: Sendable, Hashable {
    /// The data from before the first case.
    public var header: RunHeader
    /// The results so far, in any order; a case that did not end has none.
    public var cases: [CaseResult]
    /// How long the run took, in seconds of wall time.
    public var seconds: Double
    /// How the run ended; `nil` while it goes on, and if it was killed.
    public var exit: ExitStatus?
    /// The SHA-256 of the files in the report folder that the results do not give, by their paths.
    ///
    /// They are evidence, logs and the journal; `nil` while the run goes on.
    public var files: [String: String]?

    /// Creates a result.
    public init(
        header: RunHeader, cases: [CaseResult] = [], seconds: Double = 0, exit: ExitStatus? = nil
    ) {
        self.header = header
        self.cases = cases
        self.seconds = seconds
        self.exit = exit
    }

    /// The audit of planned cases against results.
    ///
    /// While the run goes on, a case without a result counts as not run; once it has ended, such a
    /// case is a discrepancy.
    public var audit: Audit {
        var audit = Audit(planned: header.planned, results: storedCases)
        audit.shard = header.shard.map { shard in
            let own = Set(header.planned.map(\.reference))
            return Audit.Shard(
                index: shard.index, total: shard.total,
                elsewhere: shard.plan.count { !own.contains($0.reference) })
        }
        return audit
    }

    /// The results for each requirement.
    public var coverage: Coverage { Coverage(suites: header.suites, results: storedCases) }

    /// One result for each planned case in plan order, then results of cases that were not planned.
    ///
    /// A planned case without a result gets a substitute: not run while the run goes on, an error
    /// once it has ended.
    public var casesInPlanOrder: [CaseResult] { ordered { [standIn(for: $0)] } }

    /// The results as they are stored, in plan order.
    ///
    /// Once the run has ended, missing results are not substituted.
    private var storedCases: [CaseResult] { exit == nil ? casesInPlanOrder : ordered { _ in [] } }

    private func ordered(missing: (PlannedCase) -> [CaseResult]) -> [CaseResult] {
        var results = Dictionary(grouping: cases, by: CaseReference.init)
        var listed: Set<CaseReference> = []
        var ordered: [CaseResult] = []
        ordered.reserveCapacity(header.planned.count)
        for planned in header.planned where listed.insert(planned.reference).inserted {
            ordered += results.removeValue(forKey: planned.reference) ?? missing(planned)
        }
        return ordered + cases.filter { !listed.contains(CaseReference($0)) }
    }

    private func standIn(for planned: PlannedCase) -> CaseResult {
        exit == nil
            ? planned.notRun(because: "the run has not reached it")
            : CaseResult(
                suite: planned.suite, id: planned.id, title: planned.title,
                position: planned.position, verdict: .error,
                reason: Reason(.notRun, "the case was planned, and no result of it came back"))
    }

    /// Ends the run: sets the exit status from the audit and the other circumstances.
    ///
    /// After an interruption each case without a result is recorded as not run. Otherwise such a
    /// case stays missing, which the audit reports as a discrepancy.
    public mutating func end(
        seconds: Double, interruption: Interruption? = nil, reportFailed: Bool = false
    ) {
        self.seconds = seconds
        if let interruption {
            let known = Set(cases.map(CaseReference.init))
            cases += header.planned.filter { !known.contains($0.reference) }
                .map { $0.notRun(because: interruption.phrase) }
        }
        exit = ExitStatus(
            audit: Audit(planned: header.planned, results: cases), minimum: header.minimum,
            interruption: interruption, reportFailed: reportFailed, strict: header.strict,
            staleEntries: header.knownFindings?.count ?? 0)
    }
}

extension RunResult: Codable {
    private enum CodingKeys: String, CodingKey {
        case schema, run, seconds, exitCode, outcome, audit, coverage, cases, files
    }

    /// The version of the JSON form; a newer one is rejected.
    ///
    /// 2: the evidence of a case is in its own file, which the case names.
    public static let schema = 2

    /// Reads the JSON form.
    ///
    /// The audit and the coverage are calculated again, because stored ones are not trusted.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let schema = try container.decode(Int.self, forKey: .schema)
        guard schema <= Self.schema else {
            throw DecodingError.dataCorruptedError(
                forKey: .schema, in: container,
                debugDescription: "written by a newer conform (schema \(schema))")
        }
        self.init(
            header: try container.decode(RunHeader.self, forKey: .run),
            cases: try container.decode([CaseResult].self, forKey: .cases),
            seconds: try container.decode(Double.self, forKey: .seconds),
            exit: try container.decodeIfPresent(ExitStatus.self, forKey: .exitCode))
        files = try container.decodeIfPresent([String: String].self, forKey: .files)
    }

    /// Writes the JSON form with the audit and the coverage, but without the cases' evidence.
    ///
    /// Cases are in plan order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.schema, forKey: .schema)
        try container.encode(header, forKey: .run)
        try container.encode(seconds, forKey: .seconds)
        try container.encode(exit, forKey: .exitCode)
        try container.encode(exit?.word ?? "unfinished", forKey: .outcome)
        try container.encode(audit, forKey: .audit)
        try container.encode(coverage, forKey: .coverage)
        try container.encode(storedCases.map(\.stored), forKey: .cases)
        try container.encodeIfPresent(files, forKey: .files)
    }
}

/// The unique name of a case in a run: its suite and its id.
public struct CaseReference: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The suite's id.
    public var suite: String
    /// The case's id with its matrix values.
    public var id: String

    /// Creates a reference.
    public init(suite: String, id: String) {
        self.suite = suite
        self.id = id
    }

    /// Creates the reference to the case of a result.
    public init(_ result: CaseResult) {
        self.init(suite: result.suite, id: result.id)
    }

    /// The text `suite/case`.
    public var description: String { "\(suite)/\(id)" }
}
