import Wire

extension IAP2 {
    /// A decoder of both directions of an iAP2 link.
    ///
    /// Data packets are put in order. Repeated ones are reported and not delivered twice. Control
    /// messages may span packets. The streams of External Accessory sessions are given to the
    /// protocols that they carry, and the actions of both sides on sessions are reported as `ea.*`.
    public struct ConnectionDecoder: Wire.ConnectionDecoder {
        /// A data packet and its range.
        struct Carried: Sendable {
            let packet: Packet
            let range: Range<UInt64>
        }

        /// One direction.
        struct Direction: Sendable {
            var reader = PacketReader()
            var order = PacketOrder<Carried>()
            /// The sequence number of the SYN that opened the link.
            var initial: UInt8?
            /// What that SYN proposes.
            var proposal: LinkSynchronization?
            /// Whether a control message may have begun in missing packets.
            var lacksControl = false
            /// Whether bytes, and thus possibly packets, are missing.
            var hasGap = false
            /// The bytes of an incomplete message of the control session.
            var control: [UInt8] = []
            var controlPlaces = NestedStream()
        }

        private var sides = BothSides { Direction() }
        /// The kinds of link sessions that the SYNs declare.
        private var kinds: [UInt8: LinkSessionKind] = [:]
        var sessions: AccessorySessions

        /// Creates a decoder that has seen nothing.
        public init(of stack: DissectionStack) {
            sessions = AccessorySessions(stack)
        }

        /// Takes the next bytes; see `Wire.ConnectionDecoder`.
        public mutating func consume(
            _ bytes: RawSpan, from side: ConnectionSide, at offset: UInt64,
            into messages: inout [StreamMessage]
        ) {
            sides[side].reader.append(bytes, at: offset)
            while let unit = sides[side].reader.next() { consume(unit, side, into: &messages) }
        }

        /// Handles missing bytes; see `Wire.ConnectionDecoder`.
        public mutating func gap(
            upTo offset: UInt64, from side: ConnectionSide,
            into messages: inout [StreamMessage]
        ) {
            for unit in sides[side].reader.gap(upTo: offset) {
                consume(unit, side, into: &messages)
            }
            sides[side].hasGap = true
        }

        /// Handles the end of a stream; see `Wire.ConnectionDecoder`.
        ///
        /// It ends open sessions.
        public mutating func finish(
            _ side: ConnectionSide, _ end: StreamEnd, into messages: inout [StreamMessage]
        ) {
            let units = sides[side].reader.finish()
            if end.showsUnfinished { for unit in units { consume(unit, side, into: &messages) } }
            if !sides[side].order.waiting.isEmpty { resume(side, into: &messages) }
            if !sides[side].control.isEmpty, end.showsUnfinished {
                dropControl(
                    side, "the stream ends within a control message", isLoss: false,
                    into: &messages)
            }
            sessions.finish(side, end, into: &messages)
        }

        /// The start of the oldest unfinished packet, control message or inner unit.
        public func oldestPendingOffset(of side: ConnectionSide) -> UInt64 {
            let direction = sides[side]
            var oldest = direction.reader.oldestPendingOffset
            for carried in direction.order.waiting {
                oldest = min(oldest, carried.element.range.lowerBound)
            }
            if let control = direction.controlPlaces.oldestOuter { oldest = min(oldest, control) }
            return sessions.oldestPendingOffset(of: side).map { min(oldest, $0) } ?? oldest
        }
    }
}

// MARK: - The link

extension IAP2.ConnectionDecoder {
    private mutating func consume(
        _ unit: IAP2.PacketReader.Unit, _ side: ConnectionSide,
        into messages: inout [StreamMessage]
    ) {
        switch unit.content {
        case .detection:
            emit(.detection, IAP2.detection, unit.range, into: &messages)
        case .malformed(let why, let sample, let isLoss):
            let anomalies = isLoss ? [] : [IAP2.violation(why)]
            emit(.malformed(why), sample, unit.range, anomalies, into: &messages)
        case .packet(let packet):
            consume(packet, unit.range, side, into: &messages)
        }
    }

    private mutating func consume(
        _ packet: IAP2.Packet, _ range: Range<UInt64>, _ side: ConnectionSide,
        into messages: inout [StreamMessage]
    ) {
        if packet.flags.contains(.ack), !packet.flags.contains(.syn) {
            giveUpAcknowledged(packet.acknowledgement, of: side.other, into: &messages)
        }
        let anomalies = self.anomalies(of: packet)
        if packet.flags.contains(.rst) {
            emit(.packet(packet), packet.bytes, range, anomalies, into: &messages)
            sessions.closeAll(by: side, at: range, into: &messages)
            for side in ConnectionSide.allCases {
                (sides[side].initial, sides[side].proposal) = (nil, nil)
            }
        } else if packet.flags.contains(.syn) {
            synchronise(packet, range, side, anomalies, into: &messages)
        } else if packet.isData {
            data(packet, range, side, anomalies, into: &messages)
        } else if !packet.flags.subtracting(.ack).isEmpty || !anomalies.isEmpty
            || packet.flags.isEmpty
        {
            emit(.packet(packet), packet.bytes, range, anomalies, into: &messages)
        }
    }

    /// The values that both sides have proposed; it is not known which of them applies.
    private var proposals: (IAP2.LinkSynchronization, IAP2.LinkSynchronization)? {
        guard let first = sides[.first].proposal, let second = sides[.second].proposal else {
            return nil
        }
        return (first, second)
    }

    /// The largest length of a packet in bytes that the sides have agreed on.
    private var maximumLength: UInt16? {
        proposals.map { max($0.maximumLength, $1.maximumLength) }
    }

    /// Whether the sides have agreed that nothing is sent again, because the carrier loses nothing.
    private var sendsOnce: Bool {
        proposals.map {
            [$0, $1].allSatisfy { $0.maximumRetransmissions == 0 && $0.retransmissionTimeout == 0 }
        } ?? false
    }

    private func anomalies(of packet: IAP2.Packet) -> [Anomaly] {
        var found: [Anomaly] = []
        if packet.flags.unknown != 0 {
            found.append(
                Anomaly(
                    .warning, "unknown control bits \(packet.flags.unknown)",
                    specification: IAP2.citation))
        }
        if let maximumLength, packet.bytes.count > maximumLength {
            found.append(
                IAP2.violation(
                    "a packet of \(packet.bytes.count) bytes, above the agreed \(maximumLength)"))
        }
        return found
    }

    private mutating func synchronise(
        _ packet: IAP2.Packet, _ range: Range<UInt64>, _ side: ConnectionSide,
        _ anomalies: [Anomaly], into messages: inout [StreamMessage]
    ) {
        // A SYN is sent again only until its answer has come, and so before any data.
        if sides[side].initial == packet.sequence, sides[side].order.due == packet.sequence &+ 1 {
            return emit(
                .retransmission(packet), packet.bytes, range, anomalies, into: &messages)
        }
        var anomalies = anomalies
        sides[side].proposal = nil
        do throws(DecodeError) {
            let payload = try IAP2.LinkSynchronization(parsing: packet.payload)
            for session in payload.sessions { kinds[session.id] = session.kind }
            sides[side].proposal = payload
        } catch {
            // The form of another version is not known.
            if packet.payload.first ?? 1 == 1 { anomalies.append(IAP2.violation("\(error)")) }
        }
        emit(.packet(packet), packet.bytes, range, anomalies, into: &messages)
        if sides[side].initial != nil { sessions.closeAll(by: side, at: range, into: &messages) }
        if !sides[side].control.isEmpty { _ = takeControl(sides[side].control.count, side) }
        sides[side].lacksControl = false
        sides[side].initial = packet.sequence
        sides[side].order = IAP2.PacketOrder(after: packet.sequence)
        sides[side].hasGap = false
    }

    private mutating func data(
        _ packet: IAP2.Packet, _ range: Range<UInt64>, _ side: ConnectionSide,
        _ anomalies: [Anomaly], into messages: inout [StreamMessage]
    ) {
        if sides[side].hasGap, sides[side].order.due != packet.sequence {
            // The missing bytes may contain an unknown number of packets.
            resume(side, into: &messages)
            sides[side].order.forget()
            lose(side, into: &messages)
        }
        sides[side].hasGap = false
        if sendsOnce { sides[side].order.forget() }
        let carried = IAP2.ConnectionDecoder.Carried(packet: packet, range: range)
        if sides[side].order.accept(packet.sequence, carried) == .repeated {
            emit(.retransmission(packet), packet.bytes, range, anomalies, into: &messages)
        } else if !anomalies.isEmpty {
            emit(.packet(packet), packet.bytes, range, anomalies, into: &messages)
        }
        deliverReady(side, into: &messages)
    }

    /// Continues after packets that are missing in the capture but that their receiver has
    /// acknowledged.
    private mutating func giveUpAcknowledged(
        _ acknowledgement: UInt8, of side: ConnectionSide, into messages: inout [StreamMessage]
    ) {
        guard !sides[side].order.waiting.isEmpty, sides[side].order.isPast(acknowledgement)
        else { return }
        resume(side, into: &messages)
    }

    private mutating func resume(
        _ side: ConnectionSide, into messages: inout [StreamMessage]
    ) {
        while !sides[side].order.waiting.isEmpty {
            lose(side, into: &messages)
            sides[side].order.giveUpMissing()
            deliverReady(side, into: &messages)
        }
    }

    /// Reports missing packets of a side to the sessions.
    private mutating func lose(_ side: ConnectionSide, into messages: inout [StreamMessage]) {
        if !sides[side].control.isEmpty {
            dropControl(
                side, "the capture lacks the rest of a control message", isLoss: true,
                into: &messages)
        }
        sides[side].lacksControl = true
        sessions.lose(side, into: &messages)
    }
}

// MARK: - What the link carries

extension IAP2.ConnectionDecoder {
    private mutating func deliverReady(
        _ side: ConnectionSide, into messages: inout [StreamMessage]
    ) {
        for carried in sides[side].order.takeReady() {
            let packet = carried.packet
            switch kinds[packet.sessionID] ?? Self.guess(packet.payload) {
            case .control?:
                control(carried, side, into: &messages)
            case .externalAccessory?:
                sessions.data(
                    packet.payload, at: carried.range.lowerBound + UInt64(Self.payloadPlace),
                    from: side, into: &messages)
            case let kind:
                emit(.data(kind, packet), packet.bytes, carried.range, into: &messages)
            }
        }
    }

    /// The offset of the payload in a packet.
    private static let payloadPlace = IAP2.PacketHeader.size

    /// Guesses the kind of a session whose declaration was not captured; `nil` if the payload does
    /// not show it.
    private static func guess(_ payload: [UInt8]) -> IAP2.LinkSessionKind? {
        let length = (try? IAP2.ControlMessage.length(of: payload[...])) ?? nil
        return length == payload.count ? .control : nil
    }

    private mutating func control(
        _ carried: Carried, _ side: ConnectionSide, into messages: inout [StreamMessage]
    ) {
        let payload = carried.packet.payload
        if sides[side].lacksControl {
            guard (try? IAP2.ControlMessage.length(of: payload[...])) != nil else {
                return emit(
                    .malformed("the capture lacks the beginning of a control message"),
                    Array(payload.prefix(IAP2.Limits.malformedSample)), carried.range,
                    into: &messages)
            }
            sides[side].lacksControl = false
        }
        let start = carried.range.lowerBound + UInt64(Self.payloadPlace)
        _ = sides[side].controlPlaces.append(
            payload.count, at: [start..<(start + UInt64(payload.count))])
        sides[side].control += payload
        while !sides[side].control.isEmpty {
            do throws(DecodeError) {
                guard let length = try IAP2.ControlMessage.length(of: sides[side].control[...]),
                    length <= sides[side].control.count
                else { return }
                let bytes = Array(sides[side].control.prefix(length))
                let ranges = takeControl(length, side)
                deliver(bytes, ranges, carried.packet.sessionID, side, into: &messages)
            } catch {
                return dropControl(side, "\(error)", isLoss: false, into: &messages)
            }
        }
    }

    private mutating func deliver(
        _ bytes: [UInt8], _ ranges: [Range<UInt64>], _ sessionID: UInt8,
        _ side: ConnectionSide, into messages: inout [StreamMessage]
    ) {
        do throws(DecodeError) {
            let message = try IAP2.ControlMessage(parsing: bytes)
            messages.append(
                StreamMessage(
                    content: IAP2.Message(
                        .control(message, sessionID: sessionID), bytes: bytes),
                    ranges: ranges))
            sessions.control(message, from: side, at: ranges, into: &messages)
        } catch {
            let isLimit = error.code == .limit
            messages.append(
                StreamMessage(
                    content: IAP2.Message(
                        .malformed("\(error)"),
                        bytes: Array(bytes.prefix(IAP2.Limits.malformedSample)),
                        anomalies: isLimit ? [] : [IAP2.violation("\(error)")],
                        unread: isLimit ? Unread(because: error.detail) : nil),
                    ranges: ranges))
        }
    }

    /// Reports the held control bytes as malformed.
    private mutating func dropControl(
        _ side: ConnectionSide, _ why: String, isLoss: Bool,
        into messages: inout [StreamMessage]
    ) {
        let bytes = Array(sides[side].control.prefix(IAP2.Limits.malformedSample))
        let ranges = takeControl(sides[side].control.count, side)
        let anomalies = isLoss ? [] : [IAP2.violation(why)]
        messages.append(
            StreamMessage(
                content: IAP2.Message(.malformed(why), bytes: bytes, anomalies: anomalies),
                ranges: ranges))
    }

    private mutating func takeControl(
        _ count: Int, _ side: ConnectionSide
    ) -> [Range<UInt64>] {
        let start = sides[side].controlPlaces.next - UInt64(sides[side].control.count)
        let ranges = sides[side].controlPlaces.outer(of: [start..<(start + UInt64(count))])
        sides[side].control.removeFirst(count)
        sides[side].controlPlaces.forget(before: start + UInt64(count))
        return ranges
    }

    private func emit(
        _ content: IAP2.Message.Content, _ bytes: [UInt8], _ range: Range<UInt64>,
        _ anomalies: [Anomaly] = [], into messages: inout [StreamMessage]
    ) {
        messages.append(
            StreamMessage(
                content: IAP2.Message(content, bytes: bytes, anomalies: anomalies),
                ranges: [range]))
    }
}

extension IAP2 {
    static func violation(_ text: String) -> Anomaly {
        Anomaly(.violation, text, specification: citation)
    }
}
