/// One wait of a schedule: what was allowed, and what was measured.
public struct ScheduledInterval: Sendable, Codable, Hashable {
    /// Its number in the step, counted from 1.
    public var index: Int
    /// Its number since the waits last began anew, counted from 1.
    public var wait: Int
    /// The least that was allowed, in seconds, tolerance worked in.
    public var lower: Double
    /// The most that was allowed, in seconds, tolerance worked in; `nil` if the wire does not tell
    /// what the wait counted from.
    public var upper: Double?
    /// How long it took, in seconds; `nil` if no attempt came.
    public var measured: Double?
    /// The frame of the attempt that ended it; `nil` if there is none.
    public var frame: Int?
    /// Whether what was measured is within what was allowed.
    public var isKept: Bool
    /// The rules of the schedule whose breach explains it, the likeliest first; `nil` if it is kept.
    public var broken: [String]?

    /// Makes a wait.
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

    /// What was measured and what was allowed, in one line: `wait 3: 2.001s, allowed 1.999s to
    /// 2.200s`.
    public var text: String {
        let length = measured.map { Self.text($0) } ?? "did not end"
        let most = upper.map { " to \(Self.text($0))" } ?? " or more"
        return "wait \(index): \(length), allowed \(Self.text(lower))\(most)"
    }

    private static func text(_ seconds: Double) -> String { TimeText.signed(.seconds(seconds)) }
}
