import TestSupport
import Testing

@testable import HTTP
@testable import Wire

// Connections that are cut anywhere, damaged or endless.
extension HTTPConnectionTests {
    @Test("A connection gives the same messages wherever it is cut")
    func everyCut() {
        let client =
            Self.get + "POST /b HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "4\r\nwxyz\r\n0\r\n\r\n" + Self.get
        let server =
            "HTTP/1.1 100 Continue\r\n\r\n" + Self.ok
            + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nA: b\r\n\r\n"
            + "HTTP/1.1 200 OK\r\n\r\nuntil the end"
        let whole = Self.decode([.client(client), .server(server)])
        #expect(whole.count == 7)
        for size in 1...server.utf8.count {
            #expect(
                Self.decode([.client(client), .server(server)], size: size) == whole, "\(size)")
        }
    }

    @Test("Corrupted streams, cut anywhere, give messages in order that do not overlap")
    func mutated() {
        let client =
            Self.get + "POST /b HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "4\r\nwxyz\r\n0\r\n\r\n"
            + "GET /c HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n"
        let server =
            Self.ok + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"
            + "HTTP/1.1 101 S\r\nUpgrade: websocket\r\n\r\n"
        var generator = SeededGenerator(seed: 19)
        func wrong(_ text: String) -> String {
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...127, using: &generator)
                case 1: bytes.remove(at: place)
                default: bytes.insert(bytes[place], at: place)
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        for _ in 0..<600 {
            let lost = Int.random(in: 0..<40, using: &generator)
            let pieces: [Piece] = [
                .client(wrong(client)), lost < 20 ? .lostClient(lost + 1) : .client(""),
                .server(wrong(server)), .lostServer(lost + 1), .server(wrong(Self.ok)),
                .client(wrong(Self.get)),
            ]
            let size = Int.random(in: 1...90, using: &generator)
            let messages = Self.decode(pieces, size: size)
            for side in ConnectionSide.allCases {
                var end: UInt64 = 0
                for message in messages where message.side == side && !message.range.isEmpty {
                    #expect(message.range.lowerBound >= end, "\(pieces) \(size)")
                    end = message.range.upperBound
                }
            }
        }
    }

    @Test("Endless headers, chunk lines and trailers are not buffered without limit")
    func bounds() {
        let endless = [
            "GET / HTTP/1.1\r\nA: ", Self.get + "GET /",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
        ]
        for (index, start) in endless.enumerated() {
            let more = index == 3 ? "A: b\r\n" : "1"
            let rest = String(repeating: more, count: 70_000)
            let messages = Self.decode([.client(start), .client(rest)], size: 1_000, ends: nil)
            #expect(messages.contains { $0.name == "http.malformed" }, "\(index)")
            #expect(messages.allSatisfy { $0.bytes.count <= 4_096 })
        }
    }
}
