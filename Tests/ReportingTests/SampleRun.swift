import Judge
import Reporting
import Trace
import Wire

@testable import Results
@testable import SuiteLanguage

/// A fixed run with a case for each verdict and each reason, and with hostile text.
enum SampleRun {
    static let start = Timestamp(nanoseconds: 1_767_323_045_000_000_000)

    /// Control bytes, markup of all kinds, emoji, right-to-left text and line ends.
    static let hostile =
        "\u{0}\u{1B}[31m ]]> <&\"'> \u{1F600}\u{1F1E9}\u{1F1EA} \u{5E9}\u{5DC}\u{5D5}\u{5DD}"
        + " \u{202E}evil\u{202C} \r\n\u{7F}\u{85}\u{2028}\u{FFFF} `a``b` |c| \n"

    static func position(_ line: Int, _ column: Int = 5) -> SourcePosition {
        SourcePosition(file: "Suites/registration-language.yaml", line: line, column: column)
    }

    static let requirements = (1...4).map { number in
        Requirement(
            id: "CRM-\(number)", text: "The app shall do the thing number \(number).",
            source: "Change Registration, section \(number)", wire: "a ChangeRegistration request",
            position: SourcePosition(
                file: "Suites/requirements/crm.yaml", line: number * 4, column: 3),
            basis: number == 4
                ? RequirementBasis(kind: .derived, text: "the parser of the library") : nil)
    }

    static let suites = [
        SuiteSummary(
            id: "registration-language", title: "Registration language mismatch",
            file: "Suites/registration-language.yaml", requirements: requirements),
        SuiteSummary(id: "hostile", title: hostile, file: "Suites/<&>.yaml", requirements: []),
    ]

    static func header(_ planned: [PlannedCase], strict: Bool = false) -> RunHeader {
        RunHeader(
            version: "0.1.0", id: "sample", folder: "Reports/sample", started: Moment(start),
            command: ["conform", "run", "Suites/registration-language.yaml"], seed: 20_260_102,
            strict: strict,
            device: RunDevice(
                name: "reference", version: "1.0", role: "sdl.app", mutant: "sends-early"),
            environment: RunEnvironment(
                host: "ci-7", system: "Debian GNU/Linux 12", kernel: "6.1.0",
                isolation: "user, network, mount and PID namespaces", cores: 2),
            suites: suites, planned: planned)
    }

    static func planned(_ result: CaseResult) -> PlannedCase {
        PlannedCase(
            suite: result.suite, id: result.id, title: result.title, position: result.position,
            checks: result.checks.map(\.requirement), steps: 2)
    }

    /// The whole sample, which was interrupted before its last case.
    static let run: RunResult = {
        let results = cases
        var run = RunResult(
            header: header(results.map(planned)), cases: results.filter { $0.verdict != .none })
        run.end(seconds: 12.3456, interruption: .interrupt)
        return run
    }()

    /// Returns a run in which everything passed.
    static func passing(_ count: Int = 2, strict: Bool = false) -> RunResult {
        let results = (0..<count).map { result("passes-\($0)", .pass, line: 10 + $0) }
        return RunResult(header: header(results.map(planned), strict: strict), cases: results)
    }

    static let cases: [CaseResult] = {
        var cases = [result("passes[language=DE-DE]", .pass, line: 10)]
        for (number, code) in ReasonCode.allCases.enumerated() where code != .notRun {
            cases.append(
                result(
                    "ends-\(code.rawValue)", verdict(for: code), code,
                    "step 2: \(code.rawValue) was shown", line: 20 + number))
        }
        cases.append(
            result(
                "fails-as-listed", .known, .sequence, "issue 17: sends twice",
                line: 50))
        cases.append(
            result(
                "passes-second-time", .flaky, .timing, "attempt 1 of 2: 12 ms late", line: 51))
        cases.append(result("is-not-reached", .none, line: 52))
        var last = result(hostile, .fail, .field, hostile, line: 53)
        last.suite = "hostile"
        last.title = hostile
        last.remarks = [hostile]
        last.ignored = [hostile: 2]
        last.rules = [
            RuleResult(
                rule: "follows", checks: ["CRM-3"], verdict: .pass, exercised: 2, failed: 0, open: 1
            )
        ]
        last.violations = [
            ProtocolViolation(
                party: "device", isOfDevice: true, message: hostile, text: hostile, count: 2,
                frames: [17]),
            ProtocolViolation(
                party: "hu", isOfDevice: false, message: "sdl.Show.response",
                text: "session id 0 in a frame that carries data (SDL protocol 4.2)", count: 1,
                frames: [12, 13]),
        ]
        last.reproduce = "conform run '\(hostile)'"
        last.capture = "captures/\(hostile).pcapng"
        last.reason?.explanation = explanation(text: hostile)
        cases.append(last)
        return cases
    }()

    /// A drawn run of seven acts of which two are needed.
    static let shrunk = ShrunkRun(
        id: "lives[seed=3,n=17,acts=2+5]", acts: ["reset", "other (vehicle: second)"],
        drawnActs: 7,
        execution: {
            var shorter = result("lives[seed=3,n=17,acts=2+5]", .fail, .field, "wrong", line: 9)
            shorter.capture = "captures/shorter.pcapng"
            shorter.log = "logs/shorter.log"
            return Execution(shorter)
        }(),
        requirements: ["CRM-1"], rate: .init(failed: 3, judged: 3),
        drawnRate: .init(failed: 3, judged: 3), runs: 31, seconds: 14.25, isMinimal: true,
        suiteText: "  - id: lives-3-17\n    steps:\n      - {do: hu.reset}\n",
        reproduce: "conform run x.yaml --case 'lives[seed=3,n=17,acts=2+5]'")

    static func verdict(for code: ReasonCode) -> Verdict {
        switch code {
        case .sequence, .field, .timing, .absence, .unexpected, .malformed, .violation,
            .liveness, .unexpectedPass:
            .fail
        case .preamble, .captureLoss, .lateHarness, .captureEnd: .inconclusive
        case .setup, .timeout: .error
        case .notRun, .notApplicable: .skipped
        }
    }

    static func result(
        _ id: String, _ verdict: Verdict, _ code: ReasonCode? = nil, _ summary: String = "",
        line: Int
    ) -> CaseResult {
        let hasPackets = verdict != .skipped && verdict != .none
        let offset = Duration.milliseconds(100 * line)
        return CaseResult(
            suite: "registration-language", id: id, title: "Case \(id)", position: position(line),
            verdict: verdict,
            reason: code.map { code in
                Reason(
                    code, summary,
                    explanation: explanation(of: code, verdict))
            },
            checks: [
                CheckResult(requirement: "CRM-1", verdict: verdict == .flaky ? .pass : verdict),
                CheckResult(requirement: "CRM-3", verdict: verdict == .pass ? .pass : .none),
            ],
            steps: hasPackets
                ? [
                    StepResult(
                        part: .preamble, text: "expect sdl.StartService",
                        position: position(line + 1), outcome: .done, frames: [3], seconds: 0.0125),
                    StepResult(
                        part: .body, text: "expect sdl.ChangeRegistration.request",
                        position: position(line + 2), outcome: verdict == .pass ? .done : .failed),
                ] : [],
            counts: TrafficCounts(
                packets: 14, dropped: code == .captureLoss ? 2 : 0, messages: 6, taken: 1),
            started: hasPackets ? start + offset : nil, seconds: hasPackets ? 1.25 : 0,
            capture: hasPackets
                ? "captures/registration-language.\(id).pcapng" : nil,
            log: hasPackets && verdict != .pass ? "logs/\(id).log" : nil,
            reproduce: "conform run Suites/registration-language.yaml --case '\(id)'")
    }

    static func explanation(of code: ReasonCode, _ verdict: Verdict) -> Explanation? {
        switch code {
        case .sequence, .field: explanation(text: "sdl.ChangeRegistration.request")
        case .absence, .unexpected:
            Explanation(
                requirements: [requirements[2]], step: nil, position: position(40, 7),
                expected: "never sdl.ChangeRegistration.request",
                actual: "sdl.ChangeRegistration.request at +0.512 s", frames: [17])
        case .preamble:
            Explanation(
                requirements: [], step: 1, position: position(29, 9),
                expected: "expect sdl.StartService within 5s", actual: "nothing came within 5s")
        default:
            verdict == .fail
                ? Explanation(
                    requirements: [requirements[0]], step: 2, position: position(33, 9),
                    expected: "expect sdl.ChangeRegistration.request",
                    actual: "it came at +1.012 s", frames: [21]) : nil
        }
    }

    static func explanation(text: String) -> Explanation {
        Explanation(
            requirements: [requirements[0]], step: 2, position: position(33, 9),
            expected: "expect \(text) {params.language: DE-DE} within 1s since registered",
            actual: "nothing came within 1s",
            nearestMiss: NearestMiss(
                message: "\(text) {params.language: EN-US}", frames: [12, 13],
                differences: ["params.language: expected DE-DE, got EN-US"]),
            frames: [12, 13],
            alignment: [
                AlignmentRow(
                    .match, expected: "expect sdl.StartService", actual: "sdl.StartService",
                    seconds: 0, frames: [3]),
                AlignmentRow(.ignored, actual: "sdl.Heartbeat", seconds: 0.1, frames: [5]),
                AlignmentRow(
                    .missing, expected: "expect \(text) {params.language: DE-DE} within 1s"),
                AlignmentRow(
                    .extra, actual: "\(text) {params.language: EN-US}", seconds: 0.4123,
                    frames: [12, 13]),
                AlignmentRow(.notReached, expected: "expect sdl.ChangeRegistration.response"),
            ])
    }
}
