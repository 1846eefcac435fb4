/// The factor by which a device runs faster than its specification in a trial.
///
/// At 1 it runs as specified; only such a run certifies anything.
public struct TimeScale: Sendable, Hashable, CustomStringConvertible {
    /// The factor, from 1 to 100.
    public let factor: Double

    /// The scale of a device that runs as specified.
    public static let real = TimeScale(unchecked: 1)

    /// The permitted factors.
    public static let factors = 1.0...100.0

    /// The advice for a time scale that does not parse.
    public static let advice = "write a decimal number from 1 to 100, such as 10 or 2.5"

    private init(unchecked factor: Double) {
        self.factor = factor
    }

    /// Creates a scale; `nil` for a factor below 1 or above 100.
    public init?(_ factor: Double) {
        guard Self.factors.contains(factor) else { return nil }
        self.init(unchecked: factor)
    }

    /// Parses `10` or `2.5`: digits, optionally with a point and digits after it.
    public init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.count <= 9
                && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard (1...2).contains(parts.count), areDigits, let factor = Double(text) else {
            return nil
        }
        self.init(factor)
    }

    /// Whether the scale has no effect.
    public var isReal: Bool { factor == 1 }

    /// This scale; `nil` if it has no effect.
    public var unlessReal: TimeScale? { isReal ? nil : self }

    /// The factor in the form that `init(text:)` reads: `10`, `2.5`.
    public var description: String {
        factor == factor.rounded() ? "\(Int(factor))" : "\(factor)"
    }

    /// Returns the scaled length of a duration at scale 1, exact to the nanosecond.
    public func scaled(_ duration: Duration) -> Duration {
        guard !isReal else { return duration }
        return .nanoseconds(Int64((duration / .nanoseconds(1) / factor).rounded()))
    }
}

extension TimeScale: Codable {
    /// Decodes the factor.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let factor = try container.decode(Double.self)
        guard let scale = TimeScale(factor) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\(factor) is no time scale")
        }
        self = scale
    }

    /// Encodes the factor.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(factor)
    }
}
