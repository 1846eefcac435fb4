import Capture
import Glibc

@testable import Offline

/// A packet of a capture that is held in memory, framed as Ethernet.
struct LossPacket: Hashable {
    /// The time of capture, in nanoseconds.
    var time: Int64
    var bytes: [UInt8]
    /// The number of bytes on the wire.
    ///
    /// It is larger than the count of `bytes` if the packet was cut.
    var length: Int
}

/// A capture of Ethernet packets in memory, for tests that remove something from it.
struct LossCapture {
    var packets: [LossPacket]
    /// A number of the LINKTYPE registry.
    var linkType: UInt16 = 1
    /// The metadata of our own capture; `nil` for a capture of another tool.
    var metadata: CaseMetadata?

    init(_ packets: [LossPacket]) { self.packets = packets }

    /// Reads a file, and frames packets of another framing as Ethernet.
    ///
    /// - Parameter isOurs: Whether the capture's metadata is kept.
    init(contentsOf path: String, isOurs: Bool = false) throws {
        var file = try CaptureFile(path: path)
        packets = []
        if isOurs {
            metadata = try CaseMetadata(sectionComments: file.metadata.section.comments)
        }
        while let packet = try file.next() {
            let bytes = packet.bytes.withUnsafeBytes { Array($0) }
            let isRaw = packet.linkType == .raw
            let framed = isRaw ? Self.ethernetHeader(of: bytes) + bytes : bytes
            packets.append(
                LossPacket(
                    time: packet.timestamp, bytes: framed,
                    length: packet.originalLength + framed.count - bytes.count))
        }
    }

    static func ethernetHeader(of packet: [UInt8]) -> [UInt8] {
        let isIPv6 = packet.first.map { $0 >> 4 == 6 } ?? false
        return [UInt8](repeating: 0, count: 12) + (isIPv6 ? [0x86, 0xDD] : [0x08, 0x00])
    }

    /// Writes a pcapng file.
    func write(to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        defer { close(file) }
        let link = LinkType(rawValue: linkType)
        let comments = try metadata.map { [try $0.sectionComment()] } ?? []
        let writer = try PcapngWriter(
            fileDescriptor: file, section: CaptureSection(comments: comments),
            interfaces: [CaptureInterface(linkType: link)])
        for (index, packet) in packets.enumerated() {
            try writer.write(
                Packet(
                    packet.bytes.span.bytes, timestamp: packet.time, index: index + 1,
                    linkType: link, originalLength: packet.length))
        }
        try writer.flush()
    }

    /// Returns the capture without some of its packets.
    func without(_ lost: Set<Int>) -> LossCapture {
        var other = self
        other.packets = packets.indices.filter { !lost.contains($0) }.map { packets[$0] }
        if let events = metadata?.events {
            other.metadata?.events = events.map { event in
                var event = event
                event.afterFrame -= lost.count { $0 < event.afterFrame }
                return event
            }
        }
        return other
    }
}

/// The TCP fields of one packet, read only by these tests.
///
/// The code under test must not decide what remains visible after a loss.
struct LossSegment {
    /// The connection, counted from 0.
    ///
    /// Each SYN with another number begins a new one.
    let connection: Int
    /// Whether the packet comes from the end that opened the connection.
    let isFromCaller: Bool
    let sequence: UInt32
    /// The acknowledged number; `nil` without the flag.
    let acknowledgement: UInt32?
    let isSYN: Bool
    let isFIN: Bool
    let isRST: Bool
    let payloadCount: Int

    /// The count of sequence numbers that the segment takes: its bytes, SYN and FIN.
    var span: UInt32 { UInt32(payloadCount) + (isSYN ? 1 : 0) + (isFIN ? 1 : 0) }
    /// Whether the segment only acknowledges.
    var isPureAcknowledgement: Bool { span == 0 && !isRST && acknowledgement != nil }
    /// Whether the segment opens a connection.
    var opens: Bool { isSYN && acknowledgement == nil }

    /// Returns the segments of a whole capture; `nil` for packets that are not TCP over IPv4.
    static func all(in packets: [LossPacket]) -> [LossSegment?] {
        var connections: [Set<Int64>: (number: Int, caller: Int64, start: UInt32)] = [:]
        var count = 0
        return packets.map { packet in
            guard let raw = Header(packet.bytes) else { return nil }
            let ends: Set = [raw.source, raw.destination]
            let isOpening = raw.flags & 0x12 == 0x02
            let known = connections[ends]
            if known == nil || (isOpening && known?.start != raw.sequence) {
                connections[ends] = (count, raw.source, raw.sequence)
                count += 1
            }
            guard let connection = connections[ends] else { return nil }
            return LossSegment(
                connection: connection.number, isFromCaller: connection.caller == raw.source,
                sequence: raw.sequence,
                acknowledgement: raw.flags & 0x10 != 0 ? raw.acknowledgement : nil,
                isSYN: raw.flags & 0x02 != 0, isFIN: raw.flags & 0x01 != 0,
                isRST: raw.flags & 0x04 != 0, payloadCount: raw.payloadCount)
        }
    }

    /// The fields of a TCP header over IPv4 over Ethernet.
    private struct Header {
        let source: Int64
        let destination: Int64
        let sequence: UInt32
        let acknowledgement: UInt32
        let flags: UInt8
        let payloadCount: Int

        init?(_ bytes: [UInt8]) {
            func number(_ place: Int, _ count: Int) -> Int64 {
                bytes[place..<(place + count)].reduce(0) { $0 << 8 | Int64($1) }
            }
            guard bytes.count >= 34, number(12, 2) == 0x0800, bytes[23] == 6 else { return nil }
            let tcp = 14 + Int(bytes[14] & 0x0F) * 4
            guard bytes.count >= tcp + 20 else { return nil }
            source = number(26, 4) << 16 | number(tcp, 2)
            destination = number(30, 4) << 16 | number(tcp + 2, 2)
            sequence = UInt32(number(tcp + 4, 4))
            acknowledgement = UInt32(number(tcp + 8, 4))
            flags = bytes[tcp + 13]
            payloadCount = 14 + Int(number(16, 2)) - tcp - Int(bytes[tcp + 12] >> 4) * 4
        }
    }
}
