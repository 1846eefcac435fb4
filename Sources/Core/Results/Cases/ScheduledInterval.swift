/// One wait of a schedule: the allowed and the measured time.
public struct ScheduledInterval: Sendable, Codable, Hashable {
    /// Its number in the step, counted from 1.
    public var index: Int
    /// Its number since the waits last started over, counted from 1.
    public var wait: Int
    /// The shortest allowed time in seconds, tolerance included.
    public var lower: Double
    /// The longest allowed time in seconds, tolerance included.
    ///
    /// It is `nil` if the traffic does not show what the wait counted from.
    public var upper: Double?
    /// How long it took, in seconds; `nil` if no attempt came.
    public var measured: Double?
    /// The frame of the attempt that ended it; `nil` if there is none.
    public var frame: Int?
    /// Whether the measured time is within the allowed times.
    public var isKept: Bool
    /// The broken rules of the schedule that may explain it, likeliest first; `nil` if it is kept.
    public var broken: [String]?

    /// Creates a wait.
    public init(
        index: Int, wait: Int, lower: Double, upper: Double?, measured: Double?, frame: Int?,
        isKept: Bool
    ) {
        self.index = index
        self.wait = wait
        self.lower = lower
        self.upper = upper
        self.measured = measured
        self.frame = frame
        self.isKept = isKept
    }

    /// The measured and the allowed time in one line.
    ///
    /// An example is `wait 3: 2.001s, allowed 1.999s to 2.200s`.
    public var text: String {
        let length = measured.map { Self.text($0) } ?? "did not end"
        let most = upper.map { " to \(Self.text($0))" } ?? " or more"
        return "wait \(index): \(length), allowed \(Self.text(lower))\(most)"
    }

    private static func text(_ seconds: Double) -> String { TimeText.signed(.seconds(seconds)) }
}
