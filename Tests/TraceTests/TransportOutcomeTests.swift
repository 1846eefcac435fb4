import BuiltInProtocols
import Testing
import Wire

@testable import Trace

@Suite("Outcomes of connection attempts")
struct TransportOutcomeTests {
    private static let syn = TestSegment(sequence: 999, flags: [.syn])

    private static func reset(acknowledging: UInt32) -> TestSegment {
        TestSegment(
            isFromClient: false, sequence: 0, acknowledgement: acknowledging, flags: [.rst, .ack])
    }

    @Test("A reset that acknowledges a SYN refuses the attempt, and its sender is the callee")
    func refusalIsTold() throws {
        var bench = TestBench()
        bench.consume([Self.syn, Self.reset(acknowledging: 1_000)])
        #expect(bench.names == ["tcp.SYN", "tcp.refused"])
        #expect(bench.messages[1].source?.port == 12_345)
        #expect(bench.messages[1].frames == [2])
        let path = try #require(FieldPath("tcp.flags.reset"))
        #expect(bench.messages[1].content.field(path) == true)
    }

    @Test(
        "A reset that does not answer the SYN is a reset",
        arguments: [
            [syn, reset(acknowledging: 999)],
            TestSegment.handshake() + [reset(acknowledging: 1_000)],
            [syn, TestSegment(sequence: 1_000, flags: [.rst])],
            [reset(acknowledging: 1_000)],
        ])
    func otherResets(segments: [TestSegment]) {
        var bench = TestBench()
        bench.consume(segments)
        #expect(bench.names.last == "tcp.RST")
        #expect(!bench.names.contains("tcp.refused"))
    }

    @Test("A connection is established once, by the caller's first acknowledgement of the SYN-ACK")
    func establishmentIsToldOnce() {
        var bench = TestBench()
        let handshake = TestSegment.handshake()
        bench.consume(handshake + [handshake[2], .data([1], at: 1_000, acknowledgement: 5_000)])
        #expect(bench.names.filter { $0 == "tcp.established" }.count == 1)
        #expect(bench.messages[2].frames == [3])
        #expect(bench.messages[2].source?.port == 40_000)
    }

    @Test("An acknowledgement that does not cover the SYN-ACK establishes nothing")
    func otherAcknowledgementsEstablishNothing() {
        let handshake = TestSegment.handshake()
        var stale = TestBench()
        stale.consume([
            handshake[0], handshake[1], TestSegment(sequence: 1_000, acknowledgement: 4_999),
        ])
        #expect(stale.names == ["tcp.SYN", "tcp.SYNACK"])
        var unaccepted = TestBench()
        unaccepted.consume([handshake[0], handshake[2]])
        #expect(unaccepted.names == ["tcp.SYN"])
        var callee = TestBench()
        callee.consume([
            handshake[0], handshake[1],
            TestSegment(isFromClient: false, sequence: 5_000, acknowledgement: 1_000),
        ])
        #expect(callee.names == ["tcp.SYN", "tcp.SYNACK"])
    }

    /// Returns an ICMP message that quotes the beginning of a SYN of the client.
    private static func unreachable(
        type: UInt8 = 3, from host: UInt8, quoting count: Int = 8
    ) -> [UInt8] {
        let quoted = ipv4(Self.syn.tcp, protocolNumber: 6).prefix(20 + count)
        return ethernet(
            0x0800,
            ipv4([type, 3, 0, 0, 0, 0, 0, 0] + quoted, protocolNumber: 1, from: host, to: 1)
        )
    }

    @Test("A report that a SYN could not be delivered belongs to its connection")
    func unreachableBelongsToItsFlow() throws {
        var bench = TestBench()
        bench.consume([Self.syn])
        bench.consume(frame: Self.unreachable(from: 2))
        bench.consume(frame: Self.unreachable(from: 9))
        #expect(bench.names == ["tcp.SYN", "icmp.unreachable", "icmp.unreachable"])
        #expect(bench.messages.map(\.flow) == [0, 0, 0])
        #expect(bench.messages[1].source == bench.messages[0].destination)
        #expect(bench.messages[2].source?.description == "10.0.0.9:0")
        #expect(bench.messages[2].destination == bench.messages[0].source)
        for (path, value) in ["icmp.type": 3, "icmp.code": 3, "tcp.seq_raw": 999] as [String: Value]
        {
            #expect(bench.messages[1].content.field(try #require(FieldPath(path))) == value)
            let name = bench.messages[1].name
            let known = ProtocolRegistry.builtIn.fieldType(
                of: try #require(FieldPath(path)), inMessage: name)
            #expect(known != nil)
        }
    }

    @Test("Other ICMP messages are counted, and a truncated report is malformed")
    func otherControlMessages() {
        var bench = TestBench()
        bench.consume(frame: Self.unreachable(type: 11, from: 9))
        bench.consume(frame: Self.unreachable(from: 9, quoting: 7))
        #expect(bench.names == [])
        #expect(bench.engine.statistics.ignored == ["icmp": 1, "malformed icmp": 1])
    }
}
