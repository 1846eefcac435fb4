/// What messages of one party broke of the specification of their protocol, although they decode.
public struct ProtocolViolation: Sendable, Codable, Hashable {
    /// Who sent them: `device`, or the name of a peer or of another device.
    public var party: String
    /// Whether the party is a device under test.
    public var isOfDevice: Bool
    /// The name of the first of them.
    public var message: String
    /// What is wrong, with the section of the specification.
    public var text: String
    /// How many there were.
    public var count: Int
    /// The frames of the first of them.
    public var frames: [Int]

    /// Makes a violation.
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
