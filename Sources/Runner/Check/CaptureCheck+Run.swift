import Capture
import Suites
import Trace
import Verdicts

extension CaptureCheck {
    /// Judges captures one after the other; `listener` is told each result.
    ///
    /// - Parameters:
    ///   - captures: The files.
    ///   - folder: Where reports will go; empty if none are written.
    ///   - command: The command line, word by word.
    ///   - known: The failures that are known; `nil` without a list.
    ///   - listener: Gets each result, with its evidence, and the run so far, without.
    /// - Throws: `CheckError` or `CaptureError` if a capture cannot be judged at all: then nothing
    ///   is claimed of the others either.
    public func run(
        captures: [String], folder: String, command: [String],
        known: KnownFailurePolicy? = nil, listener: (CaseResult, RunResult) throws -> Void
    ) throws -> RunResult {
        let start = ContinuousClock.now
        let plan = try captures.flatMap { path in
            try cases(for: path).map { (path: path, testCase: $0) }
        }
        let repeated = Set(plan.map(\.testCase.id)).count < plan.count
        func name(_ testCase: TestCase, _ path: String) -> String {
            repeated ? "\(testCase.id)@\(path)" : testCase.id
        }
        var run = RunResult(
            header: header(
                folder: folder, command: command, known: known,
                planned: plan.map { path, testCase in
                    var planned = PlannedCase(suite: suite, testCase: testCase)
                    planned.id = name(testCase, path)
                    return planned
                }))
        let timeScales = try timeScales(of: captures)
        if timeScales.count == 1 { run.header.timeScale = timeScales.first.flatMap(\.unlessReal) }
        for path in captures {
            for parameter in try parameters(for: path)
            where run.header.parameters?.contains(parameter) != true {
                run.header.parameters = (run.header.parameters ?? []) + [parameter]
            }
        }
        for (path, testCase) in plan {
            var result =
                try cannotBeJudged(testCase) ?? sceneIsUnknown(testCase, path)
                ?? judge(testCase, on: path)
            if let known { result = known.concluded(known.judged(result)) }
            result.id = name(testCase, path)
            result.subject = CaseSubject(testCase: testCase.id, capture: path)
            if timeScales.count > 1, let scale = try self.timeScales(of: [path]).first {
                result.remarks.append("judged at time scale \(scale)")
            }
            result.capture = folder.isEmpty ? path : FileSystem.absolutePath(path)
            run.cases.append(result.stored)
            try listener(result, run)
        }
        run.end(seconds: start.duration(to: .now) / .seconds(1))
        return run
    }

    /// The result of a case that needs parameters which nobody gives.
    private func cannotBeJudged(_ testCase: TestCase) -> CaseResult? {
        testCase.missingParameterReason.map {
            CaseResult(suite: suite, testCase: testCase, verdict: .skipped, reason: $0)
        }
    }

    /// The result of a case whose scene a capture of another tool cannot be known to show.
    ///
    /// Judging it would accuse a device of what never arose; a case that is named by `--case` is
    /// judged, because whoever names it knows the capture.
    private func sceneIsUnknown(_ testCase: TestCase, _ path: String) throws -> CaseResult? {
        guard testCase.setsScene, selection.patterns.isEmpty, try isForeign(path) else {
            return nil
        }
        return CaseResult(
            suite: suite, testCase: testCase, verdict: .skipped,
            reason: Reason(
                .notApplicable,
                "a capture of another tool does not tell whether what is given held there; "
                    + "name the case with --case if it did"))
    }

    private func header(
        folder: String, command: [String], known: KnownFailurePolicy?, planned: [PlannedCase]
    ) -> RunHeader {
        RunHeader(
            version: ConformVersion.current, id: "check", folder: folder,
            started: Moment(WallClock.now), command: command, seed: 0,
            device: RunDevice(name: "captures", role: suite.deviceRole),
            environment: .current(isolation: "none: saved captures"),
            suites: [SuiteSummary(suite)], planned: planned, knownFindings: known?.findings)
    }
}
