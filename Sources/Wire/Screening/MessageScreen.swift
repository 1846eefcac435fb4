/// The number of a message's name: what hot loops count by.
///
/// The messages of a protocol have codes from `ProtocolDescription.firstCode` on, so that its decoder
/// needs no other protocol to make them; see `ProtocolRegistry.table(_:_:)`.
public struct MessageCode: Sendable, Hashable, BitwiseCopyable {
    /// The index in tables of all messages.
    public let index: Int32

    /// Takes an index that a code has.
    @inlinable
    public init(index: Int32) {
        self.index = index
    }
}

/// What the headers alone tell of a message, before anything of its body is copied or parsed.
public struct MessageHeader: Sendable, Hashable {
    /// The name that the headers give it; a body that does not decode makes it a malformed one.
    public let code: MessageCode
    /// How many bytes it has on the wire, put together from all frames: the count of its `bytes`.
    public let byteCount: Int
    /// The protocol's correlation fields, packed: equal in a request and in its answer.
    public let correlation: UInt64
    /// What follows the headers, and where in the unit.
    public let body: Body

    /// What a body is made of.
    public enum Body: Sendable, Hashable {
        case json(Range<Int>)
        case bson(Range<Int>)
        case empty

        /// Where in the unit it ends; 0 if there is none.
        package var end: Int {
            switch self {
            case .json(let range), .bson(let range): range.upperBound
            case .empty: 0
            }
        }
    }

    /// Makes a header.
    public init(code: MessageCode, byteCount: Int, correlation: UInt64, body: Body) {
        self.code = code
        self.byteCount = byteCount
        self.correlation = correlation
        self.body = body
    }

    /// Whether the body is parsed without a fault, so that the message surely is what its header says;
    /// `false` for what only `message(of:)` can tell.
    public func isSound(_ unit: RawSpan) -> Bool {
        switch body {
        case .json(let range): range.isEmpty || unit.extracting(range).isJSONObject
        case .bson(let range): unit.extracting(range).isPlainBSON
        case .empty: true
        }
    }
}

/// Where in the trace a message stands, as far as it is known before the message is made.
public struct MessagePlace: Sendable, Hashable {
    /// The connection's number in the trace, from 0.
    public var flow: Int
    /// The connection's slot: smaller than the greatest number of connections that were open at the
    /// same time, and given to another one later.
    public var slot: Int
    /// Whether the endpoint that called is the sender; the lower one where that is not known.
    public var isFromFirst: Bool
    /// When the packet was captured, in nanoseconds since the epoch.
    public var nanoseconds: Int64
    /// The packet's number, from 1.
    public var frame: Int

    /// Makes a place.
    public init(flow: Int, slot: Int, isFromFirst: Bool, nanoseconds: Int64, frame: Int) {
        self.flow = flow
        self.slot = slot
        self.isFromFirst = isFromFirst
        self.nanoseconds = nanoseconds
        self.frame = frame
    }
}

/// Who looks at the headers of messages and says which of them are wanted whole.
///
/// It is the seam by which a consumer of a trace spares the decoding of what it does not need: a
/// decoder that can tell a message by its headers asks before it copies or parses the body. What
/// is not wanted still has its number in the trace. Decoders that cannot tell deliver everything.
public protocol MessageScreen: Sendable {
    /// Whether it only counts: it is told the headers of messages by `count` and asked for none.
    var onlyCounts: Bool { get }
    /// Whether it looks at messages and wants none of them whole, whatever `wants` says: it is shown no
    /// more of one in several frames than its header and body.
    var wantsNone: Bool { get }
    /// Whether no message of that name is ever wanted whole: of one in several frames the header and the
    /// body are enough then.
    func wantsNothing(of code: MessageCode) -> Bool
    /// Whether anybody asks which frames carried a message, be it one that is wanted or one that its
    /// headers did not tell; if not, a message may name only some of them.
    var needsFrames: Bool { get }

    /// Whether a message is wanted whole.
    ///
    /// - Parameters:
    ///   - header: What its headers tell.
    ///   - unit: Its bytes as they stand on the wire, reassembled without the headers of frames
    ///     behind the first; lent for the call.
    ///   - place: Where it stands.
    mutating func wants(_ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace) -> Bool

    /// Whether an event of the connection itself, such as `tcp.SYN`, is wanted.
    ///
    /// - Parameters:
    ///   - code: What happened.
    ///   - byteCount: How many bytes of payload it shows.
    ///   - place: Where it stands.
    mutating func wants(
        event code: MessageCode, byteCount: Int, at place: MessagePlace
    ) -> Bool

    /// Tells of messages and events, if it only counts: some at a time, before anything else is told
    /// that comes after them.
    mutating func count(_ headers: Span<CountedHeader>)

    /// Tells of a message that was decoded, be it because it is wanted or because its headers did
    /// not tell what it is.
    mutating func note(_ message: any DissectedMessage, at place: MessagePlace)

    /// Tells that something of a connection was not captured.
    mutating func noteUnseen(at place: MessagePlace)

    /// Tells that packets of connections are about to come, or that they are about to be released, so
    /// that the processor fetches what is known of them; a slot below 0 is none.
    mutating func prefetch(_ slots: Span<Int32>)

    /// Tells that a connection is over or given up: its slot is free for another one.
    mutating func release(slot: Int)
}

extension MessageScreen {
    /// It is asked.
    public var onlyCounts: Bool { false }
    /// One that only counts wants none.
    public var wantsNone: Bool { onlyCounts }
    /// Of those that it wants none of.
    public func wantsNothing(of code: MessageCode) -> Bool { wantsNone }
    /// Nothing.
    public mutating func count(_ headers: Span<CountedHeader>) {}
    /// They are asked for.
    public var needsFrames: Bool { true }
    /// Every one.
    public mutating func wants(
        event code: MessageCode, byteCount: Int, at place: MessagePlace
    ) -> Bool { true }
    /// Nothing.
    public mutating func note(_ message: any DissectedMessage, at place: MessagePlace) {}
    /// Nothing.
    public mutating func noteUnseen(at place: MessagePlace) {}
    /// Nothing.
    public mutating func prefetch(_ slots: Span<Int32>) {}
    /// Nothing.
    public mutating func release(slot: Int) {}
}
