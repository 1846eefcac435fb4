import TCPIP
import Testing

@testable import Trace

@Suite("Which segments belong to one connection")
struct ConnectionIdentityTests {
    private typealias Cause = UnseenSpan.Cause

    private func bench() -> TestBench { TestBench { $0.recordsUnseen = true } }

    private func syn(_ sequence: UInt32 = 999) -> TestSegment {
        TestSegment(sequence: sequence, flags: [.syn])
    }

    private func refusal(_ acknowledgement: UInt32 = 1_000) -> TestSegment {
        TestSegment(
            isFromClient: false, sequence: 0, acknowledgement: acknowledgement,
            flags: [.rst, .ack])
    }

    private func flows(_ bench: TestBench) -> [Int?] { bench.messages.map(\.flow) }

    /// Ends both sides of a connection with the data `#`, 1, `a`.
    private static let ending = [
        TestSegment(
            sequence: 1_000, acknowledgement: 5_000, flags: [.fin, .ack],
            payload: LetterProtocol.bytes("a")),
        TestSegment(
            isFromClient: false, sequence: 5_000, acknowledgement: 1_004, flags: [.fin, .ack]),
        TestSegment(sequence: 1_004, acknowledgement: 5_001),
    ]

    private func closed() -> TestBench {
        var bench = bench()
        bench.consume(TestSegment.handshake() + Self.ending)
        return bench
    }

    @Test("A SYN that is repeated after a reset is a retransmission; another number is an attempt")
    func repeatedAfterRefusal() {
        var bench = bench()
        bench.consume([syn(), refusal(), syn(), refusal(), syn(7_000), refusal(7_001)])
        #expect(
            bench.names == [
                "tcp.SYN", "tcp.refused", "tcp.retransmission", "tcp.refused", "tcp.SYN",
                "tcp.refused",
            ])
        #expect(flows(bench) == [0, 0, 0, 0, 1, 1])
        #expect(bench.engine.statistics.flows == 2)
    }

    @Test("A repeated attempt that is accepted opens the connection that was refused before")
    func acceptedAfterRefusal() {
        var bench = bench()
        bench.consume([syn(), refusal()] + TestSegment.handshake())
        bench.consume([.data(LetterProtocol.bytes("one"), at: 1_000, acknowledgement: 5_000)])
        #expect(bench.letters == ["one"])
        #expect(Set(flows(bench)) == [0])
        bench.finish()
        #expect(bench.engine.takeUnseen().isEmpty)
    }

    @Test("A port is used again at once after a reset")
    func reused() {
        var bench = bench()
        bench.consume(TestSegment.handshake())
        bench.consume([TestSegment(sequence: 1_000, acknowledgement: 5_000, flags: [.rst, .ack])])
        bench.consume(TestSegment.handshake(client: 9_999, server: 20_000))
        #expect(bench.engine.statistics.flows == 2)
        #expect(bench.engine.takeUnseen().isEmpty)
    }

    @Test(
        "A device that starts again with the same port and number opens another connection",
        arguments: [false, true])
    func begunAgain(isEnded: Bool) {
        func bench(pause: Int, data: [TestSegment]) -> TestBench {
            var bench = self.bench()
            bench.consume(TestSegment.handshake() + data)
            if isEnded {
                bench.consume([TestSegment(sequence: 1_003, flags: [.rst, .ack])])
            }
            bench.frame += pause
            bench.consume(TestSegment.handshake(server: 70_000))
            return bench
        }
        let data = [
            TestSegment.data(LetterProtocol.bytes("a"), at: 1_000, acknowledgement: 5_000)
        ]
        let again = bench(pause: 2_000, data: data)
        #expect(again.names.filter { $0 == "tcp.SYN" }.count == 2)
        #expect(again.engine.statistics.flows == 2)
        // A copy that was late in the network, and an attempt of which only the SYN was captured.
        #expect(bench(pause: 10, data: data).engine.statistics.flows == 1)
        #expect(bench(pause: 2_000, data: []).names.filter { $0 == "tcp.SYN" }.count == 1)
    }

    @Test(
        "A SYN with the same number opens another connection once no kernel would repeat it",
        arguments: [(3_500, 1), (4_500, 2), (60_000, 2)])
    func begunAgainWithoutData(pause: Int, count: Int) {
        func attempts(_ first: [TestSegment]) -> Int {
            var bench = bench()
            bench.consume(first)
            bench.frame += pause
            bench.consume(TestSegment.handshake(server: 70_000))
            #expect(bench.engine.statistics.flows == bench.names.filter { $0 == "tcp.SYN" }.count)
            return bench.engine.statistics.flows
        }
        let handshake = TestSegment.handshake()
        #expect(attempts([syn(), refusal()]) == count)
        #expect(attempts([syn(), TestSegment(sequence: 1_000, flags: [.rst])]) == count)
        #expect(attempts(handshake) == count)
        #expect(attempts(handshake + [TestSegment(sequence: 1_000, flags: [.rst, .ack])]) == count)
        #expect(attempts([syn()]) == 1)
        #expect(attempts([syn(), handshake[1]]) == 1)
    }

    @Test("The time without a repetition counts from the refusal, which may have come late")
    func lateRefusal() {
        var bench = bench()
        bench.consume([syn()])
        bench.frame += 15_000
        bench.consume([refusal()])
        bench.frame += 1_000
        bench.consume([syn(), refusal()])
        #expect(bench.engine.statistics.flows == 1)
        #expect(bench.names[2] == "tcp.retransmission")
    }

    @Test("A connection begins again with the same number long after one with data was dropped")
    func begunAgainLate() {
        var bench = closed()
        bench.frame += 20_000
        bench.consume(TestSegment.handshake(server: 70_000))
        #expect(bench.engine.statistics.flows == 2)
        #expect(bench.names.filter { $0 == "tcp.SYN" }.count == 2)
    }

    @Test("A FIN that is repeated long after the end belongs to its connection", arguments: [1, 3])
    func lateRepetition(count: Int) {
        var bench = closed()
        for _ in 0..<count {
            bench.frame += 20_000
            bench.consume([Self.ending[0], Self.ending[2]])
        }
        bench.finish()
        #expect(bench.letters == ["a"])
        #expect(bench.engine.statistics.flows == 1)
        #expect(bench.names.filter { $0 == "tcp.retransmission" }.count == count)
        #expect(bench.engine.takeUnseen().isEmpty)
    }

    @Test("A new attempt long after the end is a new connection, and its numbers are its own")
    func lateAttempt() {
        var bench = closed()
        bench.frame += 20_000
        bench.consume(TestSegment.handshake(client: 99_999, server: 50_000))
        bench.consume([.data(LetterProtocol.bytes("b"), at: 100_000, acknowledgement: 50_001)])
        #expect(bench.letters == ["a", "b"])
        #expect(bench.engine.statistics.flows == 2)
        #expect(bench.engine.takeUnseen().isEmpty)
    }

    @Test("Bytes that were never sent before the end began another connection, which is noted")
    func newBytesAfterTheEnd() {
        var bench = closed()
        bench.frame += 20_000
        bench.consume([.data(LetterProtocol.bytes("b"), at: 900_000, acknowledgement: 50_001)])
        bench.finish()
        #expect(bench.letters == ["a", "b"])
        #expect(bench.engine.takeUnseen().map(\.cause).contains(.midStream))
    }

    @Test("Bytes directly after the end are doubtful")
    func bytesAfterFin() {
        var bench = closed()
        bench.consume([.data(LetterProtocol.bytes("b"), at: 1_004, acknowledgement: 5_001)])
        bench.finish()
        #expect(bench.letters == ["a"])
        #expect(bench.engine.takeUnseen().map(\.cause).contains(.afterEnd))
    }

    @Test(
        "The segments of a handshake may be captured in any order",
        arguments: [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func reordered(_ order: [Int]) {
        var bench = bench()
        let handshake = TestSegment.handshake()
        bench.consume(order.map { handshake[$0] })
        bench.consume([.data(LetterProtocol.bytes("one"), at: 1_000, acknowledgement: 5_000)])
        bench.finish()
        #expect(bench.letters == ["one"])
        #expect(bench.engine.statistics.flows == 1)
        #expect(bench.names.contains("tcp.established"))
        #expect(bench.engine.takeUnseen().isEmpty)
    }

    @Test("Data captured before the answer to the attempt leave its direction unseen")
    func dataBeforeAnswer() {
        var bench = bench()
        let handshake = TestSegment.handshake()
        bench.consume([
            handshake[0], handshake[2],
            .data(LetterProtocol.bytes("one"), at: 1_000, acknowledgement: 5_000), handshake[1],
        ])
        bench.finish()
        #expect(bench.letters == ["one"])
        #expect(bench.engine.takeUnseen().map(\.cause) == [.missingDirection])
    }

    @Test("A SYN captured after data leaves the bytes where they are")
    func dataBeforeSyn() {
        var bench = bench()
        let handshake = TestSegment.handshake()
        bench.consume([.data(LetterProtocol.bytes("one"), at: 1_000, acknowledgement: 5_000)])
        bench.consume(handshake)
        bench.consume([.data(LetterProtocol.bytes("two"), at: 1_005, acknowledgement: 5_000)])
        bench.finish()
        #expect(bench.letters == ["one", "two"])
        #expect(bench.engine.statistics.flows == 1)
        #expect(bench.engine.takeUnseen().isEmpty)
    }

    @Test("A SYN that never comes was not captured, as soon as enough segments have passed")
    func missingSyn() {
        var bench = bench()
        bench.consume([TestSegment.handshake()[1], TestSegment.handshake()[2]])
        for number in 0..<20 as Range<UInt32> {
            bench.consume([.data([0x23, 0], at: 1_000 + 2 * number, acknowledgement: 5_000)])
        }
        #expect(bench.engine.takeUnseen().map(\.cause) == [.midStream])
    }

    @Test("Both sides may open at the same time, and the SYN may be repeated")
    func simultaneous() {
        var bench = bench()
        let other = TestSegment(isFromClient: false, sequence: 4_999, flags: [.syn])
        bench.consume([syn(), other, syn(), other])
        #expect(bench.engine.statistics.flows == 1)
        #expect(bench.names.filter { $0 == "tcp.SYN" }.count == 2)
    }

    @Test("What is remembered of connections that ended is bounded")
    func bounded() {
        var table = ClosedConnections()
        let bench = bench()
        for port in 0..<40_000 as Range<UInt16> {
            let key = FlowKey.make(
                from: Endpoint(address: .loopback, port: port),
                to: Endpoint(address: .loopback6, port: 80)
            ).key
            var flow = Flow(
                number: Int(port), slot: 0, key: key, options: bench.engine.output.options)
            table.remember(&flow)
            #expect(table[key]?.number == Int32(port))
        }
    }
}
