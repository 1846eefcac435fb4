import Verdicts

/// Keeps a run's result small: of how many cases it holds the evidence.
///
/// A case's evidence is some tens of kilobytes, and the result of a run is written again and again.
/// So a result holds the evidence of the first cases that pass and of many more that do not; of
/// the others it stands only in the case's own page, which is written once.
public struct EvidenceAllowance: Sendable {
    /// Of how many passing cases the evidence is kept.
    public static let passingCountMax = 100
    /// Of how many other cases the evidence is kept.
    public static let otherCountMax = 500

    private var passingCount = 0
    private var otherCount = 0

    /// Begins with nothing kept.
    public init() {}

    /// The result as the run keeps it.
    public mutating func trimmed(_ result: CaseResult) -> CaseResult {
        guard result.evidence != nil else { return result }
        let isKept: Bool
        if result.verdict == .pass {
            passingCount += 1
            isKept = passingCount <= Self.passingCountMax
        } else {
            otherCount += 1
            isKept = otherCount <= Self.otherCountMax
        }
        var trimmed = result
        if !isKept { trimmed.evidence = nil }
        return trimmed
    }
}
