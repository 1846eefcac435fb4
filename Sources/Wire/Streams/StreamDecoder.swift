/// A decoder of one direction of a byte stream: bytes in, messages out, no I/O and no clock.
///
/// The engine gives it each stretch of in-order bytes once. A message says which stretches of the
/// stream it was made of, so that the engine can name the frames that carried it.
public protocol StreamDecoder: Sendable {
    /// Takes the next bytes of the stream and appends each message that they complete.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, in order, never given twice.
    ///   - offset: Position of the first byte in the stream; it grows by `bytes.byteCount` from
    ///     call to call, except after `gap`.
    ///   - messages: Where finished messages go, in stream order.
    mutating func consume(
        _ bytes: RawSpan, at offset: UInt64, into messages: inout [StreamMessage])

    /// Takes the next bytes as `consume(_:at:into:)` does, but asks for each message that can be told
    /// by its headers whether it is wanted; what is not is passed over without being decoded.
    ///
    /// Behind the call `screening.oldestPendingOffset` is that of the decoder. The default asks for
    /// nothing and decodes everything.
    mutating func consume(
        _ bytes: RawSpan, at offset: UInt64, into messages: inout [StreamMessage],
        asking screening: inout Screening)

    /// Tells that bytes up to `offset` (exclusive) are missing from the capture; the decoder
    /// reports what it loses by that and looks for the next unit that it can be sure of.
    mutating func gap(upTo offset: UInt64, into messages: inout [StreamMessage])

    /// Tells that the stream has ended; unfinished units are reported as malformed.
    mutating func finish(into messages: inout [StreamMessage])

    /// Tells that nothing has come for as long as `StreamProtocol.idle` says.
    mutating func pause(into messages: inout [StreamMessage])

    /// Whether bytes were passed over that surely are no message and are not reported yet.
    var hasSkipped: Bool { get }

    /// Reports the bytes that were passed over so far, so that nobody has to wait for what follows them.
    mutating func reportSkipped(into messages: inout [StreamMessage])

    /// Offset of the oldest byte that a later message may still refer to.
    var oldestPendingOffset: UInt64 { get }

    /// The message that has begun and is not complete, as far as its bytes have come; asked only of
    /// streams that a suite cuts.
    var begun: StreamMessage? { get }
}

extension StreamDecoder {
    /// Nothing: time does not matter to most protocols.
    public mutating func pause(into messages: inout [StreamMessage]) {}

    /// No: most decoders report such bytes at once.
    public var hasSkipped: Bool { false }

    /// Not known.
    public var begun: StreamMessage? { nil }

    /// Nothing.
    public mutating func reportSkipped(into messages: inout [StreamMessage]) {}

    /// Decodes everything.
    public mutating func consume(
        _ bytes: RawSpan, at offset: UInt64, into messages: inout [StreamMessage],
        asking screening: inout Screening
    ) {
        consume(bytes, at: offset, into: &messages)
        screening.oldestPendingOffset = oldestPendingOffset
    }
}

/// Somebody beyond the end of a stream, for whom that end speaks.
public protocol StreamParty: AnyObject, Sendable {}

/// A message that a stream decoder found, and where in the stream it stood.
public struct StreamMessage: Sendable {
    /// What was decoded.
    public let content: any DissectedMessage
    /// The stretches of the stream that made it up, ascending; several for a multi-frame message,
    /// none for what the end of the stream itself means.
    public let ranges: [Range<UInt64>]
    /// How many messages were passed over right before it, in the same call.
    public var passedOverBefore = 0
    /// Who is at the other end, if the stream's own end only carries what others say.
    public var party: (any StreamParty)?

    /// Makes a message.
    public init(content: any DissectedMessage, ranges: [Range<UInt64>]) {
        self.content = content
        self.ranges = ranges
    }
}

/// How a protocol is found in a stream.
///
/// It is one object, so that each of many connections can name it.
public final class StreamProtocol: Sendable {
    /// The protocol's name, as in `ProtocolDescription`.
    public let name: String
    /// What may carry it.
    public let carriers: [StreamCarrier]
    private let recogniser: @Sendable (RawSpan, Int) -> Bool?
    /// Makes the decoder of a connection; what it carries itself is looked for in the stack.
    public let makeDecoder: @Sendable (DissectionStack) -> any ConnectionDecoder
    /// Who reads its messages by heads, if somebody does.
    public let headerReader: (any HeaderReader.Type)?
    /// The pause of a stream that its decoder is to be told; `nil` if time does not matter.
    public let idle: Duration?

    /// Makes an entry of a protocol whose two directions are read together.
    ///
    /// - Parameters:
    ///   - name: The protocol's name.
    ///   - carriers: What may carry it.
    ///   - headerReader: Who reads its messages by heads.
    ///   - idle: The pause of a stream that its decoder is to be told.
    ///   - recognises: Does what `recognises(_:behind:)` says.
    ///   - makeConnectionDecoder: Makes the decoder of a connection.
    public init(
        name: String, carriers: [StreamCarrier] = [.tcp],
        headerReader: (any HeaderReader.Type)? = nil, idle: Duration? = nil,
        recognises: @escaping @Sendable (RawSpan, Int) -> Bool?,
        makeConnectionDecoder: @escaping @Sendable (DissectionStack) -> any ConnectionDecoder
    ) {
        self.name = name
        self.carriers = carriers
        recogniser = recognises
        makeDecoder = makeConnectionDecoder
        self.headerReader = headerReader
        self.idle = idle
    }

    /// Makes an entry of a protocol whose two directions are read apart.
    public convenience init<Decoder: StreamDecoder>(
        name: String, carriers: [StreamCarrier] = [.tcp],
        recognises: @escaping @Sendable (RawSpan) -> Bool?,
        makeDecoder: @escaping @Sendable () -> Decoder
    ) {
        self.init(
            name: name, carriers: carriers, recognises: { bytes, _ in recognises(bytes) },
            makeConnectionDecoder: { _ in IndependentDirections(makeDecoder) })
    }

    /// Tells from the first bytes of one direction whether the stream speaks this protocol:
    /// `true`, `false`, or `nil` while there are too few bytes.
    ///
    /// - Parameters:
    ///   - bytes: All bytes from the first on.
    ///   - known: So many of them were there when it was asked last and said `nil`; they need not be
    ///     searched again.
    public func recognises(_ bytes: RawSpan, behind known: Int = 0) -> Bool? {
        recogniser(bytes, known)
    }
}
