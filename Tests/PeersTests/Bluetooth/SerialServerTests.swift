import Bluetooth
import Testing

@testable import BluetoothPeers

/// Frames of a real host and of a real accessory (capture 06 of the shared captures, Bumble).
@Suite struct SerialServerTests {
    private static let sabm: [UInt8] = [0x03, 0x3F, 0x01, 0x1C]
    private static let ua: [UInt8] = [0x03, 0x73, 0x01, 0xD7]

    /// Returns a frame of the host on the data channel.
    private static func data(_ payload: [UInt8], credits: UInt8? = nil) -> [UInt8] {
        RFCOMMFrame(.uih, dlci: 6, credits: credits, payload: payload).bytes
    }

    /// Returns a server whose channel 3 a host has opened with these credits and this frame size.
    private static func opened(credits: UInt8 = 7, frameSize: UInt16 = 1000) -> SerialServer {
        var server = SerialServer(channel: 3)
        _ = server.consume(sabm)
        let requested =
            [0x83, 0x11, 6, 0xF0, 7, 0] + frameSize.littleEndianBytes + [0, credits]
        _ = server.consume(RFCOMMFrame(.uih, dlci: 0, payload: requested).bytes)
        _ = server.consume(RFCOMMFrame(.sabm, dlci: 6).bytes)
        _ = server.takeFrames()
        return server
    }

    @Test func opensAsARealAccessoryDoes() {
        var server = SerialServer(channel: 3)
        #expect(server.consume(Self.sabm).isEmpty)
        #expect(server.takeFrames() == [Self.ua])
        let requested: [UInt8] = [
            0x03, 0xEF, 0x15, 0x83, 0x11, 0x06, 0xF0, 0x07, 0x00, 0xE8, 0x03, 0x00, 0x07, 0x70,
        ]
        #expect(server.consume(requested).isEmpty)
        #expect(
            server.takeFrames() == [
                [
                    0x01, 0xEF, 0x15, 0x81, 0x11, 0x06, 0xE0, 0x07, 0x00, 0xE8, 0x03, 0x00, 0x07,
                    0xAA,
                ]
            ])
        #expect(server.consume([0x1B, 0x3F, 0x01, 0xD3]) == [.opened])
        #expect(
            server.takeFrames() == [
                [0x1B, 0x73, 0x01, 0x18], [0x01, 0xEF, 0x09, 0xE3, 0x05, 0x1B, 0x8D, 0xAA],
            ])
    }

    @Test func refusesChannelsThatItDoesNotHave() {
        var server = SerialServer(channel: 3)
        _ = server.consume(Self.sabm)
        #expect(server.consume(RFCOMMFrame(.sabm, dlci: 8).bytes).isEmpty)
        #expect(server.takeFrames().last == RFCOMMFrame(.dm, dlci: 8).bytes)
        #expect(!server.isOpen)
    }

    @Test func sendsNoMoreThanItHasCreditsFor() {
        var server = Self.opened(credits: 2, frameSize: 10)
        server.send([UInt8](repeating: 7, count: 35))
        #expect(server.takeFrames().count == 2)
        #expect(server.consume(Self.data([], credits: 1)).isEmpty)
        #expect(server.takeFrames().count == 1)
        #expect(server.consume(Self.data([], credits: 9)).isEmpty)
        #expect(server.takeFrames().map { $0.count - 4 } == [5])
    }

    @Test func givesCreditsBackBeforeTheyAreUsedUp() {
        var server = Self.opened()
        var given = 7
        for _ in 0..<50 {
            given -= 1
            #expect(given >= 0)
            #expect(server.consume(Self.data([1, 2])) == [.received([1, 2])])
            for frame in server.takeFrames() { given += Int(frame[3]) }
        }
    }

    @Test func longPayloadHasALengthOfTwoBytes() {
        var server = Self.opened()
        let payload = [UInt8](repeating: 1, count: 300)
        #expect(server.consume(Self.data(payload)) == [.received(payload)])
        server.send(payload)
        #expect(server.takeFrames().last?.count == 300 + 5)
    }

    @Test func endsOnceForEachEnd() {
        var server = Self.opened()
        #expect(server.consume(RFCOMMFrame(.disc, dlci: 6).bytes) == [.closed])
        #expect(server.takeFrames() == [RFCOMMFrame(.ua, dlci: 6).bytes])
        #expect(server.consume(RFCOMMFrame(.disc, dlci: 0).bytes).isEmpty)
        server.close()
        #expect(server.takeFrames().count == 1)
    }

    @Test func anyBytesDoNoHarm() {
        var server = Self.opened()
        for _ in 0..<50_000 {
            let head: [UInt8] = [
                [0x03, 0x1B, 0x19].randomElement() ?? 0,
                [0xEF, 0xFF, 0x3F, 0x53, 0x73].randomElement() ?? 0,
            ]
            let rest = (0..<Int.random(in: 0...12)).map { _ in UInt8.random(in: 0...255) }
            _ = server.consume(head + rest)
            if let length = rest.first {
                // The same bytes with a correct check sequence.
                let whole = RFCOMMFrame(
                    RFCOMMFrame.Kind(rawValue: head[1] & 0xEF) ?? .uih, dlci: head[0] >> 2,
                    isPolled: head[1] & 0x10 != 0, credits: length & 1 == 1 ? length : nil,
                    payload: Array(rest.dropFirst()))
                _ = server.consume(whole.bytes)
            }
            _ = server.takeFrames()
        }
    }
}
