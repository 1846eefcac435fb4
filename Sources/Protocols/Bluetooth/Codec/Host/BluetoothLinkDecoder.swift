import Wire

/// A message of a channel.
struct BluetoothChannelMessage: Sendable {
    /// The decoded message, with its ranges in the link's stream.
    let message: StreamMessage
    /// The channel that carried it.
    let channel: BluetoothChannel
    /// The side that the message is from, if it is not the sender of the packet.
    var speaker: ConnectionSide?
    /// The side whose stream its ranges refer to, if it is not the sender of the packet.
    var origin: ConnectionSide?
}

/// A decoder of both directions of a logical link.
///
/// It decodes L2CAP, ATT, SMP, SDP, RFCOMM and the protocols that its serial channels carry. The
/// stream of a side consists of the payloads of the link's data packets, one after the other.
/// Ranges refer to it. One side is the capturing host's, the other the remote device's.
struct BluetoothLinkDecoder: Sendable {
    /// The service of a channel, by its number; those of credit-based channels are numbered
    /// separately.
    private enum Service: Sendable {
        case basic(UInt16)
        case credits(UInt16)
    }

    /// One end of a signalled channel.
    private struct ChannelEnd: Sendable {
        let service: Service
        /// The channel's id at the other side.
        let peer: UInt16?
        /// Whether no signalling can be missing that would have changed its service.
        var isCertain = true
        /// The mode in which it transmits; 0 is the basic one (Core 5.4 Vol 3 Part A 5.4).
        var mode: UInt8 = 0

        mutating func resetMode() { (mode, isCertain) = (0, false) }
    }

    private struct Direction: Sendable {
        /// The bytes of an incomplete unit.
        var pending: [UInt8] = []
        /// The offset of the first of them.
        var start: UInt64 = 0
        /// Whether the beginning of the current unit was not captured.
        var isLost = true
    }

    private var sides = BothSides { Direction() }
    /// The signalled channels, by the side whose end has the id, and that id.
    private var services: [ConnectionSide: [UInt16: ChannelEnd]] = [:]
    /// Unanswered requests for channels, by the side that asks, and its end.
    private var requests: [ConnectionSide: [UInt16: UInt16]] = [:]
    /// Unanswered requests for credit-based channels, by the side that asks, and their number.
    private var creditRequests: [ConnectionSide: [UInt8: (psm: UInt16, ends: [UInt16])]] = [:]
    private var serial: RFCOMMSession
    /// The state of the Attribute Protocol, with the known attributes.
    var attributes: GATTConversation
    /// The time of the packet; `nil` if it is not known.
    var now: Timestamp?
    /// The searches for services; a client uses their channels one at a time.
    var searches = SDPConversation()
    /// The counts of units that are not decoded, by their kind.
    private var ignored: [String: Int] = [:]
    /// Whether it is an LE link; `nil` until a packet shows it.
    private(set) var isLowEnergy: Bool?

    /// Creates a decoder that has seen nothing.
    ///
    /// - Parameters:
    ///   - stack: The protocols that may be recognised in serial channels.
    ///   - isWhole: Whether the beginning of the link was captured.
    ///   - isLowEnergy: Whether it is an LE link; `nil` if that is not known.
    init(of stack: DissectionStack, isWhole: Bool, isLowEnergy: Bool? = nil) {
        serial = RFCOMMSession(stack)
        attributes = GATTConversation(isWhole: isWhole)
        self.isLowEnergy = isLowEnergy
    }

    /// Takes the payload of a data packet, which begins at `offset` of its side's stream.
    ///
    /// - Parameter isContinuation: Whether it continues a unit.
    mutating func consume(
        _ bytes: RawSpan, isContinuation: Bool, from side: ConnectionSide,
        at offset: UInt64, into messages: inout [BluetoothChannelMessage]
    ) {
        if !isContinuation {
            drop(side, into: &messages)
            sides[side].isLost = false
        }
        guard !sides[side].isLost else {
            ignored["btl2cap without its beginning", default: 0] += 1
            return
        }
        if sides[side].pending.isEmpty { sides[side].start = offset }
        bytes.withUnsafeBytes { sides[side].pending.append(contentsOf: $0) }
        takeUnit(side, into: &messages)
    }

    /// Takes the counts of units that were not decoded since the last call, by their kind.
    mutating func takeIgnored() -> [String: Int] {
        defer { ignored = [:] }
        return ignored
    }

    /// Handles missing bytes of a side.
    mutating func lose(
        _ side: ConnectionSide, into messages: inout [BluetoothChannelMessage]
    ) {
        sides[side].pending = []
        sides[side].isLost = true
        attributes.lose()
        serial.lose(side, into: &messages)
        // The missing packets may have closed channels, whose ids may be in use again.
        services = services.mapValues { ends in
            ends.mapValues { end in
                var end = end
                end.isCertain = false
                return end
            }
        }
    }

    /// Handles the end of a side.
    ///
    /// The rest of an unfinished unit is not owed: packets that wait are discarded at the end of
    /// their link.
    mutating func finish(
        _ side: ConnectionSide, _ end: StreamEnd, into messages: inout [BluetoothChannelMessage]
    ) {
        serial.finish(side, end, into: &messages)
    }

    /// Whether a side has begun a unit that is incomplete.
    func awaitsMore(of side: ConnectionSide) -> Bool { !sides[side].pending.isEmpty }

    /// Returns the offset of the oldest byte of a side that a later message may refer to.
    func oldestPendingOffset(of side: ConnectionSide, next: UInt64) -> UInt64 {
        let direction = sides[side]
        let oldest = direction.pending.isEmpty ? next : direction.start
        return serial.oldestPendingOffset(of: side).map { min(oldest, $0) } ?? oldest
    }
}

extension BluetoothLinkDecoder {
    /// The length in bytes of a unit's header: its length and channel id.
    private static let headerSize = 4

    /// Drops the unfinished unit of a side, because another one begins.
    ///
    /// On a BR/EDR link the controllers discard packets that were not transmitted in time, so that
    /// what is received may end within a unit (Core 5.4 Vol 3 Part A 7.2.2).
    private mutating func drop(
        _ side: ConnectionSide, into messages: inout [BluetoothChannelMessage]
    ) {
        let pending = sides[side].pending
        guard !pending.isEmpty else { return }
        sides[side].pending = []
        loseSerial(pending, side, into: &messages)
        guard side == .first || isLowEnergy == true else {
            ignored["btl2cap without its end", default: 0] += 1
            return
        }
        malformed(
            "a new unit begins before the end of this one", pending,
            sides[side].start..<(sides[side].start + UInt64(pending.count)), channel: 0,
            into: &messages)
    }

    /// Handles a unit without its end, which may carry bytes of serial channels.
    private mutating func loseSerial(
        _ unit: [UInt8], _ side: ConnectionSide, into messages: inout [BluetoothChannelMessage]
    ) {
        if unit.count >= Self.headerSize {
            let channel = UInt16(unit[2]) | UInt16(unit[3]) << 8
            guard channel >= L2CAPFrame.Channel.firstDynamic else { return }
            if let known = services[side.other]?[channel] {
                guard case .basic(L2CAPFrame.Service.rfcomm) = known.service else { return }
            }
        }
        serial.lose(side, into: &messages)
    }

    /// Takes the first unit if it is complete; a packet never holds the beginning of a second.
    private mutating func takeUnit(
        _ side: ConnectionSide, into messages: inout [BluetoothChannelMessage]
    ) {
        let pending = sides[side].pending
        guard pending.count >= Self.headerSize else { return }
        let length = Int(pending[0]) | Int(pending[1]) << 8
        let channel = UInt16(pending[2]) | UInt16(pending[3]) << 8
        guard pending.count >= Self.headerSize + length else { return }
        let start = sides[side].start + UInt64(Self.headerSize)
        sides[side].pending = []
        sides[side].isLost = true
        let payload = Array(pending[Self.headerSize..<(Self.headerSize + length)])
        if pending.count > Self.headerSize + length {
            let end = start + UInt64(length)
            malformed(
                "\(pending.count - Self.headerSize - length) byte(s) after the unit", pending,
                end..<(sides[side].start + UInt64(pending.count)), channel: channel,
                into: &messages)
        }
        consume(payload, on: channel, side, at: start, into: &messages)
    }

    private mutating func consume(
        _ payload: [UInt8], on channel: UInt16, _ side: ConnectionSide, at start: UInt64,
        into messages: inout [BluetoothChannelMessage]
    ) {
        typealias Channel = L2CAPFrame.Channel
        if isLowEnergy == nil { isLowEnergy = Channel.isLowEnergy(channel) }
        switch channel {
        case Channel.signalling, Channel.lowEnergySignalling:
            signals(payload, on: channel, side, at: start, into: &messages)
        case Channel.attributes:
            attribute(payload, on: channel, side, at: start, into: &messages)
        case Channel.security, Channel.securityBREDR:
            security(payload, on: channel, side, at: start, into: &messages)
        case Channel.firstDynamic...:
            service(payload, on: channel, side, at: start, into: &messages)
        default: ignored["btl2cap fixed channel \(channel)", default: 0] += 1
        }
    }

    /// Decodes a unit of a dynamic channel, which has the id of the receiver's end.
    private mutating func service(
        _ payload: [UInt8], on channel: UInt16, _ side: ConnectionSide, at start: UInt64,
        into messages: inout [BluetoothChannelMessage]
    ) {
        let end = services[side.other]?[channel]
        if let end, end.mode != 0 {
            ignored["btl2cap channel in mode \(end.mode)", default: 0] += 1
            return
        }
        let service = end?.service ?? .basic(L2CAPFrame.Service.rfcomm)
        if end?.isCertain != true, !isReadable(payload, as: service) {
            ignored["btl2cap channel of unknown psm", default: 0] += 1
            return
        }
        switch service {
        case .basic(L2CAPFrame.Service.rfcomm):
            // RFCOMM is on BR/EDR links only.
            isLowEnergy = isLowEnergy ?? false
            serial.consume(payload, from: side, at: start, into: &messages)
        case .basic(L2CAPFrame.Service.sdp):
            search(payload, on: channel, side, at: start, into: &messages)
        case .basic(L2CAPFrame.Service.att):
            attribute(payload, on: channel, side, at: start, into: &messages)
        case .basic(let psm):
            ignored["btl2cap psm 0x" + String(psm, radix: 16), default: 0] += 1
        case .credits(let psm):
            ignored["btl2cap le psm 0x" + String(psm, radix: 16), default: 0] += 1
        }
    }

    /// Whether the unit of a channel that was opened before the capture, or before a loss, can be
    /// read as one of a service.
    ///
    /// An RFCOMM frame has a check sequence.
    private func isReadable(_ payload: [UInt8], as service: Service) -> Bool {
        switch service {
        case .basic(L2CAPFrame.Service.rfcomm): (try? RFCOMMFrame(parsing: payload)) != nil
        case .basic(L2CAPFrame.Service.sdp): (try? SDPPacket(parsing: payload.span.bytes)) != nil
        case .basic(L2CAPFrame.Service.att): (try? ATTPacket(parsing: payload.span.bytes)) != nil
        default: true
        }
    }

    private func malformed(
        _ why: String, _ bytes: [UInt8], _ range: Range<UInt64>, channel: UInt16,
        into messages: inout [BluetoothChannelMessage]
    ) {
        let sample = Array(bytes.prefix(BluetoothLimits.malformedSample))
        let content = PacketMessage.malformed(
            sample, of: "btl2cap", why, "Core 5.4 Vol 3 Part A 3.1")
        messages.append(
            BluetoothChannelMessage(
                message: StreamMessage(content: content, ranges: [range]),
                channel: .l2cap(channel)))
    }
}

// MARK: - Signalling

extension BluetoothLinkDecoder {
    private mutating func signals(
        _ payload: [UInt8], on channel: UInt16, _ side: ConnectionSide, at start: UInt64,
        into messages: inout [BluetoothChannelMessage]
    ) {
        var reader = ByteReader(payload.span.bytes, unit: "btl2cap")
        while reader.remaining > 0 {
            let from = reader.offset
            do throws(DecodeError) {
                let signal = try L2CAPSignal(parsing: &reader)
                let range =
                    (start + UInt64(from))..<(start + UInt64(reader.offset))
                let content = PacketMessage(
                    packet: signal, bytes: Array(payload[from..<reader.offset]),
                    anomalies: signal.anomalies(
                        isLowEnergy: channel == L2CAPFrame.Channel.lowEnergySignalling,
                        isFirst: from == 0))
                messages.append(
                    BluetoothChannelMessage(
                        message: StreamMessage(content: content, ranges: [range]),
                        channel: .l2cap(channel)))
                update(signal, side, into: &messages)
            } catch {
                let range = (start + UInt64(from))..<(start + UInt64(payload.count))
                malformed(
                    "\(error)", Array(payload[from...]), range,
                    channel: channel, into: &messages)
                return
            }
        }
    }

    /// Records the service of a channel.
    private mutating func update(
        _ signal: L2CAPSignal, _ side: ConnectionSide,
        into messages: inout [BluetoothChannelMessage]
    ) {
        switch signal.content {
        case .connectionRequest(let psm, let source):
            guard requests[side, default: [:]].count < BluetoothLimits.channels else { return }
            requests[side, default: [:]][source] = psm
        case .connectionResponse(let destination, let source, let result, _):
            // Pending (1) is not the final result.
            guard result != 1, let psm = requests[side.other]?.removeValue(forKey: source),
                result == 0
            else { return }
            record(ChannelEnd(service: .basic(psm), peer: destination), source, of: side.other)
            record(ChannelEnd(service: .basic(psm), peer: source), destination, of: side)
            if psm == L2CAPFrame.Service.att { attributes.begin() }
        case .configurationRequest(let destination, _, let options):
            for case .retransmission(let parameters) in options {
                guard let mode = parameters.first else { continue }
                let peer = services[side.other]?[destination]?.peer
                services[side.other]?[destination]?.mode = mode
                if let peer { services[side]?[peer]?.mode = mode }
            }
        case .configurationResponse(let source, 1...3, _, _):
            // The requested mode is refused, and the next request may leave the option out.
            let peer = services[side.other]?[source]?.peer
            services[side.other]?[source]?.resetMode()
            if let peer { services[side]?[peer]?.resetMode() }
        case .lowEnergyConnectionRequest(let psm, let source, _):
            creditRequests[side, default: [:]][signal.identifier] = (psm, [source])
        case .creditConnectionRequest(let psm, _, let sources):
            creditRequests[side, default: [:]][signal.identifier] = (psm, sources)
        case .lowEnergyConnectionResponse(let destination, _, let result):
            update([destination], result, answering: signal.identifier, side)
        case .creditConnectionResponse(_, let result, let destinations):
            update(destinations, result, answering: signal.identifier, side)
        case .disconnectionResponse(let destination, let source):
            if case .basic(L2CAPFrame.Service.rfcomm)? = services[side]?[destination]?.service {
                serial.end(into: &messages)
            }
            services[side]?[destination] = nil
            services[side.other]?[source] = nil
        default: break
        }
    }

    /// Records the credit-based channels that an answer opens.
    private mutating func update(
        _ destinations: [UInt16], _ result: UInt16, answering number: UInt8,
        _ side: ConnectionSide
    ) {
        guard let requested = creditRequests[side.other]?.removeValue(forKey: number), result == 0
        else { return }
        let end = ChannelEnd(service: .credits(requested.psm), peer: nil)
        for source in requested.ends { record(end, source, of: side.other) }
        for destination in destinations { record(end, destination, of: side) }
    }

    private mutating func record(_ end: ChannelEnd, _ id: UInt16, of side: ConnectionSide) {
        guard services[side, default: [:]].count < BluetoothLimits.channels else { return }
        services[side, default: [:]][id] = end
    }
}
