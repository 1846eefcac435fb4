import Capture
import Results
import Verdicts

/// Why nothing of a case counts, found outside of the trace.
public struct InconclusiveFinding: Sendable, Codable, Hashable {
    /// The kind of reason.
    public let code: ReasonCode
    /// What was found.
    public let text: String

    /// Makes a makeInconclusive.
    public init(_ code: ReasonCode, _ text: String) {
        self.code = code
        self.text = text
    }
}

extension CaseResult {
    /// How far a clock may seem to have been set only because reading it takes time.
    private static let clockJitter: Duration = .milliseconds(1)

    /// Puts down that the capture is damaged: what was judged so far cannot be relied on.
    mutating func note(_ damage: CaptureError) {
        let what =
            damage.code == .limit ? "the capture was not read to its end" : "the capture is damaged"
        makeInconclusive(.captureLoss, "\(what): \(damage)")
    }

    /// Puts down that the machine's clock was set while the case ran: no window can be relied on.
    package mutating func note(clockStep: Duration) {
        guard clockStep > Self.clockJitter || clockStep < .zero - Self.clockJitter else { return }
        makeInconclusive(
            .lateHarness, "the machine's clock was set by \(clockStep) during the case")
    }

    /// Puts down what was found outside of the trace: the first of it says enough.
    package mutating func note(inconclusiveFindings: [InconclusiveFinding]) {
        if let first = inconclusiveFindings.first { makeInconclusive(first.code, first.text) }
    }

    /// Puts down that the saved capture does not give the verdict of the live run.
    ///
    /// Then packets came to the matcher later than it waits for them, or a file was changed. The
    /// evidence is taken from the saved capture, which is what a reader has.
    package mutating func note(recorded: CaseResult) {
        (evidence, violations) = (recorded.evidence, recorded.violations)
        guard recorded != self else { return }
        let other = [recorded.verdict.rawValue, recorded.reason?.summary].compactMap(\.self)
        makeInconclusive(
            .lateHarness,
            "the saved capture is judged differently, \(other.joined(separator: ": "))")
    }

    private mutating func makeInconclusive(_ code: ReasonCode, _ text: String) {
        let otherwise = [verdict.rawValue, reason?.summary].compactMap(\.self)
        verdict = verdict == .error ? .error : .inconclusive
        checks = checks.map { CheckResult(requirement: $0.requirement, verdict: verdict) }
        reason = Reason(
            code, "\(text); without that: \(otherwise.joined(separator: ", "))",
            explanation: reason?.explanation)
    }
}
