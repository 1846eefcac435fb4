import BuiltInProtocols
import Capture
import TCPIP
import Wire

@testable import Trace

/// A handmade TCP segment between 10.0.0.1:40000 (the client) and 10.0.0.2:12345.
struct TestSegment {
    var isFromClient = true
    var sequence: UInt32
    var acknowledgement: UInt32 = 0
    var flags: TCPFlags = [.ack]
    var payload: [UInt8] = []
    var clientPort: UInt16 = 40_000
    var serverPort: UInt16 = 12_345

    /// Returns a segment with payload.
    static func data(
        _ payload: [UInt8], at sequence: UInt32, isFromClient: Bool = true,
        acknowledgement: UInt32 = 0
    ) -> TestSegment {
        TestSegment(
            isFromClient: isFromClient, sequence: sequence, acknowledgement: acknowledgement,
            flags: [.ack, .psh], payload: payload)
    }

    /// Returns the three segments that open a connection.
    ///
    /// The streams begin one after these numbers.
    static func handshake(client: UInt32 = 999, server: UInt32 = 4_999) -> [TestSegment] {
        [
            TestSegment(sequence: client, flags: [.syn]),
            TestSegment(
                isFromClient: false, sequence: server, acknowledgement: client &+ 1,
                flags: [.syn, .ack]),
            TestSegment(sequence: client &+ 1, acknowledgement: server &+ 1),
        ]
    }

    /// The segment's bytes.
    var tcp: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: isFromClient ? clientPort : serverPort)
        bytes.append(bigEndian: isFromClient ? serverPort : clientPort)
        bytes.append(bigEndian: sequence)
        bytes.append(bigEndian: acknowledgement)
        bytes += [0x50, flags.rawValue]
        bytes.append(bigEndian: UInt16(65_535))
        bytes += [0, 0, 0, 0]
        return bytes + payload
    }

    /// The segment in an Ethernet frame with an IPv4 header.
    var frame: [UInt8] {
        ethernet(
            0x0800,
            ipv4(
                tcp, protocolNumber: 6, from: isFromClient ? 1 : 2, to: isFromClient ? 2 : 1))
    }
}

/// Returns an Ethernet frame.
func ethernet(_ type: UInt16, _ payload: [UInt8]) -> [UInt8] {
    var bytes = [UInt8](repeating: 2, count: 12)
    bytes.append(bigEndian: type)
    return bytes + payload
}

/// Returns an IPv4 packet between hosts of 10.0.0.0/24.
func ipv4(
    _ payload: [UInt8], protocolNumber: UInt8, from: UInt8 = 1, to: UInt8 = 2,
    fragment: UInt16 = 0
) -> [UInt8] {
    var bytes: [UInt8] = [0x45, 0]
    bytes.append(bigEndian: UInt16(20 + payload.count))
    bytes += [0, 0]
    bytes.append(bigEndian: fragment)
    bytes += [64, protocolNumber, 0, 0, 10, 0, 0, from, 10, 0, 0, to]
    return bytes + payload
}

/// An engine with a frame counter and a clock that advances one millisecond per frame.
struct TestBench {
    var engine: TraceEngine
    var messages: [TraceMessage] = []
    var frame = 0

    init(
        protocols: [StreamProtocol] = [LetterProtocol.streamProtocol],
        _ configure: (inout TraceOptions) -> Void = { _ in }
    ) {
        var options = TraceOptions(.builtIn)
        options.protocols = protocols
        configure(&options)
        engine = TraceEngine(options)
    }

    /// Returns the time of a frame.
    static func time(_ frame: Int) -> Timestamp {
        Timestamp(nanoseconds: 1_700_000_000_000_000_000 + Int64(frame) * 1_000_000)
    }

    mutating func consume(_ segments: [TestSegment]) {
        for segment in segments { consume(frame: segment.frame) }
    }

    mutating func consume(
        frame bytes: [UInt8], linkType: LinkType = .ethernet, originalLength: Int? = nil,
        interface: Int = 0
    ) {
        frame += 1
        let packet = Packet(
            bytes.span.bytes, timestamp: Self.time(frame).nanoseconds, index: frame,
            linkType: linkType, originalLength: originalLength, interface: interface)
        engine.consume(packet, into: &messages)
    }

    mutating func finish() {
        engine.finish(at: nil, into: &messages)
    }

    var names: [String] { messages.map(\.name) }
    /// The texts of the letters, in order.
    var letters: [String] { messages.compactMap { ($0.content as? Letter)?.text } }
}

/// A toy protocol for the engine's tests: `#`, a length, and that number of bytes of text.
enum LetterProtocol {
    static let streamProtocol = StreamProtocol(
        name: "letter",
        recognises: { bytes in
            let first = bytes.withUnsafeBytes(Array.init).prefix(2)
            if first.first != 0x23 { return false }
            return first.count < 2 ? nil : true
        },
        makeDecoder: { LetterDecoder() })

    static func bytes(_ text: String) -> [UInt8] {
        [0x23, UInt8(text.utf8.count)] + Array(text.utf8)
    }
}

/// A message of the toy protocol.
struct Letter: DissectedMessage {
    let name: String
    let text: String

    var fields: Value { ["text": .string(text)] }
    var anomalies: [Anomaly] { [] }
    var bytes: [UInt8] { Array(text.utf8) }
}

/// Decodes letters; after a gap it looks for the next `#`.
struct LetterDecoder: StreamDecoder {
    private var pending: [UInt8] = []
    private var start: UInt64 = 0
    private var isLost = false

    var oldestPendingOffset: UInt64 { start }

    mutating func consume(
        _ bytes: RawSpan, at offset: UInt64, into messages: inout [StreamMessage]
    ) {
        if pending.isEmpty { start = offset }
        bytes.withUnsafeBytes { pending += $0 }
        if isLost {
            let lost = pending.firstIndex(of: 0x23) ?? pending.count
            pending.removeFirst(lost)
            start += UInt64(lost)
            isLost = pending.isEmpty
        }
        while pending.count >= 2, pending.count >= 2 + Int(pending[1]) {
            let length = 2 + Int(pending[1])
            let text = String(decoding: pending[2..<length], as: UTF8.self)
            messages.append(
                StreamMessage(
                    content: Letter(name: "letter.text", text: text),
                    ranges: [start..<(start + UInt64(length))]))
            pending.removeFirst(length)
            start += UInt64(length)
        }
    }

    mutating func gap(upTo offset: UInt64, into messages: inout [StreamMessage]) {
        reportUnfinished(into: &messages)
        start = offset
        isLost = true
    }

    mutating func finish(into messages: inout [StreamMessage]) {
        reportUnfinished(into: &messages)
    }

    private mutating func reportUnfinished(into messages: inout [StreamMessage]) {
        guard !pending.isEmpty else { return }
        let range = start..<(start + UInt64(pending.count))
        messages.append(
            StreamMessage(
                content: Letter(name: "letter.unfinished", text: ""), ranges: [range]))
        start = range.upperBound
        pending = []
    }
}
