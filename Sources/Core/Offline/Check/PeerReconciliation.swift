import Capture
import Judge
import TCPIP
import Trace
import Wire

/// Compares the packets that have a peer's address as source with what the peer's sockets sent.
///
/// Whoever shares a network with the peers can send packets in their name: a device that binds the
/// address of a peer, or that opens a connection from there. Such a packet is forged, and what the
/// trace shows of the peers is unreliable. What a peer has sent need not be in the capture: bytes
/// may still have been in the kernel at the end of the case.
struct PeerReconciliation {
    typealias Ends = PeerTraffic.Ends

    /// A packet that a peer did not send.
    struct Forgery: CustomStringConvertible, Hashable {
        /// The number of the packet in the capture.
        let frame: Int
        /// The peer whose address it has.
        let peer: String
        /// What is wrong with it.
        let what: String

        /// A sentence that names tampering.
        var description: String {
            "frame \(frame) has the address of peer \(peer), but \(what) (tampering)"
        }
    }

    private let parties: Parties
    private let sent: PeerTraffic
    /// The connections that the capture shows, oldest first for each pair of ends.
    private var streams: [Ends: [PeerStream]] = [:]
    /// The numbers of their first bytes.
    private var starts: [Ends: Set<TCPSequence>] = [:]
    /// The counts at which the peer's record of a connection between two ends has a digest.
    private let marks: [Ends: [Int]]
    /// When datagrams were sent that the capture has not shown, by their digests.
    private var unshown: [Ends: [UInt64: [Int64]]]
    private var fragments = IPReassembly()
    private var first: Forgery?
    /// How much earlier than it was sent a packet may be captured, by the clocks.
    private let earliness: Duration
    private var now = Timestamp(nanoseconds: 0)

    private static let clockError: Duration = .milliseconds(1)
    /// The number of connections of one pair of ends to which a segment may belong, from the last.
    private static let openMax = 64

    /// Prepares the comparison; `nil` if the capture does not record what the peers sent.
    init?(_ metadata: CaseMetadata) {
        guard let sent = metadata.sent else { return nil }
        self.sent = sent
        parties = metadata.parties
        marks = sent.streams.mapValues { Set($0.joined().map(\.count)).sorted() }
        unshown = sent.datagrams.mapValues { datagrams in
            datagrams.reduce(into: [:]) { $0[$1.digest, default: []].append($1.time) }
        }
        let step = metadata.clockStep ?? .zero
        earliness = Self.clockError + max(step, .zero - step)
    }

    /// Takes the next packet.
    mutating func consume(_ packet: borrowing Packet) {
        guard first == nil, let framing = LinkFraming(rawValue: packet.linkType.rawValue),
            let link = try? LinkHeader(parsing: packet.bytes, framing: framing),
            [.ipv4, .ipv6].contains(link.etherType)
        else { return }
        now = Timestamp(nanoseconds: packet.timestamp)
        let datagram = packet.bytes.extracting(droppingFirst: link.length)
        guard let header = try? IPHeader(parsing: datagram),
            [.tcp, .udp].contains(header.protocolNumber), header.length <= datagram.byteCount
        else { return }
        let payload = datagram.extracting(droppingFirst: header.length)
            .extracting(first: header.payloadLength)
        guard let fragment = header.fragment else {
            return consume(payload, header, frame: packet.index)
        }
        var statistics = TraceStatistics()
        let whole = fragments.accept(
            payload, fragment, of: header, frame: packet.index, at: now, counting: &statistics)
        guard let whole else { return }
        var joined = header
        joined.payloadLength = whole.bytes.count
        consume(whole.bytes.span.bytes, joined, frame: packet.index)
    }

    private mutating func consume(_ payload: RawSpan, _ header: IPHeader, frame: Int) {
        var reader = ByteReader(payload, unit: "ports")
        guard let from = try? reader.uint16("source"), let to = try? reader.uint16("destination")
        else { return }
        let ends = Ends(
            own: Endpoint(address: header.source, port: from),
            other: Endpoint(address: header.destination, port: to))
        let isDatagram = header.protocolNumber == .udp
        guard let peer = parties.peer(at: ends.own, byDatagrams: isDatagram) else { return }
        let what =
            isDatagram
            ? faultOfDatagram(payload, header, ends)
            : faultOfSegment(payload, header, ends, frame)
        if let what { first = Forgery(frame: frame, peer: peer, what: what) }
    }

    // MARK: - TCP

    private mutating func faultOfSegment(
        _ payload: RawSpan, _ header: IPHeader, _ ends: Ends, _ frame: Int
    ) -> String? {
        guard let segment = try? TCPHeader(parsing: payload) else { return nil }
        // The kernel resets connections in the name of whoever has the address.
        if segment.flags.contains(.rst) { return nil }
        let known = sent.streams[ends]?.count ?? 0
        let length = header.payloadLength - segment.length
        var sequence = segment.sequence
        if segment.flags.contains(.syn) {
            if let fault = faultOfOpening(segment, ends, known, frame) { return fault }
            // The SYN comes before the first byte.
            sequence = sequence + 1
            guard length > 0 else { return nil }
        }
        guard length > 0 || segment.flags.contains(.fin) else { return nil }
        guard known > 0 else { return "the peer has no such connection" }
        guard let place = place(of: sequence, on: ends) else { return nil }
        streams[ends]?[place].add(
            payload.extracting(droppingFirst: segment.length), length: length, at: sequence,
            frame: frame)
        return nil
    }

    /// Returns the place of the connection to which a segment belongs.
    private func place(of sequence: TCPSequence, on ends: Ends) -> Int? {
        let open = streams[ends]?.suffix(Self.openMax)
        return open?.lastIndex { $0.isNear(sequence) } ?? open?.indices.last
    }

    private mutating func faultOfOpening(
        _ segment: TCPHeader, _ ends: Ends, _ known: Int, _ frame: Int
    ) -> String? {
        let isCaller = parties.peers[ends.own] == nil
        if segment.flags.contains(.ack) == isCaller {
            return isCaller
                ? "the peer does not listen there" : "the peer opens no connections from there"
        }
        let start = segment.sequence + 1
        guard starts[ends, default: []].insert(start).inserted else { return nil }
        streams[ends, default: []].append(
            PeerStream(start: start, frame: frame, marks: marks[ends] ?? []))
        // A connection that is accepted by the kernel need not have reached the peer.
        if isCaller, streams[ends, default: []].count > known {
            return "the peer opened no such connection"
        }
        return nil
    }

    /// Returns the first forgery, once all packets were taken.
    consuming func finish() -> Forgery? {
        if let first { return first }
        let forged = streams.flatMap { ends, streams -> [Forgery] in
            var records = (sent.streams[ends] ?? [])[...]
            for stream in streams where stream.hasContent {
                guard let match = records.firstIndex(where: stream.agrees) else {
                    return [
                        Forgery(
                            frame: stream.lastFrame, peer: parties.peer(at: ends.own) ?? "",
                            what: "the bytes of its connection are not those that the peer wrote")
                    ]
                }
                records = records[(match + 1)...]
            }
            return []
        }
        return forged.min { $0.frame < $1.frame }
    }

    // MARK: - UDP

    private mutating func faultOfDatagram(
        _ payload: RawSpan, _ header: IPHeader, _ ends: Ends
    ) -> String? {
        guard let known = unshown[ends] else { return "the peer sent nothing there" }
        let length = header.payloadLength - UDPHeader.size
        guard length >= 0, payload.byteCount == header.payloadLength else { return nil }
        let digest = StreamDigest.value(of: payload.extracting(droppingFirst: UDPHeader.size))
        guard let times = known[digest] else {
            return "the peer sent no such datagram"
        }
        // A capture of a real network may have seen a datagram at two places, by another clock.
        guard ends.own.address.isLoopback else { return nil }
        guard let time = times.first else { return "the peer sent this datagram less often" }
        if now + earliness < Timestamp(nanoseconds: time) {
            return "the peer sent this datagram later"
        }
        unshown[ends]?[digest]?.removeFirst()
        return nil
    }
}

/// One direction of a connection: what a peer sent, as the capture shows it.
private struct PeerStream {
    /// The number of its first byte.
    let start: TCPSequence
    private(set) var lastFrame: Int
    /// Whether it carried bytes, or a FIN.
    private(set) var hasContent = false
    /// The number of bytes up to the last one that was captured, whatever is missing before it.
    private var extent = 0
    private var digest = StreamDigest()
    /// The counts at which a digest is wanted, in ascending order.
    private var wanted: ArraySlice<Int>
    private var found: [Int: UInt64] = [:]
    /// Bytes that came before others that precede them.
    private var early: [(offset: Int, bytes: [UInt8])] = []

    /// How many pieces wait for bytes before them; beyond that the rest is not compared.
    private static let earlyMax = 256

    init(start: TCPSequence, frame: Int, marks: [Int]) {
        self.start = start
        lastFrame = frame
        wanted = marks[...]
    }

    /// Whether a number belongs to it and not to an earlier connection of the same ends.
    func isNear(_ sequence: TCPSequence) -> Bool {
        abs(sequence.distance(from: start + digest.count)) <= Self.nearMax
    }

    /// Twice the bytes that a peer lets wait.
    private static let nearMax = 128 << 20

    mutating func add(_ bytes: RawSpan, length: Int, at sequence: TCPSequence, frame: Int) {
        hasContent = true
        // The sequence number is modulo 2^32: the nearest position is meant.
        let offset = digest.count + sequence.distance(from: start + digest.count)
        if length > 0 { extent = max(extent, offset + length) }
        if offset > digest.count {
            if early.count < Self.earlyMax {
                early.append((offset, bytes.withUnsafeBytes { Array($0) }))
            }
            return
        }
        append(bytes, at: offset, frame)
        var isFurther = true
        while isFurther, !early.isEmpty {
            isFurther = false
            for index in early.indices.reversed() where early[index].offset <= digest.count {
                let piece = early.remove(at: index)
                append(piece.bytes.span.bytes, at: piece.offset, frame)
                isFurther = true
            }
        }
    }

    private mutating func append(_ bytes: RawSpan, at offset: Int, _ frame: Int) {
        var rest = bytes.extracting(droppingFirst: min(digest.count - offset, bytes.byteCount))
        guard rest.byteCount > 0 else { return }
        lastFrame = frame
        while let next = wanted.first, next - digest.count <= rest.byteCount {
            let part = next - digest.count
            digest.add(rest.extracting(first: part))
            rest = rest.extracting(droppingFirst: part)
            found[next] = digest.value
            wanted.removeFirst()
        }
        digest.add(rest)
    }

    /// Returns whether the bytes are the first ones of what the peer wrote on a connection.
    func agrees(with marks: [StreamDigest.Mark]) -> Bool {
        extent <= marks.last?.count ?? 0
            && marks.allSatisfy { $0.count > digest.count || found[$0.count] == $0.digest }
    }
}
