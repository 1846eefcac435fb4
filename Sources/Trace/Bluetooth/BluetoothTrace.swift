import Capture
import Protocols

/// HCI packets -> logical links -> channels -> messages, with the devices at their ends.
struct BluetoothTrace: Sendable {
    private struct LinkKey: Hashable {
        let adapter: UInt16
        let handle: UInt16
    }

    private struct Link: Sendable {
        var decoder: Bluetooth.LinkDecoder
        /// The device at the other end.
        var remote: Bluetooth.Node
        /// The numbers of its channels in the trace.
        var flows: [Bluetooth.Channel: Int] = [:]
        /// Who carried what a side sent; the first side is the capturing host.
        var frames = BothSides { FrameIndex() }
    }

    /// Links that are followed at a time: a controller has at most a few dozen.
    private static let linksMax = 1_024

    private var links: [LinkKey: Link] = [:]
    /// The controllers' own addresses.
    private var addresses: [UInt16: UInt64] = [:]

    /// Takes a packet.
    mutating func consume(
        _ packet: borrowing Packet, _ framing: HCIFraming, into output: inout TraceOutput
    ) throws(DecodeError) {
        let told = packet.direction.map { $0 == .received }
        let header = try HCIHeader(parsing: packet.bytes, framing: framing, isReceived: told)
        let body = packet.bytes.extracting(droppingFirst: header.length)
        switch header.kind {
        case .acl: try data(body, header, frame: packet.index, into: &output)
        case .event: try event(body, header, frame: packet.index, into: &output)
        case .newController: try learnAddress(body, header)
        case .command: output.statistics.ignore("bthci_cmd")
        case .synchronous: output.statistics.ignore("bthci_sco")
        case .isochronous: output.statistics.ignore("bthci_iso")
        case .note: output.statistics.ignore("bluetooth monitor note")
        }
    }

    /// Ends all links because the capture ends.
    mutating func finish(into output: inout TraceOutput) {
        let keys = links.keys.sorted {
            ($0.adapter, $0.handle) < ($1.adapter, $1.handle)
        }
        for key in keys { end(key, by: nil, into: &output) }
    }
}

extension BluetoothTrace {
    private func local(_ adapter: UInt16) -> Bluetooth.Node {
        addresses[adapter].map { .address($0) } ?? .adapter(adapter)
    }

    /// Type and bus, then the address (LINKTYPE_BLUETOOTH_LINUX_MONITOR, New Index Event).
    private mutating func learnAddress(
        _ body: RawSpan, _ header: HCIHeader
    ) throws(DecodeError) {
        var reader = ByteReader(body, unit: "hci_mon.new_index")
        try reader.skip(2, "bus")
        let bytes = try reader.array(6, "bd_addr")
        addresses[header.adapter] = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func data(
        _ body: RawSpan, _ header: HCIHeader, frame: Int, into output: inout TraceOutput
    ) throws(DecodeError) {
        guard let isReceived = header.isReceived else {
            output.statistics.ignore("bluetooth hci without direction")
            return
        }
        var reader = ByteReader(body, unit: "bthci_acl")
        let acl = try ACLHeader(parsing: &reader)
        let side = isReceived ? ConnectionSide.second : .first
        let key = LinkKey(adapter: header.adapter, handle: acl.handle)
        if links[key] == nil, links.count >= Self.linksMax {
            output.statistics.ignore("bluetooth link beyond the limit")
            return
        }
        var link =
            links.removeValue(forKey: key)
            ?? Link(
                decoder: Bluetooth.LinkDecoder(of: output.stack),
                remote: .handle(acl.handle, adapter: header.adapter))
        var messages: [Bluetooth.ChannelMessage] = []
        if reader.remaining < acl.length {
            output.statistics.truncatedPackets += 1
            link.decoder.lose(side, into: &messages)
        } else {
            let payload = try reader.span(acl.length)
            output.statistics.streamBytes += payload.byteCount
            let offset = link.frames[side].append(payload.byteCount, frame: frame)
            link.decoder.consume(
                payload, isContinuation: acl.isContinuation, from: side, at: offset,
                into: &messages)
        }
        emit(messages, side, &link, key.adapter, frame: frame, into: &output)
        let oldest = link.decoder.oldestPendingOffset(of: side, next: link.frames[side].next)
        link.frames[side].forget(before: oldest)
        for (reason, count) in link.decoder.takeIgnored() {
            output.statistics.ignore(reason, count: count)
        }
        links[key] = link
    }

    private mutating func event(
        _ body: RawSpan, _ header: HCIHeader, frame: Int, into output: inout TraceOutput
    ) throws(DecodeError) {
        let event = try HCIEvent(parsing: body)
        switch event {
        case .ownAddress(let address):
            addresses[header.adapter] = address
        case .connectionComplete(0, let handle, let address):
            let key = LinkKey(adapter: header.adapter, handle: handle)
            end(key, by: nil, frame: frame, into: &output)
            guard links.count < Self.linksMax else { break }
            links[key] = Link(
                decoder: Bluetooth.LinkDecoder(of: output.stack), remote: .address(address))
        case .disconnectionComplete, .connectionComplete, .other: break
        }
        guard let message = HCIEventMessage(event, bytes: [UInt8](copying: body)) else {
            output.statistics.ignore("bthci_evt")
            return
        }
        if case .disconnectionComplete(0, let handle, let reason) = event {
            let key = LinkKey(adapter: header.adapter, handle: handle)
            end(key, by: Self.ender(reason), frame: frame, into: &output)
        }
        output.append(
            TraceMessage(
                number: 0, time: output.now, frames: [frame],
                source: .bluetooth(local(header.adapter), nil), content: message))
    }

    /// Who ended a link, by the reason that the controller gives (Core 5.4 Vol 1 Part F 2.19 to
    /// 2.22): the other device, the own host, or nobody.
    private static func ender(_ reason: UInt8) -> ConnectionSide? {
        switch reason {
        case 0x13...0x15: .second
        case 0x16: .first
        default: nil
        }
    }

    private mutating func end(
        _ key: LinkKey, by ender: ConnectionSide?, frame: Int? = nil,
        into output: inout TraceOutput
    ) {
        guard var link = links.removeValue(forKey: key) else { return }
        let sides: [ConnectionSide] = ender == .second ? [.second, .first] : [.first, .second]
        for side in sides {
            let end: StreamEnd = ender == nil ? .captureEnded : side == ender ? .closed : .cut
            var messages: [Bluetooth.ChannelMessage] = []
            link.decoder.finish(side, end, into: &messages)
            emit(messages, side, &link, key.adapter, frame: frame, into: &output)
        }
    }

    private func emit(
        _ messages: [Bluetooth.ChannelMessage], _ side: ConnectionSide, _ link: inout Link,
        _ adapter: UInt16, frame: Int?, into output: inout TraceOutput
    ) {
        for found in messages {
            // What the end of a channel brings about has no bytes of its own.
            let carried = link.frames[side].frames(of: found.message.ranges)
            let frames = carried.isEmpty ? frame.map { [$0] } ?? [] : carried
            let (own, remote) = (
                Endpoint.bluetooth(local(adapter), found.channel),
                Endpoint.bluetooth(link.remote, found.channel)
            )
            var message = TraceMessage(
                number: 0, time: output.now, frames: frames,
                flow: flow(of: found.channel, &link, into: &output),
                source: side == .first ? own : remote,
                destination: side == .first ? remote : own, content: found.message.content)
            if let first = found.message.ranges.first, let last = found.message.ranges.last {
                message.streamRange = first.lowerBound..<max(first.lowerBound, last.upperBound)
            }
            output.append(message)
        }
    }

    /// The number of a channel in the trace.
    private func flow(
        of channel: Bluetooth.Channel, _ link: inout Link, into output: inout TraceOutput
    ) -> Int {
        if let number = link.flows[channel] { return number }
        let number = output.statistics.flows
        output.statistics.flows += 1
        link.flows[channel] = number
        return number
    }
}
