import Bluetooth
import Capture
import Protocols

/// Writes the HCI packets of a capture, be they carried by TCP or captured as such, as a capture that
/// other tools can read: H4 with its direction (LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR), an interface
/// for each host.
public struct HCIExport {
    /// An HCI packet with its direction.
    private struct Exported {
        let time: Int64
        let host: Int
        let bytes: [UInt8]
    }

    /// How connections are read.
    private var options: TraceOptions
    private var hosts: [Host: Int] = [:]
    private var packets: [Exported] = []
    /// Packets that could not be written because their direction is not known.
    public private(set) var skipped = 0

    private enum Host: Hashable {
        case adapter(UInt16)
        case flow(Int)
    }

    /// Makes an export of nothing.
    public init(_ options: TraceOptions) {
        self.options = options
        self.options.protocols = [H4Export.streamProtocol]
    }

    /// How many HCI packets there are.
    public var count: Int { packets.count }

    /// Reads a capture.
    ///
    /// - Throws: What reading throws.
    public mutating func read(_ series: CaptureSeries) throws {
        var engine = TraceEngine(options)
        var messages: [TraceMessage] = []
        try series.forEach { packet in
            if let framing = HCIFraming(linkType: packet.linkType.rawValue) {
                take(packet, framing)
            } else {
                engine.consume(packet, into: &messages)
                messages.forEach { take($0) }
                messages.removeAll(keepingCapacity: true)
            }
        }
        engine.finish(at: nil, into: &messages)
        messages.forEach { take($0) }
    }

    private mutating func take(_ message: TraceMessage) {
        guard let packet = message.content as? H4Export.Packet, let flow = message.flow else {
            return
        }
        append(
            packet.bytes, isReceived: !packet.isFromHost, host: .flow(flow),
            at: message.time.nanoseconds)
    }

    private mutating func take(_ packet: borrowing Packet, _ framing: HCIFraming) {
        let told = packet.direction.map { $0 == .received }
        guard
            let header = try? HCIHeader(parsing: packet.bytes, framing: framing, isReceived: told),
            let type = header.kind.type
        else { return }
        guard let isReceived = header.isReceived else {
            skipped += 1
            return
        }
        let body = [UInt8](copying: packet.bytes.extracting(droppingFirst: header.length))
        append(
            [type.rawValue] + body, isReceived: isReceived, host: .adapter(header.adapter),
            at: packet.timestamp)
    }

    private mutating func append(
        _ bytes: [UInt8], isReceived: Bool, host: Host, at time: Int64
    ) {
        let number = hosts[host] ?? hosts.count
        hosts[host] = number
        packets.append(
            Exported(time: time, host: number, bytes: [0, 0, 0, isReceived ? 1 : 0] + bytes))
    }

    /// Writes what was read as pcapng; the file appears whole or not at all.
    ///
    /// - Parameters:
    ///   - path: Where to; an existing file is replaced.
    ///   - source: What it was made of, for the comment of the new file.
    /// - Throws: `.io` if the file cannot be written.
    public func write(to path: String, source: String) throws(CaptureError) {
        let section = CaptureSection(comments: ["HCI packets of \(source), taken out by conform"])
        let interfaces = (0..<max(1, hosts.count)).map {
            CaptureInterface(name: "hci\($0)", linkType: .bluetoothH4Directed)
        }
        let packets = packets
        try PcapngWriter.create(at: path, section: section, interfaces: interfaces) {
            (writer) throws(CaptureError) in
            for (index, packet) in packets.enumerated() {
                try writer.write(
                    Packet(
                        packet.bytes.span.bytes, timestamp: packet.time, index: index + 1,
                        linkType: .bluetoothH4Directed, interface: packet.host))
            }
        }
    }
}

extension HCIHeader.Kind {
    /// The type of UART transport; `nil` for what is no packet.
    fileprivate var type: H4Type? {
        switch self {
        case .command: .command
        case .acl: .acl
        case .synchronous: .synchronous
        case .event: .event
        case .isochronous: .isochronous
        case .newController, .note: nil
        }
    }
}
