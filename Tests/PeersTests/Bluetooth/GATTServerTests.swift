import Bluetooth
import Testing

@testable import BluetoothPeers

@Suite struct GATTServerTests {
    private var server = GATTServer(Peripheral.band.services, name: "band", mtu: 100)
    private var client = GATTServer.Client()

    private mutating func query(_ pdu: [UInt8]) -> [[UInt8]] { server.consume(pdu, of: &client) }

    @Test mutating func servicesAreFoundByTheirUUID() {
        let wanted: [UInt8] = [0x06, 1, 0, 0xFF, 0xFF, 0x00, 0x28] + Peripheral.service.longBytes
        #expect(query(wanted) == [[0x07, 10, 0, 17, 0]])
        #expect(
            query([0x06, 18, 0, 0xFF, 0xFF, 0x00, 0x28] + Peripheral.service.longBytes) == [
                [1, 6, 18, 0, 0x0A]
            ])
    }

    @Test mutating func allServicesAreFoundInTurn() {
        var start: UInt16 = 1
        var found: [[UInt8]] = []
        while true {
            let answer = query([0x10] + start.littleEndianBytes + [0xFF, 0xFF, 0x00, 0x28])[0]
            guard answer[0] == 0x11 else {
                #expect(answer == [1, 0x10] + start.littleEndianBytes + [0x0A])
                break
            }
            let length = Int(answer[1])
            let entries = stride(from: 2, to: answer.count, by: length).map {
                Array(answer[$0..<($0 + length)])
            }
            found += entries.map { Array($0.dropFirst(4)) }
            start = UInt16(entries.last![2]) + 1
        }
        #expect(found == [[0, 0x18], [1, 0x18], Peripheral.service.longBytes])
    }

    @Test mutating func characteristicsAndDescriptorsAreFound() {
        let first = query([0x08, 10, 0, 17, 0, 0x03, 0x28])[0]
        // Only one entry with a 128-bit UUID fits into 23 bytes.
        #expect(first == [0x09, 21, 11, 0, 0x10, 12, 0] + Peripheral.notifies.longBytes)
        #expect(query([0x04, 13, 0, 13, 0]) == [[0x05, 1, 13, 0, 0x02, 0x29]])
    }

    @Test mutating func valuesAreReadInParts() {
        #expect(query([0x0A, 17, 0]) == [[0x0B] + Array("1.2.3".utf8)])
        #expect(query([0x0C, 17, 0, 2, 0]) == [[0x0D] + Array("2.3".utf8)])
        #expect(query([0x0C, 17, 0, 6, 0]) == [[1, 0x0C, 17, 0, 0x07]])
        #expect(query([0x0A, 15, 0]) == [[1, 0x0A, 15, 0, 0x02]])
        #expect(query([0x0A, 18, 0]) == [[1, 0x0A, 18, 0, 0x01]])
    }

    @Test mutating func writtenValueIsNotifiedToSubscribersAlone() {
        #expect(query([0x12, 15, 0, 7]) == [[0x13]])
        #expect(query([0x12, 13, 0, 1, 0]) == [[0x13]])
        #expect(query([0x12, 15, 0, 7]) == [[0x13], [0x1B, 12, 0, 7]])
        #expect(query([0x52, 15, 0, 8]) == [[0x1B, 12, 0, 8]])
        #expect(query([0x12, 13, 0, 0, 0]) == [[0x13]])
        #expect(query([0x12, 15, 0, 7]) == [[0x13]])
    }

    @Test mutating func longValuesAreCutAndJoined() {
        _ = query([0x12, 13, 0, 1, 0])
        let value = (0..<50).map { UInt8($0) }
        #expect(query([0x16, 15, 0, 0, 0] + value.prefix(18)).first?.first == 0x17)
        #expect(query([0x16, 15, 0, 18, 0] + value[18..<36]).first?.first == 0x17)
        #expect(query([0x16, 15, 0, 36, 0] + value[36...]).first?.first == 0x17)
        let answers = query([0x18, 1])
        #expect(answers.first == [0x19])
        #expect(answers.dropFirst().flatMap { $0.dropFirst(3) } == value)
        #expect(answers.dropFirst().allSatisfy { $0.count <= 23 })
    }

    @Test mutating func mtuIsTheSmallerOne() {
        #expect(query([0x02, 0xF7, 0]) == [[0x03, 100, 0]])
        #expect(client.mtu == 100)
        #expect(query([0x02, 5, 0]) == [[0x03, 100, 0]])
        #expect(client.mtu == 23)
    }

    @Test mutating func unknownRequestsAreRefusedAndCommandsPassedOver() {
        #expect(query([0x20, 1, 0]) == [[1, 0x20, 0, 0, 0x06]])
        #expect(query([0x7F]) == [])
        #expect(query([0x1E]) == [])
        #expect(query([]) == [])
    }

    @Test func anyBytesAreTakenWithoutHarm() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            var server = server
            var client = client
            let count = Int.random(in: 0...23, using: &generator)
            var pdu = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if !pdu.isEmpty, Bool.random(using: &generator) { pdu[0] &= 0x1F }
            for answer in server.consume(pdu, of: &client) { #expect(answer.count <= client.mtu) }
        }
    }
}
