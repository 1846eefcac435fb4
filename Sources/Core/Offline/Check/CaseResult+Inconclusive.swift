import Capture
import Judge
import Results
import SuiteLanguage

/// A finding outside the trace that makes a case inconclusive.
public struct InconclusiveFinding: Sendable, Codable, Hashable {
    /// The kind of reason.
    public let code: ReasonCode
    /// What was found.
    public let text: String

    /// Creates a finding.
    public init(_ code: ReasonCode, _ text: String) {
        self.code = code
        self.text = text
    }
}

extension CaseResult {
    /// The largest apparent clock step that the time taken to read the clock can cause.
    private static let clockJitter: Duration = .milliseconds(1)

    /// Records that the capture is damaged: what was judged so far is unreliable.
    mutating func record(_ damage: CaptureError) {
        let what =
            damage.code == .limit ? "the capture was not read to its end" : "the capture is damaged"
        makeInconclusive(.captureLoss, "\(what): \(damage)")
    }

    /// Records that the machine's clock was set during the case: no time window is reliable.
    package mutating func record(clockStep: Duration) {
        guard clockStep > Self.clockJitter || clockStep < .zero - Self.clockJitter else { return }
        makeInconclusive(
            .lateHarness, "the machine's clock was set by \(clockStep) during the case")
    }

    /// Records what was found outside the trace: only the first finding is needed.
    package mutating func record(inconclusiveFindings: [InconclusiveFinding]) {
        if let first = inconclusiveFindings.first { makeInconclusive(first.code, first.text) }
    }

    /// Records that the saved capture does not give the verdict of the live run.
    ///
    /// Either packets reached the matcher later than it waits for them, or a file was changed. The
    /// evidence is that of the saved capture, because that is what a reader has; so are the counts
    /// of messages, because what comes in the last moment may be in the capture only.
    package mutating func record(recorded: CaseResult) {
        (evidence, violations) = (recorded.evidence, recorded.violations)
        (counts, ignored) = (recorded.counts, recorded.ignored)
        guard recorded != self else { return }
        if recorded.verdict == .error, verdict != .error {
            (verdict, checks, reason) = (.error, recorded.checks, recorded.reason)
            return
        }
        let other = [recorded.verdict.rawValue, recorded.reason?.summary].compactMap(\.self)
        makeInconclusive(
            .lateHarness,
            "the saved capture is judged differently, \(other.joined(separator: ": "))")
    }

    /// Records that rules on all devices passed on one of several captures of the same time.
    mutating func concludeRules(beside captures: ConcurrentCaptures, on paths: [String]) {
        guard id == TestCase.rulesID, verdict == .pass, let reason = captures.reason(on: paths)
        else { return }
        makeInconclusive(.captureLoss, reason)
    }

    /// Records that a packet with the address of a peer is not one that the peer sent.
    ///
    /// Whatever the case expects of its peers is unreliable then.
    mutating func record(_ forgery: PeerReconciliation.Forgery) {
        let otherwise = [verdict.rawValue, reason?.summary].compactMap(\.self)
        verdict = .error
        checks = checks.map { CheckResult(requirement: $0.requirement, verdict: verdict) }
        reason = Reason(
            .setup, "\(forgery); without that: \(otherwise.joined(separator: ", "))",
            explanation: reason?.explanation)
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
