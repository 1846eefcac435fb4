/// One of the parts into which a plan is divided, so that several machines share a run.
///
/// Which part a case belongs to depends on its name alone: adding or removing another case moves
/// nothing, and every machine comes to the same division by itself.
public struct ShardNumber: Sendable, Hashable, CustomStringConvertible {
    /// Which part, counted from 1.
    public let index: Int
    /// How many parts there are.
    public let total: Int

    /// Makes a number; `nil` unless `index` is from 1 to `total`.
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

    /// `2/5`.
    public var description: String { "\(index)/\(total)" }

    /// Whether a case belongs to this part.
    public func holds(_ reference: CaseReference) -> Bool { holds(named: reference.description) }

    /// Whether what is called so belongs to this part.
    public func holds(named name: String) -> Bool {
        Self.hash(name) % UInt64(total) == UInt64(index - 1)
    }

    /// FNV-1a with a finishing step, because its low bits alone are not even enough.
    private static func hash(_ text: String) -> UInt64 {
        var hash = text.utf8.reduce(into: UInt64(0xCBF2_9CE4_8422_2325)) { hash, byte in
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        return hash ^ (hash >> 33)
    }
}

/// What the results of one part say of the whole plan.
public struct RunShard: Sendable, Hashable, Codable {
    /// Which part, counted from 1.
    public var index: Int
    /// How many parts there are.
    public var total: Int
    /// The whole plan, of which this run has only its part, in order.
    public var plan: [PlannedCase]

    /// Makes a part.
    public init(index: Int, total: Int, plan: [PlannedCase]) {
        self.index = index
        self.total = total
        self.plan = plan
    }

    /// `2/5`.
    public var label: String { "\(index)/\(total)" }
}
