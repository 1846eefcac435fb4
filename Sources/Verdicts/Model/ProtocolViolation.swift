import Suites
import Trace
import Wire

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

/// The violations that a case has seen, by party and text.
struct ViolationTally: Sendable {
    /// So many kinds are told apart; of a party that has more the rest are counted as one kind.
    static let kindsMax = 20
    /// What stands for the kinds that are not told apart.
    static let others = "other violations"

    private(set) var violations: [ProtocolViolation] = []

    /// Takes note of a message.
    mutating func note(_ message: TraceMessage, parties: Parties) {
        guard let text = message.content.violation else { return }
        let placed = PlacedMessage(message, parties: parties)
        guard let party = placed.sender, !placed.isMalformed else { return }
        if count(text, of: party) { return }
        let isFull = violations.count >= Self.kindsMax
        if isFull, count(Self.others, of: party) { return }
        violations.append(
            ProtocolViolation(
                party: party, isOfDevice: placed.isFromDevice, message: message.name,
                text: isFull ? Self.others : text, count: 1, frames: message.frames))
    }

    /// Counts one more of a kind that is there.
    private mutating func count(_ text: String, of party: String) -> Bool {
        let known = violations.firstIndex { $0.party == party && $0.text == text }
        guard let known else { return false }
        violations[known].count += 1
        return true
    }
}
