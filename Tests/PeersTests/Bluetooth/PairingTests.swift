import Testing

@testable import BluetoothPeers

@Suite struct PairingTests {
    @Test(arguments: [true, false]) func bothEndsComeToTheSameKey(encrypts: Bool) throws {
        var settings = Peripheral.band
        settings.encrypts = encrypts
        settings.services[0].characteristics[2].needsEncryption = true
        var host = TestHost(devices: [Peripheral(settings)])
        let handle = try host.connected()
        #expect(TestHost.units(in: host.unit([0x0A, 17, 0], on: handle)) == [[1, 0x0A, 17, 0, 5]])
        let request: [UInt8] = [1, 3, 0, 0, 16, 0, 0]
        let response = TestHost.units(
            in: host.unit(request, channel: 6, on: handle), channel: 6)
        #expect(response == [[2, 3, 0, 0, 16, 0, 0]])
        let confirm = TestHost.units(
            in: host.unit([3] + [UInt8](repeating: 9, count: 16), channel: 6, on: handle),
            channel: 6)
        let own = (0..<16).map { UInt8($0) }
        let random = TestHost.units(
            in: host.unit([4] + own, channel: 6, on: handle), channel: 6)
        let other = try #require(random.first).dropFirst()
        #expect(confirm.first?.count == 17)
        let block = Array(own.prefix(8)) + other.prefix(8)
        let key = AES128(key: [UInt8](repeating: 0, count: 16)).encrypt(block.reversed())
        let wrong = host.command(
            0x2019, handle.littleEndianBytes + [UInt8](repeating: 0, count: 26))
        #expect(wrong.last?.prefix(4) == [4, 8, 4, 6])
        let parameters =
            handle.littleEndianBytes + [UInt8](repeating: 0, count: 10) + key.reversed()
        #expect(
            host.command(0x2019, parameters).last?.prefix(4) == [4, 8, 4, encrypts ? 0 : 6])
        let value: [UInt8] = encrypts ? [0x0B] + Array("1.2.3".utf8) : [1, 0x0A, 17, 0, 5]
        #expect(TestHost.units(in: host.unit([0x0A, 17, 0], on: handle)) == [value])
    }

    @Test func peripheralThatDoesNotPairSaysSo() throws {
        var settings = Peripheral.band
        settings.pairs = false
        var host = TestHost(devices: [Peripheral(settings)])
        let handle = try host.connected()
        let answers = host.unit([1, 3, 0, 0, 16, 0, 0], channel: 6, on: handle)
        #expect(TestHost.units(in: answers, channel: 6) == [[5, 5]])
    }
}
