import Verdicts

/// The bytes of a message in lines of sixteen, with the places of its fields marked.
struct HexDump {
    private static let width = 16

    private let bytes: [UInt8]
    private let byteCount: Int
    /// For each byte, the position of the innermost field that it belongs to.
    private let owners: [Int?]
    private let fields: [EvidenceField]
    private let wrong: Set<Int>

    /// Prepares the dump; fields whose positions are in `wrong` are marked as such.
    init(_ message: EvidenceMessage, wrong: Set<Int> = []) {
        bytes = Self.bytes(of: message.hex)
        byteCount = message.byteCount
        fields = message.fields
        self.wrong = wrong
        var owners = [Int?](repeating: nil, count: bytes.count)
        for (index, field) in message.fields.enumerated() {
            guard let offset = field.offset, let length = field.length, offset >= 0, length > 0
            else { continue }
            for place in offset..<max(offset, min(offset + length, bytes.count))
            where owners[place] == nil { owners[place] = index }
        }
        self.owners = owners
    }

    /// The dump; empty for a message without bytes.
    var html: String {
        guard !bytes.isEmpty else { return "" }
        var text = "<pre class=\"hex\" aria-label=\"Bytes in hexadecimal\" tabindex=\"0\">"
        for start in stride(from: 0, to: bytes.count, by: Self.width) {
            let row = start..<min(start + Self.width, bytes.count)
            text += Self.offset(start) + "  "
            text += marked(row) { Self.hex($0) + " " }
            text += String(repeating: "   ", count: Self.width - row.count) + " "
            text += marked(row, Self.character) + "\n"
        }
        if byteCount > bytes.count { text += "… \(byteCount - bytes.count) more bytes" }
        return text + "</pre>"
    }

    /// The bytes of a row, each run of one field in an element of its own.
    private func marked(_ row: Range<Int>, _ show: (UInt8) -> String) -> String {
        var text = ""
        var start = row.lowerBound
        while start < row.upperBound {
            let owner = owners[start]
            var end = start + 1
            while end < row.upperBound, owners[end] == owner { end += 1 }
            let shown = bytes[start..<end].map(show).joined()
            if let owner {
                text += wrong.contains(owner) ? "<mark" : "<b"
                text += " data-f=\"\(owner)\">\(shown)</" + (wrong.contains(owner) ? "mark>" : "b>")
            } else {
                text += shown
            }
            start = end
        }
        return text
    }

    private static func offset(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
    }

    private static func character(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case 0x20..<0x7F: String(Unicode.Scalar(byte))
        default: "·"
        }
    }

    private static func bytes(of hex: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in hex.utf8 {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { break }
            if let first = high {
                bytes.append(first << 4 | UInt8(value))
                high = nil
            } else {
                high = UInt8(value)
            }
        }
        return bytes
    }
}
