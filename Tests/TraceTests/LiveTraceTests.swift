import Capture
import Glibc
import Testing
import Wire

@testable import Trace

@Suite("A live trace of the loopback", .serialized)
struct LiveTraceTests {
    static let isPermitted = (try? LiveCapture(interface: "lo", bufferBytes: 1 << 20)) != nil

    /// The two ends of a TCP connection on the loopback.
    private struct Connection {
        var client: Int32 = -1
        var server: Int32 = -1
        private var listener: Int32 = -1
        private(set) var port: UInt16 = 0

        /// Listens on a free port.
        init() {
            listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = Self.loopback(0)
            Self.call(address) { bind(listener, $0, $1) }
            listen(listener, 1)
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafeMutableBytes(of: &address) { bytes in
                guard let base = bytes.baseAddress else { return }
                getsockname(listener, base.assumingMemoryBound(to: sockaddr.self), &length)
            }
            port = UInt16(bigEndian: address.sin_port)
        }

        mutating func open() {
            client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            let descriptor = client
            Self.call(Self.loopback(port)) { connect(descriptor, $0, $1) }
            server = accept(listener, nil, nil)
        }

        func stopListening() { close(listener) }

        private static func loopback(_ port: UInt16) -> sockaddr_in {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            address.sin_port = port.bigEndian
            return address
        }

        private static func call(
            _ address: sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
        ) {
            withUnsafeBytes(of: address) { bytes in
                guard let base = bytes.baseAddress else { return }
                _ = body(base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
            }
        }
    }

    @Test(
        "A TCP exchange is captured, reassembled and reported completely",
        .enabled(if: isPermitted, "capturing on lo is not permitted here"))
    func exchangeIsToldWhole() throws {
        var connection = Connection()
        let capture = try LiveCapture(
            interface: "lo", filter: "tcp port \(connection.port)")
        var bench = TestBench()
        connection.open()
        let texts = (0..<200).map { "letter \($0)" }
        for text in texts {
            let bytes = LetterProtocol.bytes(text)
            #expect(send(connection.client, bytes, bytes.count, 0) == bytes.count)
        }
        let answer = LetterProtocol.bytes("thanks")
        #expect(send(connection.server, answer, answer.count, 0) == answer.count)
        close(connection.client)
        close(connection.server)
        for _ in 0..<200 {
            var watched = pollfd(fd: capture.fileDescriptor, events: Int16(POLLIN), revents: 0)
            poll(&watched, 1, 10)
            try capture.drain { bench.engine.consume($0, into: &bench.messages) }
            if !bench.letters.isEmpty, bench.letters.count == 201, bench.names.last != "letter.text"
            {
                break
            }
        }
        bench.finish()
        #expect(bench.names.prefix(3) == ["tcp.SYN", "tcp.SYNACK", "tcp.established"])
        #expect(bench.letters.filter { $0 != "thanks" } == texts)
        #expect(bench.letters.contains("thanks"))
        #expect(capture.statistics.dropped == 0)
        let statistics = bench.engine.statistics
        #expect(statistics.gaps == 0)
        #expect(statistics.retransmissions == 0, "each packet is delivered once")
        #expect(bench.messages.map(\.time) == bench.messages.map(\.time).sorted())
        connection.stopListening()
    }

    @Test(
        "A refused attempt is a SYN and a reset",
        .enabled(if: isPermitted, "capturing on lo is not permitted here"))
    func refusalIsTold() throws {
        var connection = Connection()
        connection.stopListening()
        let capture = try LiveCapture(
            interface: "lo", filter: "tcp port \(connection.port)")
        var bench = TestBench()
        connection.open()
        close(connection.client)
        for _ in 0..<100 where bench.messages.count < 2 {
            var watched = pollfd(fd: capture.fileDescriptor, events: Int16(POLLIN), revents: 0)
            poll(&watched, 1, 10)
            try capture.drain { bench.engine.consume($0, into: &bench.messages) }
        }
        #expect(bench.names == ["tcp.SYN", "tcp.refused"])
        #expect(bench.messages.first?.destination?.port == connection.port)
    }
}
