import Bluetooth
import Capture
import TCPIP
import Wire

extension RawSpan {
    /// Returns the port at an offset of a transport's header.
    fileprivate func port(at offset: Int) -> UInt16 {
        UInt16(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }
}

extension TCPFlags {
    /// Returns the direction of the attempt that a segment shows; `nil` if it shows none.
    fileprivate func attempted(_ direction: Direction) -> Direction? {
        guard contains(.syn) else { return nil }
        return contains(.ack) ? direction.opposite : direction
    }
}

/// How the headers of a packet lead to the flow that reads its payload.
extension TraceEngine {
    /// Processes the link layer: finds the IP packet.
    mutating func consumeFrame(_ packet: borrowing Packet) throws(DecodeError) {
        if packet.linkType == .ethernet, let segment = EthernetSegment(packet.bytes) {
            let (key, direction) = FlowKey.make(segment)
            guard output.options.shard.holds(key) else { return }
            guard output.hasValidChecksum(segment, in: packet.bytes) else { return }
            let start = segment.segment.lowerBound + segment.header.length
            let payload = start..<segment.segment.upperBound
            consume(
                packet.bytes.extracting(payload),
                CarryingSegment(
                    frame: packet.index, header: segment.header, segmentLength: payload.count,
                    time: output.now),
                key, direction)
            return
        }
        guard let framing = LinkFraming(rawValue: packet.linkType.rawValue) else {
            if let framing = HCIFraming(linkType: packet.linkType.rawValue) {
                // Bluetooth links are not distributed: the first share follows all of them.
                guard output.options.shard.index == 0 else { return }
                return try bluetooth.consume(packet, framing, into: &output)
            }
            let what =
                packet.linkType.knownName.map { "\($0), which is not dissected" }
                ?? "unknown link type \(packet.linkType)"
            output.statistics.ignore(what)
            output.recordOpaque(what, frame: packet.index)
            return
        }
        let header = try LinkHeader(parsing: packet.bytes, framing: framing)
        switch header.etherType {
        case .ipv4, .ipv6:
            var place = Hasher()
            place.combine(packet.interface)
            packet.bytes.extracting(first: header.length).withUnsafeBytes {
                place.combine(bytes: $0)
            }
            try consumeIP(
                packet.bytes.extracting(droppingFirst: header.length), frame: packet.index,
                at: place.finalize())
        case .arp:
            output.statistics.ignore("arp")
        case let other:
            let what =
                header.isLengthFramed
                ? "ieee 802.3" : "ethertype 0x" + String(other.rawValue, radix: 16)
            output.statistics.ignore(what)
            let payload = packet.bytes.extracting(droppingFirst: header.length)
            if OpaquePackets.hold(etherType: other.rawValue, payload) {
                output.recordOpaque(what, frame: packet.index)
            }
        }
    }

    /// Processes the network layer: finds the transport's unit, reassembled from fragments if
    /// necessary.
    ///
    /// - Parameters:
    ///   - packet: The packet.
    ///   - frame: Its frame.
    ///   - place: Where it was captured, by hash: the interface and the link layer.
    private mutating func consumeIP(
        _ packet: RawSpan, frame: Int, at place: Int
    ) throws(DecodeError) {
        let header = try IPHeader(parsing: packet)
        let captured = packet.extracting(droppingFirst: header.length)
        let payload = captured.extracting(first: header.payloadLength)
        if payload.byteCount < header.payloadLength { output.statistics.truncatedPackets += 1 }
        guard let fragment = header.fragment else {
            guard [.udp, .icmp, .icmpv6].contains(header.protocolNumber) else {
                return try consumeTransport(payload, header, frames: [frame])
            }
            let finding = copies.add(payload, header, at: place, output.now)
            switch finding {
            case .other, .doubtful: try consumeTransport(payload, header, frames: [frame])
            case .copy, .doubtfulCopy: output.statistics.copiedDatagrams += 1
            }
            if finding == .doubtful || finding == .doubtfulCopy {
                recordDoubt(
                    .repeatedDatagram, of: payload, header, since: output.now, frame: frame)
            }
            return
        }
        guard
            let whole = fragments.accept(
                payload, fragment, of: header, frame: frame, at: output.now,
                counting: &output.statistics)
        else {
            if let start = fragments.takeLost() {
                output.recordOpaque(IPReassembly.lost, frame: nil, since: start)
            }
            return
        }
        var joined = header
        joined.fragment = nil
        joined.payloadLength = whole.bytes.count
        let bytes = whole.bytes
        let skipped = try joined.skipExtensions(of: bytes.span.bytes)
        let transported = bytes.span.bytes.extracting(droppingFirst: skipped)
        try consumeTransport(transported, joined, frames: whole.frames)
        if whole.isDoubtful {
            recordDoubt(
                .conflictingBytes, of: transported, joined, since: whole.start,
                frame: frame)
        }
    }

    /// Records that it is not known what a receiver made of a packet.
    private mutating func recordDoubt(
        _ cause: UnseenSpan.Cause, of payload: RawSpan, _ header: IPHeader, since: Timestamp,
        frame: Int
    ) {
        guard payload.byteCount >= 4, [.udp, .tcp].contains(header.protocolNumber) else { return }
        let ports = payload.extracting(first: 4)
        let source = Endpoint(address: header.source, port: ports.port(at: 0))
        let destination = Endpoint(address: header.destination, port: ports.port(at: 2))
        let key = FlowKey.make(from: source, to: destination).key
        guard output.options.shard.holds(key) else { return }
        if cause == .conflictingBytes { output.statistics.recordConflict(frame: frame) }
        guard output.options.recordsUnseen else { return }
        let flow =
            header.protocolNumber == .udp
            ? datagrams.flow(of: key) : flows.slot(of: key).map { flows[$0].number }
        output.unseen.append(
            UnseenSpan(
                cause: cause, since: since.oneTickEarlier, until: output.now, frame: frame,
                flow: flow, source: source, destination: destination))
    }

    /// Processes the transport layer: finds the TCP segment or the UDP datagram.
    private mutating func consumeTransport(
        _ payload: RawSpan, _ header: IPHeader, frames: [Int]
    ) throws(DecodeError) {
        let frame = frames.last ?? 0
        switch header.protocolNumber {
        case .tcp: try consumeTCP(payload, header, frame: frame)
        case .udp:
            if OpaquePackets.hold(datagram: payload) {
                output.recordOpaque("a tunnel over udp", frame: frame)
            }
            datagrams.consume(payload, header, frames: frames, into: &output)
        case .icmp, .icmpv6: try consumeICMP(payload, header, frame: frame)
        case .igmp: output.statistics.ignore("igmp")
        case .sctp: output.statistics.ignore("sctp")
        case let other:
            let what = "ip protocol \(other.rawValue)"
            output.statistics.ignore(what)
            if OpaquePackets.hold(ipProtocol: other.rawValue) {
                output.recordOpaque(what, frame: frame)
            }
        }
    }

    /// Processes control messages that report a failure to the sender of a segment or datagram.
    private mutating func consumeICMP(
        _ message: RawSpan, _ ip: IPHeader, frame: Int
    ) throws(DecodeError) {
        guard let report = try ICMPUnreachable(parsing: message, of: ip) else {
            output.statistics.ignore(ip.protocolNumber == .icmp ? "icmp" : "icmpv6")
            return
        }
        let caller = Endpoint(address: report.quotedSource, port: report.sourcePort)
        let callee = Endpoint(address: report.quotedDestination, port: report.destinationPort)
        let key = FlowKey.make(from: caller, to: callee).key
        guard output.options.shard.holds(key) else { return }
        // The host itself reports for its endpoint. A router on the way is a separate party.
        let isCallee = report.source == report.quotedDestination
        output.append(
            TraceMessage(
                number: 0, time: output.now, frames: [frame],
                flow: report.quotedProtocol == .udp
                    ? datagrams.flow(of: key) : flows.slot(of: key).map { flows[$0].number },
                source: isCallee ? callee : Endpoint(address: report.source, port: 0),
                destination: caller, content: report))
    }

    /// Processes TCP: reads the header.
    private mutating func consumeTCP(
        _ segment: RawSpan, _ ip: IPHeader, frame: Int
    ) throws(DecodeError) {
        let header = try TCPHeader(parsing: segment)
        let (key, direction) = FlowKey.make(
            from: Endpoint(address: ip.source, port: header.sourcePort),
            to: Endpoint(address: ip.destination, port: header.destinationPort))
        guard output.options.shard.holds(key) else { return }
        if output.options.verifiesChecksums, segment.byteCount == ip.payloadLength,
            !InternetChecksum.isValid(segment, ofTCPFrom: ip.source, to: ip.destination)
        {
            output.statistics.ignore(TraceStatistics.badChecksum)
            return
        }
        consume(
            segment.extracting(droppingFirst: header.length),
            CarryingSegment(
                frame: frame, header: header, segmentLength: ip.payloadLength - header.length,
                time: output.now),
            key, direction)
    }

    /// Processes a TCP segment: finds its flow.
    private mutating func consume(
        _ payload: RawSpan, _ carrier: CarryingSegment, _ key: FlowKey, _ direction: Direction
    ) {
        output.statistics.segments += 1
        if let slot = flows.slot(of: key) {
            if consume(payload, carrier, direction, slot) { return }
            release(slot, reason: .end)
        } else {
            makeRoom()
            if takeLate(payload, carrier, key, direction) { return }
        }
        let slot = flows.nextSlot
        flows.insert(
            Flow(
                number: output.statistics.flows, slot: slot, key: key,
                attempted: carrier.header.flags.attempted(direction), options: output.options),
            at: output.now)
        output.statistics.flows += 1
        if output.options.shard.count > 1 { firstFrames.append(Int32(clamping: carrier.frame)) }
        _ = consume(payload, carrier, direction, slot)
    }

    /// Passes a segment to a flow.
    ///
    /// Returns `false` if it opens another connection between the same ends.
    mutating func consume(
        _ payload: RawSpan, _ carrier: CarryingSegment, _ direction: Direction, _ slot: Int
    ) -> Bool {
        let change = flows.consume(payload, carrier, direction, slot, into: &output)
        if output.recordsPauses { recordPause(payload, carrier, direction, slot) }
        if output.recordsBeginnings, carrier.segmentLength > 0 {
            flows[slot].reportBegun(carrier, direction, into: &output)
        }
        if output.options.reportsSkippedAtOnce, flows[slot].hasSkipped(direction) {
            flows[slot].reportSkipped(direction, into: &output)
        }
        switch change {
        case .none: break
        case .isSuperseded: return false
        case .awaits: expect(slot)
        case .closes:
            if flows[slot].isAwaiting { expect(slot) }
            closedFlows.add(
                slot, flows[slot].number,
                until: (output.now + output.closedWait).nanoseconds)
        }
        return true
    }
}
