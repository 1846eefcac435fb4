import Capture
import TCPIP
import TestSupport
import Testing
import Wire

@testable import Trace

@Suite("Recognition of a stream's protocol")
struct RecognitionTests {
    private func fromServer(_ payload: [UInt8], at sequence: UInt32) -> TestSegment {
        .data(payload, at: sequence, isFromClient: false)
    }

    @Test("A protocol recognised in one direction is decoded in both")
    func bothDirectionsAreDecoded() {
        var bench = TestBench()
        bench.consume(TestSegment.handshake())
        bench.consume([
            .data(LetterProtocol.bytes("ask"), at: 1_000),
            fromServer(LetterProtocol.bytes("answer"), at: 5_000),
        ])
        #expect(bench.letters == ["ask", "answer"])
        #expect(bench.messages.last?.source?.port == 12_345)
    }

    @Test("Bytes too few for recognition are decoded once the other direction is recognised")
    func heldBytesAreReplayed() {
        var bench = TestBench()
        bench.consume(TestSegment.handshake())
        bench.consume([
            .data([0x23], at: 1_000), fromServer(LetterProtocol.bytes("answer"), at: 5_000),
            .data([2, 0x68, 0x69], at: 1_001),
        ])
        #expect(bench.letters == ["answer", "hi"])
        #expect(bench.messages.last?.frames == [4, 6])
        #expect(bench.engine.statistics.undecodedBytes == 0)
    }

    @Test("Segments of a stream of an unknown protocol are reported one by one with their bytes")
    func unknownStreamIsTold() throws {
        var bench = TestBench()
        bench.consume(TestSegment.handshake())
        bench.consume([.data([1, 2, 3], at: 1_000), fromServer([4], at: 5_000)])
        let data = bench.messages.compactMap { $0.content as? TCPEvent }.filter {
            $0.kind == .data
        }
        #expect(data.map(\.bytes) == [[1, 2, 3], [4]])
        #expect(data[0].field(try #require(FieldPath("length"))) == 3)
        #expect(data[0].field(try #require(FieldPath("tcp.len"))) == 3)
        #expect(bench.engine.statistics.undecodedBytes == 4)
    }

    @Test("Bytes that end before recognition are reported at the end with their frames")
    func undecidedBytesAreTold() {
        var bench = TestBench()
        bench.consume(TestSegment.handshake())
        bench.consume([.data([0x23], at: 1_000)])
        #expect(bench.names.last == "tcp.established")
        bench.finish()
        #expect(bench.names.last == "tcp.data")
        #expect(bench.messages.last?.frames == [4])
        #expect(bench.engine.statistics.undecodedBytes == 1)
    }

    @Test("A direction of an unknown protocol is decoded from where the other one was recognised")
    func lateRecognition() {
        var bench = TestBench()
        bench.consume(TestSegment.handshake())
        bench.consume([
            .data([9, 9], at: 1_000), fromServer(LetterProtocol.bytes("answer"), at: 5_000),
            .data(LetterProtocol.bytes("now"), at: 1_002),
        ])
        #expect(bench.names.suffix(3) == ["tcp.data", "letter.text", "letter.text"])
        #expect(bench.letters == ["answer", "now"])
    }

    @Test("No more than the limit is held back before recognition")
    func heldBytesAreBounded() {
        let slow = StreamProtocol(
            name: "slow", recognises: { _ in nil }, makeDecoder: { LetterDecoder() })
        var bench = TestBench(protocols: [slow]) { $0.recognitionBytesMax = 8 }
        bench.consume(TestSegment.handshake())
        for index in 0..<3 {
            bench.consume([.data([1, 2, 3, 4], at: 1_000 + UInt32(index) * 4)])
        }
        #expect(bench.names.filter { $0 == "tcp.data" }.count == 3)
        #expect(bench.messages.suffix(3).map(\.frames) == [[4], [5], [6]])
    }

    @Test("The protocol of a configured port is decoded without recognition")
    func portSetsTheProtocol() {
        var bench = TestBench(protocols: []) {
            $0.protocolsByPort = [12_345: LetterProtocol.streamProtocol]
        }
        bench.consume(TestSegment.handshake())
        bench.consume([.data([0x23], at: 1_000), .data([1, 0x61], at: 1_001)])
        #expect(bench.letters == ["a"])
    }

    @Test("A capture that begins within a connection is decoded from its first segment")
    func midStreamStart() {
        var bench = TestBench()
        bench.consume([
            .data(LetterProtocol.bytes("a"), at: 70_000, acknowledgement: 80_000),
            fromServer(LetterProtocol.bytes("b"), at: 80_000),
            .data(LetterProtocol.bytes("c"), at: 70_003),
        ])
        bench.finish()
        #expect(bench.letters == ["a", "b", "c"])
        #expect(bench.engine.statistics.gaps == 0)
    }

    @Test("A capture that begins within a message is decoded from the next whole message")
    func midMessageStart() {
        var bench = TestBench()
        bench.consume([
            .data(Array("rest".utf8), at: 70_000), .data(LetterProtocol.bytes("a"), at: 70_004),
        ])
        #expect(bench.names == ["tcp.data", "letter.text"])
        #expect(bench.engine.statistics.undecodedBytes == 4)
    }

    @Test("A packet that is neither TCP nor UDP is counted by its reason")
    func ignoredPacketsAreCounted() {
        var bench = TestBench()
        bench.consume(frame: ethernet(0x0806, Array(repeating: 0, count: 28)))
        bench.consume(frame: ethernet(0x0800, ipv4([0, 0, 0, 0], protocolNumber: 17)))
        bench.consume(frame: ethernet(0x0800, ipv4([0], protocolNumber: 1)))
        bench.consume(frame: ethernet(0x0800, ipv4([0], protocolNumber: 99)))
        bench.consume(frame: ethernet(0x0800, ipv4([0], protocolNumber: 6, fragment: 0x2000)))
        bench.consume(frame: ethernet(0x0800, ipv4([0, 1], protocolNumber: 6)))
        bench.consume(frame: ethernet(0x0026, [0x42, 0x42, 3]))
        bench.consume(frame: ethernet(0x88CC, [1]))
        bench.consume(frame: [1, 2, 3])
        bench.consume(frame: [1], linkType: LinkType(rawValue: 999))
        bench.consume(frame: [1], linkType: LinkType(rawValue: 220))
        bench.finish()
        #expect(bench.messages.isEmpty)
        #expect(
            bench.engine.statistics.ignored == [
                "arp": 1, "malformed udp": 1, "icmp": 1, "ip protocol 99": 1, "ip fragment": 1,
                "malformed tcp": 1, "ieee 802.3": 1, "ethertype 0x88cc": 1, "malformed eth": 1,
                "unknown link type 999": 1, "usb, which is not dissected": 1,
            ])
        #expect(bench.engine.statistics.packets == 11)
    }

    @Test("Segments with a wrong checksum are ignored only on request")
    func checksumsAreOptional() {
        let syn = TestSegment(sequence: 1, flags: [.syn])
        var lax = TestBench()
        lax.consume([syn])
        #expect(lax.names == ["tcp.SYN"])
        var strict = TestBench { $0.verifiesChecksums = true }
        strict.consume([syn])
        #expect(strict.names.isEmpty)
        #expect(strict.engine.statistics.ignored == ["bad tcp checksum": 1])
    }

    @Test("Beyond the limit, the most idle connections are given up and counted")
    func flowsAreBounded() {
        var bench = TestBench { $0.flowsMax = 16 }
        for port in 1...40 as ClosedRange<UInt16> {
            bench.consume([TestSegment(sequence: 1, flags: [.syn], clientPort: port)])
        }
        #expect(bench.names == Array(repeating: "tcp.SYN", count: 40))
        #expect(bench.engine.statistics.flows == 40)
        #expect(bench.engine.statistics.evictedFlows == 24)
        bench.consume([TestSegment(sequence: 1, flags: [.syn], clientPort: 40)])
        #expect(bench.names.last == "tcp.retransmission", "a recent one is still known")
    }

    @Test("Random frames never crash the engine")
    func randomFramesAreSurvived() {
        var generator = SeededGenerator(seed: 40)
        var bench = TestBench { $0.flowsMax = 8 }
        let whole = TestSegment.data(LetterProtocol.bytes("text"), at: 1_000).frame
        for _ in 0..<3_000 {
            var frame = whole
            for _ in 0..<Int.random(in: 0...8, using: &generator) {
                let place = Int.random(in: 12..<frame.count, using: &generator)
                frame[place] = UInt8.random(in: 0...255, using: &generator)
            }
            frame.removeLast(Int.random(in: 0...20, using: &generator))
            bench.consume(frame: frame)
        }
        bench.finish()
        #expect(bench.engine.statistics.packets == 3_000)
        #expect(bench.messages.map(\.number) == Array(1...bench.messages.count))
    }
}
