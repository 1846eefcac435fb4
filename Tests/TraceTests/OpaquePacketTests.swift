import Testing

@testable import Trace

struct OpaquePacketTests {
    private func isTunnel(_ port: UInt16, _ payload: [UInt8], kept: Int = .max) -> Bool {
        let length = UInt16(payload.count + 8)
        let header = [0xC000, port, length, 0].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        return OpaquePackets.hold(datagram: Array((header + payload).prefix(kept)).span.bytes)
    }

    @Test("A datagram to the port of WireGuard is a tunnel only if it begins as WireGuard")
    func wireGuard() {
        let rest = [UInt8](repeating: 7, count: 28)
        for type in 1...4 as ClosedRange<UInt8> {
            #expect(isTunnel(51820, [type, 0, 0, 0] + rest))
            #expect(!isTunnel(51821, [type, 0, 0, 0] + rest))
        }
        for first: [UInt8] in [[5, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 1], Array("HTTP".utf8)] {
            #expect(!isTunnel(51820, first + rest))
        }
        #expect(!isTunnel(51820, [1, 0, 0, 0]))
        #expect(!isTunnel(51820, []))
        // The capture has only the header.
        #expect(isTunnel(51820, [5, 0, 0, 0] + rest, kept: 8))
        #expect(isTunnel(4789, []))
    }

    @Test("A payload of an unknown type is opaque if an IP packet is in it")
    func unknownTypes() {
        let header: [UInt8] = [
            0x45, 0, 0, 0x20, 0, 0x8E, 0x40, 0, 0x40, 0x11, 0x26, 0x3D, 10, 0, 0, 1, 10, 0, 0, 2,
        ]
        let datagram: [UInt8] = [0x9C, 0x40, 0x13, 0x89, 0, 12, 0x6F, 0x64, 0x61, 0x73, 0x6B, 0x32]
        func isOpaque(_ bytes: [UInt8], etherType: UInt16 = 0x99FE) -> Bool {
            OpaquePackets.hold(etherType: etherType, bytes.span.bytes)
        }
        for before in [0, 1, 3, 28, 95] {
            let front = [UInt8](repeating: 6, count: before)
            #expect(isOpaque(front + header + datagram), "\(before)")
            #expect(isOpaque(front + header + datagram.prefix(4)), "\(before)")
            var wrong = header
            wrong[8] += 1
            #expect(!isOpaque(front + wrong + datagram), "\(before)")
        }
        let six: [UInt8] = [0x60, 0, 0, 0, 0, 12, 17, 64] + [UInt8](repeating: 1, count: 32)
        #expect(isOpaque([1, 2, 3] + six + datagram))
        #expect(!isOpaque([1, 2, 3] + six + datagram + [0]))
        #expect(!isOpaque([UInt8](repeating: 0, count: 46)))
        #expect(!isOpaque([]))
        #expect(isOpaque([], etherType: 0x8847))
    }
}
