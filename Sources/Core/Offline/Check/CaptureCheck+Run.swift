import Capture
import Judge
import Results
import SuiteLanguage
import System
import Trace

extension CaptureCheck {
    /// Judges captures one after the other and passes each result to `listener`.
    ///
    /// A capture that cannot be judged gives one error; the others are still judged.
    ///
    /// - Parameters:
    ///   - captures: The captures, each of one file or of several that are read as one.
    ///   - folder: Where reports will go; empty if none are written.
    ///   - command: The command line, word by word.
    ///   - minimum: The fewest cases that must pass.
    ///   - known: The failures that are known; `nil` without a list.
    ///   - unjudged: Called with each capture on which no case was judged.
    ///   - ended: Called with each capture after all its results have been given to `listener`.
    ///   - listener: Called with each result, including its evidence, and with the run so far,
    ///     without evidence.
    public func run(
        captures: [[String]], folder: String, command: [String], minimum: Int = 1,
        known: KnownFailurePolicy? = nil, unjudged: (String) -> Void = { _ in },
        ended: ([String]) -> Void = { _ in },
        listener: (CaseResult, RunResult) throws -> Void
    ) rethrows -> RunResult {
        let start = ContinuousClock.now
        var run = RunResult(header: header(folder: folder, command: command, known: known))
        run.header.minimum = minimum
        if !folder.isEmpty { run.header.digests = digests(known: known) }
        var scales: [TimeScale] = []
        var ids: Set<String> = []
        var pool = PooledSpread(takesConcurrent: false)
        var prepared: [String: PreparedCase] = [:]
        let concurrent = concurrentCaptures(captures)
        for paths in captures {
            let isFile = !folder.isEmpty && !paths.contains(where: CaptureFile.isStream)
            if isFile { paths.forEach { run.header.digests?.add(.capture, $0) } }
            let all = results(of: paths, &run.header, &prepared)
            scales += all.map(\.scale)
            if !all.contains(where: { $0.result.verdict != .skipped }) {
                unjudged(paths.joined(separator: ", "))
            }
            for judged in all {
                var planned = judged.planned
                var result = judged.result
                if !judged.isOurs {
                    result.concludeRules(beside: concurrent, on: paths)
                    let isLeftOut = pool.add(
                        result, of: judged.testCase, at: place(of: judged, in: paths))
                    result = pool.judged(result, of: judged.testCase)
                    if isLeftOut { result.remarks.append(Self.leftOut) }
                }
                result.subject = CaseSubject(
                    testCase: judged.testCase, capture: paths.joined(separator: "+"),
                    connection: judged.part)
                // Most of our own captures belong to different cases.
                if captures.count > 1, judged.isForeign || !ids.insert(result.id).inserted {
                    result.id += "@\(paths.joined(separator: "+"))"
                }
                planned.id = result.id
                if let known { result = known.concluded(known.judged(result)) }
                if result.verdict == .pass, !options.keepsEvidenceOfPasses { result.evidence = nil }
                result.capture = paths.first.map { isFile ? FilePath.absolute($0) : $0 }
                run.header.planned.append(planned)
                run.cases.append(result.stored)
                try listener(result, run)
            }
            ended(paths)
        }
        if Set(scales).count == 1 { run.header.timeScale = scales.first.flatMap(\.unlessReal) }
        if Set(scales).count > 1 {
            for (index, scale) in scales.enumerated() {
                run.cases[index].remarks.append("judged at time scale \(scale)")
            }
        }
        run.end(seconds: start.duration(to: .now) / .seconds(1))
        return run
    }

    private static let leftOut =
        "its waits are not judged together with those of another capture of the same time; "
        + "if they show different devices, --join --per device does it"

    /// Returns which of several devices of a capture a result is about.
    private func place(of judged: Judged, in paths: [String]) -> PooledSpread.Place? {
        guard options.grouping == .device, let device = judged.part else { return nil }
        return PooledSpread.Place(capture: paths.joined(separator: "+"), device: device)
    }

    /// The result of a case, with what was planned for it.
    private struct Judged {
        let planned: PlannedCase
        var result: CaseResult
        /// The case's id, and the part of the trace that it was judged on; `nil` for all of it.
        let testCase: String
        let part: String?
        /// How many times faster than its specification the device ran.
        var scale = TimeScale.real
        /// Whether another tool made the capture, or it is judged whatever case it was made for.
        var isForeign = true
        /// Whether `conform` made the capture: then the device may have been given a seed.
        var isOurs = false

        init(_ suite: Suite, _ testCase: TestCase, _ result: CaseResult) {
            planned = PlannedCase(suite: suite, testCase: testCase)
            self.result = result
            self.testCase = testCase.id
            part =
                result.id == testCase.id ? nil : String(result.id.dropFirst(testCase.id.count + 1))
        }

        /// Creates the error for a capture on which no case can be judged.
        init(_ suite: Suite, unreadable reason: String) {
            result = CaseResult(
                suite: suite.id, id: CaseSubject.noCase,
                title: "The capture can be judged by the suite",
                position: SourcePosition(file: suite.file, line: 1, column: 1),
                verdict: .error, reason: Reason(.setup, reason))
            (testCase, part) = (result.id, nil)
            planned = PlannedCase(
                suite: suite.id, id: result.id, title: result.title,
                position: result.position, checks: [], steps: 0)
        }
    }

    /// Returns the results of one capture.
    private func results(
        of paths: [String], _ header: inout RunHeader, _ prepared: inout [String: PreparedCase]
    ) -> [Judged] {
        do {
            if let format = options.logFormat, let path = paths.first {
                return try wantedCases.map { testCase in
                    Judged(
                        suite, testCase,
                        try cannotBeJudged(testCase) ?? preconditionsAreUnknown(testCase)
                            ?? judge(testCase, onLog: path, of: format))
                }
            }
            let capture = try JudgedCapture(paths, options)
            for parameter in try parameters(for: capture)
            where header.parameters?.contains(parameter) != true {
                header.parameters = (header.parameters ?? []) + [parameter]
            }
            let all = try results(of: capture, &prepared)
            return try all + resultsOfRules(on: paths)
        } catch {
            return [Judged(suite, unreadable: "\(error)")]
        }
    }

    /// Judges the rules of the suite on all of a capture whose connections are judged one by one.
    ///
    /// - Parameters:
    ///   - paths: The capture.
    ///   - concurrent: All captures that are judged.
    /// - Throws: `CaptureError` if the file cannot be opened.
    package func rules(
        on paths: [String], beside concurrent: ConcurrentCaptures
    ) throws -> [CaseResult] {
        try resultsOfRules(on: paths).map { judged in
            var result = judged.result
            result.concludeRules(beside: concurrent, on: paths)
            return result
        }
    }

    /// Reads the times of the captures, if rules depend on them.
    package func concurrentCaptures(_ captures: [[String]]) -> ConcurrentCaptures {
        let rules = wantedCases.first { $0.kind == .rules }?.rules ?? []
        let isLive = options.logFormat != nil || options.following != nil
        return ConcurrentCaptures(captures, rules: isLive ? [] : rules)
    }

    /// Returns the result of the rules on all of a capture that is otherwise judged in parts.
    private func resultsOfRules(on paths: [String]) throws -> [Judged] {
        guard options.grouping != .capture,
            let rules = wantedCases.first(where: { $0.kind == .rules })
        else { return [] }
        guard options.following == nil, !paths.contains(where: CaptureFile.isStream) else {
            let reason = Reason(
                .notApplicable,
                "rules are judged on the whole capture, which cannot be read twice: give a file")
            return [
                Judged(
                    suite, rules,
                    CaseResult(suite: suite, testCase: rules, verdict: .skipped, reason: reason))
            ]
        }
        var whole = options
        whole.grouping = .capture
        var prepared: [String: PreparedCase] = [:]
        let capture = try JudgedCapture(paths, whole)
        // In a capture of ours they are judged with its case.
        guard capture.metadata == nil else { return [] }
        return try capture.judge([rules], of: suite, prepared: &prepared)
            .map { Judged(suite, rules, $0) }
    }

    private func results(
        of capture: JudgedCapture, _ prepared: inout [String: PreparedCase]
    ) throws -> [Judged] {
        var cases = try cases(for: capture)
        if options.grouping != .capture { cases.removeAll { $0.kind == .rules } }
        let skipped = cases.map { testCase in
            cannotBeJudged(testCase)
                ?? (capture.metadata == nil ? preconditionsAreUnknown(testCase) : nil)
        }
        let wanted = zip(cases, skipped).compactMap { $1 == nil ? $0 : nil }
        let results =
            wanted.isEmpty ? [] : try capture.judge(wanted, of: suite, prepared: &prepared)
        return zip(cases, skipped).flatMap { testCase, skipped in
            let own = skipped.map { [$0] } ?? results.filter { $0.isOf(testCase) }
            return own.map { result in
                var judged = Judged(suite, testCase, result)
                judged.scale = capture.timeScale
                judged.isOurs = capture.metadata != nil
                judged.isForeign = capture.metadata == nil || options.takesEveryCapture
                return judged
            }
        }
    }

    /// Returns a skipped result if parameters are missing or captures do not show needed messages.
    private func cannotBeJudged(_ testCase: TestCase) -> CaseResult? {
        let unseen =
            options.logFormat == nil
            ? testCase.reasonAgainstPackets(dissected: options.dissection?.messageNames ?? []) : nil
        return (testCase.missingParameterReason ?? unseen).map {
            CaseResult(suite: suite, testCase: testCase, verdict: .skipped, reason: $0)
        }
    }

    /// Returns a skipped result if a foreign capture may not show the scene that a case needs.
    ///
    /// Otherwise a device would be blamed for a situation that never arose. A case that is named by
    /// `--case` is judged, because the user who names it knows the capture.
    func preconditionsAreUnknown(_ testCase: TestCase) -> CaseResult? {
        guard testCase.setsPreconditions, selection.patterns.isEmpty else { return nil }
        return CaseResult(
            suite: suite, testCase: testCase, verdict: .skipped,
            reason: Reason(
                .notApplicable,
                "a capture of another tool does not show whether what is given was true there; "
                    + "name the case with --case if it was"))
    }

    func digests(known: KnownFailurePolicy?) -> [RunDigest] {
        var digests = RunDigest.list(of: [suite])
        if let known { digests.add(.known, known.list.file) }
        if let format = options.logFormat { digests.add(.logFormat, format.file) }
        return digests + RunDigest.ofConform
    }

    private func header(
        folder: String, command: [String], known: KnownFailurePolicy?
    ) -> RunHeader {
        RunHeader(
            version: ConformVersion.current, id: "check", folder: folder,
            started: Moment(WallClock.now), command: command, seed: 0,
            device: RunDevice(name: "captures", role: suite.deviceRole),
            environment: .current(isolation: "none: saved captures"),
            suites: [SuiteSummary(suite)], planned: [], knownFindings: known?.findings)
    }
}

extension CaseResult {
    /// Whether this is a result of the given case, on any part of the trace.
    fileprivate func isOf(_ testCase: TestCase) -> Bool {
        id == testCase.id || id.hasPrefix("\(testCase.id)@")
    }
}
