/// A violation of a protocol's specification by messages of one party, although they decode.
public struct ProtocolViolation: Sendable, Codable, Hashable {
    /// The sender: `device`, or the name of a peer or of another device.
    public var party: String
    /// Whether the party is a device under test.
    public var isOfDevice: Bool
    /// The name of the first of these messages.
    public var message: String
    /// What is wrong, with the section of the specification.
    public var text: String
    /// How many messages have it.
    public var count: Int
    /// The frames of the first of these messages.
    public var frames: [Int]

    /// Creates a violation.
    public init(
        party: String, isOfDevice: Bool, message: String, text: String, count: Int, frames: [Int]
    ) {
        self.party = party
        self.isOfDevice = isOfDevice
        self.message = message
        self.text = text
        self.count = count
        self.frames = frames
    }
}
