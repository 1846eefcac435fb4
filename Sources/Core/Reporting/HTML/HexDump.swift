import Results
import Wire

/// The bytes of a message in lines of sixteen, with its fields marked.
struct HexDump {
    private static let width = 16

    private let bytes: [UInt8]
    private let byteCount: Int
    /// For each byte, the index of the first listed field that it belongs to.
    private let owners: [Int?]
    private let fields: [EvidenceField]
    private let wrong: Set<Int>

    /// Creates the dump; fields whose indices are in `wrong` are marked as wrong.
    init(_ message: EvidenceMessage, wrong: Set<Int> = []) {
        bytes = [UInt8](hexDigits: message.hex) ?? []
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
        var text = Array(
            "<pre class=\"hex\" aria-label=\"Bytes in hexadecimal\" tabindex=\"0\">".utf8)
        for start in stride(from: 0, to: bytes.count, by: Self.width) {
            let row = start..<min(start + Self.width, bytes.count)
            for shift in [12, 8, 4, 0] { text.append(Self.digit(start >> shift)) }
            text += "  ".utf8
            mark(row, in: &text) { byte, text in
                text.append(Self.digit(Int(byte) >> 4))
                text.append(Self.digit(Int(byte)))
                text.append(UInt8(ascii: " "))
            }
            text += repeatElement(UInt8(ascii: " "), count: 3 * (Self.width - row.count) + 1)
            mark(row, in: &text, Self.appendCharacter)
            text.append(UInt8(ascii: "\n"))
        }
        if byteCount > bytes.count { text += "… \(byteCount - bytes.count) more bytes".utf8 }
        return String(decoding: text, as: UTF8.self) + "</pre>"
    }

    /// Appends the bytes of a row; the bytes of each field are in their own element.
    private func mark(
        _ row: Range<Int>, in text: inout [UInt8], _ append: (UInt8, inout [UInt8]) -> Void
    ) {
        var start = row.lowerBound
        while start < row.upperBound {
            let owner = owners[start]
            var end = start + 1
            while end < row.upperBound, owners[end] == owner { end += 1 }
            let element = owner.map { wrong.contains($0) ? "mark" : "b" }
            if let owner, let element { text += "<\(element) data-f=\"\(owner)\">".utf8 }
            for byte in bytes[start..<end] { append(byte, &text) }
            if let element { text += "</\(element)>".utf8 }
            start = end
        }
    }

    /// Returns the last hexadecimal digit of a number.
    private static func digit(_ number: Int) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: number & 0xF)
        return value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }

    private static func appendCharacter(_ byte: UInt8, to text: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "&"): text += "&amp;".utf8
        case UInt8(ascii: "<"): text += "&lt;".utf8
        case UInt8(ascii: ">"): text += "&gt;".utf8
        case 0x20..<0x7F: text.append(byte)
        default: text += "·".utf8
        }
    }
}
