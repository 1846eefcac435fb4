import Suites
import Trace

/// The message that has come closest to a step so far.
struct NearMiss: Sendable {
    /// The message.
    let message: TraceMessage
    /// Each thing that differs.
    let differences: [Difference]

    /// Other parties weigh more than any number of fields that differ.
    private static let partyWeight = 1000

    private var distance: Int {
        differences.reduce(0) { sum, difference in
            sum + (difference.isOfParties ? Self.partyWeight : 1)
        }
    }

    /// Makes a near miss of a message that fits in part; `nil` if it does not fit at all, or fully.
    init?(_ message: TraceMessage, _ fit: Signature.Fit) {
        switch fit {
        case .fieldsDiffer(let differences): self.differences = differences
        case .otherParties(let difference): differences = [difference]
        case .full, .otherName, .unbound: return nil
        }
        self.message = message
    }

    /// The closer of two; of equals the first.
    static func closer(_ first: NearMiss?, _ second: NearMiss?) -> NearMiss? {
        guard let first else { return second }
        guard let second else { return first }
        return second.distance < first.distance ? second : first
    }
}
