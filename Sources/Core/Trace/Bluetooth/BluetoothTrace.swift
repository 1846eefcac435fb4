import Bluetooth
import Capture
import Wire

/// Turns captured HCI packets into messages of hosts, with the devices at their ends.
struct BluetoothTrace: Sendable {
    private struct Channel: Hashable {
        let adapter: UInt16
        let remote: BluetoothNode
        let channel: BluetoothChannel
    }

    /// The maximum number of controllers that are followed at a time.
    private static let adaptersMax = 64

    private var hosts: [UInt16: HostDecoder] = [:]
    /// The numbers of channels in the trace.
    private var flows: [Channel: Int] = [:]

    /// Processes a packet.
    mutating func consume(
        _ packet: borrowing Packet, _ framing: HCIFraming, into output: inout TraceOutput
    ) throws(DecodeError) {
        let stated = packet.direction.map { $0 == .received }
        var header = try HCIHeader(parsing: packet.bytes, framing: framing, isReceived: stated)
        if !framing.hasAdapter { header.adapter = packet.adapter }
        let body = packet.bytes.extracting(droppingFirst: header.length)
        var isFromHost = header.isReceived.map { !$0 }
        if header.kind == .acl, isFromHost == nil {
            isFromHost = hosts[header.adapter]?.isFromHost(data: body)
            if isFromHost == nil {
                return output.statistics.ignore("bluetooth hci without direction")
            }
        }
        guard hosts.count < Self.adaptersMax || hosts[header.adapter] != nil else {
            return output.statistics.ignore("bluetooth controller beyond the limit")
        }
        if hosts[header.adapter] == nil { output.statistics.hosts += 1 }
        var host =
            hosts.removeValue(forKey: header.adapter)
            ?? HostDecoder(of: output.stack, adapter: header.adapter)
        host.now = packet.isTimed ? output.now : nil
        var messages: [HostMessage] = []
        // A packet's place is its number, so the places of a message are the packets that carried
        // it.
        let place = UInt64(packet.index)..<(UInt64(packet.index) + 1)
        defer {
            emit(messages, of: host, header.adapter, into: &output)
            hosts[header.adapter] = host
        }
        if header.kind == .acl {
            output.statistics.streamBytes += max(0, body.byteCount - ACLHeader.size)
        }
        let isWhole = try host.consume(
            header.kind, isFromHost: isFromHost == true, body, at: place, into: &messages)
        if !isWhole { output.statistics.truncatedPackets += 1 }
        for (reason, count) in host.takeIgnored() {
            output.statistics.ignore(reason, count: count)
        }
    }

    /// Ends all links because the capture ends.
    mutating func finish(into output: inout TraceOutput) {
        for adapter in hosts.keys.sorted() {
            guard var host = hosts.removeValue(forKey: adapter) else { continue }
            var messages: [HostMessage] = []
            host.finish(into: &messages)
            emit(messages, of: host, adapter, into: &output)
        }
    }
}

extension BluetoothTrace {
    private mutating func emit(
        _ messages: [HostMessage], of host: HostDecoder, _ adapter: UInt16,
        into output: inout TraceOutput
    ) {
        for found in messages {
            let own = Endpoint.bluetooth(host.node, found.channel)
            let remote = Endpoint.bluetooth(found.remote ?? .controller(adapter), found.channel)
            var message = TraceMessage(
                number: 0, time: output.now,
                frames: found.places.flatMap { $0.map { Int(clamping: $0) } },
                source: found.isFromHost ? own : remote,
                destination: found.isFromHost ? remote : own,
                content: found.content)
            if let node = found.remote, let channel = found.channel {
                message.flow = flow(
                    Channel(adapter: adapter, remote: node, channel: channel), into: &output)
            }
            output.append(message)
        }
    }

    /// Returns the number of a channel in the trace.
    private mutating func flow(_ channel: Channel, into output: inout TraceOutput) -> Int {
        if let number = flows[channel] { return number }
        let number = output.statistics.flows
        output.statistics.flows += 1
        output.statistics.channels += 1
        flows[channel] = number
        return number
    }
}
