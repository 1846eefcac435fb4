import Capture
import Glibc
import Judge
import Offline
import TCPIP
import TestTraffic
import Trace
import Wire

/// Records a trace as a capture file: real packets, in the file format of a live run.
struct TraceRecorder {
    private static let device = IPAddress.loopback
    private static let peers: [String: UInt16] = ["hu": 12_345, "hu2": 12_346, "hu3": 12_347]
    /// Further devices, and the address at which the peers listen for each.
    private static let further: [String: IPAddress] = ["second": IPAddress(ipv4: 0x7F00_0002)]
    /// The start of every trace.
    private static let start = Timestamp(nanoseconds: 1_700_000_000_000_000_000)
    /// The time between the segments of a line that has several.
    private static let spacing: Duration = .microseconds(100)
    /// The silence after the last line of a trace, in seconds.
    private static let silence: Double = 30

    private struct Frame {
        let time: Timestamp
        let bytes: [UInt8]
        let line: Int
        /// The number of sent bytes; more than `bytes` if the packet was captured in part.
        var originalLength: Int?
    }

    private var conversations: [String: Conversation] = [:]
    private var encoder = MessageEncoder()
    private var frames: [Frame] = []
    /// The last datagram between two parties, by the sender's and the receiver's name.
    private var datagrams: [String: Datagram] = [:]
    private var events: [(event: CaseMetadata.Event, line: Int)] = []

    /// The frames of each line, by its number in the file; empty for an event.
    private(set) var framesOfLines: [Int: [Int]] = [:]

    /// Writes the capture of a pair.
    ///
    /// - Parameters:
    ///   - pair: The pair.
    ///   - suite: The id of its suite.
    ///   - devices: The further devices of its case.
    ///   - path: The file.
    mutating func record(
        _ pair: Pair, suite: String, devices: [String], to path: String
    ) throws {
        for line in pair.script {
            framesOfLines[line.number] = []
            try add(line)
        }
        frames.sort { $0.time < $1.time }
        for (index, frame) in frames.enumerated() {
            framesOfLines[frame.line, default: []].append(index + 1)
        }
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        defer { close(file) }
        let raw = LinkType(rawValue: 101)
        let metadata = metadata(of: pair, suite: suite, devices)
        let comments =
            pair.capture.isForeign ? [] : [try metadata.sectionComment()]
        let writer = try PcapngWriter(
            fileDescriptor: file, section: CaptureSection(comments: comments),
            interfaces: [CaptureInterface(linkType: raw)])
        for (index, frame) in frames.enumerated() {
            try writer.write(
                Packet(
                    frame.bytes.span.bytes, timestamp: frame.time.nanoseconds, index: index + 1,
                    linkType: raw, originalLength: frame.originalLength))
        }
        if pair.capture.isForeign, pair.capture.dropped > 0 {
            try writer.writeStatistics(
                timestamp: metadata.end.nanoseconds, received: nil,
                dropped: UInt64(pair.capture.dropped))
        }
        try writer.flush()
        if pair.capture.cut > 0 {
            ftruncate(file, lseek(file, 0, SEEK_END) - off_t(pair.capture.cut))
        }
    }

    /// Returns where the peers listen, for the device and for each further one.
    private func posts(_ devices: [String]) -> [CaseMetadata.Peer] {
        let peers = Self.peers.sorted { $0.value < $1.value }
        let first = peers.map {
            CaseMetadata.Peer(name: $0.key, address: Self.device.description, port: $0.value)
        }
        // Further addresses where the first peer takes datagrams.
        let groups = datagrams.isEmpty ? [] : ["239.1.2.3", "255.255.255.255"]
        let shared = groups.map {
            CaseMetadata.Peer(name: "hu", address: $0, port: 12_345)
        }
        return first + shared
            + devices.flatMap { name in
                peers.map {
                    CaseMetadata.Peer(
                        name: $0.key, address: (Self.further[name] ?? Self.device).description,
                        port: $0.value,
                        device: name)
                }
            }
    }

    private func metadata(
        of pair: Pair, suite: String, _ devices: [String]
    ) -> CaseMetadata {
        let last = pair.script.map { $0.endTime ?? $0.time }.max() ?? 0
        return CaseMetadata(
            conform: "corpus", suite: suite, testCase: pair.testCase, device: "made by hand",
            peers: posts(devices),
            start: Self.start, end: Self.time(pair.capture.end ?? last + Self.silence),
            cause: pair.capture.cause, dropped: pair.capture.dropped,
            clockStep: pair.capture.clockStep.map { .seconds($0) },
            parameters: pair.capture.parameters?.jsonText(),
            events: events.map { event, _ in
                var event = event
                event.afterFrame = frames.count { $0.time <= event.time }
                return event
            })
    }

    private static func time(_ seconds: Double) -> Timestamp {
        start + .nanoseconds(Int64((seconds * 1_000_000_000).rounded()))
    }

    // MARK: - Lines

    private mutating func add(_ line: ScriptLine) throws {
        if case .event(let name, let fields) = line.content {
            let event = CaseMetadata.Event(
                name: name, fields: fields.jsonText(), time: Self.time(line.time), afterFrame: 0)
            return events.append((event, line.number))
        }
        if try addDatagram(line) { return }
        let (key, side) = try connection(line.sender, line.receiver)
        guard var conversation = conversations[key] else { return }
        defer { conversations[key] = conversation }
        switch line.content {
        case .event: break
        case .opening(let isBare):
            for segment in conversation.handshake() { add(segment, line) }
            guard !isBare else { return }
            add(conversation.segment(from: side, payload: MessageEncoder.opening), line)
        case .segment(let flags):
            add(conversation.segment(from: side, flags: flags), line)
        case .bytes(let bytes, let portion): add(bytes, portion, side, &conversation, line)
        case .unreachable(let router):
            guard let segment = conversation.retransmission(from: side.other) else { return }
            add(segment.unreachable(from: router ?? segment.destination.address), line)
        case .again:
            if let segment = conversation.retransmission(from: side) { add(segment, line) }
        case .message(let name, let fields, let portion):
            let bytes = try encoder.bytes(name, fields, from: line.sender, to: line.receiver)
            add(bytes, portion, side, &conversation, line)
        }
    }

    /// Adds a datagram, or an ICMP message about one, and returns whether the line is one.
    ///
    /// `udp.datagram` has the fields `text` or `hex`, `to` with another destination, and
    /// `fragments` with the size of each fragment.
    private mutating func addDatagram(_ line: ScriptLine) throws -> Bool {
        if case .unreachable(let router) = line.content {
            guard let datagram = datagrams["\(line.receiver)>\(line.sender)"] else { return false }
            add(datagram.unreachable(from: router ?? datagram.destination.address), line)
            return true
        }
        guard case .message("udp.datagram", let fields, let portion) = line.content else {
            return false
        }
        let target = fields["to"]?.stringValue.flatMap { Endpoint($0) }
        let payload =
            fields["hex"]?.stringValue.flatMap { [UInt8](hexDigits: $0) }
            ?? Array((fields["text"]?.stringValue ?? "").utf8)
        let datagram = Datagram(
            from: try Self.endpoint(line.sender, of: line.receiver),
            to: try target ?? Self.endpoint(line.receiver, of: line.sender), payload)
        datagrams["\(line.sender)>\(line.receiver)"] = datagram
        if portion == .lost { return true }
        if let size = fields["fragments"]?.integerValue {
            let number = UInt16(truncatingIfNeeded: line.number)
            var packets = datagram.fragments(of: Int(size), identification: number)
            if portion == .half { packets.removeLast() }
            for packet in packets { add(packet, line) }
        } else if portion == .half {
            let packet = datagram.packet
            frames.append(
                Frame(
                    time: Self.time(line.time),
                    bytes: Array(packet.dropLast(payload.count / 2 + 1)),
                    line: line.number, originalLength: packet.count))
        } else {
            add(datagram.packet, line)
        }
        return true
    }

    private mutating func add(
        _ bytes: [UInt8], _ portion: ScriptLine.Portion, _ side: Conversation.Side,
        _ conversation: inout Conversation, _ line: ScriptLine
    ) {
        let half = Array(bytes.prefix(bytes.count / 2))
        switch portion {
        case .lost: _ = conversation.segment(from: side, payload: bytes)
        case .half: add(conversation.segment(from: side, payload: half), line)
        case .whole:
            guard let end = line.endTime else {
                return add(conversation.segment(from: side, payload: bytes), line)
            }
            add(conversation.segment(from: side, payload: half), line)
            let rest = Array(bytes.dropFirst(half.count))
            add(conversation.segment(from: side, payload: rest), line, at: end)
        }
    }

    private mutating func add(_ segment: Segment, _ line: ScriptLine, at seconds: Double? = nil) {
        add(segment.packet, line, at: seconds)
    }

    private mutating func add(_ packet: [UInt8], _ line: ScriptLine, at seconds: Double? = nil) {
        let earlier = frames.count { $0.line == line.number }
        let time =
            seconds.map(Self.time)
            ?? Self.time(line.time) + Self.spacing * earlier
        frames.append(Frame(time: time, bytes: packet, line: line.number))
    }

    /// Returns the connection between two parties, and the sending side; devices are the callers.
    private mutating func connection(
        _ sender: String, _ receiver: String
    ) throws -> (key: String, side: Conversation.Side) {
        let isCaller = Self.peers[sender] == nil
        let (caller, callee) = isCaller ? (sender, receiver) : (receiver, sender)
        let key = "\(caller)>\(callee)"
        if conversations[key] == nil {
            conversations[key] = Conversation(
                caller: try Self.endpoint(caller), callee: try Self.endpoint(callee, of: caller))
        }
        return (key, isCaller ? .caller : .callee)
    }

    /// Returns the address of `device`, `device#2`, `second`, an address with a port, or `hu`.
    ///
    /// `hu` has the address under which that device knows it.
    private static func endpoint(_ party: String, of caller: String = "") throws -> Endpoint {
        let owner = String(caller.prefix { $0 != "#" })
        if let port = peers[party] {
            return Endpoint(address: further[owner] ?? device, port: port)
        }
        if let endpoint = Endpoint(party) { return endpoint }
        let parts = party.split(separator: "#").map(String.init)
        let ports: [String: UInt16] = ["device": 39_999, "second": 40_999]
        guard let first = ports[parts[0]], let number = UInt16(parts.count > 1 ? parts[1] : "1")
        else { throw PairReader.Mistake(description: "nobody is called \(party)") }
        return Endpoint(address: device, port: first + number)
    }
}
