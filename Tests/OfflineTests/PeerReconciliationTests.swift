import BuiltInProtocols
import Capture
import Judge
import Results
import SuiteLanguage
import TCPIP
import TestBench
import TestTraffic
import Testing
import Trace
import Wire

@testable import Offline

@Suite("What the peers sent is compared with the packets that have their addresses")
struct PeerReconciliationTests {
    private static let peer = Endpoint(address: .loopback, port: 5300)
    private static let caller = Endpoint(address: IPAddress(ipv4: 0x7F01_0001), port: 41_000)
    private static let device = Endpoint(address: .loopback, port: 40_000)
    private static let service = Endpoint(address: .loopback, port: 7000)

    private func metadata(
        _ sent: PeerTraffic?, clockStep: Duration? = nil, transport: String? = nil
    ) -> CaseMetadata {
        CaseMetadata(
            conform: "0", suite: "s", testCase: "c", device: "d",
            peers: [
                .init(
                    name: "server", address: "127.0.0.1", port: 5300, transport: transport),
                .init(name: "client", address: "127.1.0.1", port: 0),
            ],
            start: Timestamp(nanoseconds: 0), end: Timestamp(nanoseconds: 1), cause: .completed,
            dropped: 0, clockStep: clockStep, events: [], sent: sent)
    }

    /// The number of the forged frame; `nil` if there is none.
    private func forged(
        _ packets: [[UInt8]], _ sent: PeerTraffic, at times: [Int64]? = nil,
        clockStep: Duration? = nil, transport: String? = nil
    ) throws -> Int? {
        var reconciliation = try #require(
            PeerReconciliation(
                metadata(sent, clockStep: clockStep, transport: transport)))
        for (index, packet) in packets.enumerated() {
            reconciliation.consume(
                Packet(
                    packet.span.bytes, timestamp: times?[index] ?? Int64(index),
                    index: index + 1,
                    linkType: LinkType(rawValue: 101)))
        }
        return reconciliation.finish()?.frame
    }

    private func segment(
        _ from: Endpoint, _ to: Endpoint, _ sequence: UInt32, _ flags: UInt8, _ text: String = ""
    ) -> [UInt8] {
        TestTraffic.Segment(
            from: from, to: to, sequence: sequence, acknowledgement: 1,
            flags: TCPFlags(rawValue: flags), payload: Array(text.utf8)
        ).packet
    }

    private func marks(_ writes: String...) -> [StreamDigest.Mark] {
        var digest = StreamDigest()
        for write in writes { digest.add(Array(write.utf8).span.bytes) }
        return digest.marks
    }

    private func sent(_ own: Endpoint, _ other: Endpoint, _ all: [[StreamDigest.Mark]])
        -> PeerTraffic
    {
        var sent = PeerTraffic()
        for marks in all { sent.add(stream: marks, between: .init(own: own, other: other)) }
        return sent
    }

    @Test("A stream that the peer wrote is its own, in any pieces, repeated, reordered or cut off")
    func ownStream() throws {
        let sent = sent(Self.peer, Self.device, [marks("HEL", "LO", "WORLD")])
        let opening = segment(Self.peer, Self.device, 99, 0x12)
        func data(_ at: UInt32, _ text: String) -> [UInt8] {
            segment(Self.peer, Self.device, 100 + at, 0x18, text)
        }
        let end = segment(Self.peer, Self.device, 110, 0x11)
        for packets in [
            [data(0, "HELLOWORLD"), end], [data(0, "HE"), data(2, "LLOWOR"), data(0, "HELLO")],
            [data(5, "WORLD"), data(0, "HELLO"), end], [data(0, "HELL")], [],
            [data(0, "H"), data(7, "RLD")],
        ] {
            #expect(try forged([opening] + packets, sent) == nil)
        }
        #expect(try forged([opening, opening, data(0, "HELLO"), opening], sent) == nil)
    }

    @Test("Bytes that the peer did not write, or more of them, are forged")
    func foreignBytes() throws {
        let sent = sent(Self.peer, Self.device, [marks("HELLO")])
        let opening = segment(Self.peer, Self.device, 99, 0x12)
        let other = segment(Self.peer, Self.device, 100, 0x18, "EVIL!")
        let more = segment(Self.peer, Self.device, 100, 0x18, "HELLO!")
        #expect(try forged([opening, other], sent) == 2)
        #expect(try forged([opening, more], sent) == 2)
    }

    @Test("A connection of the same ends may come again, as often as the peer had it")
    func again() throws {
        let sent = sent(Self.caller, Self.service, [marks(), marks("ASK\n")])
        let first = segment(Self.caller, Self.service, 10, 0x02)
        let second = segment(Self.caller, Self.service, 5_000, 0x02)
        let third = segment(Self.caller, Self.service, 9_000, 0x02)
        let ask = segment(Self.caller, Self.service, 5_001, 0x18, "ASK\n")
        #expect(try forged([first, first, second, ask], sent) == nil)
        #expect(try forged([first, second, third], sent) == 3)
    }

    @Test("Connections that the peer does not have are forged, resets of the kernel are not")
    func foreignConnection() throws {
        let none = PeerTraffic()
        for (flags, isForged) in [(0x02, true), (0x12, false), (0x04, false), (0x14, false)] {
            let packet = segment(Self.peer, Self.device, 1, UInt8(flags))
            #expect(try forged([packet], none) == (isForged ? 1 : nil), "\(flags)")
        }
        for (flags, isForged) in [(0x02, true), (0x12, true), (0x14, false), (0x11, true)] {
            let packet = segment(Self.caller, Self.service, 1, UInt8(flags))
            #expect(try forged([packet], none) == (isForged ? 1 : nil), "\(flags)")
        }
        #expect(try forged([segment(Self.peer, Self.device, 1, 0x18, "GO\n")], none) == 1)
        // A device may use its own address as it likes.
        #expect(try forged([segment(Self.device, Self.service, 1, 0x02)], none) == nil)
    }

    @Test("A datagram belongs to the peer as often as it sent it")
    func datagrams() throws {
        var sent = PeerTraffic()
        let digest = StreamDigest.value(of: Array("ANSWER 1".utf8).span.bytes)
        sent.add(
            datagrams: [.init(digest: digest)], between: .init(own: Self.peer, other: Self.device))
        func datagram(_ text: String, to: Endpoint = Self.device) -> [UInt8] {
            Datagram(from: Self.peer, to: to, Array(text.utf8)).packet
        }
        #expect(try forged([datagram("ANSWER 1")], sent) == nil)
        #expect(try forged([datagram("ANSWER 1"), datagram("ANSWER 1")], sent) == 2)
        #expect(try forged([datagram("ANSWER 2")], sent) == 1)
        #expect(try forged([datagram("ANSWER 1", to: Self.service)], sent) == 1)
    }

    @Test("A datagram that was captured before the peer sent it is forged, unless clocks differ")
    func time() throws {
        var sent = PeerTraffic()
        let digest = StreamDigest.value(of: Array("A".utf8).span.bytes)
        sent.add(
            datagrams: [5_000_000, 9_000_000].map { .init(digest: digest, time: $0) },
            between: .init(own: Self.peer, other: Self.device))
        let datagram = Datagram(from: Self.peer, to: Self.device, Array("A".utf8)).packet
        for (times, step, frame) in [
            ([5_100_000, 9_100_000], nil, nil), ([4_500_000, 8_500_000], nil, nil),
            ([3_000_000, 5_100_000], nil, 1), ([5_100_000, 6_000_000], nil, 2),
            ([3_000_000, 6_000_000], .milliseconds(-3), nil),
        ] as [([Int64], Duration?, Int?)] {
            #expect(
                try forged([datagram, datagram], sent, at: times, clockStep: step) == frame,
                "\(times)")
        }
    }

    @Test("A datagram in pieces is compared, in whatever order they come")
    func pieces() throws {
        var sent = PeerTraffic()
        let payload = [UInt8](repeating: 7, count: 3_000)
        let digest = StreamDigest.value(of: payload.span.bytes)
        sent.add(
            datagrams: [.init(digest: digest)], between: .init(own: Self.peer, other: Self.device))
        for (payload, isForged) in [(payload, false), (payload.dropLast() + [8], true)] {
            let pieces = Datagram(from: Self.peer, to: Self.device, payload)
                .fragments(of: 1_000, identification: 9)
            #expect((try forged(pieces, sent) != nil) == isForged)
            #expect((try forged(pieces.reversed(), sent) != nil) == isForged)
        }
    }

    @Test("Bytes behind a gap are forged if the peer wrote fewer; so are bytes of a SYN")
    func beyond() throws {
        let sent = sent(Self.peer, Self.device, [marks("HELLO")])
        let opening = segment(Self.peer, Self.device, 99, 0x12)
        let behind = segment(Self.peer, Self.device, 103, 0x18, "EVIL")
        let within = segment(Self.peer, Self.device, 103, 0x18, "LO")
        #expect(try forged([opening, behind], sent) == 1)
        #expect(try forged([opening, within], sent) == nil)
        #expect(try forged([segment(Self.peer, Self.device, 99, 0x12, "EVIL!")], sent) == 1)
        #expect(try forged([segment(Self.peer, Self.device, 99, 0x12, "HELLO")], sent) == nil)
        // A late segment of an earlier connection of the same ends belongs to that one.
        let again = self.sent(Self.peer, Self.device, [marks("HELLO"), marks("BYE")])
        let second = segment(Self.peer, Self.device, 0x7000_0000, 0x12)
        let late = segment(Self.peer, Self.device, 100, 0x18, "HELLO")
        let bye = segment(Self.peer, Self.device, 0x7000_0001, 0x18, "BYE")
        #expect(try forged([opening, second, bye, late], again) == nil)
    }

    @Test("The TCP and the UDP port of one number are different places")
    func transport() throws {
        let segment = segment(Self.peer, Self.device, 1, 0x18, "GO\n")
        #expect(try forged([segment], PeerTraffic(), transport: "udp") == nil)
        let datagram = Datagram(from: Self.peer, to: Self.device, [1]).packet
        #expect(try forged([datagram], PeerTraffic(), transport: "udp") == 1)
    }

    @Test("The record is read as it was written, over several comments; damage is an error")
    func record() throws {
        var sent = sent(Self.caller, Self.service, [marks(), marks("a", "b"), marks("c")])
        let ends = PeerTraffic.Ends(
            own: Endpoint(address: .loopback6, port: 1),
            other: Endpoint(address: .loopback6, port: 2))
        sent.add(
            datagrams: (0..<12_345).map {
                .init(digest: UInt64($0) &* 0x9E37_79B9_7F4A_7C15, time: Int64($0) << 40)
            }, between: ends)
        let comments = try metadata(sent).sectionComments()
        #expect(comments.count > 3 && comments.allSatisfy { $0.utf8.count <= 65_535 })
        #expect(try CaseMetadata(sectionComments: comments)?.sent == sent)
        #expect(try CaseMetadata(sectionComments: [comments[0]])?.sent == nil)
        let empty = try metadata(PeerTraffic()).sectionComments()
        #expect(try CaseMetadata(sectionComments: empty)?.sent == PeerTraffic())
        for line in [
            "tcp", "tcp x/1 y/2 0", "udp 127.0.0.1/1 127.0.0.1/2 0 z",
            "tcp 127.0.0.1/1 127.0.0.1/2 0 5:1 4:1", "udp 127.0.0.1/1 127.0.0.1/2 0 5@x",
        ] {
            #expect(throws: CheckError.self) {
                try PeerTraffic(comments: ["conform-sent:\n\(line)"])
            }
        }
    }

    @Test("A forged packet makes the case an error that names tampering")
    func verdict() throws {
        let bench = try WorkBench()
        let clean = try bench.capture(TestBench.Segment.opening(extra: 0), sent: PeerTraffic())
        let verdict = try bench.judge(clean).verdict
        let greeting = TestBench.Segment(
            isFromDevice: false, sequence: 500, acknowledgement: 108, flags: 0x18, payload: [1])
        let path = try bench.capture(
            TestBench.Segment.opening(extra: 0) + [greeting], sent: PeerTraffic(), name: "forged")
        let result = try bench.judge(path)
        #expect(verdict != .error && result.verdict == .error)
        #expect(result.checks.allSatisfy { $0.verdict == .error })
        #expect(result.reason?.summary.contains("frame 6 has the address of peer hu") == true)
        #expect(result.reason?.summary.contains("(tampering)") == true)
    }

    @Test("Many connections of one pair of ends take time in proportion to their number")
    func manyConnections() throws {
        let sent = sent(Self.peer, Self.device, [marks("HELLO")])
        let start = ContinuousClock.now
        let openings = (0..<100_000).map {
            segment(Self.peer, Self.device, UInt32($0) &* 5_000, 0x12)
        }
        let data = (0..<2_000).map {
            segment(Self.peer, Self.device, 2_000_000_000 + UInt32($0), 0x18, "X")
        }
        let frame = try forged(openings + data, sent)
        #expect(frame == 100_000)
        #expect(ContinuousClock.now - start < .seconds(60))
    }
}
