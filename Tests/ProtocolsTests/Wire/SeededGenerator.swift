import TestSupport
import Wire

extension SeededGenerator {
    /// Returns text of letters, digits, signs, control characters and characters beyond ASCII.
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

    /// Returns any value that JSON can represent.
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

    /// Returns an object of up to five members whose names may repeat.
    mutating func object(depth: Int = 3) -> Value {
        .object(list { Value.Member($0.text(upTo: 3), $0.value(depth: depth)) })
    }

    private mutating func list<Item>(of make: (inout Self) -> Item) -> [Item] {
        (0..<Int.random(in: 0...5, using: &self)).map { _ in make(&self) }
    }
}
