/// Something that a case has measured.
public struct Measurement: Sendable, Codable, Hashable {
    /// What people call it.
    public var name: String
    /// How long it took, in seconds; `nil` for a count.
    public var seconds: Double?
    /// How many messages there were; `nil` for a time.
    public var count: Int?
    /// The frames of the messages at which it began and ended, or of those that were counted.
    public var frames: [Int]

    /// Makes a measurement.
    public init(name: String, seconds: Double? = nil, count: Int? = nil, frames: [Int] = []) {
        self.name = name
        self.seconds = seconds
        self.count = count
        self.frames = frames
    }

    /// What was measured, with its unit: `0.012s`, `2 messages`.
    public var value: String {
        if let count { return "\(count) message\(count == 1 ? "" : "s")" }
        return seconds.map { TimeText.seconds(.seconds($0)) } ?? "nothing"
    }
}
