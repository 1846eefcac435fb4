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

    /// Tells that bytes up to `offset` (exclusive) are missing from the capture; the decoder
    /// reports what it loses by that and looks for the next unit that it can be sure of.
    mutating func gap(upTo offset: UInt64, into messages: inout [StreamMessage])

    /// Tells that the stream has ended; unfinished units are reported as malformed.
    mutating func finish(into messages: inout [StreamMessage])

    /// Offset of the oldest byte that a later message may still refer to.
    var oldestPendingOffset: UInt64 { get }
}

/// A message that a stream decoder found, and where in the stream it stood.
public struct StreamMessage: Sendable {
    /// What was decoded.
    public let content: any DissectedMessage
    /// The stretches of the stream that made it up, ascending; several for a multi-frame message,
    /// none for what the end of the stream itself means.
    public let ranges: [Range<UInt64>]

    /// Makes a message.
    public init(content: any DissectedMessage, ranges: [Range<UInt64>]) {
        self.content = content
        self.ranges = ranges
    }
}

/// How a protocol is found in a stream.
public struct StreamProtocol: Sendable {
    /// The protocol's name, as in `ProtocolDescription`.
    public let name: String
    /// What may carry it.
    public let carriers: Set<StreamCarrier>
    /// Tells from the first bytes of one direction whether the stream speaks this protocol:
    /// `true`, `false`, or `nil` while there are too few bytes.
    public let recognises: @Sendable (RawSpan) -> Bool?
    /// Makes the decoder of a connection; what it carries itself is looked for in the stack.
    public let makeDecoder: @Sendable (DissectionStack) -> any ConnectionDecoder

    /// Makes an entry of a protocol whose two directions are read together.
    public init(
        name: String, carriers: Set<StreamCarrier> = [.tcp],
        recognises: @escaping @Sendable (RawSpan) -> Bool?,
        makeConnectionDecoder: @escaping @Sendable (DissectionStack) -> any ConnectionDecoder
    ) {
        self.name = name
        self.carriers = carriers
        self.recognises = recognises
        self.makeDecoder = makeConnectionDecoder
    }

    /// Makes an entry of a protocol whose two directions are read apart.
    public init<Decoder: StreamDecoder>(
        name: String, carriers: Set<StreamCarrier> = [.tcp],
        recognises: @escaping @Sendable (RawSpan) -> Bool?,
        makeDecoder: @escaping @Sendable () -> Decoder
    ) {
        self.init(
            name: name, carriers: carriers, recognises: recognises,
            makeConnectionDecoder: { _ in IndependentDirections(makeDecoder) })
    }
}
