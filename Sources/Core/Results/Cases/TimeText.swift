import Wire

/// The format of times in reports.
public enum TimeText {
    /// Returns a point in time relative to a named moment: `12 ms after step 3`.
    public static func place(_ time: Timestamp, from origin: Timestamp, named name: String)
        -> String
    {
        let gap = time - origin
        return "\(length(gap)) \(gap < .zero ? "before" : "after") \(name)"
    }

    /// Returns a length of time without its sign: `1.250 s`, `123 ms`, `4.2 ms` or `0.17 ms`.
    ///
    /// It has three decimals from one second on, and at least two digits below.
    public static func length(_ duration: Duration) -> String {
        let nanoseconds = duration.wholeNanoseconds.magnitude
        switch nanoseconds {
        case 0: return "0 ms"
        case ..<9_950: return "\(decimal(nanoseconds, unit: 1_000, digits: 3)) ms"
        case ..<995_000: return "\(decimal(nanoseconds, unit: 10_000, digits: 2)) ms"
        case ..<9_950_000: return "\(decimal(nanoseconds, unit: 100_000, digits: 1)) ms"
        case ..<999_500_000: return "\((nanoseconds + 500_000) / 1_000_000) ms"
        default: return "\(decimal(nanoseconds, unit: 1_000_000, digits: 3)) s"
        }
    }

    /// Returns nanoseconds, rounded to a unit, as a number with that many digits after the point.
    private static func decimal(_ nanoseconds: UInt64, unit: UInt64, digits: Int) -> String {
        let scale = (0..<digits).reduce(UInt64(1)) { scale, _ in scale * 10 }
        let rounded = (nanoseconds + unit / 2) / unit
        let fraction = String(rounded % scale)
        return "\(rounded / scale)."
            + String(repeating: "0", count: digits - fraction.count) + fraction
    }

    /// Returns a length of time, with its sign if it is negative: `-0.10 ms`.
    public static func signed(_ duration: Duration) -> String {
        (duration < .zero ? "-" : "") + length(duration)
    }

    /// Returns a length of time as a number of seconds.
    public static func number(_ duration: Duration) -> Double {
        Double(duration.wholeNanoseconds) / 1_000_000_000
    }
}
