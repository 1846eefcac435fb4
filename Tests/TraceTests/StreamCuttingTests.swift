import TCPIP
import Testing
import Wire

@testable import Trace

/// Streams of a port that are cut into messages as a suite specifies.
@Suite("Streams that a suite cuts")
struct StreamCuttingTests {
    private static func bench(_ cutting: StreamCutting) -> TestBench {
        var bench = TestBench { $0.protocolsByPort = [12_345: cutting.streamProtocol] }
        bench.consume(TestSegment.handshake())
        return bench
    }

    private static func units(_ bench: TestBench) -> [TraceMessage] {
        bench.messages.filter {
            $0.name.hasPrefix("stream.") && !($0.content is StreamBeginning)
        }
    }

    @Test("Lines across segments have their frames, times and ranges")
    func lines() {
        var bench = Self.bench(.until([10]))
        bench.consume([
            .data(Array("ab".utf8), at: 1_000), .data(Array("c\nde\nf".utf8), at: 1_002),
            .data(Array("#1\n".utf8), at: 5_000, isFromClient: false),
            .data(Array("\n".utf8), at: 1_008),
        ])
        bench.finish()
        let units = Self.units(bench)
        #expect(units.map { $0.content.fields["text"] } == ["abc", "de", "#1", "f"])
        #expect(units.map(\.frames) == [[4, 5], [5], [6], [5, 7]])
        #expect(units.map(\.time) == [5, 5, 6, 7].map(TestBench.time))
        #expect(units.map(\.streamRange) == [0..<4, 4..<7, 0..<3, 7..<9])
        #expect(units[3].arrival?.first == TestBench.time(5))
        #expect(units[3].arrival?.last == TestBench.time(7))
        #expect(units[3].arrival?.pause == .milliseconds(2))
    }

    @Test("The port of a caller does not determine how its streams are cut")
    func callersPort() {
        func count(_ segments: [TestSegment], serverPort: UInt16 = 12_345) -> Int {
            var bench = TestBench {
                $0.protocolsByPort = [40_000: StreamCutting.until([10]).streamProtocol]
            }
            bench.consume(
                segments.map {
                    var segment = $0
                    segment.serverPort = serverPort
                    return segment
                })
            return Self.units(bench).count
        }
        let data = [TestSegment.data(Array("a\n".utf8), at: 1_000, acknowledgement: 5_000)]
        let handshake = TestSegment.handshake()
        #expect(count(handshake + data) == 0)
        #expect(count(Array(handshake.dropFirst()) + data) == 0)
        // Who called was not captured, but a port may show it.
        #expect(count(data) == 1)
        #expect(count(data, serverPort: 443) == 0)
    }

    @Test("Every order of three segments, and a repeated one, gives the same messages")
    func orders() {
        let stream = Array("one\r\ntwo\r\nthree\r\n".utf8)
        for first in 1..<stream.count - 1 {
            for second in (first + 1)..<stream.count {
                let parts = [0..<first, first..<second, second..<stream.count].map {
                    TestSegment.data(Array(stream[$0]), at: 1_000 + UInt32($0.lowerBound))
                }
                for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [2, 1, 0, 1]] {
                    var bench = Self.bench(.until([13, 10]))
                    bench.consume(order.map { parts[$0] })
                    bench.finish()
                    #expect(
                        Self.units(bench).map { $0.content.fields["text"] }
                            == ["one", "two", "three"], "\(first) \(second) \(order)")
                }
            }
        }
    }

    @Test("A pause ends a message, which has the time of its last byte and is in order of time")
    func pauses() {
        var bench = Self.bench(.idle(.milliseconds(3)))
        bench.consume([.data([1], at: 1_000), .data([2], at: 1_001)])
        bench.consume([.data([9], at: 5_000, isFromClient: false)])
        #expect(Self.units(bench).isEmpty && bench.engine.isHolding)
        bench.consume([TestSegment(sequence: 1_002), TestSegment(sequence: 1_002)])
        bench.consume([TestSegment(sequence: 1_002), TestSegment(sequence: 1_002)])
        bench.consume([.data([3], at: 1_002)])
        bench.consume([TestSegment(sequence: 1_003, flags: [.ack, .fin])])
        bench.engine.endPauses(before: TestBench.time(30), into: &bench.messages)
        let units = Self.units(bench)
        #expect(units.map(\.content.bytes) == [[1, 2], [9], [3]])
        #expect(units.map(\.time) == [5, 6, 11].map(TestBench.time))
        #expect(units.map(\.frames) == [[4, 5], [6], [11]])
        #expect(bench.messages.last?.name == "tcp.FIN")
        #expect(!bench.engine.isHolding)
        let times = bench.messages.map(\.time)
        #expect(times == times.sorted())
    }

    @Test("What a side leaves unfinished after the end of the other side is not malformed")
    func abandoned() {
        func names(_ cutting: StreamCutting, isFirst: Bool, flags: TCPFlags) -> [String] {
            var bench = Self.bench(cutting)
            let own: [TestSegment] = [
                .data(Array("a\nb".utf8), at: 1_000), TestSegment(sequence: 1_003, flags: flags),
            ]
            let other = TestSegment(
                isFromClient: false, sequence: 5_000, flags: [.ack, .fin])
            bench.consume(isFirst ? own + [other] : [other] + own)
            bench.finish()
            return bench.messages.filter { $0.name.hasPrefix("stream.") }
                .filter { !($0.content is StreamBeginning) }.map(\.name)
        }
        for flags in [[.ack, .fin], [.ack, .rst]] as [TCPFlags] {
            #expect(
                names(.until([10]), isFirst: true, flags: flags)
                    == ["stream.message", "stream.malformed"])
            #expect(names(.until([10]), isFirst: false, flags: flags) == ["stream.message"])
            // A pause ends messages, and so does the end of the stream.
            #expect(
                names(.idle(.milliseconds(3)), isFirst: false, flags: flags) == ["stream.message"])
        }
    }

    @Test("A reset ends a message before it, and a FIN makes an incomplete one malformed")
    func ends() {
        var bench = Self.bench(.idle(.milliseconds(3)))
        bench.consume([.data([1], at: 1_000), TestSegment(sequence: 1_001, flags: [.rst, .ack])])
        #expect(bench.names.suffix(2) == ["stream.message", "tcp.RST"])
        var open = Self.bench(.until([10]))
        open.consume([
            .data([65], at: 1_000), TestSegment(sequence: 1_001, flags: [.ack, .fin]),
        ])
        #expect(open.names.last == "stream.malformed")
    }

    @Test("Lost bytes do not end a message in the middle")
    func gaps() {
        var bench = Self.bench(.until([10]))
        bench.consume([
            .data(Array("ab".utf8), at: 1_000), .data(Array("x\ncd\n".utf8), at: 1_010),
        ])
        bench.finish()
        #expect(Self.units(bench).map { $0.content.fields["text"] } == ["cd"])
        #expect(bench.names.contains("tcp.gap"))
    }

    @Test("Other ports are not affected")
    func otherPorts() {
        var bench = TestBench { $0.protocolsByPort = [80: StreamCutting.fixed(2).streamProtocol] }
        bench.consume(TestSegment.handshake())
        bench.consume([.data(LetterProtocol.bytes("a"), at: 1_000)])
        bench.finish()
        #expect(bench.letters == ["a"])
    }
}
