import Capture
import Protocols
import Suites
import Trace

/// What a fuzzer feeds: a reader or decoder that must take any bytes.
enum FuzzTarget: String, CaseIterable {
    /// A capture file of any format, through the trace engine, with every field decoded.
    case capture
    /// One packet after another of any link type, through the trace engine.
    case packets
    /// One direction of a stream of each protocol, cut in pieces.
    case streams
    /// Packets of iAP2 whose checksums are right: both directions of a link, and both ends of one.
    case links
    /// A text of JSON and a document of BSON.
    case documents
    /// The text of a suite.
    case suite
    /// A filter of `decode --filter`.
    case filter

    /// Feeds bytes; whatever they are, it comes back.
    func feed(_ bytes: [UInt8]) {
        switch self {
        case .capture: FuzzTarget.capture(bytes)
        case .packets: FuzzTarget.packets(bytes)
        case .streams: FuzzTarget.streams(bytes)
        case .links: FuzzTarget.links(bytes)
        case .documents: FuzzTarget.documents(bytes)
        case .suite: FuzzTarget.suite(bytes)
        case .filter: FuzzTarget.filter(bytes)
        }
    }

    private static func capture(_ bytes: [UInt8]) {
        guard let file = try? ScratchFile(bytes),
            let trace = try? RecordedTrace(contentsOf: file.path)
        else { return }
        trace.messages.forEach { use($0.content) }
    }

    /// Each packet: a byte of link type, two of length, the bytes.
    private static func packets(_ bytes: [UInt8]) {
        var engine = TraceEngine()
        var messages: [TraceMessage] = []
        var rest = bytes[...]
        var frame = 0
        while rest.count > 3 {
            let head = Array(rest.prefix(3))
            let packet = Array(rest.dropFirst(3).prefix(Int(head[1]) << 8 | Int(head[2])))
            rest = rest.dropFirst(3 + packet.count)
            frame += 1
            engine.consume(
                Packet(
                    packet.span.bytes, timestamp: Int64(frame) * 1_000_000, index: frame,
                    linkType: LinkType(rawValue: linkTypes[Int(head[0]) % linkTypes.count])),
                into: &messages)
        }
        engine.finish(at: nil, into: &messages)
        messages.forEach { use($0.content) }
    }

    /// Ethernet, raw IP, BSD loopback, Linux cooked 1 and 2, Bluetooth HCI and Linux monitor.
    private static let linkTypes: [UInt16] = [1, 101, 0, 113, 276, 187, 201, 254]

    /// A byte that says in what pieces the rest comes, then the stream.
    private static func streams(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        for known in ProtocolCatalogue.streamProtocols {
            var decoder = known.makeDecoder()
            var messages: [StreamMessage] = []
            var offset = UInt64(0)
            var rest = bytes.dropFirst()
            while !rest.isEmpty {
                let piece = Array(rest.prefix(Int(first & 0x7F) + 1))
                rest = rest.dropFirst(piece.count)
                decoder.consume(piece.span.bytes, at: offset, into: &messages)
                offset += UInt64(piece.count)
                if first & 0x80 != 0, rest.count == bytes.count / 2 {
                    offset += 10
                    decoder.gap(upTo: offset, into: &messages)
                }
            }
            decoder.finish(into: &messages)
            messages.forEach { use($0.content) }
        }
    }

    /// Each packet: a byte whose lowest bit says who sends it and whose next ones cut it off, its
    /// flags, number, acknowledgement, session and length, and its payload.
    private static func links(_ bytes: [UInt8]) {
        var decoder = IAP2.streamProtocol.makeDecoder(
            DissectionStack(ProtocolCatalogue.streamProtocols))
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
        _ = try? SuiteLoader.load(path: file.path)
    }

    private static func filter(_ bytes: [UInt8]) {
        _ = try? MessageFilter(String(decoding: bytes, as: UTF8.self))
    }

    /// Decodes all that is decoded only when it is asked for.
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
