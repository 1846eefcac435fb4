import Capture
import TCPIP
import TestTraffic
import Testing

@testable import Trace

struct DatagramFuzzTests {
    /// A splitmix64 generator, which gives the same numbers in each run.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64 = 20

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    @Test("Each hostile datagram, fragment and ICMP message is counted or decoded")
    func hostile() {
        var numbers = Numbers()
        var bench = TestBench {
            $0.recordsUnseen = true
            $0.flowsMax = 64
        }
        let host = Endpoint(address: IPAddress(ipv4: 0x0A00_0001), port: 40_000)
        let server = Endpoint(address: IPAddress(ipv4: 0x0A00_0002), port: 53)
        let datagram = Datagram(from: host, to: server, Array(repeating: 0x41, count: 60))
        let seeds =
            [datagram.packet, datagram.unreachable(from: server.address)]
            + datagram.fragments(of: 16, identification: 1)
        for _ in 0..<20_000 {
            var packet = seeds.randomElement(using: &numbers) ?? []
            for _ in 0..<Int.random(in: 0...4, using: &numbers) {
                let place = Int.random(in: 1..<packet.count, using: &numbers)
                packet[place] = UInt8.random(in: .min ... .max, using: &numbers)
            }
            let count =
                Bool.random(using: &numbers)
                ? packet.count : Int.random(in: 1...packet.count, using: &numbers)
            bench.consume(
                frame: Array(packet.prefix(count)), linkType: LinkType(rawValue: 101),
                originalLength: packet.count)
        }
        bench.finish()
        let statistics = bench.engine.statistics
        #expect(statistics.packets == 20_000)
        #expect(bench.messages.count(where: \.isDatagram) == statistics.datagrams)
        #expect(statistics.datagrams > 500)
        #expect(statistics.datagramFlows - statistics.evictedDatagramFlows <= 64)
        for message in bench.messages where message.isDatagram {
            #expect(
                message.content.bytes.count + 8
                    == message.content.fields["udp"]?["length"]?.integerValue.map(Int.init))
        }
    }
}
