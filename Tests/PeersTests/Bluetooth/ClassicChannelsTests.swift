import Bluetooth
import Testing

@testable import BluetoothPeers

@Suite struct ClassicChannelsTests {
    private static func command(_ code: UInt8, _ body: [UInt8]) -> L2CAPFrame {
        L2CAPFrame(channel: 1, payload: [code, 7, UInt8(body.count), 0] + body)
    }

    @Test func channelIsOpenedConfiguredUsedAndClosed() throws {
        var channels = ClassicChannels()
        #expect(channels.consume(Self.command(2, [3, 0, 0x41, 0])) == [.opened(.serial)])
        let opened = channels.takeUnits().map(\.payload)
        #expect(opened[0] == [3, 7, 8, 0, 0x40, 0, 0x41, 0, 0, 0, 0, 0])
        #expect(opened[1] == [4, 1, 8, 0, 0x41, 0, 0, 0, 1, 2, 0, 4])
        #expect(channels.consume(Self.command(4, [0x40, 0, 0, 0, 1, 2, 0xA0, 2])).isEmpty)
        #expect(channels.takeUnits().map(\.payload) == [[5, 7, 6, 0, 0x41, 0, 0, 0, 0, 0]])
        let unit = L2CAPFrame(channel: 0x40, payload: [1, 2, 3])
        #expect(channels.consume(unit) == [.received(.serial, [1, 2, 3])])
        channels.send([9], to: .serial)
        #expect(channels.takeUnits() == [L2CAPFrame(channel: 0x41, payload: [9])])
        #expect(channels.consume(Self.command(6, [0x40, 0, 0x41, 0])) == [.closed(.serial)])
        #expect(channels.takeUnits().map(\.payload) == [[7, 7, 4, 0, 0x40, 0, 0x41, 0]])
        #expect(channels.consume(unit).isEmpty)
    }

    @Test func otherServicesAreRefusedAndQuestionsAnswered() {
        var channels = ClassicChannels()
        #expect(channels.consume(Self.command(2, [0x19, 0, 0x41, 0])).isEmpty)
        _ = channels.consume(Self.command(0x0A, [2, 0]))
        _ = channels.consume(Self.command(0x0A, [1, 0]))
        _ = channels.consume(Self.command(8, [5]))
        _ = channels.consume(Self.command(0x77, []))
        #expect(
            channels.takeUnits().map(\.payload) == [
                [3, 7, 8, 0, 0, 0, 0x41, 0, 2, 0, 0, 0], [0x0B, 7, 8, 0, 2, 0, 0, 0, 0, 0, 0, 0],
                [0x0B, 7, 4, 0, 1, 0, 1, 0], [9, 7, 1, 0, 5], [1, 7, 2, 0, 0, 0],
            ])
    }

    @Test func channelsHaveABound() {
        var channels = ClassicChannels()
        for _ in 0..<100 { _ = channels.consume(Self.command(2, [1, 0, 0x41, 0])) }
        let results = channels.takeUnits().filter { $0.payload[0] == 3 }.map { $0.payload[8] }
        #expect(results.prefix(32).allSatisfy { $0 == 0 })
        #expect(results.dropFirst(32).allSatisfy { $0 == 4 })
    }

    @Test func anyBytesDoNoHarm() {
        var channels = ClassicChannels()
        for _ in 0..<50_000 {
            let payload = (0..<Int.random(in: 0...14)).map { _ in UInt8.random(in: 0...12) }
            _ = channels.consume(L2CAPFrame(channel: UInt16.random(in: 0...0x50), payload: payload))
            _ = channels.takeUnits()
        }
    }
}
