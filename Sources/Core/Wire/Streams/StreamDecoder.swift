/// A decoder of one direction of a byte stream: bytes in, messages out, no I/O and no clock.
///
/// The engine supplies each run of in-order bytes once. A message lists the ranges of the stream
/// that it was made of, so that the engine can name the frames that carried it.
public protocol StreamDecoder: Sendable {
    /// Decodes the next bytes of the stream and appends each message that they complete.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, in order; no byte is given twice.
    ///   - offset: The position of the first byte in the stream; it grows by `bytes.byteCount` from
    ///     call to call, except after `gap`.
    ///   - messages: The list to which finished messages are appended, in stream order.
    mutating func consume(
        _ bytes: RawSpan, at offset: UInt64, into messages: inout [StreamMessage])

    /// Decodes the next bytes, but only the messages that the screen wants.
    ///
    /// It does what `consume(_:at:into:)` does, but queries the screen for each message that can be
    /// recognised by its headers. A message that is not wanted is passed over without being
    /// decoded. After the call `screening.oldestPendingOffset` is that of the decoder. The default
    /// makes no queries and decodes everything.
    mutating func consume(
        _ bytes: RawSpan, at offset: UInt64, into messages: inout [StreamMessage],
        asking screening: inout Screening)

    /// Notifies the decoder that bytes up to `offset` (exclusive) are missing from the capture.
    ///
    /// The decoder reports what it loses because of that, and looks for the next unit that is
    /// certain.
    mutating func gap(upTo offset: UInt64, into messages: inout [StreamMessage])

    /// Notifies the decoder that the stream has ended; unfinished units are reported as malformed.
    mutating func finish(into messages: inout [StreamMessage])

    /// Notifies the decoder that the stream has ended as `StreamEnd.abandoned` describes.
    ///
    /// Only what was wrong before is reported. The default reports nothing.
    mutating func abandon(into messages: inout [StreamMessage])

    /// Notifies the decoder that the stream was silent for as long as `StreamProtocol.idle`
    /// specifies.
    mutating func pause(into messages: inout [StreamMessage])

    /// Whether bytes were skipped that are certainly not a message and are not reported yet.
    var hasSkipped: Bool { get }

    /// Reports the bytes that were skipped so far, without waiting for what follows them.
    mutating func reportSkipped(into messages: inout [StreamMessage])

    /// The offset of the oldest byte that a later message may still refer to.
    var oldestPendingOffset: UInt64 { get }

    /// The message that has begun and is incomplete, as far as its bytes have arrived.
    ///
    /// It is used only for streams that a suite cuts.
    var begun: StreamMessage? { get }
}

extension StreamDecoder {
    /// Does nothing by default: time does not matter to most protocols.
    public mutating func pause(into messages: inout [StreamMessage]) {}

    /// Does nothing by default.
    public mutating func abandon(into messages: inout [StreamMessage]) {}

    /// The default is `false`: most decoders report such bytes at once.
    public var hasSkipped: Bool { false }

    /// The default is `nil`: the message is not known.
    public var begun: StreamMessage? { nil }

    /// Does nothing by default.
    public mutating func reportSkipped(into messages: inout [StreamMessage]) {}

    /// Decodes everything by default.
    public mutating func consume(
        _ bytes: RawSpan, at offset: UInt64, into messages: inout [StreamMessage],
        asking screening: inout Screening
    ) {
        consume(bytes, at: offset, into: &messages)
        screening.oldestPendingOffset = oldestPendingOffset
    }
}

/// A party beyond the end of a stream, whose messages that end relays.
public protocol StreamParty: AnyObject, Sendable {}

/// A message that a stream decoder found, with its position in the stream.
public struct StreamMessage: Sendable {
    /// What was decoded.
    public let content: any DissectedMessage
    /// The ranges of the stream that the message was made of, ascending.
    ///
    /// There are several for a multi-frame message, and none for what the end of the stream itself
    /// means.
    public let ranges: [Range<UInt64>]
    /// The number of messages that were passed over immediately before it, in the same call.
    public var passedOverBefore = 0
    /// The party at the other end, if the stream's own end only relays messages of others.
    public var party: (any StreamParty)?

    /// Creates a message.
    public init(content: any DissectedMessage, ranges: [Range<UInt64>]) {
        self.content = content
        self.ranges = ranges
    }
}

/// The way in which a protocol is recognised in a stream and decoded.
///
/// It is a class, so that each of many connections can refer to it.
public final class StreamProtocol: Sendable {
    /// The protocol's name, as in `ProtocolDescription`.
    public let name: String
    /// The carriers in which it may be found.
    public let carriers: [StreamCarrier]
    private let recogniser: @Sendable (RawSpan, Int) -> Bool?
    /// Creates the decoder of a connection; protocols that it carries are looked for in the stack.
    public let makeDecoder: @Sendable (DissectionStack) -> any ConnectionDecoder
    /// The type that reads its messages by headers, if there is one.
    public let headerReader: (any HeaderReader.Type)?
    /// The silence of a stream that is reported to its decoder; `nil` if time does not matter.
    public let idle: Duration?
    /// Returns the same protocol with a given protocol inside, which is not recognised but known.
    ///
    /// It is `nil` if the protocol does not carry whatever its carrier carries. The second argument
    /// is whether the given protocol comes first, and this one begins later.
    public let carrying: (@Sendable (StreamProtocol, Bool) -> StreamProtocol)?

    /// Creates an entry for a protocol whose two directions are decoded together.
    ///
    /// - Parameters:
    ///   - name: The protocol's name.
    ///   - carriers: The carriers in which it may be found.
    ///   - headerReader: The type that reads its messages by headers.
    ///   - idle: The silence of a stream that is reported to its decoder.
    ///   - recognises: Implements `recognises(_:behind:)`.
    ///   - makeConnectionDecoder: Creates the decoder of a connection.
    ///   - carrying: Implements `carrying`.
    public init(
        name: String, carriers: [StreamCarrier] = [.tcp],
        headerReader: (any HeaderReader.Type)? = nil, idle: Duration? = nil,
        recognises: @escaping @Sendable (RawSpan, Int) -> Bool?,
        makeConnectionDecoder: @escaping @Sendable (DissectionStack) -> any ConnectionDecoder,
        carrying: (@Sendable (StreamProtocol, Bool) -> StreamProtocol)? = nil
    ) {
        self.carrying = carrying
        self.name = name
        self.carriers = carriers
        recogniser = recognises
        makeDecoder = makeConnectionDecoder
        self.headerReader = headerReader
        self.idle = idle
    }

    /// Creates an entry for a protocol whose two directions are decoded separately.
    public convenience init<Decoder: StreamDecoder>(
        name: String, carriers: [StreamCarrier] = [.tcp],
        recognises: @escaping @Sendable (RawSpan) -> Bool?,
        makeDecoder: @escaping @Sendable () -> Decoder
    ) {
        self.init(
            name: name, carriers: carriers, recognises: { bytes, _ in recognises(bytes) },
            makeConnectionDecoder: { _ in IndependentDirections(makeDecoder) })
    }

    /// Returns whether a stream uses this protocol, by the first bytes of one direction.
    ///
    /// The result is `nil` while there are too few bytes.
    ///
    /// - Parameters:
    ///   - bytes: All bytes from the first on.
    ///   - known: The number of bytes for which the last call returned `nil`; they need not be
    ///     searched again.
    public func recognises(_ bytes: RawSpan, behind known: Int = 0) -> Bool? {
        recogniser(bytes, known)
    }
}
