/// What a screen that only counts receives about a message or an event.
public struct CountedHeader: Sendable, BitwiseCopyable {
    /// The message name, according to the headers.
    public let code: MessageCode
    /// The slot of its connection; see `MessagePlace.slot`.
    public let slot: Int32
    /// The size on the wire in bytes.
    public let byteCount: Int
    /// The protocol's correlation fields, packed; see `MessageHeader.correlation`.
    public let correlation: UInt64
    /// When the packet that completed it was captured, in nanoseconds since the epoch.
    public let nanoseconds: Int64

    /// Creates a counted header.
    @inlinable
    public init(
        code: MessageCode, slot: Int32, byteCount: Int, correlation: UInt64, nanoseconds: Int64
    ) {
        self.code = code
        self.slot = slot
        self.byteCount = byteCount
        self.correlation = correlation
        self.nanoseconds = nanoseconds
    }

    /// A placeholder that belongs to no message.
    public static let none = CountedHeader(
        code: MessageCode(index: 0), slot: 0, byteCount: 0, correlation: 0, nanoseconds: 0)

    /// Creates the counted header of a message at a place.
    @inlinable
    public init(_ header: MessageHeader, at place: MessagePlace) {
        self.init(
            code: header.code, slot: Int32(truncatingIfNeeded: place.slot),
            byteCount: header.byteCount, correlation: header.correlation,
            nanoseconds: place.nanoseconds)
    }
}

/// The parameters that are agreed for a stream, as its protocol packs them.
///
/// A `HeaderReader` leaves whatever deviates from them to the decoder.
public typealias HeaderContext = UInt16

/// The state of one side's stream while it is read by headers, without its decoder.
public struct HeaderReaderState: Sendable {
    /// The bytes so far of an incomplete message that must be examined when it is complete.
    ///
    /// The buffer is returned after that, so that the next message, of whichever stream, finds it
    /// in the cache.
    public package(set) var gathered: [UInt8] = []
    /// The first eight bytes, as a number, of an incomplete message that is only counted.
    package var header: UInt64 = 0
    /// The number of bytes, from the next one on, that belong to it.
    public var passing: UInt32 = 0
    /// The four bytes after its first eight.
    package var tag: UInt32 = 0
    /// The code of its name.
    package var code: Int32 = -1
    /// Its correlation.
    package var correlation: UInt32 = 0
    /// The parameters that are agreed for the stream.
    package var agreement: HeaderContext = 0

    /// Creates the state of a stream whose next byte begins a message.
    public init() {}

    /// Starts again at a byte that begins a message.
    public mutating func begin(_ agreement: HeaderContext) {
        self.agreement = agreement
        passing = 0
        gathered = []
    }
}

/// Reads the messages of a protocol by their headers, in place.
///
/// This avoids access to a decoder that is far away in memory. It may be used where a decoder
/// returns an agreement, and stops at anything that it cannot recognise by a header. From there on
/// the decoder takes over.
public protocol HeaderReader: Sendable {
    /// Reads the next bytes of a side.
    ///
    /// - Parameters:
    ///   - bytes: The bytes; at least as many as the state has still to pass over.
    ///   - state: The state of the stream.
    ///   - screening: The screen to query. If a message is wanted, `isAsked` is set after the call,
    ///     and the bytes that were not read begin with it, unless the state has gathered it.
    /// - Returns: The number of bytes that were read, and whether the decoder must continue after
    ///   them.
    static func read(
        _ bytes: RawSpan, _ state: inout HeaderReaderState, asking screening: inout Screening
    ) -> HeaderReading
}

/// The progress of a `HeaderReader`.
public struct HeaderReading: Sendable, BitwiseCopyable {
    /// The number of bytes that it has read.
    public let count: Int
    /// Whether it can read the next bytes as well.
    ///
    /// If not, the decoder must continue at its position.
    public let continues: Bool

    /// Creates a result.
    @inlinable
    public init(count: Int, continues: Bool) {
        self.count = count
        self.continues = continues
    }
}
