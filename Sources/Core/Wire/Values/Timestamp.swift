/// A point in time: nanoseconds since 1970-01-01T00:00:00Z, as in the timestamps of captures.
@frozen
public struct Timestamp: Sendable, Hashable, Comparable, Codable {
    /// Nanoseconds since the epoch.
    public var nanoseconds: Int64

    /// Creates a point in time.
    @inlinable
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Reads the number that `encode(to:)` wrote.
    public init(from decoder: any Decoder) throws {
        nanoseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Writes the bare number of nanoseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(nanoseconds)
    }

    /// Returns whether `left` is earlier.
    @inlinable
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// Returns the time that has passed from `right` to `left`; negative if `left` is earlier.
    @inlinable
    public static func - (left: Timestamp, right: Timestamp) -> Duration {
        .nanoseconds(left.nanoseconds.subtractingReportingOverflow(right.nanoseconds).partialValue)
    }

    /// Returns the point that is `right` before `left`; saturates at the ends of the range.
    @inlinable
    public static func - (left: Timestamp, right: Duration) -> Timestamp { left + (.zero - right) }

    /// Returns the point that is `right` after `left`; saturates at the ends of the range.
    @inlinable
    public static func + (left: Timestamp, right: Duration) -> Timestamp {
        left + right.wholeNanoseconds
    }

    /// Returns the point that is `right` nanoseconds after `left`.
    ///
    /// The result saturates at the ends of the range.
    @inlinable
    public static func + (left: Timestamp, right: Int64) -> Timestamp {
        let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right)
        return Timestamp(nanoseconds: overflow ? (right < 0 ? .min : .max) : sum)
    }
}

extension Duration {
    /// This duration in whole nanoseconds, truncated; saturates at the ends of `Int64`.
    @inlinable
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        return product.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
    }
}
