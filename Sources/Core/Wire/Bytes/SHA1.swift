/// The hash SHA-1 (FIPS 180-4), which the WebSocket handshake requires and suites may use.
public enum SHA1 {
    /// Returns the hash, 20 bytes.
    public static func hash(of message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        let padded = padded(message)
        for start in stride(from: 0, to: padded.count, by: 64) {
            mix(padded[start..<(start + 64)], into: &state)
        }
        var hash: [UInt8] = []
        for word in state { hash.append(bigEndian: word) }
        return hash
    }

    /// Returns the message with a one bit, zeros and its length in bits, a multiple of 64 bytes.
    private static func padded(_ message: [UInt8]) -> [UInt8] {
        var bytes = message + [0x80]
        bytes += [UInt8](repeating: 0, count: (120 - bytes.count % 64) % 64)
        bytes.append(bigEndian: UInt64(message.count) &* 8)
        return bytes
    }

    private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var words: [UInt32] = []
        for start in stride(from: block.startIndex, to: block.endIndex, by: 4) {
            words.append(block[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) })
        }
        for index in 16..<80 {
            let word = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
            words.append(rotated(word, by: 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (index, word) in words.enumerated() {
            let (choice, constant) = round(index, b, c, d)
            let next = rotated(a, by: 5) &+ choice &+ e &+ constant &+ word
            (a, b, c, d, e) = (next, a, rotated(b, by: 30), c, d)
        }
        for (index, part) in [a, b, c, d, e].enumerated() { state[index] &+= part }
    }

    private static func round(
        _ index: Int, _ b: UInt32, _ c: UInt32, _ d: UInt32
    ) -> (UInt32, UInt32) {
        switch index {
        case ..<20: (b & c | ~b & d, 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
    }

    private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 {
        word << count | word >> (32 - count)
    }
}
