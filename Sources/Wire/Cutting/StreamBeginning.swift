/// The first bytes of a message of a stream that a suite cuts, as long as the message is not whole.
///
/// It is a note of the trace, which no step can expect: after each segment that leaves a message
/// unfinished there is one, and the last of them says what has come if the rest never does.
public struct StreamBeginning: DissectedMessage, Hashable {
    /// Its name in reports.
    public static let name = "stream.begun"
    /// How many of the bytes it keeps.
    static let shownBytesMax = 256

    /// The first of the bytes.
    public let bytes: [UInt8]
    /// How many have come.
    public let count: Int

    /// Makes a note.
    init(_ bytes: [UInt8], count: Int) {
        self.bytes = bytes
        self.count = count
    }

    /// `stream.begun`.
    public var name: String { Self.name }

    /// Always empty: nothing is wrong yet.
    public var anomalies: [Anomaly] { [] }

    /// `data`, the first of the bytes, and `length`, how many there are.
    public var fields: Value {
        .object([
            Value.Member("data", .bytes(bytes)), Value.Member("length", .integer(Int64(count))),
        ])
    }

    /// The bytes as what they are if nothing follows them.
    public var unended: StreamUnit {
        StreamUnit(malformed: bytes, "the message has begun and does not end")
    }
}
