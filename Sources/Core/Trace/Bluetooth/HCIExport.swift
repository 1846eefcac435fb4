import Bluetooth
import Capture
import Wire

/// Writes the HCI packets of a capture as a capture that other tools can read.
///
/// The packets may be carried by TCP or be captured directly. They are written as H4 with direction
/// (LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR), with an interface for each host. The TCP connections of
/// other supported protocols, such as those by which apps report, are written as they were
/// captured.
public struct HCIExport {
    /// A packet of the new capture.
    private struct Exported {
        let time: Int64
        /// The frame of the old capture in which the packet ended.
        let frame: Int
        let interface: Int
        let linkType: LinkType
        let bytes: [UInt8]
    }

    /// The options for reading connections.
    private var options: TraceOptions
    private var interfaces: [Source: Int] = [:]
    private var packets: [Exported] = []
    /// The frames of each connection in which something was recognised.
    private var frames: [Int: Set<Int>] = [:]
    /// The connections of other supported protocols.
    private var others: Set<Int> = []
    /// The metadata of the old capture about its end and its losses.
    private var source: CaptureMetadata?
    /// Packets that could not be written because their direction is not known.
    public private(set) var skipped = 0

    private enum Source: Hashable {
        case adapter(UInt16)
        case flow(Int)
        case others(LinkType)
    }

    /// Creates an empty export.
    public init(_ options: TraceOptions) {
        self.options = options
        self.options.protocols.insert(H4Export.streamProtocol, at: 0)
    }

    /// The number of HCI packets.
    public var count: Int { packets.count { $0.linkType == .bluetoothH4Directed } }

    /// Whether the capture has connections of other supported protocols, which `readOthers` adds.
    public var hasOthers: Bool { !others.isEmpty }

    /// Reads a capture.
    ///
    /// - Throws: What reading throws.
    public mutating func read(_ series: CaptureSeries) throws {
        var engine = TraceEngine(options)
        var messages: [TraceMessage] = []
        try series.forEach { packet in
            if let framing = HCIFraming(linkType: packet.linkType.rawValue) {
                consume(packet, framing)
            } else {
                engine.consume(packet, into: &messages)
                messages.forEach { consume($0) }
                messages.removeAll(keepingCapacity: true)
            }
        }
        engine.finish(at: nil, into: &messages)
        messages.forEach { consume($0) }
        frames = frames.filter { others.contains($0.key) }
        source = series.metadata
    }

    /// Reads the same capture again, and adds the connections of other supported protocols.
    ///
    /// - Throws: What reading throws.
    public mutating func readOthers(_ series: CaptureSeries) throws {
        let wanted = frames.values.reduce(into: Set<Int>()) { $0.formUnion($1) }
        try series.forEach { packet in
            guard wanted.contains(packet.index) else { return }
            append(
                [UInt8](copying: packet.bytes), .others(packet.linkType), packet.linkType,
                frame: packet.index, at: packet.timestamp)
        }
        packets.sort { ($0.frame, $0.interface) < ($1.frame, $1.interface) }
    }

    private mutating func consume(_ message: TraceMessage) {
        guard let flow = message.flow else { return }
        guard let packet = message.content as? H4Export.Packet else {
            frames[flow, default: []].formUnion(message.frames)
            let isPlain = FlowNumber.isDatagram(flow) || message.content.protocolName == "tcp"
            if !isPlain { others.insert(flow) }
            return
        }
        append(
            Self.directed(packet.bytes, isReceived: !packet.isFromHost), .flow(flow),
            .bluetoothH4Directed, frame: message.frames.last ?? 0, at: message.time.nanoseconds)
    }

    /// Returns a packet of H4 with its direction before it.
    private static func directed(_ bytes: [UInt8], isReceived: Bool) -> [UInt8] {
        [0, 0, 0, isReceived ? 1 : 0] + bytes
    }

    private mutating func consume(_ packet: borrowing Packet, _ framing: HCIFraming) {
        let stated = packet.direction.map { $0 == .received }
        guard
            var header = try? HCIHeader(
                parsing: packet.bytes, framing: framing, isReceived: stated),
            let type = header.kind.type
        else { return }
        if !framing.hasAdapter { header.adapter = packet.adapter }
        guard let isReceived = header.isReceived else {
            skipped += 1
            return
        }
        let body = [UInt8](copying: packet.bytes.extracting(droppingFirst: header.length))
        append(
            Self.directed([type.rawValue] + body, isReceived: isReceived),
            .adapter(header.adapter), .bluetoothH4Directed, frame: packet.index,
            at: packet.timestamp)
    }

    private mutating func append(
        _ bytes: [UInt8], _ source: Source, _ linkType: LinkType, frame: Int, at time: Int64
    ) {
        let number = interfaces[source] ?? interfaces.count
        interfaces[source] = number
        packets.append(
            Exported(
                time: time, frame: frame, interface: number, linkType: linkType, bytes: bytes))
    }

    /// Writes what was read as pcapng; the file appears complete or not at all.
    ///
    /// - Parameters:
    ///   - path: The path of the file; an existing file is replaced.
    ///   - name: The name of the original capture, for the comment of the new file.
    /// - Throws: `.io` if the file cannot be written.
    public func write(to path: String, source name: String) throws(CaptureError) {
        let section = CaptureSection(comments: ["HCI packets of \(name), extracted by conform"])
        var described = interfaces.sorted { $0.value < $1.value }.map { source, number in
            if case .others(let linkType) = source {
                CaptureInterface(name: "others", linkType: linkType)
            } else {
                CaptureInterface(name: "hci\(number)", linkType: .bluetoothH4Directed)
            }
        }
        if described.isEmpty {
            described = [CaptureInterface(name: "hci0", linkType: .bluetoothH4Directed)]
        }
        let (packets, source, count) = (packets, source, described.count)
        try PcapngWriter.create(at: path, section: section, interfaces: described) {
            (writer) throws(CaptureError) in
            for (index, packet) in packets.enumerated() {
                try writer.write(
                    Packet(
                        packet.bytes.span.bytes, timestamp: packet.time, index: index + 1,
                        linkType: packet.linkType, interface: packet.interface))
            }
            guard let end = source?.end else { return }
            for number in 0..<count {
                try writer.writeStatistics(
                    interface: number, timestamp: end, received: nil,
                    dropped: number == 0 ? source?.droppedPackets : nil, end: end)
            }
        }
    }
}

extension Packet {
    /// The number of the controller if the packet does not contain it: each interface has its own.
    var adapter: UInt16 { UInt16(clamping: fileInterface) }
}

extension HCIHeader.Kind {
    /// The type of UART transport; `nil` for what is not a packet.
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
