/// The name and the contents of one drawn run.
public struct DrawnRun: Sendable, Hashable {
    /// One act of a run, with the choices of its draws.
    public struct Act: Sendable, Hashable {
        /// The index of the act in its exploration.
        public var act: Int
        /// The choices of its draws.
        public var choices: [UInt64]
    }

    /// The exploration, the seed and the number, and what was taken away while shrinking.
    public var name: DrawnName
    /// The choices of the initial values.
    public var given: [UInt64]
    /// The acts in their order.
    public var acts: [Act]
    /// Whether it is without acts that the device cannot do.
    public var isFitted = false

    /// The number of draws, those of the initial values first.
    public var choices: [UInt64] { given + acts.flatMap(\.choices) }
}

extension TestCase {
    /// The act of a drawn run that a step belongs to, as `act 2: reset`; `nil` for other steps.
    public func drawnAct(of step: Step) -> String? {
        guard drawn != nil, let note = step.note, note.hasPrefix("act ") else { return nil }
        return note
    }
}

/// The name of a drawn run, which is enough to draw it again.
///
/// `lives[seed=3,n=17]`; a run that was shrunk has in addition the acts that are left, and the draws
/// that have another choice: `lives[seed=3,n=17,acts=2+5,values=0:0+3:1]`.
public struct DrawnName: Sendable, Hashable, CustomStringConvertible {
    /// The exploration.
    public var exploration: String
    /// The seed.
    public var seed: UInt64
    /// The number, counted from 1.
    public var number: Int
    /// The acts that are left, counted from 1; `nil` for all.
    public var acts: [Int]?
    /// Draws that have another choice, by their places in the run before shrinking.
    public var values: [Int: UInt64] = [:]

    /// The highest number of a run.
    public static let numberMax = 1_000_000
}

extension DrawnName {
    /// Reads the id of a case; `nil` if it is not the id of a drawn run.
    public init?(_ id: String) {
        guard id.hasSuffix("]"), let bracket = id.firstIndex(of: "[") else { return nil }
        let parts = id[bracket...].dropFirst().dropLast()
            .split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) }
        guard parts.count >= 2, parts.allSatisfy({ $0.count == 2 }), parts[0][0] == "seed",
            parts[1][0] == "n", let seed = UInt64(parts[0][1]), let number = Int(parts[1][1]),
            (1...Self.numberMax).contains(number)
        else { return nil }
        self.init(exploration: String(id[..<bracket]), seed: seed, number: number)
        for part in parts.dropFirst(2) {
            let items = part[1].split(separator: "+")
            switch part[0] {
            case "acts":
                let kept = items.compactMap { Int($0) }
                guard kept.count == items.count, acts == nil else { return nil }
                acts = kept
            case "values":
                for item in items {
                    let pair = item.split(separator: ":")
                    guard pair.count == 2, let place = Int(pair[0]), let choice = UInt64(pair[1])
                    else { return nil }
                    values[place] = choice
                }
            default: return nil
            }
        }
        guard description == id else { return nil }
    }

    /// The id of the case.
    public var description: String {
        var parts = ["seed=\(seed)", "n=\(number)"]
        if let acts { parts.append("acts=" + acts.map(String.init).joined(separator: "+")) }
        if !values.isEmpty {
            let items = values.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
            parts.append("values=" + items.joined(separator: "+"))
        }
        return "\(exploration)[\(parts.joined(separator: ","))]"
    }
}
