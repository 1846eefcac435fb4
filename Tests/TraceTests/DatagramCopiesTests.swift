import Capture
import TCPIP
import TestTraffic
import Testing

@testable import Trace

@Suite("Datagrams that are captured more than once")
struct DatagramCopiesTests {
    private static var datagram: Datagram {
        Datagram(
            from: Endpoint(address: IPAddress(ipv4: 0x0A00_0001), port: 40_000),
            to: Endpoint(address: IPAddress(ipv4: 0x0A00_0002), port: 53), Array("hello".utf8))
    }

    /// Returns an Ethernet frame with the datagram.
    private func frame(
        _ identification: UInt8, hops: UInt8 = 64, link: UInt8 = 2, tags: [UInt8] = [],
        of datagram: Datagram = Self.datagram
    ) -> [UInt8] {
        var packet = datagram.packet
        packet[5] = identification
        packet[8] = hops
        return [UInt8](repeating: link, count: 12) + tags + [8, 0] + packet
    }

    /// Returns an Ethernet frame with the datagram over IPv6, which has no identification.
    private func frame6(hops: UInt8 = 64) -> [UInt8] {
        var udp = Array(Self.datagram.packet[20...])
        (udp[6], udp[7]) = (0, 0)
        let ends = [UInt8](repeating: 1, count: 16) + [UInt8](repeating: 2, count: 16)
        return [UInt8](repeating: 2, count: 12) + [0x86, 0xDD]
            + [0x60, 0, 0, 0, 0, UInt8(udp.count), 17, hops] + ends + udp
    }

    /// Returns how many messages there are, and checks which frames leave the number open.
    private func count(
        _ frames: [(bytes: [UInt8], interface: Int)], apart: Int64 = 10_000,
        doubtful: [Int] = []
    ) -> Int {
        var bench = TestBench { $0.recordsUnseen = true }
        for (index, frame) in frames.enumerated() {
            bench.engine.consume(
                Packet(
                    frame.bytes.span.bytes, timestamp: 1_000_000_000 + Int64(index) * apart,
                    index: index + 1, interface: frame.interface), into: &bench.messages)
        }
        bench.finish()
        let unseen = bench.engine.takeUnseen()
        #expect(unseen.map(\.frame) == doubtful)
        #expect(unseen.allSatisfy { $0.cause == .repeatedDatagram && $0.flow != nil })
        #expect(bench.messages.count + bench.engine.statistics.copiedDatagrams == frames.count)
        return bench.messages.count
    }

    @Test("Interfaces, VLANs and hops show the same datagram, however often")
    func copies() {
        let tag: [UInt8] = [0x81, 0, 0, 7]
        let outer: [UInt8] = [0x88, 0xA8, 0, 9]
        for identification in [0, 1] as [UInt8] {
            let plain = frame(identification)
            #expect(count([(plain, 0), (plain, 1), (plain, 2)]) == 1)
            #expect(count([(plain, 0), (frame(identification, tags: tag), 0)]) == 1)
            #expect(
                count([
                    (plain, 0), (frame(identification, tags: tag), 0),
                    (frame(identification, tags: outer + tag), 0),
                ]) == 1)
            let routed = frame(identification, hops: 63, link: 3)
            #expect(count([(plain, 0), (routed, 0)]) == 1)
            #expect(count([(plain, 0), (routed, 0)], apart: 30_000_000) == 1)
        }
        #expect(count([(frame6(), 0), (frame6(), 1), (frame6(hops: 63), 1)]) == 1)
        #expect(count([(frame(1), 0), (frame(1), 0)]) == 1)
    }

    @Test("Datagrams that were sent twice stay two")
    func sentTwice() {
        #expect(count([(frame(1), 0), (frame(2), 0)]) == 2)
        #expect(count([(frame(0), 0), (frame(0), 0)], apart: 2_000_000) == 2)
        #expect(count([(frame6(), 0), (frame6(), 0)], apart: 2_000_000) == 2)
        #expect(count([(frame(1), 0), (frame(1), 1)], apart: 1_000_000_000) == 2)
    }

    @Test("Where nothing shows whether one was sent or two, the number is open")
    func open() {
        for plain in [frame(0), frame6()] {
            #expect(count([(plain, 0), (plain, 0)], doubtful: [2]) == 2)
            #expect(count([(plain, 0), (plain, 1), (plain, 0), (plain, 1)], doubtful: [3]) == 2)
            #expect(count([(plain, 0), (plain, 1)], apart: 20_000_000, doubtful: [2]) == 1)
        }
        // A sender that gives all of its packets the same identification.
        #expect(count([(frame(1), 0), (frame(1), 0)], apart: 20_000_000, doubtful: [2]) == 1)
        #expect(count([(frame(1), 0), (frame(1), 1)], apart: 20_000_000, doubtful: [2]) == 1)
    }

    @Test("Other remaining hops do not make a copy of what came to the same place, or rose")
    func hops() {
        for identification in [0, 7] as [UInt8] {
            let (plain, lower) = (frame(identification), frame(identification, hops: 63))
            #expect(count([(plain, 0), (lower, 0)], apart: 50_000_000, doubtful: [2]) == 1)
            #expect(count([(plain, 0), (lower, 0)], doubtful: [2]) == 1)
            let other = frame(identification, link: 3)
            #expect(count([(lower, 0), (other, 0)], apart: 50_000_000, doubtful: [2]) == 1)
        }
        #expect(
            count([(frame6(), 0), (frame6(hops: 63), 0)], apart: 50_000_000, doubtful: [2]) == 1)
    }

    @Test("A loopback carries no packet twice")
    func loopback() {
        let own = Endpoint(address: .loopback, port: 40_000)
        let datagram = Datagram(
            from: own, to: Endpoint(address: .loopback, port: 53), Array("hello".utf8))
        for identification in [0, 7] as [UInt8] {
            let plain = frame(identification, of: datagram)
            let lower = frame(identification, hops: 63, of: datagram)
            #expect(count([(plain, 0), (plain, 0), (lower, 0)]) == 3)
            #expect(count([(plain, 0), (plain, 1)]) == 1)
        }
    }
}
