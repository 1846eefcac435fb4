import Wire

/// UART transport as a protocol over byte streams.
public enum H4 {
    /// The transport over TCP, as used by virtual controllers and hosts.
    public static let streamProtocol = StreamProtocol(
        name: "hci_h4", recognises: { bytes, _ in recognises(bytes) },
        makeConnectionDecoder: { H4ConnectionDecoder(of: $0) })

    /// The Reset that a host sends first, and its controller's answer (Core 5.4 Vol 4 Part E
    /// 7.3.2).
    private static let reset: [UInt8] = [0x01, 0x03, 0x0C, 0x00]
    private static let complete: [UInt8] = [0x04, 0x0E, 0x04]
    private static let answered: [UInt8] = [0x03, 0x0C, 0x00]

    static func recognises(_ bytes: RawSpan) -> Bool? {
        guard bytes.byteCount > 0 else { return nil }
        let first = bytes.unsafeLoad(fromByteOffset: 0, as: UInt8.self)
        guard first == 0x01 || first == 0x04 else { return false }
        let start = [UInt8](copying: bytes.extracting(first: 7))
        if first == reset[0] {
            guard reset.starts(with: start.prefix(4)) else { return false }
            return start.count >= 4 ? true : nil
        }
        guard complete.starts(with: start.prefix(3)),
            answered.starts(with: start.dropFirst(4).prefix(3))
        else { return false }
        return start.count == 7 ? true : nil
    }
}

/// A decoder of a connection of UART transport: the packets of one host and its controller.
///
/// The first command or event shows which side is the host. After a wrong length, the rest of a
/// side cannot be read. That is reported once.
struct H4ConnectionDecoder: ConnectionDecoder {
    private struct Side: Sendable {
        var reader = H4Reader()
        /// The offset of the reader's next byte.
        var position: UInt64 = 0
        /// Whether nothing more can be read.
        var isLost = false
    }

    private var host: HostDecoder
    private var sides = BothSides { Side() }
    /// The side that sends commands.
    private var hostSide: ConnectionSide?

    init(of stack: DissectionStack) {
        host = HostDecoder(of: stack.inner)
    }

    mutating func consume(
        _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
        into messages: inout [StreamMessage]
    ) {
        guard !sides[side].isLost else {
            sides[side].position = offset + UInt64(bytes.byteCount)
            return
        }
        var start = offset - UInt64(sides[side].reader.pendingCount)
        for packet in sides[side].reader.consume(bytes) {
            let place = start..<(start + UInt64(packet.count))
            start = place.upperBound
            consume(packet, side, at: place, into: &messages)
        }
        sides[side].position = start
        guard let fault = sides[side].reader.fault else { return }
        malformed(
            "\(fault); nothing after it can be read", [], side,
            at: start..<(offset + UInt64(bytes.byteCount)), into: &messages)
        lose(side, into: &messages)
    }

    mutating func consume(
        _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
        into messages: inout [StreamMessage], asking screening: inout Screening
    ) {
        host.now = Timestamp(nanoseconds: screening.place.nanoseconds)
        consume(bytes, from: side, at: offset, into: &messages)
        screening.oldestPendingOffset = oldestPendingOffset(of: side)
    }

    mutating func gap(
        upTo offset: UInt64, from side: ConnectionSide, into messages: inout [StreamMessage]
    ) {
        sides[side].position = offset
        lose(side, into: &messages)
    }

    mutating func finish(
        _ side: ConnectionSide, _ end: StreamEnd, into messages: inout [StreamMessage]
    ) {
        let pending = sides[side].reader.pendingCount
        if end == .closed, pending > 0, !sides[side].isLost {
            let start = sides[side].position
            malformed(
                "the stream ends within a packet", [], side, at: start..<start + UInt64(pending),
                into: &messages)
        }
        sides[side].isLost = true
        // The links end when the first of the two streams ends.
        var found: [HostMessage] = []
        host.finish(into: &found)
        emit(found, into: &messages)
    }

    func oldestPendingOffset(of side: ConnectionSide) -> UInt64 {
        let own = sides[side].position
        guard let hostSide else { return own }
        return host.oldestPlace(isFromHost: side == hostSide).map { min($0, own) } ?? own
    }
}

extension H4ConnectionDecoder {
    private mutating func consume(
        _ packet: [UInt8], _ side: ConnectionSide, at place: Range<UInt64>,
        into messages: inout [StreamMessage]
    ) {
        guard let type = packet.first.flatMap(H4Type.init(rawValue:)) else { return }
        if type == .command { hostSide = hostSide ?? side }
        if type == .event { hostSide = hostSide ?? side.other }
        guard let hostSide else { return }
        let isFromHost = side == hostSide
        guard type != .command || isFromHost, type != .event || !isFromHost else {
            let who = isFromHost ? "an event of the host" : "a command of the controller"
            return malformed(who, packet, side, at: place, into: &messages)
        }
        var found: [HostMessage] = []
        do throws(DecodeError) {
            _ = try host.consume(
                HCIHeader.Kind(type), isFromHost: isFromHost,
                packet.span.bytes.extracting(droppingFirst: 1), at: place, into: &found)
            emit(found, into: &messages)
        } catch {
            emit(found, into: &messages)
            malformed("\(error)", packet, side, at: place, into: &messages)
        }
    }

    private mutating func lose(_ side: ConnectionSide, into messages: inout [StreamMessage]) {
        sides[side].isLost = true
        sides[side].reader = H4Reader()
        var found: [HostMessage] = []
        if let hostSide { host.lose(isFromHost: side == hostSide, into: &found) }
        emit(found, into: &messages)
    }

    private func malformed(
        _ what: String, _ packet: [UInt8], _ side: ConnectionSide, at place: Range<UInt64>,
        into messages: inout [StreamMessage]
    ) {
        messages.append(
            StreamMessage(
                content: PacketMessage.malformed(
                    Array(packet.prefix(BluetoothLimits.malformedSample)), of: "hci_h4", what,
                    "Core 5.4 Vol 4 Part E 5.4"), ranges: [place]))
    }

    private func emit(_ found: [HostMessage], into messages: inout [StreamMessage]) {
        for message in found {
            var unit = StreamMessage(content: message.content, ranges: message.places)
            if let hostSide, let node = message.remote {
                unit.party = BluetoothParty(
                    node, message.channel, isSender: !message.isFromHost, hostSide: hostSide)
            }
            messages.append(unit)
        }
    }
}

extension HCIHeader.Kind {
    /// Creates the kind of a packet of UART transport.
    init(_ type: H4Type) {
        switch type {
        case .command: self = .command
        case .acl: self = .acl
        case .synchronous: self = .synchronous
        case .event: self = .event
        case .isochronous: self = .isochronous
        }
    }
}
