/// One of the two sides of a connection; the code that follows it decides which is which.
public enum ConnectionSide: Sendable, Hashable, CaseIterable {
    case first
    case second

    /// The side at the other end.
    public var other: ConnectionSide { self == .first ? .second : .first }
}

/// The reason why a stream has ended.
public enum StreamEnd: Sendable, Hashable {
    /// Its sender ended it, in good order or with a reset.
    case closed
    /// Its sender ended it after the other side had ended its own: nobody reads on, so that what is
    /// unfinished is not a fault and is not reported.
    case abandoned
    /// The other side reset the connection: what is unfinished is not the sender's fault and is not
    /// reported.
    case cut
    /// The capture ends, or the connection is not followed any further.
    case captureEnded

    /// Whether its sender ended it.
    public var isOfSender: Bool { self == .closed || self == .abandoned }

    /// Whether what is unfinished in it is reported.
    public var showsUnfinished: Bool { self == .closed || self == .captureEnded }
}

/// A decoder of both directions of a connection: bytes in, messages out, no I/O and no clock.
///
/// A protocol whose directions can be decoded separately needs only a `StreamDecoder`. A protocol
/// whose messages depend on what the other side has sent conforms to this one. The rules of
/// `StreamDecoder` hold for each side: a message belongs to the side whose bytes were given, and
/// its ranges refer to the stream of that side.
public protocol ConnectionDecoder: Sendable {
    /// Decodes the next bytes of a side; see `StreamDecoder.consume`.
    mutating func consume(
        _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
        into messages: inout [StreamMessage])

    /// Decodes the next bytes of a side, but only the messages that the screen wants.
    ///
    /// It queries the screen for each message that can be recognised by its headers; see
    /// `StreamDecoder`. After the call `screening.agreement` contains the context if a
    /// `HeaderReader` may continue there.
    ///
    /// The default makes no queries and decodes everything.
    mutating func consume(
        _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
        into messages: inout [StreamMessage], asking screening: inout Screening)

    /// Returns the context that the protocol's `HeaderReader` needs for a side.
    ///
    /// The result is `nil` if it may not read.
    mutating func agreement(of side: ConnectionSide) -> HeaderContext?

    /// Notifies the decoder that both sides are read by headers from now on.
    ///
    /// It need not keep what can be recreated from little. The next call for a side is `resume`,
    /// unless nothing of that side has arrived since.
    mutating func releaseState()

    /// Notifies the decoder that a side was read by headers up to `offset`, with its state there.
    ///
    /// The decoder takes the gathered bytes.
    mutating func resume(
        _ course: inout HeaderReaderState, at offset: UInt64, from side: ConnectionSide)

    /// Notifies the decoder that bytes of a side up to `offset` are missing.
    ///
    /// See `StreamDecoder.gap`.
    mutating func gap(
        upTo offset: UInt64, from side: ConnectionSide, into messages: inout [StreamMessage])

    /// Notifies the decoder that nothing more comes from a side, at most once for each.
    mutating func finish(
        _ side: ConnectionSide, _ end: StreamEnd, into messages: inout [StreamMessage])

    /// Notifies the decoder that the next byte of a side begins a message, whatever preceded it.
    ///
    /// A test has deliberately sent the bytes before it broken.
    mutating func restart(_ side: ConnectionSide, into messages: inout [StreamMessage])

    /// Notifies the decoder that a side was silent for as long as `StreamProtocol.idle` specifies.
    mutating func pause(of side: ConnectionSide, into messages: inout [StreamMessage])

    /// Returns whether bytes of a side were skipped that are certainly not a message, and are
    /// unreported.
    func hasSkipped(of side: ConnectionSide) -> Bool

    /// Reports the bytes of a side that were skipped so far.
    mutating func reportSkipped(of side: ConnectionSide, into messages: inout [StreamMessage])

    /// Returns the offset of the oldest byte of a side that a later message may still refer to.
    func oldestPendingOffset(of side: ConnectionSide) -> UInt64

    /// Returns the message of a side that has begun and is incomplete; see `StreamDecoder.begun`.
    func begun(of side: ConnectionSide) -> StreamMessage?
}

extension ConnectionDecoder {
    /// Returns `nil` by default: the decoder must get all bytes.
    public mutating func agreement(of side: ConnectionSide) -> HeaderContext? { nil }

    /// Does nothing by default: the bytes alone determine what belongs together.
    public mutating func restart(
        _ side: ConnectionSide, into messages: inout [StreamMessage]
    ) {}

    /// Does nothing by default: time does not matter to most protocols.
    public mutating func pause(
        of side: ConnectionSide, into messages: inout [StreamMessage]
    ) {}

    /// Returns `false` by default: most decoders report such bytes at once.
    public func hasSkipped(of side: ConnectionSide) -> Bool { false }

    /// Returns `nil` by default: the message is not known.
    public func begun(of side: ConnectionSide) -> StreamMessage? { nil }

    /// Does nothing by default.
    public mutating func reportSkipped(
        of side: ConnectionSide, into messages: inout [StreamMessage]
    ) {}

    /// Keeps everything by default.
    public mutating func releaseState() {}

    /// Does nothing by default.
    public mutating func resume(
        _ course: inout HeaderReaderState, at offset: UInt64, from side: ConnectionSide
    ) {}

    /// Decodes everything by default.
    public mutating func consume(
        _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
        into messages: inout [StreamMessage], asking screening: inout Screening
    ) {
        consume(bytes, from: side, at: offset, into: &messages)
        screening.oldestPendingOffset = oldestPendingOffset(of: side)
    }
}

/// A pair of decoders that are independent of each other, one for each direction.
package struct IndependentDirections<Decoder: StreamDecoder>: ConnectionDecoder {
    /// The decoders, which a protocol may connect with one another.
    package var sides: BothSides<Decoder>

    /// Creates both decoders.
    package init(_ make: () -> Decoder) {
        sides = BothSides(make)
    }

    /// Forwards to the decoder of that side.
    package mutating func consume(
        _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
        into messages: inout [StreamMessage]
    ) {
        sides[side].consume(bytes, at: offset, into: &messages)
    }

    /// Forwards to the decoder of that side.
    package mutating func consume(
        _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
        into messages: inout [StreamMessage], asking screening: inout Screening
    ) {
        sides[side].consume(bytes, at: offset, into: &messages, asking: &screening)
    }

    /// Forwards to the decoder of that side.
    package mutating func gap(
        upTo offset: UInt64, from side: ConnectionSide, into messages: inout [StreamMessage]
    ) {
        sides[side].gap(upTo: offset, into: &messages)
    }

    /// Forwards to the decoder of that side, unless the other side broke the connection off.
    package mutating func finish(
        _ side: ConnectionSide, _ end: StreamEnd, into messages: inout [StreamMessage]
    ) {
        switch end {
        case .closed, .captureEnded: sides[side].finish(into: &messages)
        case .abandoned: sides[side].abandon(into: &messages)
        case .cut: break
        }
    }

    /// Forwards to the decoder of that side.
    package mutating func pause(of side: ConnectionSide, into messages: inout [StreamMessage]) {
        sides[side].pause(into: &messages)
    }

    /// Forwards to the decoder of that side.
    package func hasSkipped(of side: ConnectionSide) -> Bool { sides[side].hasSkipped }

    /// Forwards to the decoder of that side.
    package func begun(of side: ConnectionSide) -> StreamMessage? { sides[side].begun }

    /// Forwards to the decoder of that side.
    package mutating func reportSkipped(
        of side: ConnectionSide, into messages: inout [StreamMessage]
    ) {
        sides[side].reportSkipped(into: &messages)
    }

    /// Forwards to the decoder of that side.
    package func oldestPendingOffset(of side: ConnectionSide) -> UInt64 {
        sides[side].oldestPendingOffset
    }
}
