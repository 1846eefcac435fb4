import TCPIP
import Wire

/// Turns captured UDP datagrams into messages, each with the number of its flow.
///
/// A flow is the pair of ends between which datagrams go. Memory is bounded by
/// `TraceOptions.flowsMax`; no payload is kept.
struct DatagramTrace: Sendable {
    private struct Flow {
        let number: Int
        /// The direction of its first datagram.
        let opened: Direction
        var lastActivity: Timestamp
        /// Which checksums were seen, by direction.
        var sums: InlineArray<2, Sums> = [Sums(), Sums()]
    }

    /// Which checksums of a sender were seen.
    private struct Sums {
        var isAnyRight = false
        /// The first datagram with a wrong one, until it is recorded.
        var wrong: (time: Timestamp, frame: Int?)?
    }

    private var flows: [FlowKey: Flow] = [:]

    /// Returns the number of the flow between two ends; `nil` if no datagram of it was seen.
    func flow(of key: FlowKey) -> Int? { flows[key]?.number }

    /// Decodes the payload of an IP packet that carries a datagram.
    ///
    /// A datagram that was captured only in part is not a message. It is recorded as unseen.
    ///
    /// - Parameters:
    ///   - payload: The bytes, as far as they were captured.
    ///   - ip: The header of the packet, joined from all fragments.
    ///   - frames: The frames that carried it.
    ///   - output: The output to which the message is appended.
    mutating func consume(
        _ payload: RawSpan, _ ip: IPHeader, frames: [Int], into output: inout TraceOutput
    ) {
        guard let header = try? UDPHeader(parsing: payload, of: ip.payloadLength) else {
            // It cannot contain a TCP segment, so it concerns nobody else.
            if output.options.shard.index == 0 { output.statistics.ignore("malformed udp") }
            if payload.byteCount < UDPHeader.size, Self.isWanted(in: output) {
                output.recordOpaque("malformed udp", frame: frames.last)
            }
            return
        }
        let source = Endpoint(address: ip.source, port: header.sourcePort)
        let destination = Endpoint(address: ip.destination, port: header.destinationPort)
        let (key, direction) = FlowKey.make(from: source, to: destination)
        guard output.options.shard.holds(key) else { return }
        if output.options.verifiesChecksums, header.checksum != 0,
            payload.byteCount >= header.length,
            !InternetChecksum.isValid(payload.extracting(first: header.length), of: ip)
        {
            output.statistics.ignore(TraceStatistics.badDatagramChecksum)
            return
        }
        let number = number(of: key, direction, in: &output)
        guard payload.byteCount >= header.length else {
            recordCut(
                header.length - payload.byteCount, number, source, destination, frames.last,
                in: &output)
            return
        }
        if output.options.recordsUnseen, header.checksum != 0,
            !InternetChecksum.isPartial(header.checksum, of: ip, length: header.length)
        {
            let datagram = payload.extracting(first: header.length)
            recordChecksum(
                isRight: InternetChecksum.isValid(datagram, of: ip), key, direction, frames.last,
                in: &output)
        }
        output.statistics.datagrams += 1
        let body = payload.extracting(UDPHeader.size..<header.length)
        let opened =
            output.options.describesDatagrams ? flows[key]?.opened ?? direction : direction
        let description = output.options.datagrams(
            from: key.source(opened), to: key.destination(opened))
        if description == nil,
            Self.passesOver(
                body.byteCount, number, direction, frames.last ?? 0, in: &output)
        {
            return
        }
        let datagram = UDPDatagram(
            from: ip.source, to: ip.destination, header: header,
            stream: number - FlowNumber.firstOfUDP, bytes: [UInt8](copying: body))
        let messages: [any DissectedMessage] =
            description.map { DescribedDatagram.messages(in: datagram, by: $0) } ?? [datagram]
        for content in messages {
            output.append(
                TraceMessage(
                    number: 0, time: output.now, frames: frames, flow: number, source: source,
                    destination: destination, content: content))
        }
    }

    /// Records a datagram with a wrong checksum, if its sender computes checksums.
    ///
    /// Packets of the capturing host itself may have none yet.
    private mutating func recordChecksum(
        isRight: Bool, _ key: FlowKey, _ direction: Direction, _ frame: Int?,
        in output: inout TraceOutput
    ) {
        guard let index = flows.index(forKey: key) else { return }
        var sums = flows.values[index].sums[direction.rawValue]
        if isRight {
            sums.isAnyRight = true
        } else {
            sums.wrong = sums.wrong ?? (output.now, frame)
        }
        if sums.isAnyRight, let wrong = sums.wrong {
            sums.wrong = nil
            output.unseen.append(
                UnseenSpan(
                    cause: .wrongChecksum, since: wrong.time.oneTickEarlier, until: output.now,
                    frame: wrong.frame, flow: flows.values[index].number,
                    source: key.source(direction), destination: key.destination(direction)))
        }
        flows.values[index].sums[direction.rawValue] = sums
    }

    /// Returns whether a datagram is not wanted; it is counted then.
    private static func passesOver(
        _ byteCount: Int, _ number: Int, _ direction: Direction, _ frame: Int,
        in output: inout TraceOutput
    ) -> Bool {
        guard !output.screening.wantsAll, let code = UDPDatagram.code else { return false }
        output.screening.place = MessagePlace(
            flow: number, slot: -1, isFromFirst: direction == .fromFirst,
            nanoseconds: output.now.nanoseconds, frame: frame)
        guard output.screening.passesOver(event: code, byteCount: byteCount) else { return false }
        output.nextNumber += output.screening.takePassedOver()
        return true
    }

    /// Returns whether any consumer may want a datagram.
    private static func isWanted(in output: TraceOutput) -> Bool {
        output.options.describesDatagrams
            || UDPDatagram.code.map { !output.screening.selectsNothing(of: $0) } ?? false
    }

    /// Returns the number of the flow that a datagram belongs to.
    private mutating func number(
        of key: FlowKey, _ direction: Direction, in output: inout TraceOutput
    ) -> Int {
        if let index = flows.index(forKey: key) {
            flows.values[index].lastActivity = max(flows.values[index].lastActivity, output.now)
            return flows.values[index].number
        }
        if flows.count >= output.options.flowsMax { forgetIdle(in: &output) }
        let number = FlowNumber.firstOfUDP + output.statistics.datagramFlows
        output.statistics.datagramFlows += 1
        flows[key] = Flow(number: number, opened: direction, lastActivity: output.now)
        return number
    }

    /// Forgets an eighth of the flows, the least recently active.
    ///
    /// Their later datagrams begin new flows, so that no single flow is certain from then on.
    private mutating func forgetIdle(in output: inout TraceOutput) {
        let oldest = flows.sorted {
            ($0.value.lastActivity, $0.value.number) < ($1.value.lastActivity, $1.value.number)
        }.prefix(max(1, flows.count / 8))
        for (key, _) in oldest { flows[key] = nil }
        output.statistics.evictedDatagramFlows += oldest.count
        guard Self.isWanted(in: output) else { return }
        output.recordOpaque(
            "of more UDP flows than are followed", frame: nil,
            since: oldest.first?.value.lastActivity)
    }

    private func recordCut(
        _ count: Int, _ number: Int, _ source: Endpoint, _ destination: Endpoint, _ frame: Int?,
        in output: inout TraceOutput
    ) {
        output.statistics.ignore(Self.cut)
        guard output.options.recordsUnseen, Self.isWanted(in: output) else { return }
        output.unseen.append(
            UnseenSpan(
                cause: .cutPacket(count), since: output.now.oneTickEarlier, until: output.now,
                frame: frame, flow: number, source: source, destination: destination))
    }

    /// The category under which datagrams are counted that were captured only in part.
    static let cut = "udp datagram that was captured in part"
}

extension TraceMessage {
    /// Whether it is a UDP datagram.
    public var isDatagram: Bool { content.isDatagram }
}
