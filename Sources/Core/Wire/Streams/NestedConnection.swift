/// A connection within another: both directions of a byte stream that an outer protocol carries.
///
/// The outer decoder supplies each piece with its range in the outer stream. The inner protocol is
/// recognised by the first bytes of either direction, as over TCP. Inner messages are returned with
/// ranges of the outer stream, so that they name the right frames.
public struct NestedConnection: Sendable {
    /// The maximum number of first bytes of a direction that are held until a protocol is
    /// recognised.
    public static let recognitionBytesMax = 4096
    /// The jump of the inner offset where an unknown number of bytes is missing: longer than any
    /// unit.
    public static let unknownGap: UInt64 = 1 << 32

    /// Creates the outer protocol's message for bytes that no inner protocol accepts.
    public typealias OpaqueMessage = ([UInt8]) -> any DissectedMessage

    private let stack: DissectionStack
    private let candidates: [StreamProtocol]
    private var decoder: (any ConnectionDecoder)?
    private var sides = BothSides { NestedStream() }
    /// The protocol that was recognised.
    public private(set) var streamProtocol: StreamProtocol?

    /// Creates a connection on which nothing has arrived yet.
    ///
    /// - Parameters:
    ///   - carrier: The carrier of the connection.
    ///   - stack: The stack of the outer stream.
    ///   - known: The protocol if it is known without examining the bytes.
    public init(
        in carrier: StreamCarrier, of stack: DissectionStack, carrying known: StreamProtocol? = nil
    ) {
        self.stack = stack.inner
        candidates = self.stack.candidates(in: carrier)
        guard let known, stack.depth < DissectionStack.depthMax else { return }
        streamProtocol = known
        decoder = known.makeDecoder(self.stack)
        for side in ConnectionSide.allCases { sides[side].decoding = .decoded }
    }

    /// Decodes the next bytes of a side.
    ///
    /// - Parameters:
    ///   - bytes: The inner bytes.
    ///   - side: The side that sent them.
    ///   - outer: Their ranges in the outer stream, ascending. One range of the same length is
    ///     mapped byte by byte; otherwise a message that contains one of the bytes has all ranges.
    ///   - opaque: Creates a message for bytes that no inner protocol accepts.
    ///   - messages: The list to which messages are appended.
    public mutating func consume(
        _ bytes: RawSpan, from side: ConnectionSide, at outer: [Range<UInt64>],
        opaque: OpaqueMessage, into messages: inout [StreamMessage]
    ) {
        guard bytes.byteCount > 0 else { return }
        let offset = sides[side].append(bytes.byteCount, at: outer)
        switch sides[side].decoding {
        case .decoded:
            decode(bytes, from: side, at: offset, into: &messages)
        case .undecided:
            let known = sides[side].held.count
            bytes.withUnsafeBytes { sides[side].held += $0 }
            recognise(side, behind: known, opaque, into: &messages)
        case .opaque:
            let ranges = sides[side].outer(of: [offset..<sides[side].next])
            messages.append(
                StreamMessage(content: opaque([UInt8](copying: bytes)), ranges: ranges))
            sides[side].forget(before: sides[side].next)
        case .ended:
            break
        }
    }

    /// Records that an unknown number of bytes of a side is missing.
    public mutating func lose(
        _ side: ConnectionSide, opaque: OpaqueMessage, into messages: inout [StreamMessage]
    ) {
        if sides[side].decoding == .undecided { release(side, opaque, into: &messages) }
        sides[side].skip(Self.unknownGap)
        let next = sides[side].next
        var units: [StreamMessage] = []
        decoder?.gap(upTo: next, from: side, into: &units)
        emit(units, from: side, into: &messages)
        sides[side].forget(before: next)
    }

    /// Records that nothing more comes from a side.
    public mutating func finish(
        _ side: ConnectionSide, _ end: StreamEnd, opaque: OpaqueMessage,
        into messages: inout [StreamMessage]
    ) {
        guard sides[side].decoding != .ended else { return }
        release(side, opaque, into: &messages)
        var units: [StreamMessage] = []
        decoder?.finish(side, end, into: &units)
        emit(units, from: side, into: &messages)
        sides[side].end()
    }

    /// Whether nothing more comes from a side.
    public func hasEnded(_ side: ConnectionSide) -> Bool { sides[side].decoding == .ended }

    /// Records that a side was silent for as long as the inner protocol specifies.
    public mutating func pause(of side: ConnectionSide, into messages: inout [StreamMessage]) {
        var units: [StreamMessage] = []
        decoder?.pause(of: side, into: &units)
        emit(units, from: side, into: &messages)
        if let oldest = decoder?.oldestPendingOffset(of: side) {
            sides[side].forget(before: oldest)
        }
    }

    /// Records that the next byte of a side begins a message, whatever preceded it.
    public mutating func restart(
        _ side: ConnectionSide, into messages: inout [StreamMessage]
    ) {
        var units: [StreamMessage] = []
        decoder?.restart(side, into: &units)
        emit(units, from: side, into: &messages)
    }

    /// Returns the message of a side that has begun and is incomplete.
    public func begun(of side: ConnectionSide) -> StreamMessage? {
        decoder?.begun(of: side).map {
            StreamMessage(content: $0.content, ranges: sides[side].outer(of: $0.ranges))
        }
    }

    /// Returns the outer offset of a side's oldest byte that a later message may refer to.
    ///
    /// The result is `nil` if there is no such byte.
    public func oldestPendingOffset(of side: ConnectionSide) -> UInt64? {
        sides[side].oldestOuter
    }
}

extension NestedConnection {
    private mutating func decode(
        _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
        into messages: inout [StreamMessage]
    ) {
        var units: [StreamMessage] = []
        decoder?.consume(bytes, from: side, at: offset, into: &units)
        emit(units, from: side, into: &messages)
        if let oldest = decoder?.oldestPendingOffset(of: side) {
            sides[side].forget(before: oldest)
        }
    }

    private mutating func recognise(
        _ side: ConnectionSide, behind known: Int, _ opaque: OpaqueMessage,
        into messages: inout [StreamMessage]
    ) {
        let held = sides[side].held
        switch Recognition(of: held.span.bytes, among: candidates, behind: known) {
        case .match(let known):
            adopt(known, into: &messages)
        case .undecided where held.count <= Self.recognitionBytesMax:
            break
        case .undecided, .none:
            release(side, opaque, into: &messages)
        }
    }

    /// Decodes both directions from now on, including the bytes that were held.
    private mutating func adopt(
        _ known: StreamProtocol, into messages: inout [StreamMessage]
    ) {
        streamProtocol = known
        decoder = known.makeDecoder(stack)
        for side in ConnectionSide.allCases where sides[side].decoding != .ended {
            let held = sides[side].held
            let next = sides[side].next
            sides[side].held = []
            sides[side].decoding = .decoded
            if !held.isEmpty {
                decode(held.span.bytes, from: side, at: next - UInt64(held.count), into: &messages)
            } else if next > 0 {
                // Its first bytes are reported already. The decoder must find the next whole unit.
                var units: [StreamMessage] = []
                decoder?.gap(upTo: next, from: side, into: &units)
                emit(units, from: side, into: &messages)
            }
        }
    }

    /// Reports the held bytes as bytes that no inner protocol accepts.
    private mutating func release(
        _ side: ConnectionSide, _ opaque: OpaqueMessage, into messages: inout [StreamMessage]
    ) {
        guard sides[side].decoding == .undecided, !sides[side].held.isEmpty else { return }
        // Where bytes are missing before them, later ones may begin with a unit.
        if !sides[side].lacksBeginning { sides[side].decoding = .opaque }
        for piece in sides[side].takeHeld() {
            messages.append(StreamMessage(content: opaque(piece.bytes), ranges: piece.outer))
        }
    }

    private func emit(
        _ units: [StreamMessage], from side: ConnectionSide,
        into messages: inout [StreamMessage]
    ) {
        for unit in units {
            messages.append(
                StreamMessage(content: unit.content, ranges: sides[side].outer(of: unit.ranges)))
        }
    }
}
