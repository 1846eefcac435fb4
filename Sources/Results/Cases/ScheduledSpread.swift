/// What the waits of a schedule show that chance should draw: how sure a failure is, and how much a pass
/// says.
public struct ScheduledSpread: Sendable, Codable, Hashable {
    /// How many waits there are.
    public var waits: Int
    /// With what probability at most a client is refused that draws them evenly.
    public var level: Double
    /// The probability, at most, that such a client's waits look as uneven as these; a failure is below
    /// `level`.
    public var probability: Double
    /// How often a client is found that draws as many waits from one half of their bounds.
    public var power: Double
    /// The waits themselves, which a stored result does not have.
    public var drawn: DrawnWaits?

    /// Makes a finding.
    public init(waits: Int, level: Double, probability: Double, power: Double) {
        self.waits = waits
        self.level = level
        self.probability = probability
        self.power = power
    }

    /// All of it in one sentence.
    public var text: String {
        let count = waits == 1 ? "1 wait" : "\(waits) waits"
        return "\(count) drawn by chance: p \(Self.text(probability)), a failure is below "
            + "\(Self.text(level)); with as many a client that draws from half of the bounds is "
            + "found in \(Int((power * 100).rounded())) % of cases"
    }

    /// A probability to two digits: `0.31`, `4.2e-7`.
    private static func text(_ share: Double) -> String {
        guard share > 0, share < 0.01 else { return "\((share * 100).rounded() / 100)" }
        var (mantissa, exponent) = (share, 0)
        while mantissa < 1, exponent > -300 { (mantissa, exponent) = (mantissa * 10, exponent - 1) }
        let digits = (mantissa * 10).rounded() / 10
        return digits == digits.rounded()
            ? "\(Int(digits))e\(exponent)" : "\(digits)e\(exponent)"
    }
}
