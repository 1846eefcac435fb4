/// AES-128 encryption of one block, for Bluetooth's keys and confirmation values (FIPS 197).
struct AES128: Sendable {
    private let roundKeys: [[UInt8]]

    /// Expands a key of 16 bytes, most significant byte first.
    ///
    /// - Precondition: `key.count == 16`.
    init(key: some Sequence<UInt8>) {
        var words = Array(key)
        precondition(words.count == 16, "a key of AES-128 has 16 bytes")
        var constant: UInt8 = 1
        while words.count < 176 {
            var last = Array(words.suffix(4))
            if words.count % 16 == 0 {
                last = [last[1], last[2], last[3], last[0]].map { Self.substitutes[Int($0)] }
                last[0] ^= constant
                constant = Self.doubled(constant)
            }
            let former = words[(words.count - 16)..<(words.count - 12)]
            words += zip(former, last).map { $0 ^ $1 }
        }
        roundKeys = stride(from: 0, to: 176, by: 16).map { Array(words[$0..<($0 + 16)]) }
    }

    /// Returns the encryption of a block of 16 bytes, most significant byte first.
    ///
    /// - Precondition: `block.count == 16`.
    func encrypt(_ block: some Sequence<UInt8>) -> [UInt8] {
        var state = zip(Array(block), roundKeys[0]).map { $0 ^ $1 }
        precondition(state.count == 16, "a block of AES-128 has 16 bytes")
        for round in 1...10 {
            // Substitute, and shift row r by r columns.
            state = (0..<16).map { Self.substitutes[Int(state[($0 + 4 * ($0 % 4)) % 16])] }
            if round < 10 { state = Self.mixed(state) }
            state = zip(state, roundKeys[round]).map { $0 ^ $1 }
        }
        return state
    }

    private static func mixed(_ state: [UInt8]) -> [UInt8] {
        (0..<16).map { place in
            let column = place / 4 * 4
            let own = state[place]
            let all = state[column..<(column + 4)].reduce(0, ^)
            let next = state[column + (place + 1) % 4]
            return own ^ all ^ doubled(own ^ next)
        }
    }

    private static func doubled(_ byte: UInt8) -> UInt8 {
        byte << 1 ^ (byte & 0x80 != 0 ? 0x1B : 0)
    }

    /// The S-box of FIPS 197 section 5.1.1: the inverse in the field, then the affine map.
    private static let substitutes: [UInt8] = {
        var table = [UInt8](repeating: 0x63, count: 256)
        var (power, inverse): (UInt8, UInt8) = (1, 1)
        repeat {
            // `power` runs through the powers of 3, `inverse` through those of its inverse.
            power = power ^ doubled(power)
            inverse ^= inverse << 1
            inverse ^= inverse << 2
            inverse ^= inverse << 4
            if inverse & 0x80 != 0 { inverse ^= 0x09 }
            var mapped = inverse
            for shift: UInt8 in 1...4 { mapped ^= inverse << shift | inverse >> (8 - shift) }
            table[Int(power)] = mapped ^ 0x63
        } while power != 1
        return table
    }()
}
