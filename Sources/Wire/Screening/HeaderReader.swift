/// What a screen that only counts is told of a message or an event.
public struct CountedHeader: Sendable, BitwiseCopyable {
    /// The name that the headers give it.
    public let code: MessageCode
    /// The slot of its connection; see `MessagePlace.slot`.
    public let slot: Int32
    /// How many bytes it has on the wire.
    public let byteCount: Int
    /// The protocol's correlation fields, packed; see `MessageHeader.correlation`.
    public let correlation: UInt64
    /// When the packet that completed it was captured, in nanoseconds since the epoch.
    public let nanoseconds: Int64

    /// Makes one.
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

    /// Of no message.
    public static let none = CountedHeader(
        code: MessageCode(index: 0), slot: 0, byteCount: 0, correlation: 0, nanoseconds: 0)

    /// Makes one of a message at a place.
    @inlinable
    public init(_ header: MessageHeader, at place: MessagePlace) {
        self.init(
            code: header.code, slot: Int32(truncatingIfNeeded: place.slot),
            byteCount: header.byteCount, correlation: header.correlation,
            nanoseconds: place.nanoseconds)
    }
}

/// What a decoder has agreed with its stream about, as its protocol packs it; a `HeaderReader` leaves
/// what says otherwise to the decoder.
public typealias HeaderContext = UInt16

/// Where one side's stream stands as long as it is read by headers, without its decoder.
public struct HeaderReaderState: Sendable {
    /// The bytes so far of a message that is not whole and must be looked at when it is; given back
    /// when it is done, so that the next one, of whatever stream, finds them in the cache.
    public package(set) var gathered: [UInt8] = []
    /// The first eight bytes of a message that is only counted and not whole, as a number.
    package var header: UInt64 = 0
    /// How many bytes from the next one on belong to it.
    public var passing: UInt32 = 0
    /// The four bytes behind its first eight.
    package var tag: UInt32 = 0
    /// Its name.
    package var code: Int32 = -1
    /// Its correlation.
    package var correlation: UInt32 = 0
    /// What the decoder has agreed with the stream about.
    package var agreement: HeaderContext = 0

    /// A stream whose next byte begins a message.
    public init() {}

    /// Begins anew where the next byte begins a message.
    public mutating func begin(_ agreement: HeaderContext) {
        self.agreement = agreement
        passing = 0
        gathered = []
    }
}

/// Reads the messages of a protocol by their headers where they lie: what spares a decoder that stands
/// far away in memory.
///
/// It may go where a decoder names an agreement, and stops at whatever it cannot tell by a header;
/// from there on the decoder is asked.
public protocol HeaderReader: Sendable {
    /// Reads the next bytes of a side.
    ///
    /// - Parameters:
    ///   - bytes: More than are passed over by the state, or as many.
    ///   - state: Where the stream stands.
    ///   - screening: Who is asked. If a message is wanted, `isAsked` is set behind the call, and the
    ///     bytes that were not read begin with it, unless the state has gathered it.
    /// - Returns: How many bytes were read, and whether the decoder must go on behind them.
    static func read(
        _ bytes: RawSpan, _ state: inout HeaderReaderState, asking screening: inout Screening
    ) -> HeaderReading
}

/// How far a `HeaderReader` has come.
public struct HeaderReading: Sendable, BitwiseCopyable {
    /// How many bytes it has read.
    public let count: Int
    /// Whether it takes the next bytes as well; if not, the decoder must go on where it has come to.
    public let goesOn: Bool

    /// Makes one.
    @inlinable
    public init(count: Int, goesOn: Bool) {
        self.count = count
        self.goesOn = goesOn
    }
}
