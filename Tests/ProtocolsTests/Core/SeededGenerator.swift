import Protocols

/// A small generator whose sequence is given by its seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }

    /// Text of letters, digits, signs, control characters and characters beyond ASCII.
    mutating func text(upTo length: Int = 12) -> String {
        let special: [Unicode.Scalar] = [
            "\u{0}", "\n", "\"", "\\", ":", "#", " ", "-", "{", "é", "語", "😀", "\u{85}", "\u{2028}",
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0...length, using: &self) {
            if Int.random(in: 0..<4, using: &self) == 0,
                let scalar = special.randomElement(using: &self)
            {
                text.unicodeScalars.append(scalar)
            } else {
                let code = UInt8.random(in: 0x20...0x7E, using: &self)
                text.unicodeScalars.append(Unicode.Scalar(code))
            }
        }
        return text
    }

    /// Any value that JSON can hold.
    mutating func value(depth: Int = 3) -> Value {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &self) {
        case 0: return .null
        case 1: return .bool(.random(using: &self))
        case 2: return .integer(.random(in: .min ... .max, using: &self))
        case 3: return .integer(.random(in: -100...100, using: &self))
        case 4: return .double(.random(in: -1e12...1e12, using: &self))
        case 5: return .string(text())
        case 6: return .array(list { $0.value(depth: depth - 1) })
        default: return object(depth: depth - 1)
        }
    }

    /// An object of up to five members whose names may repeat.
    mutating func object(depth: Int = 3) -> Value {
        .object(list { Value.Member($0.text(upTo: 3), $0.value(depth: depth)) })
    }

    private mutating func list<Item>(of make: (inout Self) -> Item) -> [Item] {
        (0..<Int.random(in: 0...5, using: &self)).map { _ in make(&self) }
    }
}
