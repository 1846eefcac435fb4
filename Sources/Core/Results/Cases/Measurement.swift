/// A measurement of a case.
public struct Measurement: Sendable, Codable, Hashable {
    /// Its name for readers.
    public var name: String
    /// How long it took, in seconds; `nil` for a count.
    public var seconds: Double?
    /// How many messages there were; `nil` for a time.
    public var count: Int?
    /// The frames of the messages where it began and ended, or of the counted messages.
    public var frames: [Int]

    /// Creates a measurement.
    public init(name: String, seconds: Double? = nil, count: Int? = nil, frames: [Int] = []) {
        self.name = name
        self.seconds = seconds
        self.count = count
        self.frames = frames
    }

    /// What was measured, with its unit: `0.012s`, `2 messages`.
    public var value: String {
        if let count { return "\(count) message\(count == 1 ? "" : "s")" }
        return seconds.map { TimeText.length(.seconds($0)) } ?? "nothing"
    }
}
