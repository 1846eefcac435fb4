/// The randomness test of a schedule's waits.
///
/// It shows how certain a failure is, and how much a pass means.
public struct ScheduledSpread: Sendable, Codable, Hashable {
    /// How many waits there are.
    public var waits: Int
    /// The largest probability with which a client that draws evenly is rejected.
    public var level: Double
    /// The largest probability that such a client's waits look as uneven as these.
    ///
    /// A failure is below `level`.
    public var probability: Double
    /// The share of clients detected that draw this many waits from half of their bounds.
    public var power: Double
    /// The waits themselves, which a stored result does not have.
    public var drawn: DrawnWaits?

    /// Creates a finding.
    public init(waits: Int, level: Double, probability: Double, power: Double) {
        self.waits = waits
        self.level = level
        self.probability = probability
        self.power = power
    }

    /// All results in one sentence.
    public var text: String {
        let count = waits == 1 ? "1 wait" : "\(waits) waits"
        return "\(count) drawn by chance: p \(Self.text(probability)), a failure is below "
            + "\(Self.text(level)); with this many, a client that draws from half of the bounds is "
            + "found in \(Int((power * 100).rounded())) % of cases"
    }

    /// Returns a probability with two digits: `0.31`, `4.2e-7`.
    private static func text(_ share: Double) -> String {
        guard share > 0, share < 0.01 else { return "\((share * 100).rounded() / 100)" }
        var (mantissa, exponent) = (share, 0)
        while mantissa < 1, exponent > -300 { (mantissa, exponent) = (mantissa * 10, exponent - 1) }
        let digits = (mantissa * 10).rounded() / 10
        return digits == digits.rounded()
            ? "\(Int(digits))e\(exponent)" : "\(digits)e\(exponent)"
    }
}
