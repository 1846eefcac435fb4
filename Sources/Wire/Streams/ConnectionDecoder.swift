/// One of the two sides of a connection; which is which is the convention of whoever follows it.
public enum ConnectionSide: Sendable, Hashable, CaseIterable {
    case first
    case second

    /// The side at the other end.
    public var other: ConnectionSide { self == .first ? .second : .first }
}

/// Why nothing more comes of a stream.
public enum StreamEnd: Sendable, Hashable {
    /// Its sender ended it, in order or by breaking the connection off.
    case closed
    /// The other side broke the connection off: what is unfinished is not the sender's fault, and
    /// is not reported.
    case cut
    /// The capture ends, or the connection is not followed any further.
    case captureEnded
}

/// A decoder of both directions of a connection: bytes in, messages out, no I/O and no clock.
///
/// A protocol whose directions can be read apart needs only a `StreamDecoder`. One whose messages
/// depend on what the other side has sent conforms to this. The rules of `StreamDecoder` hold for
/// each side: a message is the sender's whose bytes were given, and its ranges lie in his stream.
public protocol ConnectionDecoder: Sendable {
    /// Takes the next bytes of a side; see `StreamDecoder.consume`.
    mutating func consume(
        _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
        into messages: inout [StreamMessage])

    /// Takes the next bytes of a side as the other `consume` does, but asks for each message that can
    /// be told by its headers whether it is wanted; see `StreamDecoder`.
    ///
    /// Behind the call `screening.agreement` says whether a `HeaderReader` may go on there.
    ///
    /// The default asks for nothing and decodes everything.
    mutating func consume(
        _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
        into messages: inout [StreamMessage], asking screening: inout Screening)

    /// What the protocol's `HeaderReader` must know to read a side from now on; `nil` if it may not.
    mutating func agreement(of side: ConnectionSide) -> HeaderContext?

    /// Tells that both sides are read by heads from now on: what can be made again of little need
    /// not be kept.
    ///
    /// What is called next for a side is `resume`, unless nothing has come of it since.
    mutating func rest()

    /// Tells that a side was read by heads up to `offset`, and how it stands there; takes what was
    /// gathered.
    mutating func resume(
        _ course: inout HeaderReaderState, at offset: UInt64, from side: ConnectionSide)

    /// Tells that bytes of a side up to `offset` are missing; see `StreamDecoder.gap`.
    mutating func gap(
        upTo offset: UInt64, from side: ConnectionSide, into messages: inout [StreamMessage])

    /// Tells that nothing more comes from a side, at most once for each.
    mutating func finish(
        _ side: ConnectionSide, _ end: StreamEnd, into messages: inout [StreamMessage])

    /// Tells that the next byte of a side begins a message, whatever the bytes before promised: a test
    /// had them sent broken.
    mutating func restart(_ side: ConnectionSide, into messages: inout [StreamMessage])

    /// Tells that nothing has come of a side for as long as `StreamProtocol.idle` says.
    mutating func pause(of side: ConnectionSide, into messages: inout [StreamMessage])

    /// Whether bytes of a side were passed over that surely are no message and are not reported yet.
    func hasSkipped(of side: ConnectionSide) -> Bool

    /// Reports the bytes of a side that were passed over so far.
    mutating func reportSkipped(of side: ConnectionSide, into messages: inout [StreamMessage])

    /// Offset of the oldest byte of a side that a later message may still refer to.
    func oldestPendingOffset(of side: ConnectionSide) -> UInt64

    /// The message of a side that has begun and is not complete; see `StreamDecoder.begun`.
    func begun(of side: ConnectionSide) -> StreamMessage?
}

extension ConnectionDecoder {
    /// None: it must be given all bytes.
    public mutating func agreement(of side: ConnectionSide) -> HeaderContext? { nil }

    /// Nothing: what belongs to what is left to the bytes.
    public mutating func restart(
        _ side: ConnectionSide, into messages: inout [StreamMessage]
    ) {}

    /// Nothing: time does not matter to most protocols.
    public mutating func pause(
        of side: ConnectionSide, into messages: inout [StreamMessage]
    ) {}

    /// No: most decoders report such bytes at once.
    public func hasSkipped(of side: ConnectionSide) -> Bool { false }

    /// Not known.
    public func begun(of side: ConnectionSide) -> StreamMessage? { nil }

    /// Nothing.
    public mutating func reportSkipped(
        of side: ConnectionSide, into messages: inout [StreamMessage]
    ) {}

    /// Keeps everything.
    public mutating func rest() {}

    /// Nothing.
    public mutating func resume(
        _ course: inout HeaderReaderState, at offset: UInt64, from side: ConnectionSide
    ) {}

    /// Decodes everything.
    public mutating func consume(
        _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
        into messages: inout [StreamMessage], asking screening: inout Screening
    ) {
        consume(bytes, from: side, at: offset, into: &messages)
        screening.oldestPendingOffset = oldestPendingOffset(of: side)
    }
}

/// Two decoders that know nothing of each other, one for each direction.
package struct IndependentDirections<Decoder: StreamDecoder>: ConnectionDecoder {
    /// The decoders, which a protocol may tell of one another.
    package var sides: BothSides<Decoder>

    /// Makes both.
    package init(_ make: () -> Decoder) {
        sides = BothSides(make)
    }

    /// As the protocol says, of that side.
    package mutating func consume(
        _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
        into messages: inout [StreamMessage]
    ) {
        sides[side].consume(bytes, at: offset, into: &messages)
    }

    /// As the protocol says, of that side.
    package mutating func consume(
        _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
        into messages: inout [StreamMessage], asking screening: inout Screening
    ) {
        sides[side].consume(bytes, at: offset, into: &messages, asking: &screening)
    }

    /// As the protocol says, of that side.
    package mutating func gap(
        upTo offset: UInt64, from side: ConnectionSide, into messages: inout [StreamMessage]
    ) {
        sides[side].gap(upTo: offset, into: &messages)
    }

    /// As the protocol says, of that side.
    package mutating func finish(
        _ side: ConnectionSide, _ end: StreamEnd, into messages: inout [StreamMessage]
    ) {
        guard end != .cut else { return }
        sides[side].finish(into: &messages)
    }

    /// As the protocol says, of that side.
    package mutating func pause(of side: ConnectionSide, into messages: inout [StreamMessage]) {
        sides[side].pause(into: &messages)
    }

    /// As the protocol says, of that side.
    package func hasSkipped(of side: ConnectionSide) -> Bool { sides[side].hasSkipped }

    /// As the protocol says, of that side.
    package func begun(of side: ConnectionSide) -> StreamMessage? { sides[side].begun }

    /// As the protocol says, of that side.
    package mutating func reportSkipped(
        of side: ConnectionSide, into messages: inout [StreamMessage]
    ) {
        sides[side].reportSkipped(into: &messages)
    }

    /// As the protocol says, of that side.
    package func oldestPendingOffset(of side: ConnectionSide) -> UInt64 {
        sides[side].oldestPendingOffset
    }
}
