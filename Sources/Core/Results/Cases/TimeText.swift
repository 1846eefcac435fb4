import Wire

/// The format of times in reports.
public enum TimeText {
    /// Returns a point in time relative to a named moment: `0.012s after step 3`.
    public static func place(_ time: Timestamp, from origin: Timestamp, named name: String)
        -> String
    {
        let gap = time - origin
        return "\(seconds(gap)) \(gap < .zero ? "before" : "after") \(name)"
    }

    /// Returns a length of time in seconds without its sign: `0.4s`.
    ///
    /// It has milliseconds, or microseconds if it is below one millisecond.
    public static func seconds(_ duration: Duration) -> String {
        let nanoseconds = duration.wholeNanoseconds.magnitude
        let digits = nanoseconds < 1_000_000 && nanoseconds > 0 ? 6 : 3
        let unit: UInt64 = digits == 6 ? 1000 : 1_000_000
        let scale: UInt64 = 1_000_000_000 / unit
        let rounded = (nanoseconds + unit / 2) / unit
        let fraction = String(rounded % scale)
        return "\(rounded / scale)."
            + String(repeating: "0", count: digits - fraction.count) + fraction + "s"
    }

    /// Returns a length of time in seconds, with its sign if it is negative: `-0.000100s`.
    public static func signed(_ duration: Duration) -> String {
        (duration < .zero ? "-" : "") + seconds(duration)
    }

    /// Returns a length of time as a number of seconds.
    public static func number(_ duration: Duration) -> Double {
        Double(duration.wholeNanoseconds) / 1_000_000_000
    }
}
