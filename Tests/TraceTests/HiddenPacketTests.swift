import Capture
import TCPIP
import Testing
import Wire

@testable import Trace

@Suite("Packets behind headers that are rare")
struct HiddenPacketTests {
    private static let hosts: [UInt8] =
        [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1]
        + [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [2]

    private func ipv6(_ payload: [UInt8], next: UInt8) -> [UInt8] {
        var bytes: [UInt8] = [0x60, 0, 0, 0]
        bytes.append(bigEndian: UInt16(payload.count))
        return bytes + [next, 64] + Self.hosts + payload
    }

    private func udp(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for word in [5_000, 6_000, UInt16(8 + text.utf8.count), 0] {
            bytes.append(bigEndian: word)
        }
        return bytes + Array(text.utf8)
    }

    /// The fragments of a packet whose first fragmentable bytes are destination options.
    private func fragments(next: UInt8 = 60, of first: UInt8 = 17) -> [[UInt8]] {
        let whole = [first, 0, 1, 4, 0, 0, 0, 0] + udp("hidden in fragments")
        return [(0..<16, UInt16(1)), (16..<whole.count, 16)].map { range, field in
            var header: [UInt8] = [next, 0]
            header.append(bigEndian: field)
            return ipv6(header + [0, 0, 0, 9] + whole[range], next: 44)
        }
    }

    private func texts(_ frames: [[UInt8]]) -> [Value?] {
        var bench = TestBench()
        for frame in frames { bench.consume(frame: frame) }
        return bench.messages.map { $0.content.fields["text"] }
    }

    @Test("A packet joined from fragments may begin with extension headers")
    func extensionsInFragments() {
        let frames = fragments().map { ethernet(0x86DD, $0) }
        #expect(texts(frames) == ["hidden in fragments"])
        #expect(texts(frames.reversed()) == ["hidden in fragments"])
    }

    @Test("A fragment within a packet that was joined is not dissected, which is recorded")
    func fragmentInFragments() {
        var bench = TestBench { $0.recordsUnseen = true }
        for frame in fragments(of: 44) { bench.consume(frame: ethernet(0x86DD, frame)) }
        for frame in fragments(next: 44) { bench.consume(frame: ethernet(0x86DD, frame)) }
        #expect(bench.messages.isEmpty)
        #expect(bench.engine.takeUnseen().map(\.cause) == [.undissected("malformed ipv6")])
    }

    @Test("A packet in an IEEE 802.3 frame with a SNAP header is dissected")
    func snap() {
        let packet = ipv6(udp("snap"), next: 17)
        let length = UInt16(8 + packet.count)
        for organisation in [0, 0xF8] as [UInt8] {
            let header: [UInt8] = [0xAA, 0xAA, 3, 0, 0, organisation, 0x86, 0xDD]
            #expect(texts([ethernet(length, header + packet)]) == ["snap"])
        }
        for header: [UInt8] in [
            [0xAA, 0xAA, 3, 0, 0, 9, 0x86, 0xDD], [0x42, 0x42, 3, 0, 0, 0, 0x86, 0xDD], [],
        ] {
            #expect(texts([ethernet(length, header + packet)]).isEmpty)
        }
    }

    @Test("A packet behind a redundancy tag is dissected, also with a VLAN tag")
    func redundancyTag() {
        let packet = ipv6(udp("tag"), next: 17)
        #expect(texts([ethernet(0xF1C1, [0, 0, 0, 1, 0x86, 0xDD] + packet)]) == ["tag"])
        #expect(
            texts([ethernet(0x8100, [0, 5, 0xF1, 0xC1, 0, 0, 0, 1, 0x86, 0xDD] + packet)])
                == ["tag"])
    }
}
