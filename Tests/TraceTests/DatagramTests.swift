import BuiltInProtocols
import Capture
import TCPIP
import TestTraffic
import Testing
import Wire

@testable import Trace

struct DatagramTests {
    private static let host = Endpoint(address: IPAddress(ipv4: 0x0A00_0001), port: 40_000)
    private static let server = Endpoint(address: IPAddress(ipv4: 0x0A00_0002), port: 53)
    private static let raw = LinkType(rawValue: 101)

    private func bench(_ configure: (inout TraceOptions) -> Void = { _ in }) -> TestBench {
        TestBench {
            $0.recordsUnseen = true
            configure(&$0)
        }
    }

    private func datagram(_ text: String, isAnswer: Bool = false) -> Datagram {
        isAnswer
            ? Datagram(from: Self.server, to: Self.host, Array(text.utf8))
            : Datagram(from: Self.host, to: Self.server, Array(text.utf8))
    }

    private func consume(_ packet: [UInt8], _ bench: inout TestBench, of length: Int? = nil) {
        bench.consume(frame: packet, linkType: Self.raw, originalLength: length)
    }

    @Test("A datagram is a message with its endpoints, its payload and the number of its flow")
    func fields() throws {
        var bench = bench()
        consume(datagram("hello").packet, &bench)
        consume(datagram("world", isAnswer: true).packet, &bench)
        consume(Datagram(from: Self.host, to: Self.host, [0xFF]).packet, &bench)
        #expect(bench.names == ["udp.datagram", "udp.datagram", "udp.datagram"])
        let first = try #require(bench.messages.first)
        #expect(first.source == Self.host)
        #expect(first.destination == Self.server)
        #expect(first.frames == [1])
        for (path, value) in [
            ("text", "hello"), ("data", .bytes(Array("hello".utf8))), ("length", 5),
            ("udp.srcport", 40_000), ("udp.dstport", 53), ("udp.length", 13),
            ("udp.stream", 0), ("udp.cast", "unicast"), ("ip.dst", "10.0.0.2"),
        ] as [(String, Value)] {
            let path = try #require(FieldPath(path))
            #expect(first.content.field(path) == value, "\(path)")
            #expect(first.content.fields[path] == value, "\(path)")
        }
        let flows = bench.messages.map { $0.flow.map(FlowNumber.text) }
        #expect(flows == ["udp.stream 0", "udp.stream 0", "udp.stream 1"])
        #expect(try bench.messages[2].content.field(#require(FieldPath("text"))) == nil)
        #expect(bench.engine.statistics.datagrams == 3)
        #expect(bench.engine.statistics.datagramFlows == 2)
        #expect(bench.engine.statistics.flows == 0, "TCP connections keep Wireshark's numbers")
    }

    @Test("Fields of TCP connections have no values for datagrams")
    func places() throws {
        var bench = bench()
        consume(datagram("a").packet, &bench)
        let message = try #require(bench.messages.first)
        for path in ["tcp.port", "tcp.srcport", "tcp.dstport", "tcp.stream"] {
            #expect(
                try TraceField(#require(FieldPath(path)), in: .builtIn).values(of: message) == [],
                "\(path)")
        }
        let ports = try TraceField(#require(FieldPath("udp.port")), in: .builtIn).values(
            of: message)
        #expect(ports == [40_000, 53])
    }

    @Test("Fragments are joined in any order, and all their frames are listed")
    func fragments() throws {
        let text = String(repeating: "0123456789", count: 10)
        var bench = bench()
        let pieces = datagram(text).fragments(of: 24, identification: 7)
        #expect(pieces.count == 5)
        for piece in pieces.reversed() { consume(piece, &bench) }
        let message = try #require(bench.messages.first)
        #expect(message.content.fields["text"] == .string(text))
        #expect(message.frames == [1, 2, 3, 4, 5])
        bench.finish()
        #expect(bench.engine.takeUnseen().isEmpty)
    }

    @Test("A missing fragment is recorded, and no message is invented")
    func missingFragment() {
        var bench = bench()
        for piece in datagram("0123456789012345678901234567").fragments(of: 8, identification: 7)
            .dropLast()
        { consume(piece, &bench) }
        bench.finish()
        #expect(bench.messages.isEmpty)
        #expect(bench.engine.takeUnseen().count == 1)
    }

    @Test(
        "A datagram that was captured in part is recorded with its endpoints and is not a message")
    func cut() throws {
        var bench = bench()
        let packet = datagram("hello").packet
        consume(Array(packet.dropLast(2)), &bench, of: packet.count)
        #expect(bench.messages.isEmpty)
        let span = try #require(bench.engine.takeUnseen().first)
        #expect(span.cause == .cutPacket(2))
        #expect(span.source == Self.host)
        #expect(bench.engine.statistics.ignored == [DatagramTrace.cut: 1])
    }

    @Test("An ICMP message names the flow of the datagram that could not be delivered")
    func unreachable() throws {
        var bench = bench()
        consume(datagram("hello").packet, &bench)
        consume(datagram("hello").unreachable(from: Self.server.address), &bench)
        #expect(bench.names == ["udp.datagram", "icmp.unreachable"])
        let report = bench.messages[1]
        #expect(report.flow == bench.messages[0].flow)
        #expect(report.source == Self.server)
        #expect(report.content.fields["udp"]?["dstport"] == 53)
        #expect(report.content.fields["tcp"] == nil)
    }

    @Test("A datagram with contradictory lengths is only counted", arguments: [0, 7, 200])
    func malformed(length: UInt8) {
        var bench = bench()
        var packet = datagram("hello").packet
        packet[25] = length
        consume(packet, &bench)
        // A length of 0 means a jumbogram, which is as long as its packet.
        #expect(bench.messages.count == (length == 0 ? 1 : 0))
        #expect(bench.engine.statistics.ignored == (length == 0 ? [:] : ["malformed udp": 1]))
    }

    @Test("Padding after the datagram, as in Ethernet, is not part of it")
    func padding() {
        var bench = bench()
        var packet = datagram("hello").packet
        packet[3] += 4
        consume(packet + [9, 9, 9, 9], &bench)
        #expect(bench.messages.first?.content.bytes == Array("hello".utf8))
    }

    @Test("Wrong checksums are ignored only on request, and 0 means no checksum")
    func checksums() {
        var packet = datagram("hello").packet
        packet[27] &+= 1
        var unsummed = packet
        (unsummed[26], unsummed[27]) = (0, 0)
        var strict = bench { $0.verifiesChecksums = true }
        for bytes in [packet, unsummed, datagram("hello").packet] { consume(bytes, &strict) }
        #expect(strict.messages.count == 2)
        #expect(strict.engine.statistics.ignored == [TraceStatistics.badDatagramChecksum: 1])
        var lax = bench()
        consume(packet, &lax)
        #expect(lax.messages.count == 1)
    }

    @Test("Flows beyond the limit start again, and that is recorded once")
    func flowsAreBounded() {
        var bench = bench { $0.flowsMax = 16 }
        for port in 1...40 as ClosedRange<UInt16> {
            let end = Endpoint(address: Self.host.address, port: port)
            consume(Datagram(from: end, to: Self.server, [1]).packet, &bench)
        }
        #expect(bench.messages.count == 40)
        #expect(bench.engine.statistics.datagramFlows == 40)
        #expect(bench.engine.statistics.evictedDatagramFlows == 24)
        #expect(bench.engine.takeUnseen().count == 1)
    }

    @Test("The shards of a capture have each datagram once")
    func shares() {
        var texts: [String] = []
        for index in 0..<3 {
            var bench = bench { $0.shard = FlowShard(index: index, count: 3) }
            for port in 1...30 as ClosedRange<UInt16> {
                let end = Endpoint(address: Self.host.address, port: port)
                consume(Datagram(from: end, to: Self.server, Array("\(port)".utf8)).packet, &bench)
            }
            texts += bench.messages.compactMap { $0.content.fields["text"]?.stringValue }
        }
        #expect(texts.compactMap { Int($0) }.sorted() == Array(1...30))
    }

    @Test("An address determines whether a datagram is unicast, multicast or broadcast")
    func cast() {
        let casts = [
            "10.0.0.1": UDPDatagram.Cast.unicast, "224.0.0.251": .multicast,
            "239.255.255.255": .multicast, "240.0.0.1": .unicast, "255.255.255.255": .broadcast,
            "127.255.255.255": .broadcast, "ff02::fb": .multicast, "fe80::1": .unicast,
        ]
        for (text, cast) in casts { #expect(IPAddress(text)?.cast == cast, "\(text)") }
    }
}
