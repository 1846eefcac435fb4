import TLS
import Wire

extension FuzzTarget {
    /// Reads bytes as a key log, as a certificate, and as messages of the handshake.
    ///
    /// Before each message is a byte with the side (bit 0), whether its record is application data
    /// (bit 1) and its length (the other bits), and one with its type.
    static func tls(_ bytes: [UInt8]) {
        let secrets = DecryptionSecrets()
        secrets.add(keyLog: bytes)
        precondition(secrets.count <= bytes.count / 4)
        // Secrets for connections whose ClientHello has a random of zeros.
        let random = String(repeating: "0", count: 64)
        for label in ["CLIENT_RANDOM", "CLIENT_EARLY_TRAFFIC_SECRET"] + trafficLabels {
            secrets.add(keyLog: Array("\(label) \(random) \(random)\n".utf8))
        }
        var decoder = TLS.streamProtocol.makeDecoder(
            DissectionStack([TLS.streamProtocol], secrets: secrets))
        var messages: [StreamMessage] = []
        var offsets: [ConnectionSide: UInt64] = [:]
        func feed(_ record: [UInt8], from side: ConnectionSide) {
            let offset = offsets[side] ?? 0
            decoder.consume(record.span.bytes, from: side, at: offset, into: &messages)
            offsets[side] = offset + UInt64(record.count)
        }
        let der = bytes.prefix(16_000)
        let list = long(der.count) + der
        feed(record(22, message(11, long(list.count) + list)), from: .second)
        var rest = bytes[...]
        while let head = rest.popFirst(), let type = rest.popFirst() {
            let body = rest.prefix(head >> 2 == 63 ? 4_096 : Int(head >> 2))
            rest = rest.dropFirst(body.count)
            feed(
                record(head & 2 == 0 ? 22 : 23, message(type, Array(body))),
                from: head & 1 == 0 ? .first : .second)
        }
        decoder.finish(.first, .closed, into: &messages)
        decoder.finish(.second, .captureEnded, into: &messages)
        messages.forEach { use($0.content) }
    }

    private static let trafficLabels = ["CLIENT", "SERVER"].flatMap {
        ["\($0)_HANDSHAKE_TRAFFIC_SECRET", "\($0)_TRAFFIC_SECRET_0"]
    }

    private static func long(_ count: Int) -> [UInt8] {
        [16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
    }

    private static func message(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
        [type] + long(body.count) + body
    }

    private static func record(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [type, 3, 3] + long(payload.count).dropFirst() + payload
    }
}
