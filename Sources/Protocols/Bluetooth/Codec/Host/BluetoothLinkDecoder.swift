import Wire

/// A message of a channel.
struct BluetoothChannelMessage: Sendable {
    /// The decoded message, with its ranges in the link's stream.
    let message: StreamMessage
    /// The channel that carried it.
    let channel: BluetoothChannel
    /// The side that the message is from, if it is not the sender of the packet.
    var speaker: ConnectionSide?
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

    private struct Direction: Sendable {
        /// The bytes of an incomplete unit.
        var pending: [UInt8] = []
        /// The offset of the first of them.
        var start: UInt64 = 0
        /// Whether the beginning of the current unit was not captured.
        var isLost = true
    }

    private var sides = BothSides { Direction() }
    /// The services of signalled channels, by the side whose end has the id, and that id.
    private var services: [ConnectionSide: [UInt16: Service]] = [:]
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

    /// Creates a decoder that has seen nothing.
    ///
    /// - Parameters:
    ///   - stack: The protocols that may be recognised in serial channels.
    ///   - isWhole: Whether the beginning of the link was captured.
    init(of stack: DissectionStack, isWhole: Bool) {
        serial = RFCOMMSession(stack)
        attributes = GATTConversation(isWhole: isWhole)
    }

    /// Takes the payload of a data packet, which begins at `offset` of its side's stream.
    ///
    /// - Parameter isContinuation: Whether it continues a unit.
    mutating func consume(
        _ bytes: RawSpan, isContinuation: Bool, from side: ConnectionSide,
        at offset: UInt64, into messages: inout [BluetoothChannelMessage]
    ) {
        if !isContinuation {
            drop(side, "a new unit begins before the end of this one", into: &messages)
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
    }

    /// Handles the end of a side.
    mutating func finish(
        _ side: ConnectionSide, _ end: StreamEnd, into messages: inout [BluetoothChannelMessage]
    ) {
        if end == .closed { drop(side, "the link ends within a unit", into: &messages) }
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

    private mutating func drop(
        _ side: ConnectionSide, _ why: String,
        into messages: inout [BluetoothChannelMessage]
    ) {
        let pending = sides[side].pending
        guard !pending.isEmpty else { return }
        let range = sides[side].start..<(sides[side].start + UInt64(pending.count))
        sides[side].pending = []
        malformed(why, pending, range, channel: 0, into: &messages)
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
        switch services[side.other]?[channel] {
        case .basic(L2CAPFrame.Service.rfcomm)?:
            serial.consume(payload, from: side, at: start, into: &messages)
        case .basic(L2CAPFrame.Service.sdp)?:
            search(payload, on: channel, side, at: start, into: &messages)
        case .basic(L2CAPFrame.Service.att)?:
            attribute(payload, on: channel, side, at: start, into: &messages)
        case .basic(let psm)?:
            ignored["btl2cap psm 0x" + String(psm, radix: 16), default: 0] += 1
        case .credits(let psm)?:
            ignored["btl2cap le psm 0x" + String(psm, radix: 16), default: 0] += 1
        case nil where isFrame(payload):
            serial.consume(payload, from: side, at: start, into: &messages)
        case nil: ignored["btl2cap channel of unknown psm", default: 0] += 1
        }
    }

    /// Whether the unit of a channel that was opened before the capture is an RFCOMM frame.
    ///
    /// It is if its check sequence is correct.
    private func isFrame(_ payload: [UInt8]) -> Bool {
        (try? RFCOMMFrame(parsing: payload)) != nil
    }

    private func malformed(
        _ why: String, _ bytes: [UInt8], _ range: Range<UInt64>, channel: UInt16,
        into messages: inout [BluetoothChannelMessage]
    ) {
        let sample = Array(bytes.prefix(BluetoothLimits.malformedSample))
        let anomaly = Anomaly(.violation, why, specification: "Core 5.4 Vol 3 Part A 3.1")
        let content = L2CAPMessage(.malformed(why), bytes: sample, anomalies: [anomaly])
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
                let content = L2CAPMessage(
                    .signal(signal), bytes: Array(payload[from..<reader.offset]),
                    anomalies: signal.anomalies(
                        isLowEnergy: channel == L2CAPFrame.Channel.lowEnergySignalling,
                        isFirst: from == 0))
                messages.append(
                    BluetoothChannelMessage(
                        message: StreamMessage(content: content, ranges: [range]),
                        channel: .l2cap(channel)))
                update(signal, side)
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
    private mutating func update(_ signal: L2CAPSignal, _ side: ConnectionSide) {
        switch signal.content {
        case .connectionRequest(let psm, let source):
            guard requests[side, default: [:]].count < BluetoothLimits.channels else { return }
            requests[side, default: [:]][source] = psm
        case .connectionResponse(let destination, let source, let result, _):
            // Pending (1) is not the final result.
            guard result != 1, let psm = requests[side.other]?.removeValue(forKey: source),
                result == 0
            else { return }
            record(.basic(psm), source, of: side.other)
            record(.basic(psm), destination, of: side)
        case .lowEnergyConnectionRequest(let psm, let source, _):
            creditRequests[side, default: [:]][signal.identifier] = (psm, [source])
        case .creditConnectionRequest(let psm, _, let sources):
            creditRequests[side, default: [:]][signal.identifier] = (psm, sources)
        case .lowEnergyConnectionResponse(let destination, _, let result):
            update([destination], result, answering: signal.identifier, side)
        case .creditConnectionResponse(_, let result, let destinations):
            update(destinations, result, answering: signal.identifier, side)
        case .disconnectionResponse(let destination, let source):
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
        for source in requested.ends { record(.credits(requested.psm), source, of: side.other) }
        for destination in destinations { record(.credits(requested.psm), destination, of: side) }
    }

    private mutating func record(_ service: Service, _ end: UInt16, of side: ConnectionSide) {
        guard services[side, default: [:]].count < BluetoothLimits.channels else { return }
        services[side, default: [:]][end] = service
    }
}
