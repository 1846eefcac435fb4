/// Base64: bytes as text of 64 characters (RFC 4648 4).
public enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Returns the text, padded with `=`.
    public static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                let index = bits >> (18 - 6 * place) & 63
                text.append(place <= group.count ? alphabet[index] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of a text; `nil` if the text is not valid Base64.
    public static func bytes(of text: String) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count % 4 == 0 else { return nil }
        let trailingBytes = characters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard trailingBytes <= 2 else { return nil }
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        for character in characters.dropLast(trailingBytes) {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits = (bits << 6 | value) & 0xFFFF
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        return bits & ((1 << count) - 1) == 0 ? bytes : nil
    }
}
