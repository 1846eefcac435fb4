import Wire

extension HTTP {
    /// The line before a chunk (RFC 9112 7.1).
    struct ChunkLine {
        /// The size of the chunk.
        let size: Int
        /// Whether what follows the size is not a list of extensions (RFC 9112 7.1.1).
        let hasWrongExtension: Bool

        /// Reads a line without its line ending; `nil` if it has no size.
        init?(_ line: [UInt8]) {
            let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != 32 && $0 != 9 }
            let significant = digits.drop { $0 == UInt8(ascii: "0") }
            // Eleven digits stay far below 63 bits.
            guard !digits.isEmpty, significant.count <= 11,
                significant.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit })
            else { return nil }
            size = Int(String(decoding: significant, as: UTF8.self), radix: 16) ?? 0
            var rest = line[digits.endIndex...]
            var isRight = true
            while isRight, !rest.isEmpty { isRight = Self.consumeExtension(&rest) }
            hasWrongExtension = !isRight
        }

        /// Takes an extension; no sender writes blanks around its parts (RFC 9110 5.6.3).
        private static func consumeExtension(_ rest: inout ArraySlice<UInt8>) -> Bool {
            guard rest.popFirst() == UInt8(ascii: ";"), consumeToken(&rest) else { return false }
            guard rest.first == UInt8(ascii: "=") else { return true }
            rest.removeFirst()
            guard rest.first == UInt8(ascii: "\"") else { return consumeToken(&rest) }
            rest.removeFirst()
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "\"") { return true }
                let character = byte == UInt8(ascii: "\\") ? rest.popFirst() : byte
                guard let character, character == 9 || character >= 32, character != 127 else {
                    return false
                }
            }
            return false
        }

        private static func consumeToken(_ rest: inout ArraySlice<UInt8>) -> Bool {
            let token = rest.prefix(while: HeaderCheck.isTokenByte)
            rest = rest[token.endIndex...]
            return !token.isEmpty
        }
    }
}
