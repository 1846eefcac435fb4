/// The first bytes of an incomplete message of a stream.
///
/// It is a note in the trace that no step can expect. In a stream that a suite cuts, each segment
/// that leaves a message unfinished is followed by one. If the rest never arrives, the last note
/// shows what did. In other streams a note is without the bytes, and segments that follow each other
/// closely have one.
public struct StreamBeginning: DissectedMessage, Hashable {
    /// Its name in reports.
    public static let name = "stream.begun"
    /// The maximum number of bytes that it keeps.
    static let shownBytesMax = 256

    /// The first bytes of the message.
    public let bytes: [UInt8]
    /// The number of bytes that have arrived.
    public let count: Int

    /// Creates a note on a message of which only the number of bytes is known.
    public init(count: Int) { self.init([], count: count) }

    /// Creates a note.
    init(_ bytes: [UInt8], count: Int) {
        self.bytes = bytes
        self.count = count
    }

    /// Whether it says how many bytes have arrived, and not which.
    public var isBare: Bool { bytes.isEmpty }

    /// `stream.begun`.
    public var name: String { Self.name }

    /// Always empty: nothing is wrong yet.
    public var anomalies: [Anomaly] { [] }

    /// `data`, the first bytes, and `length`, the number of bytes.
    public var fields: Value {
        .object([
            Value.Member("data", .bytes(bytes)), Value.Member("length", .integer(Int64(count))),
        ])
    }

    /// The bytes as the malformed message that they are if nothing follows.
    public var unended: StreamUnit {
        StreamUnit(malformed: bytes, "the message has begun and does not end")
    }
}
