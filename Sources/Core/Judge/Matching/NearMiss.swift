import SuiteLanguage
import Trace

/// The message that came closest to a step so far.
struct NearMiss: Sendable {
    /// The message.
    let message: TraceMessage
    /// The differences.
    let differences: [Difference]

    /// A difference of parties weighs more than any number of different fields.
    private static let partyWeight = 1000

    private var distance: Int {
        differences.reduce(0) { sum, difference in
            sum + (difference.isOfParties ? Self.partyWeight : 1)
        }
    }

    /// Creates a near miss from a message that fits in part; `nil` if it fits fully or not at all.
    init?(_ message: TraceMessage, _ fit: Signature.Fit) {
        switch fit {
        case .fieldsDiffer(let differences): self.differences = differences
        case .otherParties(let difference): differences = [difference]
        case .full, .otherName, .unbound, .undecided: return nil
        }
        self.message = message
    }

    /// Returns the closer of two near misses, or the first if they are equal.
    static func closer(_ first: NearMiss?, _ second: NearMiss?) -> NearMiss? {
        guard let first else { return second }
        guard let second else { return first }
        return second.distance < first.distance ? second : first
    }
}
