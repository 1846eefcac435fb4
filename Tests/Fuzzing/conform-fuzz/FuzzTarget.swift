import Bluetooth
import BuiltInProtocols
import Capture
import ExternalAccessory
import HTTP
import Kaitai
import SuiteLanguage
import TCPIP
import Trace
import Wire
import YAML

/// A target of the fuzzer: a reader or decoder that must accept any bytes.
enum FuzzTarget: String, CaseIterable {
    /// A capture file of any format, through the trace engine, with every field decoded.
    case capture
    /// One packet after another of any link type, through the trace engine.
    case packets
    /// The same packets several times: with all messages decoded, and counted by their headers.
    case heads
    /// Both streams of a connection of each protocol, cut into pieces.
    case streams
    /// Both streams of an HTTP connection, cut into pieces.
    case http
    /// Both streams of a connection, and a datagram, of each protocol that a `.ksy` file describes.
    ///
    /// The `.ksy` files are those of the repository.
    case described
    /// The text of a `.ksy` file, and some bytes that are read by it.
    case ksy
    /// iAP2 packets with correct checksums, for both directions and both ends of a link.
    case links
    /// A packet of one of the Bluetooth codecs.
    case bluetooth
    /// A key log, a certificate, and messages of the handshake of TLS.
    case tls
    /// A JSON text and a BSON document.
    case documents
    /// The text of a suite.
    case suite
    /// A filter of `decode --filter`.
    case filter
    /// A `results.json`, from which all reports are drawn.
    case results
    /// A `journal.jsonl`, from which all reports are drawn.
    case journal
    /// A device profile.
    case profile
    /// A list of known failures.
    case known
    /// A catalogue of requirements, named by a suite.
    case catalogue
    /// A format of logs.
    case log

    /// Feeds any bytes to the target, which must return.
    func feed(_ bytes: [UInt8]) {
        switch self {
        case .capture: FuzzTarget.capture(bytes)
        case .packets: FuzzTarget.packets(bytes)
        case .heads: FuzzTarget.heads(bytes)
        case .streams:
            FuzzTarget.handshake(bytes)
            FuzzTarget.streams(
                bytes,
                of: ProtocolRegistry.builtIn.streamProtocols
                    + FuzzTarget.cuttings.map(\.streamProtocol))
        case .http: FuzzTarget.streams(bytes, of: [HTTP.streamProtocol])
        case .described: FuzzTarget.described(bytes)
        case .ksy: FuzzTarget.description(bytes)
        case .links: FuzzTarget.links(bytes)
        case .bluetooth: FuzzTarget.bluetooth(bytes)
        case .tls: FuzzTarget.tls(bytes)
        case .documents: FuzzTarget.documents(bytes)
        case .suite: FuzzTarget.suite(bytes)
        case .filter: FuzzTarget.filter(bytes)
        case .results: FuzzTarget.results(bytes)
        case .journal: FuzzTarget.journal(bytes)
        case .profile: FuzzTarget.profile(bytes)
        case .known: FuzzTarget.known(bytes)
        case .catalogue: FuzzTarget.catalogue(bytes)
        case .log: FuzzTarget.log(bytes)
        }
    }

    private static func capture(_ bytes: [UInt8]) {
        guard let file = try? ScratchFile(bytes),
            let trace = try? RecordedTrace(contentsOf: file.path, options: TraceOptions(.builtIn))
        else { return }
        trace.messages.forEach { use($0.content) }
    }

    private static func packets(_ bytes: [UInt8]) {
        let (messages, _) = trace(bytes, screen: nil)
        messages.forEach { use($0.content) }
    }

    /// Checks that counting by headers gives the same names, sizes and statistics as decoding.
    private static func heads(_ bytes: [UInt8]) {
        let (messages, engine) = trace(bytes, screen: nil)
        var whole = HeaderCount()
        for message in messages { whole.add(message.name, message.content.bytes.count) }
        let (rest, screened) = trace(bytes, screen: HeaderCount())
        var counted = screened.screen as? HeaderCount ?? HeaderCount()
        for message in rest { counted.add(message.name, message.content.bytes.count) }
        precondition(counted.byName == whole.byName, "\(counted.byName) \(whole.byName)")
        precondition(screened.statistics == engine.statistics)
        // Without frames, an incomplete message is collected without the decoder.
        let (unframed, gathering) = trace(bytes, screen: HeaderCount(needsFrames: false))
        var gathered = gathering.screen as? HeaderCount ?? HeaderCount()
        for message in unframed { gathered.add(message.name, message.content.bytes.count) }
        precondition(gathered.byName == whole.byName, "\(gathered.byName) \(whole.byName)")
        precondition(gathering.statistics == engine.statistics)
        // Messages that are only counted or examined are skipped before they are complete.
        for screen in [
            HeaderCount(onlyCounts: true), HeaderCount(wantsNone: true, needsFrames: false),
        ] {
            let (others, counting) = trace(bytes, screen: screen)
            let sum = (counting.screen as? HeaderCount)?.byName.values.reduce(0) { $0 + $1[0] } ?? 0
            precondition(sum + others.count == messages.count, "\(sum) \(others.count)")
            precondition(counting.statistics == engine.statistics)
        }
    }

    /// Traces the packets of a pcap file, a millisecond apart.
    ///
    /// The file's header, except for the link type, and the packets' times do not matter.
    private static func trace(
        _ bytes: [UInt8], screen: (any MessageScreen)?
    ) -> ([TraceMessage], TraceEngine) {
        var engine = TraceEngine(TraceOptions(.builtIn), screen: screen)
        var messages: [TraceMessage] = []
        var rest = bytes.dropFirst(24)
        let link = bytes.count > 21 ? UInt16(bytes[20]) | UInt16(bytes[21]) << 8 : 0
        let linkType = linkTypes.contains(link) ? link : linkTypes[Int(link) % linkTypes.count]
        var frame = 0
        while rest.count > 16 {
            let head = Array(rest.prefix(16))
            let packet = Array(rest.dropFirst(16).prefix(Int(head[9]) << 8 | Int(head[8])))
            rest = rest.dropFirst(16 + packet.count)
            frame += 1
            engine.consume(
                Packet(
                    packet.span.bytes, timestamp: Int64(frame) * 1_000_000, index: frame,
                    linkType: LinkType(rawValue: linkType)),
                into: &messages)
        }
        engine.finish(at: nil, into: &messages)
        return (messages, engine)
    }

    /// Ethernet, raw IP, BSD loopback, Linux cooked 1 and 2, Bluetooth HCI and Linux monitor.
    private static let linkTypes: [UInt16] = [1, 101, 0, 113, 276, 187, 201, 254]

    /// Decodes pieces of both sides' streams.
    ///
    /// Before each piece is a byte with the side (bit 0), whether bytes are missing before the
    /// piece (bit 1), and the piece's length (the other bits).
    private static func streams(_ bytes: [UInt8], of protocols: [StreamProtocol]) {
        let stack = DissectionStack(ProtocolRegistry.builtIn.streamProtocols)
        for known in protocols {
            var decoder = known.makeDecoder(stack)
            var messages: [StreamMessage] = []
            var offsets: [ConnectionSide: UInt64] = [:]
            var rest = bytes[...]
            while let head = rest.popFirst() {
                let side: ConnectionSide = head & 1 == 0 ? .first : .second
                var offset = offsets[side] ?? 0
                if head & 2 != 0 {
                    offset += 10
                    decoder.gap(upTo: offset, from: side, into: &messages)
                }
                let piece = Array(rest.prefix(head >> 2 == 63 ? 4096 : Int(head >> 2)))
                rest = rest.dropFirst(piece.count)
                if !piece.isEmpty {
                    decoder.consume(piece.span.bytes, from: side, at: offset, into: &messages)
                }
                offsets[side] = offset + UInt64(piece.count)
                precondition(decoder.oldestPendingOffset(of: side) <= offset + UInt64(piece.count))
            }
            decoder.finish(.first, .closed, into: &messages)
            decoder.finish(.second, .captureEnded, into: &messages)
            messages.forEach { use($0.content) }
        }
    }

    /// The protocols that files of the repository describe, which is where the fuzzer is started.
    private static let named = [
        "Suites/examples/descriptions/mqtt.yaml", "Suites/examples/descriptions/dns.yaml",
        "Benchmarks/sdl-frames.yaml",
    ].compactMap { try? SuiteLoader(.builtIn).loadProtocol(path: $0) }

    private static func described(_ bytes: [UInt8]) {
        precondition(named.count == 3, "the fuzzer must be started in the root of the repository")
        streams(bytes, of: named.compactMap { $0.stream?.streamProtocol })
        for description in named {
            guard case .message(let fields, let count) = description.dissect(bytes, isWhole: true)
            else { continue }
            precondition(count <= bytes.count)
            precondition(fields.places.allSatisfy { $0.range.upperBound <= bytes.count })
        }
    }

    private static func description(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let loaded = try? KaitaiDescription.load(path: "top.ksy") { path throws(InvalidInput) in
            if path == "top.ksy" { return text }
            throw InvalidInput([Diagnostic("unreadable-file", "there is none", at: nil)])
        }
        guard let loaded else { return }
        var limits = KaitaiLimits()
        limits.objects = 1_000
        limits.elements = 2_000
        limits.steps = 20_000
        limits.bytesRead = 1 << 18
        limits.bytesProduced = 1 << 18
        var reading = KaitaiReading(
            Array(bytes.prefix(512)), by: loaded, limits: limits, keepsFillings: true)
        guard (try? reading.read()) != nil else { return }
        _ = reading.members(of: reading.root, withInstances: true)
        _ = reading.wrongChecksum()
        _ = try? loaded.encode(reading.content, limits: limits)
    }

    /// Reads both directions of a TLS connection twice, whole and byte by byte, with equal results.
    private static func handshake(_ bytes: [UInt8]) {
        var (whole, cut) = (TLSHandshake(), TLSHandshake())
        var rest = bytes[...]
        while let head = rest.popFirst() {
            let piece = Array(rest.prefix(head >> 2 == 63 ? 4096 : Int(head >> 2)))
            rest = rest.dropFirst(piece.count)
            whole.consume(piece, fromClient: head & 1 == 0)
            for byte in piece { cut.consume([byte], fromClient: head & 1 == 0) }
        }
        precondition(whole.progress == cut.progress)
    }

    /// The ways in which suites cut streams.
    private static let cuttings: [StreamCutting] = [
        .until([13, 10]), .fixed(7), .idle(.milliseconds(50)),
        .length(StreamCutting.LengthField(offset: 1, size: 2, endian: .little, plus: -3)),
    ]

    /// Feeds packets to a decoder and to both ends of a link.
    ///
    /// Each packet is a byte, its flags, number, acknowledgement, session and length, and its
    /// payload. The byte's lowest bit is the side that sends, and its highest two bits are the
    /// number of bytes that are cut off.
    private static func links(_ bytes: [UInt8]) {
        var decoder = IAP2.streamProtocol.makeDecoder(
            DissectionStack(ProtocolRegistry.builtIn.streamProtocols))
        var accessory = IAP2.AccessoryEnd(
            IAP2.Identification(
                name: "a", model: "", manufacturer: "", serialNumber: "1", protocols: ["p"]))
        var device = IAP2.DeviceEnd()
        accessory.start(at: .zero)
        device.start(at: .zero)
        var messages: [StreamMessage] = []
        var offsets: [ConnectionSide: UInt64] = [:]
        var now = Duration.zero
        var rest = bytes[...]
        while rest.count >= 6 {
            let head = Array(rest.prefix(6))
            let payload = Array(rest.dropFirst(6).prefix(Int(head[5])))
            rest = rest.dropFirst(6 + payload.count)
            let packet = IAP2.Packet(
                IAP2.PacketFlags(rawValue: head[1]), sequence: head[2],
                acknowledgement: head[3], sessionID: head[4], payload: payload
            ).bytes
            let sent = head[0] == 0xFF ? IAP2.detection : Array(packet.dropLast(Int(head[0]) >> 6))
            let side: ConnectionSide = head[0] & 1 == 0 ? .first : .second
            let offset = offsets[side, default: 0]
            decoder.consume(sent.span.bytes, from: side, at: offset, into: &messages)
            offsets[side] = offset + UInt64(sent.count)
            now += .milliseconds(Int(head[0]))
            if side == .first {
                _ = accessory.receive(sent, at: now) + accessory.advance(to: now)
            } else {
                _ = device.receive(sent, at: now)
                _ = device.advance(to: now)
            }
            precondition(accessory.takeOutput().count + device.takeOutput().count < 1 << 24)
        }
        for side in ConnectionSide.allCases { decoder.finish(side, .closed, into: &messages) }
        messages.forEach { use($0.content) }
    }

    private static func documents(_ bytes: [UInt8]) {
        _ = try? Value(json: bytes.span.bytes)
        _ = try? Value(bson: bytes.span.bytes)
    }

    private static func suite(_ bytes: [UInt8]) {
        guard let file = try? ScratchFile(bytes) else { return }
        _ = try? SuiteLoader(.builtIn).load(path: file.path)
    }

    private static func filter(_ bytes: [UInt8]) {
        _ = try? MessageFilter(String(decoding: bytes, as: UTF8.self), KnownMessages(.builtIn))
    }

    /// Decodes everything that is decoded only on request.
    private static func use(_ message: any DissectedMessage) {
        precondition(!message.name.isEmpty)
        let fields = message.fields
        for member in fields.objectValue ?? [] {
            if let path = FieldPath(member.name) { _ = message.field(path) }
        }
        _ = message.anomalies
        precondition(message.fieldPlaces.values.allSatisfy { $0.upperBound <= message.bytes.count })
    }
}

/// A screen that counts messages by name, by their headers if these are sound.
private struct HeaderCount: MessageScreen {
    let onlyCounts: Bool
    let wantsNone: Bool
    let needsFrames: Bool
    private(set) var byName: [String: [Int]] = [:]

    init(onlyCounts: Bool = false, wantsNone: Bool = false, needsFrames: Bool = true) {
        self.onlyCounts = onlyCounts
        self.wantsNone = wantsNone || onlyCounts
        self.needsFrames = needsFrames
    }

    mutating func add(_ name: String, _ byteCount: Int) {
        byName[name, default: [0, 0]][0] += 1
        byName[name, default: [0, 0]][1] += byteCount
    }

    mutating func selects(_ head: MessageHeader, _ unit: RawSpan, at place: MessagePlace) -> Bool {
        guard head.isSound(unit) || wantsNone else { return true }
        add(ProtocolRegistry.builtIn.name(of: head.code), head.byteCount)
        return false
    }

    mutating func count(_ heads: Span<CountedHeader>) {
        for index in heads.indices {
            add(ProtocolRegistry.builtIn.name(of: heads[index].code), heads[index].byteCount)
        }
    }

    mutating func selects(
        event code: MessageCode, byteCount: Int, at place: MessagePlace
    ) -> Bool {
        add(ProtocolRegistry.builtIn.name(of: code), byteCount)
        return false
    }
}
