import Results

/// The verification of a stored run: whether its files are unchanged, its totals are correct, and
/// its captures give the stored verdicts.
public struct RunVerification: Sendable {
    /// The kinds of files that determine a verdict when captures are judged again.
    private static let decisive: Set<RunDigest.Kind> = [
        .suite, .include, .catalogue, .known, .capture, .logFormat,
    ]

    /// The run.
    private let stored: StoredRun
    /// The differences from the stored run, a sentence each.
    public private(set) var differences: [String] = []
    /// The items that cannot be checked, a sentence each.
    public private(set) var unchecked: [String] = []
    /// The changes that do not matter for the check, a sentence each.
    public private(set) var notes: [String] = []
    /// The number of unchanged files.
    public private(set) var fileCount = 0
    /// The number of verdicts that were judged again and are the same.
    public private(set) var verdictCount = 0

    /// Creates a verification, and checks totals and digests.
    ///
    /// - Throws: `UnreadableReport` if `results.json` cannot be read.
    public init(_ stored: StoredRun) throws(UnreadableReport) {
        self.stored = stored
        try checkSums()
        checkDigests()
        checkFiles()
        checkDrawnReports()
    }

    /// The outcome: 1 if something differs, 3 if something could not be checked, otherwise 0.
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
            case .notConformant: "not as stored"
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

    // MARK: - Totals

    /// The parts of `results.json` that can be computed from the other parts.
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
            unchecked.append("the run has no digests, so its files cannot be compared")
            return
        }
        for digest in digests where digest.kind != .conform {
            check(
                digest.path, DigestComparison.label(digest), digest.sha256,
                matters: Self.decisive.contains(digest.kind))
        }
        if !isSameConform {
            notes.append(
                "conform is another build now; the captures are judged by this build, and the "
                    + "pages, junit.xml and summary.md are not compared")
        }
        for capture in stored.storedCaptures {
            check(capture.path, "capture \(capture.path)", capture.digest, matters: true)
        }
        for name in stored.unreachableCaptures {
            unchecked.append("capture \(name): it is not a file in the folder of the results")
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
                "\(label): its SHA-256 is \(DigestComparison.short(found)), it was "
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

    /// Checks the files that the results do not give, by their digests.
    private mutating func checkFiles() {
        guard stored.run.exit != nil, stored.file.hasSuffix(".json") else { return }
        let files = stored.run.files ?? [:]
        for (name, digest) in files.sorted(by: { $0.key < $1.key }) {
            if let path = StoredFile.path(of: name, in: stored.folder) {
                check(path, path, digest, matters: true)
            } else {
                unchecked.append("\(name): it is not a file in the folder of the results")
            }
        }
        let named = Set(stored.run.cases.compactMap(\.evidenceFile) + [ReportFolder.journal])
        let others = named.subtracting(files.keys)
        if let first = others.min() {
            unchecked.append(
                "the results have no digest of \(NumberText.count(others.count, "file")): \(first)"
                    + (others.count > 1 ? ", ..." : ""))
        }
    }

    /// Checks the reports that are generated from the results.
    ///
    /// Another version of `conform` may generate them differently. Those that were generated again
    /// name the current folder.
    private mutating func checkDrawnReports() {
        guard isSameConform, stored.run.exit != nil else { return }
        var written = stored.run
        written.header.folder = stored.writtenFolder
        let runs = [written, stored.run]
        checkDrawn("junit.xml", runs.lazy.map { JUnitReport($0).text })
        checkDrawn("summary.md", runs.lazy.map { SummaryReport($0).text })
        let (paged, evidence) = (Set(written.cases.map(CaseReference.init)), stored.evidence)
        let pages = runs.map { HTMLReport($0, pages: paged, evidence: evidence) }
        checkDrawn("index.html", pages.lazy.map(\.text))
        for (first, second) in zip(pages[0].furtherCases, pages[1].furtherCases) {
            checkDrawn(first.name, [first.text, second.text])
        }
        for result in written.cases where CaseAnchor.canHavePage(result) {
            checkDrawn(
                CaseReference(result).pagePath,
                runs.lazy.map {
                    HTMLReport.page(of: result, in: $0.header, evidence: evidence) ?? ""
                })
        }
    }

    /// Compares a file with the texts that it may have.
    private mutating func checkDrawn(_ name: String, _ texts: some Sequence<String>) {
        let path = "\(stored.folder)/\(name)"
        guard let bytes = try? FileInput.bytes(of: path) else {
            unchecked.append("\(path): it cannot be read")
            return
        }
        if texts.contains(where: { $0.utf8.elementsEqual(bytes) }) {
            fileCount += 1
        } else {
            differences.append("\(path): it differs from what the results give")
        }
    }

    // MARK: - Verdicts

    /// Returns the captures of a suite's live cases, which must be judged again.
    public func captures(of suite: String) -> [String] {
        stored.run.cases.filter { $0.suite == suite && $0.subject == nil }
            .flatMap { Self.executions(of: $0) + ($0.shrunk.map { [$0.execution] } ?? []) }
            .compactMap(\.capture)
            .compactMap(stored.path).filter(FileInput.isThere)
    }

    /// Compares the stored verdicts of live cases with the current verdicts on their captures.
    public mutating func compare(live judged: [CaseResult]) {
        var results: [String: CaseResult] = [:]
        for result in judged {
            if let capture = result.subject?.capture { results[capture] = result }
        }
        for result in stored.run.cases where result.subject == nil {
            for execution in Self.executions(of: result) {
                guard let capture = execution.capture.flatMap(stored.path),
                    let again = results[capture]
                else { continue }
                compare(execution, of: result, with: again, on: capture)
            }
            guard let shrunk = result.shrunk, shrunk.id != result.id,
                let capture = shrunk.execution.capture.flatMap(stored.path),
                let again = results[capture]
            else { continue }
            var own = result
            (own.id, own.executions) = (shrunk.id, [shrunk.execution])
            compare(shrunk.execution, of: own, with: again, on: capture)
        }
    }

    /// Compares the stored results of `conform check` with the current results on its captures.
    public mutating func compare(checked judged: [CaseResult]) {
        let results = Dictionary(judged.map { (CaseReference($0), $0) }) { first, _ in first }
        for result in stored.run.cases {
            guard let again = results[CaseReference(result)] else {
                differences.append("\(CaseReference(result)): it does not occur when judged again")
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

    /// Records that something could not be judged again.
    public mutating func record(unjudged text: String) { unchecked.append(text) }

    /// Returns the executions of a case that may be compared with their captures.
    private static func executions(of result: CaseResult) -> [Execution] {
        result.executions ?? [Execution(result)]
    }

    private mutating func compare(
        _ execution: Execution, of result: CaseResult, with again: CaseResult, on capture: String
    ) {
        let name = CaseReference(result)
        guard again.suite == name.suite, again.subject?.testCase == name.id else {
            // A run that ended with an error may have a capture without the data of its case.
            if execution.verdict == .error, again.subject?.testCase == nil { return }
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
        // A failure of the harness itself is not visible in a capture.
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
