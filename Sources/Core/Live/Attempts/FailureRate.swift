import Judge
import Results

/// How often a case failed, among the executions that could be judged.
public struct FailureRate: Sendable, Hashable, CustomStringConvertible {
    /// How many executions failed, including those with a known failure.
    public let failures: Int
    /// How many executions were judged.
    public let judged: Int
    /// How many executions could not be judged.
    public let unjudged: Int

    /// The quantile of the normal distribution that leaves 2.5 % on each side.
    private static let quantile = 1.959964

    /// Counts verdicts of executions.
    public init(_ verdicts: [Verdict]) {
        failures = verdicts.count { $0 == .fail || $0 == .known }
        judged = failures + verdicts.count { $0 == .pass }
        unjudged = verdicts.count - judged
    }

    /// The 95 % confidence interval of the rate by Wilson's score method.
    ///
    /// It is 0 to 1 if nothing was judged. After `--fail-fast`, which stops at a failure, it is
    /// an approximation.
    public var interval: ClosedRange<Double> {
        guard judged > 0 else { return 0...1 }
        let (count, z) = (Double(judged), Self.quantile)
        let rate = Double(failures) / count
        let scale = 1 + z * z / count
        let centre = rate + z * z / (2 * count)
        let spread = z * (rate * (1 - rate) / count + z * z / (4 * count * count)).squareRoot()
        let low = failures == 0 ? 0 : max(0, (centre - spread) / scale)
        let high = failures == judged ? 1 : min(1, (centre + spread) / scale)
        return low...high
    }

    /// `failed in 2 of 10 runs (20.0 %, 95 % interval 5.7 % to 51.0 %)`.
    public var description: String {
        let open = unjudged == 0 ? "" : "; \(unjudged) more could not be judged"
        let runs = judged == 1 ? "run" : "runs"
        guard judged > 0 else { return "failed in 0 of 0 runs" + open }
        let rate = Self.percent(Double(failures) / Double(judged))
        let (low, high) = (Self.percent(interval.lowerBound), Self.percent(interval.upperBound))
        return "failed in \(failures) of \(judged) \(runs) (\(rate), "
            + "95 % interval \(low) to \(high))" + open
    }

    private static func percent(_ share: Double) -> String {
        // Cannot overflow: the share is from 0 to 1.
        let (whole, tenth) = Int((share * 1000).rounded()).quotientAndRemainder(dividingBy: 10)
        return "\(whole).\(tenth) %"
    }
}
