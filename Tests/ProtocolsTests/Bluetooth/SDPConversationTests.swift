import Testing
import Wire

@testable import Bluetooth

@Suite("Bluetooth: searches for services")
struct SDPConversationTests {
    @Test("A search for services is one transaction, however many requests it takes")
    func search() throws {
        var conversation = SDPConversation()
        let record = SDPRecord([
            SDPRecord.Attribute.serviceClasses: .sequence([.uuid16(0x1101)]),
            SDPRecord.Attribute.protocols: .sequence([
                .sequence([.uuid16(0x0100)]), .sequence([.uuid16(0x0003), .uint8(3)]),
            ]),
            SDPRecord.Attribute.name: .text("Wireless iAP"),
        ])
        let list = SDPElement.sequence([record.list(of: [0...UInt16.max])]).bytes
        let pattern = SDPElement.sequence([.uuid16(0x1101)])
        let attributes = SDPElement.sequence([.uint32(0xFFFF)])
        func query(_ state: [UInt8], _ number: UInt16) -> [PlainMessage] {
            conversation.consume(
                SDPPacket(
                    .serviceSearchAttributeRequest(
                        pattern: pattern, maximumBytes: 20, attributes: attributes,
                        continuation: state), transaction: number), from: .first)
        }
        func answer(_ part: some Sequence<UInt8>, _ state: [UInt8]) -> [PlainMessage] {
            conversation.consume(
                SDPPacket(
                    .serviceSearchAttributeResponse(part: Array(part), continuation: state),
                    transaction: 1), from: .second)
        }
        #expect(query([], 1).map(\.name) == ["sdp.search"])
        #expect(answer(list.prefix(20), [1]).isEmpty)
        #expect(query([1], 2).isEmpty)
        let found = answer(list.dropFirst(20), [])
        #expect(found.map(\.name) == ["sdp.found"])
        #expect(found.first?.field(try #require(FieldPath("sdp.records[0].rfcomm"))) == 3)
        #expect(
            found.first?.field(try #require(FieldPath("sdp.records[0].name"))) == "Wireless iAP")
        #expect(record.matches([BluetoothUUID(0x1101), SDPRecord.rfcomm]))
        #expect(!record.matches([BluetoothUUID(0x1102)]))
    }
}
