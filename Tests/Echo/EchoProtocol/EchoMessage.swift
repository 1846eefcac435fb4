import Wire

/// A message of the echo protocol: a request, or the answer that repeats its number and its text.
///
/// On the wire it is four bytes and a text in UTF-8. The bytes are the mark `0xEC`, 1 for a request or
/// 2 for an answer, the number, and the number of bytes of the text.
public struct EchoMessage: DissectedMessage, Hashable {
    /// The kind of a message, which its second byte gives.
    public enum Kind: UInt8, Sendable, CaseIterable {
        case request = 1
        case answer = 2
    }

    /// The first byte of every message.
    public static let mark: UInt8 = 0xEC
    /// The number of bytes before the text.
    static let headerSize = 4

    /// Whether it is a request or an answer.
    public var kind: Kind
    /// The number, which an answer shares with its request.
    public var number: UInt8
    /// The text, at most 255 bytes.
    public var text: [UInt8]

    /// Creates a message, or returns `nil` if the text is too long.
    public init?(_ kind: Kind, _ number: UInt8, _ text: [UInt8]) {
        guard text.count <= 255 else { return nil }
        self.kind = kind
        self.number = number
        self.text = text
    }

    /// The name, `echo.request` or `echo.answer`.
    public var name: String { "echo.\(kind)" }

    /// The fields `echo.number` and `text`.
    public var fields: Value {
        [
            "echo": ["number": .integer(Int64(number))],
            "text": .string(String(decoding: text, as: UTF8.self)),
        ]
    }

    /// A violation if the text is not UTF-8.
    public var anomalies: [Anomaly] {
        String(validating: text, as: UTF8.self) == nil
            ? [Anomaly(.violation, "the text is not UTF-8", specification: "echo 2")] : []
    }

    /// The bytes of the whole message.
    public var bytes: [UInt8] {
        [Self.mark, kind.rawValue, number, UInt8(truncatingIfNeeded: text.count)] + text
    }

    /// The positions of the fields in the bytes.
    public var fieldPlaces: [String: Range<Int>] {
        ["echo.number": 2..<3, "text": Self.headerSize..<Self.headerSize + text.count]
    }
}

/// Bytes that are not a message.
struct EchoMalformed: DissectedMessage {
    let error: String
    let bytes: [UInt8]

    var name: String { "echo.malformed" }
    var fields: Value { ["error": .string(error)] }
    var anomalies: [Anomaly] { [Anomaly(.violation, error, specification: "echo 1")] }
}
