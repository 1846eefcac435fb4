import BuiltInProtocols
import TCPIP
import Testing
import Wire

@testable import Trace

@Suite("Events of TCP connections")
struct ConnectionEventTests {
    private func event(_ message: TraceMessage) throws -> TCPEvent {
        try #require(message.content as? TCPEvent)
    }

    @Test("A whole connection is reported by its SYN, SYN-ACK and FINs, with Wireshark's fields")
    func wholeConnectionIsTold() throws {
        var bench = TestBench()
        bench.consume(TestSegment.handshake())
        bench.consume([
            .data(LetterProtocol.bytes("hello"), at: 1_000, acknowledgement: 5_000),
            TestSegment(sequence: 1_007, acknowledgement: 5_000, flags: [.fin, .ack]),
            TestSegment(
                isFromClient: false, sequence: 5_000, acknowledgement: 1_008,
                flags: [.fin, .ack]),
            TestSegment(sequence: 1_008, acknowledgement: 5_001),
        ])
        bench.finish()
        #expect(
            bench.names == [
                "tcp.SYN", "tcp.SYNACK", "tcp.established", "letter.text", "tcp.FIN", "tcp.FIN",
            ])
        #expect(bench.messages.map(\.number) == [1, 2, 3, 4, 5, 6])
        #expect(bench.messages.map(\.frames) == [[1], [2], [3], [4], [5], [6]])
        #expect(bench.messages.map(\.time) == [1, 2, 3, 4, 5, 6].map(TestBench.time))
        #expect(bench.messages.allSatisfy { $0.flow == 0 })
        #expect(bench.messages[0].source?.description == "10.0.0.1:40000")
        #expect(bench.messages[1].source?.description == "10.0.0.2:12345")
        #expect(bench.messages[1].destination?.description == "10.0.0.1:40000")
        let synAck = bench.messages[1].content
        let expected: [String: Value] = [
            "ip.src": "10.0.0.2", "ip.dst": "10.0.0.1", "tcp.srcport": 12_345,
            "tcp.dstport": 40_000, "tcp.seq_raw": 4_999, "tcp.ack_raw": 1_000,
            "tcp.flags.syn": true, "tcp.flags.ack": true, "tcp.flags.fin": false,
            "tcp.flags.reset": false, "tcp.len": 0, "tcp.stream": 0,
        ]
        for (path, value) in expected {
            #expect(synAck.field(try #require(FieldPath(path))) == value, "\(path)")
        }
        #expect(bench.engine.statistics.gaps == 0)
        #expect(bench.engine.statistics.retransmissions == 0)
    }

    @Test("Every field of every event is in the protocol's description")
    func fieldsAreDescribed() throws {
        func paths(_ value: Value, _ prefix: String) -> [String] {
            guard case .object(let members) = value else { return [prefix] }
            return members.flatMap { member in
                paths(member.value, prefix.isEmpty ? member.name : "\(prefix).\(member.name)")
            }
        }
        let header = TCPHeader(
            sourcePort: 1, destinationPort: 2, sequence: TCPSequence(3), flags: [.syn])
        for kind in TCPEvent.Kind.allCases {
            let event = TCPEvent(
                kind, from: .loopback, to: .loopback, header: header, segmentLength: 0,
                stream: 0, count: 1, gapReason: .end)
            #expect(ProtocolRegistry.builtIn.message(named: event.name) != nil)
            for path in paths(event.fields, "") {
                let type = ProtocolRegistry.builtIn.fieldType(
                    of: try #require(FieldPath(path)), inMessage: event.name)
                #expect(type != nil, "\(event.name) \(path)")
            }
            let described = ProtocolRegistry.builtIn.fields(ofMessage: event.name).map(\.path)
            #expect(Set(described) == Set(paths(event.fields, "")))
        }
    }

    @Test("A repeated SYN is a retransmission, not a second attempt")
    func repeatedSynIsNoAttempt() {
        var bench = TestBench()
        let syn = TestSegment(sequence: 7, flags: [.syn])
        bench.consume([syn, syn, syn])
        #expect(bench.names == ["tcp.SYN", "tcp.retransmission", "tcp.retransmission"])
        #expect(bench.engine.statistics.flows == 1)
        #expect(bench.engine.statistics.retransmissions == 2)
    }

    @Test("A SYN with another sequence number between the same ports begins another connection")
    func otherSequenceIsAnotherConnection() {
        var bench = TestBench()
        bench.consume([
            TestSegment(sequence: 7, flags: [.syn]), TestSegment(sequence: 8, flags: [.syn]),
        ])
        #expect(bench.names == ["tcp.SYN", "tcp.SYN"])
        #expect(bench.messages.map(\.flow) == [0, 1])
    }

    /// One with the same sequence number is a retransmission, as in Wireshark.
    @Test("A new SYN after a reset or after both FINs begins another connection")
    func closedConnectionIsFollowedByAnother() {
        var bench = TestBench()
        bench.consume([
            TestSegment(sequence: 7, flags: [.syn]),
            TestSegment(
                isFromClient: false, sequence: 0, acknowledgement: 8, flags: [.rst, .ack]),
            TestSegment(sequence: 107, flags: [.syn]),
            TestSegment(sequence: 108, flags: [.fin, .ack]),
            TestSegment(isFromClient: false, sequence: 50, flags: [.fin, .ack]),
            TestSegment(sequence: 207, flags: [.syn]),
        ])
        #expect(
            bench.names == ["tcp.SYN", "tcp.refused", "tcp.SYN", "tcp.FIN", "tcp.FIN", "tcp.SYN"])
        #expect(bench.messages.map(\.flow) == [0, 0, 1, 1, 1, 2])
    }

    @Test("A repeated FIN or SYN-ACK is a retransmission")
    func repeatedFinIsARetransmission() {
        var bench = TestBench()
        let handshake = TestSegment.handshake()
        let fin = TestSegment(sequence: 1_000, flags: [.fin, .ack])
        bench.consume([handshake[0], handshake[1], handshake[1], handshake[2], fin, fin])
        #expect(
            bench.names == [
                "tcp.SYN", "tcp.SYNACK", "tcp.retransmission", "tcp.established", "tcp.FIN",
                "tcp.retransmission",
            ])
    }

    @Test("An unfinished message is reported at its sender's reset, but not at the other side's")
    func resetReportsWhatItsSenderLeftUnfinished() {
        var own = TestBench()
        own.consume(TestSegment.handshake())
        own.consume([
            .data([0x23, 9, 1], at: 1_000),
            TestSegment(sequence: 1_003, flags: [.rst]),
        ])
        #expect(own.names.suffix(2) == ["tcp.RST", "letter.unfinished"])
        #expect(own.messages.last?.frames == [4])
        #expect(own.messages.last?.time == TestBench.time(5))
        var cut = TestBench()
        cut.consume(TestSegment.handshake())
        cut.consume([
            .data([0x23, 9, 1], at: 1_000),
            TestSegment(isFromClient: false, sequence: 5_000, flags: [.rst]),
        ])
        #expect(cut.names == ["tcp.SYN", "tcp.SYNACK", "tcp.established", "tcp.RST"])
    }

    @Test(
        "Bytes in flight when the other side's reset was sent are decoded",
        arguments: [[], ["before"]])
    func segmentsThatCrossAReset(before: [String]) {
        var bench = TestBench()
        bench.consume(TestSegment.handshake())
        let sent = before.flatMap(LetterProtocol.bytes)
        if !sent.isEmpty { bench.consume([.data(sent, at: 1_000)]) }
        let next = 1_000 + UInt32(sent.count)
        let reset = TestSegment(isFromClient: false, sequence: 5_000, flags: [.rst])
        bench.consume([
            reset, .data(LetterProtocol.bytes("under way"), at: next), reset,
            .data([0x23, 9, 1], at: next + 11),
        ])
        bench.finish()
        #expect(
            Array(bench.names.dropFirst(3))
                == before.map { _ in "letter.text" } + [
                    "tcp.RST", "letter.text", "tcp.retransmission",
                ])
        #expect(bench.engine.statistics.undecodedBytes == 0)
    }

    @Test("The first bytes of a message that the other side's reset cuts off are not reported")
    func resetWithinTheFirstBytes() {
        let message = LetterProtocol.bytes("whole")
        let reset = TestSegment(isFromClient: false, sequence: 5_000, flags: [.rst])
        for rest in [[], Array(message[1...])] {
            var bench = TestBench()
            bench.consume(TestSegment.handshake())
            bench.consume([.data(Array(message[..<1]), at: 1_000), reset])
            if !rest.isEmpty { bench.consume([.data(rest, at: 1_001)]) }
            bench.finish()
            #expect(
                Array(bench.names.dropFirst(3))
                    == ["tcp.RST"] + (rest.isEmpty ? [] : ["letter.text"]))
            #expect(bench.engine.statistics.undecodedBytes == (rest.isEmpty ? 1 : 0))
        }
    }

    @Test("Payload after the end of its stream is reported, not dropped")
    func payloadAfterTheEndIsReported() throws {
        var bench = TestBench()
        bench.consume(TestSegment.handshake())
        bench.consume([
            TestSegment(sequence: 1_000, flags: [.fin, .ack]),
            .data([1, 2, 3], at: 1_001),
        ])
        #expect(bench.names.suffix(2) == ["tcp.FIN", "tcp.data"])
        #expect(bench.engine.statistics.undecodedBytes == 3)
    }

    @Test("A device event takes the next number and has no frames")
    func deviceEventsAreNumbered() {
        var bench = TestBench()
        bench.consume([TestSegment(sequence: 7, flags: [.syn])])
        let event = bench.engine.insert(
            event: DeviceEvent(name: DeviceEvent.started), at: TestBench.time(2))
        bench.consume([TestSegment(sequence: 9, flags: [.syn])])
        #expect(event.number == 2)
        #expect(event.frames.isEmpty && event.flow == nil && event.source == nil)
        #expect(bench.messages.map(\.number) == [1, 3])
    }
}
