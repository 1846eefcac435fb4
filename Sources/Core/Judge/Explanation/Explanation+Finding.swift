import Results
import SuiteLanguage
import Trace
import Wire

extension Explanation {
    /// Creates the details of a finding.
    init(of finding: Finding, in matcher: MatcherThread) {
        let testCase = matcher.testCase
        let program = matcher.program
        let cited = finding.citedRequirements(of: testCase, in: program)
        var line: CaseProgram.Line?
        if case .line(let position) = finding.place { line = program.lines[position] }
        self.init(
            requirements: cited.compactMap { id in matcher.requirements.first { $0.id == id } },
            step: line?.reference.number, position: finding.position(in: testCase, program),
            expected: finding.expectedText(line, testCase),
            actual: finding.actualText(line, testCase),
            nearestMiss: finding.nearestMiss(line),
            frames: finding.message?.message.frames ?? [],
            alignment: Alignment(
                program: program, record: matcher.record, finding: finding,
                bindings: matcher.configuration.bindings, start: matcher.start
            ).rows)
    }
}

extension Finding {
    /// Returns a time relative to the origin of the finding's times: `0.012s after step 3`.
    func place(of time: Timestamp) -> String {
        TimeText.place(time, from: origin, named: originName)
    }

    /// Returns why the harness waited longer than the step says.
    private func allowance(_ line: CaseProgram.Line?) -> String {
        guard case .missing = kind, let step = line?.step, line?.isUpToDevice == true else {
            return ""
        }
        let tolerance = step.tolerance.bound(for: step.at ?? step.within)
        return " (\(TimeText.window(of: step)), \(tolerance.suiteText) of tolerance, and "
            + "\(Limits.grace.suiteText) to see whether it comes late)"
    }

    fileprivate func expectedText(_ line: CaseProgram.Line?, _ testCase: TestCase) -> String {
        if case .forbidden(let rule) = kind {
            return "never: \(testCase.never[rule].suiteText)"
        }
        if case .violation = kind { return "violations: \(testCase.violations.rawValue)" }
        if case .notAtRest(let failure) = kind {
            return
                "\(failure.quiet == .zero ? "holds" : "at rest"): \(failure.condition.value.suiteText): \(failure.expected)"
        }
        return line?.text ?? "quiet: \(testCase.quietText)"
    }

    fileprivate func actualText(
        _ line: CaseProgram.Line?, _ testCase: TestCase
    ) -> String {
        if case .notAtRest(let failure) = kind {
            return "\(failure.actual.suiteText), \(place(of: time))"
        }
        guard let message else {
            return "nothing until \(place(of: time))\(allowance(line))"
        }
        let sender = message.sender.map { " from \($0)" } ?? ""
        var fields = line?.step.conditions.map(\.path) ?? []
        if case .forbidden(let rule) = kind {
            fields = testCase.never[rule].pattern.conditions.map(\.path)
        }
        return MessageText.text(of: message.message, showing: fields) + sender
            + ", \(place(of: message.time))"
            + MessageText.suffix(frames: message.message.frames)
    }

    fileprivate func nearestMiss(_ line: CaseProgram.Line?) -> NearestMiss? {
        nearest.map { near in
            NearestMiss(
                message: MessageText.text(
                    of: near.message, showing: line?.step.conditions.map(\.path) ?? []),
                frames: near.message.frames, differences: near.differences.flatMap(\.details))
        }
    }
}
