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
}
