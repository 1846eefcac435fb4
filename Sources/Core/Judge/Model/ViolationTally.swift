import Results
import Trace
import Wire

/// The violations that a case has seen, by party and text.
struct ViolationTally: Sendable {
    /// The largest number of kinds for a party; further violations are counted as one kind.
    static let kindsMax = 20
    /// The text of the kind for all further violations.
    static let others = "other violations"

    private(set) var violations: [ProtocolViolation] = []

    /// Records a message and its violation.
    mutating func record(_ text: String, of message: TraceMessage, parties: Parties) {
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

    /// Counts one more violation of an existing kind.
    private mutating func count(_ text: String, of party: String) -> Bool {
        let known = violations.firstIndex { $0.party == party && $0.text == text }
        guard let known else { return false }
        violations[known].count += 1
        return true
    }
}
