import Capture
import Protocols

/// Turns packets into the messages of a trace: streaming, in bounded memory, without a clock.
///
/// Packets -> TCP connections -> streams in order -> protocol messages. Every byte and packet that
/// does not become part of a message is counted in `statistics`.
public struct TraceEngine: Sendable {
    private var output: TraceOutput
    private var flows: [Flow] = []
    private var flowIndex: [FlowKey: Int] = [:]
    /// Flows that have acknowledged bytes outstanding.
    private var awaiting: [Int] = []
    private var fragments = IPReassembly()
    private var bluetooth = BluetoothTrace()
    private var nextNumber = 1

    /// Makes an engine that has seen nothing.
    public init(_ options: TraceOptions = TraceOptions()) {
        output = TraceOutput(options: options)
    }

    /// What has been seen so far.
    public var statistics: TraceStatistics { output.statistics }

    /// Takes the next packet and appends the messages that it completes.
    ///
    /// The messages' time is the packet's; their frames are all that carried them.
    public mutating func consume(
        _ packet: borrowing Packet, into messages: inout [TraceMessage]
    ) {
        output.statistics.packets += 1
        output.statistics.bytes += packet.bytes.byteCount
        output.now = Timestamp(nanoseconds: packet.timestamp)
        if !awaiting.isEmpty { giveUpOverdue() }
        do {
            try consumeFrame(packet)
        } catch {
            output.statistics.ignore("malformed " + error.unit.prefix { $0 != "." })
        }
        flush(into: &messages)
    }

    /// Tells that no packet came until `time`, so that overdue bytes are reported as missing.
    public mutating func advance(to time: Timestamp, into messages: inout [TraceMessage]) {
        guard !awaiting.isEmpty else { return }
        output.now = max(output.now, time)
        giveUpOverdue()
        flush(into: &messages)
    }

    /// Ends all streams: what is missing or unfinished in them is reported.
    ///
    /// - Parameters:
    ///   - time: When the capture ended; the last packet's time if `nil`.
    ///   - messages: Where the messages go.
    public mutating func finish(at time: Timestamp?, into messages: inout [TraceMessage]) {
        if let time { output.now = time }
        fragments.finish(counting: &output.statistics)
        for index in flows.indices.sorted(by: { flows[$0].number < flows[$1].number }) {
            flows[index].finish(nil, reason: .end, into: &output)
        }
        bluetooth.finish(into: &output)
        flows = []
        flowIndex = [:]
        awaiting = []
        output.waitingBytes = 0
        flush(into: &messages)
    }

    /// Gives an event that was not on the wire its place in the trace.
    public mutating func insert(event: DeviceEvent, at time: Timestamp) -> TraceMessage {
        defer { nextNumber += 1 }
        return TraceMessage(number: nextNumber, time: time, frames: [], content: event)
    }

    /// Looks from now on for bytes in a stream; where they are found stands a `SentBytes` message,
    /// before those that they decode to.
    public mutating func look(for bytes: ByteWatch) { output.watches.append(bytes) }

    private mutating func flush(into messages: inout [TraceMessage]) {
        guard !output.messages.isEmpty else { return }
        for var message in output.messages {
            message.number = nextNumber
            nextNumber += 1
            messages.append(message)
        }
        output.messages.removeAll(keepingCapacity: true)
    }
}

extension TraceEngine {
    /// Link layer: finds the IP packet.
    private mutating func consumeFrame(_ packet: borrowing Packet) throws(DecodeError) {
        guard let framing = LinkFraming(rawValue: packet.linkType.rawValue) else {
            if let framing = HCIFraming(linkType: packet.linkType.rawValue) {
                return try bluetooth.consume(packet, framing, into: &output)
            }
            output.statistics.ignore(
                packet.linkType.knownName.map { "\($0), which is not dissected" }
                    ?? "unknown link type \(packet.linkType)")
            return
        }
        let header = try LinkHeader(parsing: packet.bytes, framing: framing)
        switch header.etherType {
        case .ipv4, .ipv6:
            try consumeIP(
                packet.bytes.extracting(droppingFirst: header.length), frame: packet.index)
        case .arp:
            output.statistics.ignore("arp")
        case _ where header.isLengthFramed:
            output.statistics.ignore("ieee 802.3")
        case let other:
            output.statistics.ignore("ethertype 0x" + String(other.rawValue, radix: 16))
        }
    }

    /// Network layer: finds the transport's unit, of fragments the one that they make.
    private mutating func consumeIP(_ packet: RawSpan, frame: Int) throws(DecodeError) {
        let header = try IPHeader(parsing: packet)
        let captured = packet.extracting(droppingFirst: header.length)
        let payload = captured.extracting(first: header.payloadLength)
        if payload.byteCount < header.payloadLength { output.statistics.truncatedPackets += 1 }
        guard let fragment = header.fragment else {
            try consumeTransport(payload, header, frame: frame)
            return
        }
        guard
            let whole = fragments.accept(
                payload, fragment, of: header, at: output.now, counting: &output.statistics)
        else { return }
        var joined = header
        joined.fragment = nil
        joined.payloadLength = whole.count
        try consumeTransport(whole.span.bytes, joined, frame: frame)
    }

    /// Transport layer: finds the TCP segment.
    private mutating func consumeTransport(
        _ payload: RawSpan, _ header: IPHeader, frame: Int
    ) throws(DecodeError) {
        switch header.protocolNumber {
        case .tcp: try consumeTCP(payload, header, frame: frame)
        case .udp: output.statistics.ignore("udp")
        case .icmp, .icmpv6: try consumeICMP(payload, header, frame: frame)
        case .igmp: output.statistics.ignore("igmp")
        case .sctp: output.statistics.ignore("sctp")
        case let other: output.statistics.ignore("ip protocol \(other.rawValue)")
        }
    }

    /// Control messages: finds those that tell the sender of a TCP segment of its failure.
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
        // The host itself speaks for its endpoint; a router on the way is a party of its own.
        let isCallee = report.source == report.quotedDestination
        output.messages.append(
            TraceMessage(
                number: 0, time: output.now, frames: [frame],
                flow: flowIndex[key].map { flows[$0].number },
                source: isCallee ? callee : Endpoint(address: report.source, port: 0),
                destination: caller, content: report))
    }

    /// TCP: finds the flow.
    private mutating func consumeTCP(
        _ segment: RawSpan, _ ip: IPHeader, frame: Int
    ) throws(DecodeError) {
        let header = try TCPHeader(parsing: segment)
        if output.options.verifiesChecksums, segment.byteCount == ip.payloadLength,
            !InternetChecksum.isValid(segment, of: ip)
        {
            output.statistics.ignore("bad tcp checksum")
            return
        }
        output.statistics.segments += 1
        let (key, direction) = FlowKey.make(
            from: Endpoint(address: ip.source, port: header.sourcePort),
            to: Endpoint(address: ip.destination, port: header.destinationPort))
        let index = flow(of: header, key, direction)
        let carrier = Carrier(
            frame: frame, header: header, segmentLength: ip.payloadLength - header.length)
        let waitingBefore = flows[index].waitingBytes
        let wasAwaiting = flows[index].isAwaiting
        output.waitingBytes -= waitingBefore
        flows[index].receive(
            segment.extracting(droppingFirst: header.length), carrier, direction, into: &output)
        output.waitingBytes += flows[index].waitingBytes
        if !wasAwaiting, flows[index].isAwaiting { awaiting.append(index) }
    }

    /// The place of a segment's flow; makes one for the first segment of a connection.
    private mutating func flow(
        of header: TCPHeader, _ key: FlowKey, _ direction: Direction
    ) -> Int {
        if let index = flowIndex[key] {
            if flows[index].isSuperseded(by: header, direction) {
                output.waitingBytes -= flows[index].waitingBytes
                flows[index].finish(nil, reason: .end, into: &output)
                flows[index] = makeFlow(key)
            }
            return index
        }
        if flows.count >= output.options.flowsMax { evictIdleFlows() }
        flowIndex[key] = flows.count
        flows.append(makeFlow(key))
        return flows.count - 1
    }

    private mutating func makeFlow(_ key: FlowKey) -> Flow {
        defer { output.statistics.flows += 1 }
        return Flow(
            number: output.statistics.flows, key: key, at: output.now, options: output.options)
    }

    /// Gives up an eighth of the flows: closed ones first, then the least recently active.
    ///
    /// A share at a time, so that looking for them costs little for each new flow.
    private mutating func evictIdleFlows() {
        let byActivity = flows.indices.sorted { left, right in
            flows[left].isClosed == flows[right].isClosed
                ? flows[left].lastActivity < flows[right].lastActivity : flows[left].isClosed
        }
        let evicted = Set(byActivity.prefix(max(1, flows.count / 8)))
        for index in evicted.sorted() {
            if !flows[index].isClosed { output.statistics.evictedFlows += 1 }
            output.waitingBytes -= flows[index].waitingBytes
            flows[index].finish(nil, reason: .limit, into: &output)
        }
        flows = flows.indices.filter { !evicted.contains($0) }.map { flows[$0] }
        flowIndex = Dictionary(
            uniqueKeysWithValues: flows.enumerated().map { ($0.element.key, $0.offset) })
        awaiting = flows.indices.filter { flows[$0].isAwaiting }
    }

    private mutating func giveUpOverdue() {
        for index in awaiting {
            output.waitingBytes -= flows[index].waitingBytes
            flows[index].giveUpOverdue(nil, into: &output)
            output.waitingBytes += flows[index].waitingBytes
        }
        awaiting.removeAll { !flows[$0].isAwaiting }
    }
}
