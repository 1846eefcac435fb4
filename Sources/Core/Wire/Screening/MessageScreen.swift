/// The number of a message's name, which hot loops use for counting.
///
/// The messages of a protocol have codes from `ProtocolDescription.firstCode` on, so that its
/// decoder can create them without any other protocol; see `ProtocolRegistry.table(_:_:)`.
public struct MessageCode: Sendable, Hashable, BitwiseCopyable {
    /// The index in tables of all messages.
    public let index: Int32

    /// Creates a code from an index that a code has.
    @inlinable
    public init(index: Int32) {
        self.index = index
    }
}

/// What the headers alone show of a message, before anything of its body is copied or parsed.
public struct MessageHeader: Sendable, Hashable {
    /// The message name, according to the headers; a body that does not decode makes it malformed.
    public let code: MessageCode
    /// The size in bytes, put together from all frames: the count of the message's `bytes`.
    public let byteCount: Int
    /// The protocol's correlation fields, packed: equal in a request and its answer.
    public let correlation: UInt64
    /// What follows the headers, and its position in the unit.
    public let body: Body

    /// The format of a body.
    public enum Body: Sendable, Hashable {
        case json(Range<Int>)
        case bson(Range<Int>)
        case empty

        /// The offset in the unit at which it ends; 0 if there is no body.
        package var end: Int {
            switch self {
            case .json(let range), .bson(let range): range.upperBound
            case .empty: 0
            }
        }
    }

    /// Creates a header.
    public init(code: MessageCode, byteCount: Int, correlation: UInt64, body: Body) {
        self.code = code
        self.byteCount = byteCount
        self.correlation = correlation
        self.body = body
    }

    /// Returns whether the body parses without a fault, so that the message is what its header
    /// says.
    ///
    /// The result is `false` if only `message(of:)` can determine that.
    public func isSound(_ unit: RawSpan) -> Bool {
        switch body {
        case .json(let range): range.isEmpty || unit.extracting(range).isJSONObject
        case .bson(let range): unit.extracting(range).isPlainBSON
        case .empty: true
        }
    }
}

/// The place of a message in the trace, as far as it is known before the message is created.
public struct MessagePlace: Sendable, Hashable {
    /// The connection's number in the trace, from 0.
    public var flow: Int
    /// The connection's slot, which is reused for another connection later.
    ///
    /// It is smaller than the greatest number of connections that were open at the same time.
    public var slot: Int
    /// Whether the endpoint that called is the sender.
    ///
    /// If the caller is not known, the lower endpoint counts as the caller.
    public var isFromFirst: Bool
    /// When the packet was captured, in nanoseconds since the epoch.
    public var nanoseconds: Int64
    /// The packet's number, from 1.
    public var frame: Int

    /// Creates a place.
    public init(flow: Int, slot: Int, isFromFirst: Bool, nanoseconds: Int64, frame: Int) {
        self.flow = flow
        self.slot = slot
        self.isFromFirst = isFromFirst
        self.nanoseconds = nanoseconds
        self.frame = frame
    }
}

/// Examines the headers of messages and selects those that are wanted whole.
///
/// It is the interface by which a consumer of a trace avoids decoding what it does not need. A
/// decoder that can recognise a message by its headers queries the screen before it copies or
/// parses the body. A message that is not wanted still has its number in the trace. Decoders that
/// cannot recognise messages by headers deliver everything.
public protocol MessageScreen: Sendable {
    /// Whether it only counts: it gets the headers of messages by `count` and wants no message.
    var onlyCounts: Bool { get }
    /// Whether it examines messages and wants none of them whole, whatever `wants` returns.
    ///
    /// Of a message in several frames it is shown only the header and the body.
    var wantsNone: Bool { get }
    /// Returns whether no message of that name is ever wanted whole.
    ///
    /// For such a message in several frames, the header and the body are enough.
    func selectsNothing(of code: MessageCode) -> Bool
    /// Whether anything needs to know which frames carried a message.
    ///
    /// This concerns wanted messages and those that their headers did not identify. If it is
    /// `false`, a message may name only some of its frames.
    var needsFrames: Bool { get }

    /// Returns whether a message is wanted whole.
    ///
    /// - Parameters:
    ///   - header: What its headers show.
    ///   - unit: Its bytes as on the wire, reassembled without the headers of frames after the
    ///     first; borrowed for the call.
    ///   - place: Its place in the trace.
    mutating func selects(_ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace) -> Bool

    /// Returns whether an event of the connection itself, such as `tcp.SYN`, is wanted.
    ///
    /// - Parameters:
    ///   - code: The event.
    ///   - byteCount: The number of payload bytes that it shows.
    ///   - place: Its place in the trace.
    mutating func selects(
        event code: MessageCode, byteCount: Int, at place: MessagePlace
    ) -> Bool

    /// Receives messages and events, if the screen only counts.
    ///
    /// They come in batches, before any notification about something later.
    mutating func count(_ headers: Span<CountedHeader>)

    /// Receives a message that was decoded because it is wanted or its headers did not identify it.
    mutating func record(_ message: any DissectedMessage, at place: MessagePlace)

    /// Notifies the screen that something of a connection was not captured.
    mutating func recordUnseen(at place: MessagePlace)

    /// Notifies the screen that packets of connections will arrive, or that they will be released,
    /// soon.
    ///
    /// The processor can then fetch the data of the connections. Slots below 0 are to be ignored.
    mutating func prefetch(_ slots: Span<Int32>)

    /// Notifies the screen that a connection is over or given up: its slot is free for another one.
    mutating func release(slot: Int)
}

extension MessageScreen {
    /// The default: `wants` is queried.
    public var onlyCounts: Bool { false }
    /// The default: a screen that only counts wants no message.
    public var wantsNone: Bool { onlyCounts }
    /// The default: `wantsNone`, for all names.
    public func selectsNothing(of code: MessageCode) -> Bool { wantsNone }
    /// Does nothing by default.
    public mutating func count(_ headers: Span<CountedHeader>) {}
    /// The default: frames are needed.
    public var needsFrames: Bool { true }
    /// Returns `true` for every event by default.
    public mutating func selects(
        event code: MessageCode, byteCount: Int, at place: MessagePlace
    ) -> Bool { true }
    /// Does nothing by default.
    public mutating func record(_ message: any DissectedMessage, at place: MessagePlace) {}
    /// Does nothing by default.
    public mutating func recordUnseen(at place: MessagePlace) {}
    /// Does nothing by default.
    public mutating func prefetch(_ slots: Span<Int32>) {}
    /// Does nothing by default.
    public mutating func release(slot: Int) {}
}
