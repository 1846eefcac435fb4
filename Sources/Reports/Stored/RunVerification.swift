import Results

/// The check of a stored run: whether its files are those of the run, its sums right, and its
/// verdicts those that its captures give.
public struct RunVerification: Sendable {
    /// The files that a verdict is worked out from when captures are judged again.
    private static let decisive: Set<RunDigest.Kind> = [
        .suite, .include, .catalogue, .known, .capture, .logFormat,
    ]

    /// The run.
    private let stored: StoredRun
    /// What is not as the run says, a sentence each.
    public private(set) var differences: [String] = []
    /// What cannot be checked, a sentence each.
    public private(set) var unchecked: [String] = []
    /// What is no longer as it was and does not matter for the check, a sentence each.
    public private(set) var notes: [String] = []
    /// How many files hold what they held.
    public private(set) var fileCount = 0
    /// How many verdicts were worked out again and are the same.
    public private(set) var verdictCount = 0

    /// Checks sums and digests.
    ///
    /// - Throws: `UnreadableReport` if `results.json` cannot be read.
    public init(_ stored: StoredRun) throws(UnreadableReport) {
        self.stored = stored
        try checkSums()
        checkDigests()
        checkDrawnReports()
    }

    /// The outcome: 1 if something differs, 3 if something could not be checked, else 0.
    public var exit: ExitStatus {
        if !differences.isEmpty { return .notConformant }
        return unchecked.isEmpty ? .conformant : .couldNotJudge
    }

    /// The outcome, line by line.
    public var lines: [String] {
        let all =
            differences.map { "differs: \($0)" } + unchecked.map { "not checked: \($0)" }
            + notes.map { "note: \($0)" }
        let word =
            switch exit {
            case .conformant: "verified"
            case .notConformant: "not the run that was stored"
            default: "not verified"
            }
        let counts =
            "\(NumberText.count(fileCount, "file")) unchanged, "
            + "\(NumberText.count(verdictCount, "verdict")) judged again"
        return all.map(PlainText.line) + [
            "\(word): \(counts), \(NumberText.count(differences.count, "difference")), "
                + "\(unchecked.count) not checked (exit \(exit.rawValue))"
        ]
    }

    // MARK: - Sums

    /// The parts of `results.json` that follow from the rest of it.
    private struct Sums: Decodable {
        let audit: Audit
        let coverage: Coverage
        let outcome: String
    }

    private mutating func checkSums() throws(UnreadableReport) {
        let run = stored.run
        guard run.exit != nil else {
            unchecked.append("the run is not finished")
            return
        }
        guard stored.file.hasSuffix(".json") else { return }
        guard let sums = try? JSONText.decoded(Sums.self, from: FileInput.bytes(of: stored.file))
        else {
            differences.append("\(stored.file): its audit or coverage cannot be read")
            return
        }
        if sums.audit != run.audit {
            differences.append("the audit is not that of the cases: \(AuditText.line(run.audit))")
        }
        if sums.coverage != run.coverage {
            differences.append("the coverage of requirements is not that of the cases")
        }
        var again = RunResult(header: run.header, cases: run.cases)
        again.end(seconds: run.seconds)
        let other: Set<ExitStatus> = [.interrupted, .terminated, .reportFailed]
        if let exit = run.exit, !other.contains(exit), exit != again.exit {
            differences.append(
                "the exit code is \(exit.rawValue), and the cases give \(again.exit?.rawValue ?? 3)"
            )
        }
        if sums.outcome != run.exit?.word {
            differences.append("the outcome \"\(sums.outcome)\" is not that of the exit code")
        }
    }

    // MARK: - Files

    private mutating func checkDigests() {
        guard let digests = stored.run.header.digests else {
            unchecked.append("the run has no digests; a conform that has them wrote none")
            return
        }
        for digest in digests where digest.kind != .conform {
            check(
                digest.path, DigestComparison.label(digest), digest.sha256,
                matters: Self.decisive.contains(digest.kind))
        }
        if !isSameConform { notes.append("conform is another one now: the verdicts are its own") }
        for capture in stored.storedCaptures {
            check(capture.path, "capture \(capture.path)", capture.digest, matters: true)
        }
        for result in stored.run.cases where result.capture == nil && result.subject == nil {
            guard result.verdict.isConclusion || result.verdict == .inconclusive else { continue }
            differences.append("\(CaseReference(result)): a verdict without a capture")
        }
    }

    private mutating func check(
        _ path: String, _ label: String, _ expected: String, matters: Bool
    ) {
        switch FileDigest.sha256(of: path) {
        case expected: fileCount += 1
        case let found?:
            let text =
                "\(label): its SHA-256 is \(DigestComparison.short(found)), and was "
                + DigestComparison.short(expected)
            if matters { differences.append(text) } else { notes.append(text) }
        case nil where matters: unchecked.append("\(label): it cannot be read")
        case nil: notes.append("\(label): it cannot be read")
        }
    }

    private var isSameConform: Bool {
        let now = RunDigest.ofConform.first?.sha256
        return stored.run.header.digests?.first { $0.kind == .conform }?.sha256 == now
    }

    /// The reports that are drawn from the results; another conform may draw them otherwise.
    private mutating func checkDrawnReports() {
        guard isSameConform, stored.run.exit != nil else { return }
        var run = stored.run
        run.header.folder = stored.writtenFolder
        let drawn = [
            ("junit.xml", JUnitReport(run).text), ("summary.md", SummaryReport(run).text),
        ]
        for (name, text) in drawn {
            let path = "\(stored.folder)/\(name)"
            guard FileInput.isThere(path) else { continue }
            if (try? FileInput.bytes(of: path)) == Array(text.utf8) {
                fileCount += 1
            } else {
                differences.append("\(path): it is not what the results give")
            }
        }
    }

    // MARK: - Verdicts

    /// The captures of a suite's live cases, as they are judged again.
    public func captures(of suite: String) -> [String] {
        stored.run.cases.filter { $0.suite == suite && $0.subject == nil }
            .flatMap(Self.executions).compactMap(\.capture)
            .map(stored.path).filter(FileInput.isThere)
    }

    /// Compares the verdicts of live cases with those that their captures give now.
    public mutating func compare(live judged: [CaseResult]) {
        var results: [String: CaseResult] = [:]
        for result in judged {
            if let capture = result.subject?.capture { results[capture] = result }
        }
        for result in stored.run.cases where result.subject == nil {
            for execution in Self.executions(of: result) {
                guard let capture = execution.capture.map(stored.path),
                    let again = results[capture]
                else { continue }
                compare(execution, of: result, with: again, on: capture)
            }
        }
    }

    /// Compares the results of `conform check` with those that its captures give now.
    public mutating func compare(checked judged: [CaseResult]) {
        let results = Dictionary(judged.map { (CaseReference($0), $0) }) { first, _ in first }
        for result in stored.run.cases {
            guard let again = results[CaseReference(result)] else {
                differences.append("\(CaseReference(result)): judged again it does not occur")
                continue
            }
            if again.verdict == result.verdict, again.checks == result.checks,
                again.reason?.summary == result.reason?.summary
            {
                verdictCount += 1
            } else {
                differences.append(
                    "\(CaseReference(result)): stored \(Self.text(result.verdict, result.reason)), "
                        + "judged again \(Self.text(again.verdict, again.reason))")
            }
        }
        let known = Set(stored.run.cases.map(CaseReference.init))
        differences += results.keys.filter { !known.contains($0) }.map { "\($0): not stored" }
            .sorted()
    }

    /// Puts down that something could not be judged again.
    public mutating func note(unjudged text: String) { unchecked.append(text) }

    /// The executions of a case that may be compared with their captures.
    private static func executions(of result: CaseResult) -> [Execution] {
        result.executions ?? [Execution(result)]
    }

    private mutating func compare(
        _ execution: Execution, of result: CaseResult, with again: CaseResult, on capture: String
    ) {
        let name = CaseReference(result)
        guard again.suite == name.suite, again.subject?.testCase == name.id else {
            differences.append("\(name): \(capture) is the capture of another case")
            return
        }
        let isAlone = result.executions == nil
        let isListed = isAlone && result.reason?.code == .unexpectedPass
        let expected: Verdict =
            switch execution.verdict {
            case .known: .fail
            case .fail where isListed: .pass
            case let verdict: verdict
            }
        // What the harness itself could not do is in no capture.
        if expected == .error { return }
        if again.verdict == .inconclusive || expected == .inconclusive, again.verdict != expected,
            execution.summary?.hasPrefix("the saved capture is judged differently") == true
        {
            return
        }
        let isSaid =
            isListed || (execution.summary ?? "").contains(again.reason?.summary ?? "")
        let isChecked = !isAlone || isListed || result.checks == again.checks
        if again.verdict == expected, isSaid, isChecked {
            verdictCount += 1
            return
        }
        differences.append(
            "\(name): stored \(Self.text(execution.verdict, execution.summary)), judged again "
                + "\(Self.text(again.verdict, again.reason)) (\(capture))")
    }

    private static func text(_ verdict: Verdict, _ reason: Reason?) -> String {
        text(verdict, reason?.summary)
    }

    private static func text(_ verdict: Verdict, _ summary: String?) -> String {
        verdict.rawValue + (summary.map { " (\($0))" } ?? "")
    }
}
