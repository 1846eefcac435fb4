/// The verdict on a case.
///
/// The first five can only worsen, in this order.
public enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
    /// Nothing has been judged yet.
    case none
    /// Everything that was demanded was seen.
    case pass
    /// It could not be judged; no party is shown to be at fault.
    case inconclusive
    /// The device broke a requirement.
    case fail
    /// The harness, the suite or the machine broke.
    case error
    /// Not applicable, or not run, with a reason.
    case skipped
    /// Failed exactly as the list of known failures says.
    case known
    /// Passed only on a repetition.
    case flaky

    /// Whether it is a conclusion about the device.
    ///
    /// An error, an inconclusive case and one that was not run are not.
    public var isConclusion: Bool {
        switch self {
        case .pass, .fail, .known, .flaky: true
        case .none, .inconclusive, .error, .skipped: false
        }
    }
}

/// The kind of reason why a case did not pass, as a stable word for programs.
public enum ReasonCode: String, Sendable, Hashable, Codable, CaseIterable {
    /// A demanded message is missing, or another came instead.
    case sequence
    /// The right message came with a wrong field.
    case field
    /// The message came too early or too late.
    case timing
    /// A message came that must not come (`never`).
    case absence
    /// The device sent a message that no step takes and no rule ignores.
    case unexpected
    /// Bytes from the device do not decode.
    case malformed
    /// A message of the device breaks the specification of its protocol (`violations: fail`).
    case violation
    /// The device crashed, hung or ended early.
    case liveness
    /// A listed known failure did not fail.
    case unexpectedPass = "unexpected-pass"
    /// The starting point was not reached.
    case preamble
    /// The capture lost packets or was cut short.
    case captureLoss = "capture-loss"
    /// The harness acted later than planned.
    case lateHarness = "late-harness"
    /// The capture ends before the case does.
    case captureEnd = "capture-end"
    /// The device could not be started, or the case's environment could not be set up.
    case setup
    /// The case took longer than allowed.
    case timeout
    /// The run ended before the case.
    case notRun = "not-run"
    /// The device lacks a feature or a control that the case needs.
    case notApplicable = "not-applicable"
}
