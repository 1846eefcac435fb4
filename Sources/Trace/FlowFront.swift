import Protocols

/// What nearly every segment asks of its connection, kept together in 104 bytes so that it lies in
/// two or three lines of the processor's cache and not in a dozen.
///
/// While a connection runs evenly, that is while it is established, both of its streams are decoded
/// and nothing is missing or has ended, this has its decoder and knows where the streams have come
/// to. As soon as something else happens they are its `Flow`'s, until it runs evenly again.
struct FlowFront {
    /// Where one stream has come to.
    struct Course {
        /// Offset of the next byte in order.
        var next: UInt64 = 0
        /// Its sequence number.
        var sequence = TCPSequence(0)
        /// How many bytes from it on, and the one behind them, belong to a message that is passed
        /// over.
        var passing: UInt32 = 0
    }

    /// Who must take a segment.
    enum Taking {
        /// It is taken.
        case taken
        /// The decoder of the stream; the segment's first byte stands at the offset.
        case decoder(UInt64)
        /// The flow.
        case flow
    }

    private(set) var first = Course()
    private var second = Course()
    /// When the last segment was captured.
    var lastActivity: Timestamp
    /// The ends, if they have IPv4 addresses: `FlowKey.ipv4Addresses` and `portPair`.
    let addresses: UInt64
    let ports: UInt32
    private(set) var isIPv4: Bool
    /// Whether the connection runs evenly.
    private(set) var runsEvenly = false
    /// Whether the flow remembers who carried earlier bytes.
    private var isFirstRemembered = false
    private var isSecondRemembered = false
    let number: Int
    private var decoder: (any ConnectionDecoder)?

    /// Makes what is known of a connection before its first segment.
    init(of flow: borrowing Flow, at time: Timestamp) {
        addresses = flow.key.ipv4Addresses
        ports = flow.key.portPair
        isIPv4 = flow.key.isIPv4
        number = flow.number
        lastActivity = time
    }

    /// Takes an acknowledgement, or the bytes that are next in order.
    @inline(__always)
    mutating func take(
        _ header: TCPHeader, count: Int, _ direction: Direction, at time: Timestamp
    ) -> Taking {
        let other = direction == .fromFirst ? second.sequence : first.sequence
        guard runsEvenly, header.flags.subtracting(.psh) == .ack,
            header.acknowledgement.distance(from: other) <= 0
        else { return .flow }
        let taking =
            direction == .fromFirst
            ? Self.take(count, header.sequence, &first)
            : Self.take(count, header.sequence, &second)
        if case .flow = taking { return taking }
        lastActivity = time
        return taking
    }

    @inline(__always)
    private static func take(
        _ count: Int, _ sequence: TCPSequence, _ course: inout Course
    ) -> Taking {
        if count == 0 { return .taken }
        guard course.sequence == sequence else { return .flow }
        let offset = course.next
        course.next = offset + UInt64(count)
        course.sequence = sequence + count
        guard count <= course.passing else { return .decoder(offset) }
        course.passing -= UInt32(truncatingIfNeeded: count)
        return .taken
    }

    /// Decodes the bytes that are next in order.
    ///
    /// - Returns: Whether the flow must conclude it: there are messages, or who carried bytes must
    ///   be remembered or can be forgotten.
    @inline(__always)
    mutating func decode(
        _ bytes: RawSpan, at offset: UInt64, frame: Int, _ direction: Direction, slot: Int,
        into output: inout TraceOutput
    ) -> Bool {
        output.screening.place = MessagePlace(
            flow: number, slot: slot, isFromFirst: direction == .fromFirst,
            nanoseconds: output.now.nanoseconds, frame: frame)
        output.screening.passingBytes = 0
        decoder?.consume(
            bytes, from: direction.side, at: offset, into: &output.units,
            asking: &output.screening)
        let passing = UInt32(clamping: output.screening.passingBytes)
        let isRemembered: Bool
        if direction == .fromFirst {
            first.passing = passing
            isRemembered = isFirstRemembered
        } else {
            second.passing = passing
            isRemembered = isSecondRemembered
        }
        return isRemembered || !output.units.isEmpty
            || output.screening.needsFrames
                && output.screening.oldestPendingOffset < offset + UInt64(bytes.byteCount)
    }

    /// Notes whether the flow remembers who carried bytes of a stream.
    mutating func remember(_ flow: inout Flow, _ direction: Direction) {
        if direction == .fromFirst {
            isFirstRemembered = flow.first.isRemembering
        } else {
            isSecondRemembered = flow.second.isRemembering
        }
    }

    /// Reads what the decoder will need; what it returns is of no interest.
    @inline(__always)
    mutating func touchDecoder(_ direction: Direction) -> Int {
        decoder?.touch(direction.side) ?? 0
    }

    /// Forgets whose it was.
    mutating func vacate() { isIPv4 = false }

    /// Begins to follow the streams of a connection, if it runs evenly.
    mutating func begin(_ flow: inout Flow) {
        guard flow.runsEvenly, let from = flow.first.position, let to = flow.second.position else {
            return
        }
        first = Course(next: from.offset, sequence: from.sequence)
        second = Course(next: to.offset, sequence: to.sequence)
        isFirstRemembered = flow.first.isRemembering
        isSecondRemembered = flow.second.isRemembering
        swap(&decoder, &flow.decoder)
        runsEvenly = true
    }

    /// Tells the flow where its streams have come to, and leaves them to it.
    mutating func end(_ flow: inout Flow) {
        runsEvenly = false
        swap(&decoder, &flow.decoder)
        flow.first.resume(at: first.next, first.sequence)
        flow.second.resume(at: second.next, second.sequence)
        flow.decoder?.passOver(upTo: first.next, from: .first)
        flow.decoder?.passOver(upTo: second.next, from: .second)
        first.passing = 0
        second.passing = 0
    }
}
