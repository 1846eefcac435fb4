import Judge
import Results
import SuiteLanguage
import Trace

/// The fixed run with the evidence of three of its cases.
enum EvidenceSample {
    /// The run of the other reports, with evidence for a pass, a failure and the hostile case.
    static let run: RunResult = {
        var run = SampleRun.run
        for index in run.cases.indices {
            let result = run.cases[index]
            switch (result.suite, result.id, result.reason?.code) {
            case (_, _, .field?) where result.suite != "hostile":
                run.cases[index] = withEvidence(result, text: "DE-DE")
            case (_, _, nil): run.cases[index] = withEvidence(result, text: "DE-DE")
            case ("hostile", _, _):
                run.cases[index] = withEvidence(result, text: SampleRun.hostile)
            default: break
            }
        }
        return run
    }()

    /// Returns the case with a trace in which the message of the second step has `text`.
    static func withEvidence(_ result: CaseResult, text: String) -> CaseResult {
        var result = result
        let passed = result.verdict == .pass
        result.steps[0].act = StepAct(.expect, name: "sdl.StartService", from: "device")
        result.steps[0].timing = StepTiming(since: 0, latest: 5.25, actual: 0.0125)
        result.steps[1].act = StepAct(.expect, name: text, from: "device", to: "hu")
        result.steps[1].timing = StepTiming(
            since: 0.0125, earliest: 0.3, latest: 1.05, actual: passed ? 0.7 : 1.4)
        result.steps.append(
            StepResult(
                part: .body, text: "do: hu.close", position: SampleRun.position(40),
                outcome: passed ? .done : .notReached, frames: passed ? [21] : [],
                timing: passed ? StepTiming(since: 0.7, actual: 0.8) : nil,
                act: StepAct(.perform, name: "close", from: "hu")))
        result.ignored["sdl.Heartbeat"] = 1
        result.evidence = evidence(passed: passed, text: text)
        if !passed {
            let lines: [Substring] = [
                "cases:", "  - expect: \(text)"[...], "    within: 1s", "  - x",
            ]
            result.evidence?.notes = CaseNotes(
                demands: ["", "Test body", "  1. The device sends \(text)."],
                source: SourceExcerpt(
                    of: lines, at: SourcePosition(file: "s.yaml", line: 2, column: 5)),
                earlier: [
                    EarlierVerdict(
                        run: "2026-01-01", started: Moment(SampleRun.start), verdict: .pass,
                        seconds: 1.5)
                ])
        }
        return result
    }

    private static func evidence(passed: Bool, text: String) -> Evidence {
        let header: [EvidenceField] = [
            EvidenceField("sdl.version", "5", offset: 0, length: 1),
            EvidenceField("sdl.session_id", "1", offset: 3, length: 1),
        ]
        let request = EvidenceMessage(
            number: 6, name: text, seconds: passed ? 0.7 : 1.4, from: "device", to: "hu", flow: 0,
            frames: [12, 13],
            fields: header + [EvidenceField("params.language", text, offset: 12, length: 7)],
            anomalies: ["violation: \(text) (SDL protocol 5.2)"],
            hex: "5007000100000007000000023c2f7363726970743e", byteCount: 40)
        return Evidence(
            origin: SampleRun.start, parties: ["device", "hu"],
            rows: [
                EvidenceRow(.match, step: 1, message: 4),
                EvidenceRow(.ignored, message: 5),
                EvidenceRow(passed ? .match : .missing, step: 2, message: 6),
                EvidenceRow(passed ? .match : .notReached, step: 3),
            ],
            messages: [
                EvidenceMessage(number: 1, name: "device.started", seconds: 0, from: "device"),
                EvidenceMessage(
                    number: 2, name: "tcp.SYN", seconds: 0.001, from: "device", to: "hu", flow: 0,
                    frames: [1]),
                EvidenceMessage(
                    number: 3, name: "tcp.SYNACK", seconds: 0.002, from: "hu", to: "device",
                    flow: 0, frames: [2]),
                EvidenceMessage(
                    number: 4, name: "sdl.StartService", seconds: 0.0125, from: "device", to: "hu",
                    flow: 0, frames: [4], fields: header, hex: "5007000100000000", byteCount: 8),
                EvidenceMessage(
                    number: 5, name: "sdl.Heartbeat", seconds: 0.1, from: "hu", to: "device",
                    flow: 0, frames: [6]),
                request,
                EvidenceMessage(
                    number: 107, name: "sdl.OnHMIStatus.notification", seconds: 1.5, from: "hu",
                    to: "device", flow: 0, frames: [30]),
            ],
            omittedMessages: 100,
            log: [
                LogLine(seconds: 0.0005, stream: "conform", text: "launched: ./device"),
                LogLine(seconds: 0.9, stream: "stdout", text: text),
            ], omittedLogLines: 3)
    }
}
