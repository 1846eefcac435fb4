/// The number of one of the parts into which a plan is divided for several machines.
///
/// The part of a case depends only on its name. Adding or removing another case does not move it,
/// and every machine finds the same division by itself.
public struct ShardNumber: Sendable, Hashable, CustomStringConvertible {
    /// The number of this part, counted from 1.
    public let index: Int
    /// How many parts there are.
    public let total: Int

    /// Creates a number; `nil` unless `index` is from 1 to `total`.
    public init?(index: Int, total: Int) {
        guard total >= 1, (1...total).contains(index) else { return nil }
        self.index = index
        self.total = total
    }

    /// Parses `2/5`; `nil` for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = Int(parts[0]), let total = Int(parts[1]) else {
            return nil
        }
        self.init(index: index, total: total)
    }

    /// The text, such as `2/5`.
    public var description: String { "\(index)/\(total)" }

    /// Whether a case belongs to this part.
    public func holds(_ reference: CaseReference) -> Bool { holds(named: reference.description) }

    /// Whether a case of that name belongs to this part.
    public func holds(named name: String) -> Bool {
        Self.hash(name) % UInt64(total) == UInt64(index - 1)
    }

    /// Returns an FNV-1a hash with a final mixing step.
    ///
    /// The step is needed because the low bits alone are not uniform enough.
    private static func hash(_ text: String) -> UInt64 {
        var hash = text.utf8.reduce(into: UInt64(0xCBF2_9CE4_8422_2325)) { hash, byte in
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        return hash ^ (hash >> 33)
    }
}

/// The part of a run's results in the whole plan.
public struct RunShard: Sendable, Hashable, Codable {
    /// The number of this part, counted from 1.
    public var index: Int
    /// How many parts there are.
    public var total: Int
    /// The whole plan in order; this run has only its part of it.
    public var plan: [PlannedCase]

    /// Creates a part.
    public init(index: Int, total: Int, plan: [PlannedCase]) {
        self.index = index
        self.total = total
        self.plan = plan
    }

    /// The text, such as `2/5`.
    public var label: String { "\(index)/\(total)" }
}
