import BuiltInProtocols
import Capture
import TCPIP
import TestSupport
import Testing

@testable import Trace

@Suite("How long connections are kept")
struct ConnectionLifeTests {
    private func syn(_ port: UInt16) -> TestSegment {
        TestSegment(sequence: 1, flags: [.syn], clientPort: port)
    }

    /// Advances the capture time with one frame per millisecond that belongs to no connection.
    private func wait(_ milliseconds: Int, _ bench: inout TestBench) {
        for _ in 0..<milliseconds { bench.consume(frame: ethernet(0x0806, [0])) }
    }

    @Test("A connection without packets for the idle wait is given up and counted")
    func idleExpiry() {
        var bench = TestBench { $0.idleWait = .milliseconds(80) }
        bench.consume(TestSegment.handshake())
        bench.consume([.data(Array(LetterProtocol.bytes("whole").dropLast()), at: 1_000)])
        wait(60, &bench)
        bench.consume([syn(1)])
        #expect(bench.engine.statistics.expiredFlows == 0)
        wait(60, &bench)
        bench.consume([syn(2)])
        #expect(bench.engine.statistics.expiredFlows == 1)
        #expect(bench.engine.followedCount == 2)
        #expect(bench.names.contains("letter.unfinished"), "its unfinished message is reported")
        bench.consume([.data([1], at: 1_006)])
        #expect(bench.engine.statistics.flows == 4, "later segments are another connection")
    }

    @Test("A closed connection is kept for a while, then removed")
    func closedConnections() {
        var bench = TestBench { $0.closedWait = .milliseconds(20) }
        bench.consume(TestSegment.handshake())
        let ends = [
            TestSegment(sequence: 1_000, acknowledgement: 5_000, flags: [.fin, .ack]),
            TestSegment(
                isFromClient: false, sequence: 5_000, acknowledgement: 1_001, flags: [.fin, .ack]),
        ]
        bench.consume(ends)
        wait(10, &bench)
        bench.consume([ends[1]])
        #expect(bench.names.last == "tcp.retransmission")
        #expect(bench.engine.statistics.flows == 1)
        wait(30, &bench)
        #expect(bench.engine.followedCount == 0)
        bench.consume([ends[1]])
        #expect(bench.engine.statistics.flows == 1, "its last packets belong to it at any time")
    }

    @Test("Successive connections need no more memory than those that exist at the same time")
    func memoryIsBounded() {
        var bench = TestBench { $0.closedWait = .milliseconds(20) }
        var most = 0
        for port in 1...2_000 as ClosedRange<UInt16> {
            bench.consume([
                syn(port),
                TestSegment(
                    isFromClient: false, sequence: 7, acknowledgement: 2, flags: [.rst, .ack],
                    clientPort: port),
            ])
            most = max(most, bench.engine.followedCount)
            bench.messages = []
        }
        #expect(bench.engine.statistics.flows == 2_000)
        #expect(most <= 13, "two frames per connection, 20 of them kept")
    }

    @Test("A connection needs no more memory than it had when that was measured")
    func connectionSize() {
        #expect(MemoryLayout<Flow>.stride <= 304)
        #expect(MemoryLayout<HotConnection>.stride <= 128)
    }

    @Test("The table agrees with a dictionary through any insertions and removals")
    func tableAgreesWithDictionary() {
        var generator = SeededGenerator(seed: 77)
        var table = FlowTable()
        var known: [FlowKey: Int] = [:]
        let options = TraceOptions(.builtIn)
        for number in 0..<6_000 {
            let client = Endpoint(
                address: IPAddress(ipv4: UInt32.random(in: 0...9, using: &generator)),
                port: UInt16.random(in: 0...60, using: &generator))
            let server = Endpoint(address: IPAddress(ipv4: 77), port: 12_345)
            let key = FlowKey.make(from: client, to: server).key
            #expect(table.slot(of: key) == known[key])
            if let slot = known.removeValue(forKey: key) {
                table.remove(slot: slot)
            } else {
                let slot = table.nextSlot
                table.insert(
                    Flow(number: number, slot: slot, key: key, options: options),
                    at: TestBench.time(0))
                known[key] = slot
            }
            #expect(table.count == known.count)
        }
        for (key, slot) in known { #expect(table.slot(of: key) == slot) }
        #expect(Set(table.usedSlots) == Set(known.values))
        #expect(table.slotsByNumber == known.values.sorted { table[$0].number < table[$1].number })
    }

    @Test("A key returns both ends, for either IP version", arguments: [false, true])
    func keysKeepTheirEnds(isIPv6: Bool) {
        let address =
            isIPv6 ? IPAddress(ipv6High: 0xFE80 << 48, low: 9) : IPAddress(ipv4: 0x0A00_0001)
        let ends = [
            Endpoint(address: address, port: 80), Endpoint(address: .loopback, port: 81),
        ]
        let (key, direction) = FlowKey.make(from: ends[0], to: ends[1])
        let (same, opposite) = FlowKey.make(from: ends[1], to: ends[0])
        #expect(key == same)
        #expect(direction == opposite.opposite)
        #expect(key.source(direction) == ends[0])
        #expect(key.destination(direction) == ends[1])
    }
}
