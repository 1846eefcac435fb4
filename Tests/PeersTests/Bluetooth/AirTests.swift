import Bluetooth
import Testing

@testable import BluetoothPeers

@Suite struct AirTests {
    private func scanning(_ devices: [any RemoteDevice], filters: Bool = true) -> TestHost {
        var host = TestHost(devices: devices)
        host.command(0x0C01, [UInt8](repeating: 0xFF, count: 8))
        host.command(0x200B, [1, 0x60, 0, 0x60, 0, 0, 0])
        host.command(0x200C, [1, filters ? 1 : 0])
        return host
    }

    @Test func advertisementAndScanResponseAreTwoReports() {
        var host = scanning([Peripheral(Peripheral.band)])
        let band = TestHost.band.hci
        let data = [2, 1, 6, 17, 7] + Peripheral.service.longBytes
        let response = [5, 9] + Array("band".utf8)
        let rssi = UInt8(bitPattern: -50)
        #expect(
            host.wait(milliseconds: 100) == [
                [4, 0x3E, 33, 2, 1, 0, 1] + band + [21] + data + [rssi],
                [4, 0x3E, 18, 2, 1, 4, 1] + band + [6] + response + [rssi],
            ])
    }

    @Test func withoutFilterEveryAdvertisementIsReported() {
        var host = scanning([Peripheral(Peripheral.band)], filters: false)
        #expect(host.wait(milliseconds: 99).count == 10)
    }

    @Test func linkThatIsLostIsReportedWithItsReason() throws {
        var host = TestHost(devices: [Peripheral(Peripheral.band)])
        for reason: UInt8 in [0x08, 0x13, 0x15] {
            let handle = try host.connected()
            host.air.with("device0", as: Peripheral.self) { $0.end(reason: reason) }
            #expect(host.take() == [[4, 5, 4, 0] + handle.littleEndianBytes + [reason]])
            #expect(host.unit([0x0A, 3, 0], on: handle).isEmpty)
        }
    }

    @Test func connectionMayFailOrNeverBeAnswered() throws {
        var settings = Peripheral.band
        settings.connection = .ignores
        var host = TestHost(devices: [Peripheral(settings)])
        let none = host.connect()
        #expect(none == nil)
        host.air.with("device0", as: Peripheral.self) { $0.answerConnections(.fails(0x3E)) }
        let begun = host.wait(milliseconds: 50)
        #expect(begun.map { Array($0.prefix(5)) } == [[4, 0x3E, 19, 1, 0]])
        let handle = try #require(begun.first.map { Array($0[5...6]) })
        #expect(host.wait(milliseconds: 100).isEmpty)
        #expect(host.wait(milliseconds: 100) == [[4, 5, 4, 0] + handle + [0x3E]])
    }

    @Test func linkedDeviceIsNotHeard() throws {
        var host = TestHost(devices: [Peripheral(Peripheral.band)])
        _ = try host.connected()
        host.command(0x200B, [1, 0x60, 0, 0x60, 0, 0, 0])
        host.command(0x200C, [1, 0])
        #expect(host.wait(milliseconds: 100).isEmpty)
    }

    @Test func requestsWaitUntilTheTraceShowsThem() throws {
        var host = TestHost(actsOnTrace: true, devices: [Peripheral(Peripheral.band)])
        let handle = try host.connected()
        let credit = [4, 0x13, 5, 1] + handle.littleEndianBytes + [1, 0]
        #expect(host.unit([0x02, 100, 0], on: handle) == [credit])
        host.air.show([0x02, 100, 0])
        #expect(TestHost.units(in: host.take()) == [[0x03, 5, 2]])
        // A request that the trace shows before its bytes arrive is answered when they arrive.
        host.air.show([0x0A, 3, 0])
        #expect(TestHost.units(in: host.unit([0x0A, 3, 0], on: handle)).first?.first == 0x0B)
    }

    @Test func creditComesBeforeTheAnswerForEachPacket() throws {
        var host = TestHost(devices: [Peripheral(Peripheral.band)])
        let handle = try host.connected()
        let data: [UInt8] = [3, 0, 4, 0, 0x02, 100, 0]
        let pieces = stride(from: 0, to: data.count, by: 3).map {
            HCIPacket.acl(
                ACLPacket(
                    handle: handle, boundary: $0 > 0 ? .continuing : .first,
                    payload: Array(data[$0..<min(data.count, $0 + 3)]))
            ).bytes
        }
        let answers = pieces.map { host.send($0) }
        #expect(answers.map(\.count) == [1, 1, 2])
        #expect(answers.allSatisfy { $0.first?[1] == 0x13 })
    }

    @Test func answersAreCutToTheLengthOfPackets() throws {
        var settings = Peripheral.band
        settings.pieces = 5
        var host = TestHost(devices: [Peripheral(settings)])
        let handle = try host.connected()
        let answers = host.unit([0x02, 100, 0], on: handle)
        #expect(answers.dropFirst().map(\.count) == [10, 7])
        #expect(TestHost.units(in: answers) == [[0x03, 5, 2]])
    }

    @Test func lateAnswerOfACharacteristicIsTheFirstOfItsLink() throws {
        var settings = Peripheral.band
        settings.services[0].characteristics[2].late = [.read: 3_000_000_000]
        var host = TestHost(devices: [Peripheral(settings)])
        let handle = try host.connected()
        // The services GAP and GATT, and two characteristics, come first. The value is the last
        // attribute.
        #expect(TestHost.units(in: host.unit([0x0A, 3, 0], on: handle)).count == 1)
        host.unit([0x0A, 17, 0], on: handle)
        host.unit([0x0A, 3, 0], on: handle)
        host.air.with("device0", as: Peripheral.self) { $0.sendAttribute([0x1B, 1, 0]) }
        #expect(TestHost.units(in: host.take()) == [[0x1B, 1, 0]])
        #expect(host.wait(milliseconds: 2_999).isEmpty)
        let late = TestHost.units(in: host.wait(milliseconds: 1))
        #expect(late.map { $0.prefix(2) } == [[0x0B, 0x31], [0x0B, 0x70]])
    }

    @Test func answersMayTakeTheirTime() throws {
        var settings = Peripheral.band
        settings.delay = 29_000_000_000
        var host = TestHost(devices: [Peripheral(settings)])
        let handle = try host.connected()
        host.unit([0x02, 100, 0], on: handle)
        #expect(host.wait(milliseconds: 28_999).isEmpty)
        #expect(TestHost.units(in: host.wait(milliseconds: 1)) == [[0x03, 5, 2]])
    }

    @Test func centralSendsAnyPDUWhileItHasALink() {
        let link = AirLink(host: 0, handle: 0x40)
        var central = Central(
            DeviceAddress(0xC444_4444_4444, isRandom: true), lookingFor: BluetoothUUID(0x180D))
        central.sendAttribute([0xFF, 1, 2])
        #expect(central.takeCommands().isEmpty)
        central.opened(link, to: DeviceAddress(0xC411_1111_1111, isRandom: true))
        _ = central.takeCommands()
        central.sendAttribute([0xFF, 1, 2])
        let unit = L2CAPFrame(channel: L2CAPFrame.Channel.attributes, payload: [0xFF, 1, 2])
        #expect(central.takeCommands() == [.send(link, unit)])
    }
}
