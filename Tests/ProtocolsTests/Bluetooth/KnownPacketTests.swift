import Testing

@testable import Bluetooth

/// Packets of a real host stack (Bumble 0.0.236), byte by byte.
@Suite("Bluetooth: packets of a real stack")
struct KnownPacketTests {
    private static let peer: UInt64 = 0xC411_1111_1111
    private static let service = BluetoothUUID("6e400001-b5a3-f393-e0a9-e50e24dcca9e")

    private func check(_ text: String, _ packet: HCIPacket) throws {
        let bytes = try #require([UInt8](hexDigits: text))
        #expect(try HCIPacket(parsing: bytes.span.bytes) == packet)
        #expect(packet.bytes == bytes)
    }

    @Test("The packets of scanning and connecting are read and written")
    func scanning() throws {
        try check(
            "01 0b 20 07 01 60 00 60 00 01 00",
            .command(
                HCICommand(
                    .leSetScanParameters,
                    [
                        .leScanType: 1, .leScanInterval: 0x60, .leScanWindow: 0x60,
                        .leOwnAddressType: 1, .leScanFilterPolicy: 0,
                    ])))
        try check(
            "01 0c 20 02 01 01",
            .command(HCICommand(.leSetScanEnable, [.leScanEnable: 1, .leFilterDuplicates: 1])))
        try check(
            """
            01 0d 20 19 60 00 60 00 00 01 11 11 11 11 11 c4 01 0c 00 18 00 00 00 48 00 00 00 00 00
            """,
            .command(
                HCICommand(
                    .leCreateConnection,
                    [
                        .leScanInterval: 0x60, .leScanWindow: 0x60,
                        .leInitiatorFilterPolicy: 0, .lePeerAddressType: 1,
                        .bdAddr: .address(Self.peer), .leOwnAddressType: 1,
                        .leConIntervalMin: 12, .leConIntervalMax: 24, .leConLatency: 0,
                        .leSupvTimeout: 72, .leMinCeLength: 0, .leMaxCeLength: 0,
                    ])))
        try check("04 0f 04 00 01 0d 20", .event(.status(.leCreateConnection)))
        try check("04 0e 04 01 03 0c 00", .event(.complete(.reset)))
    }

    @Test("An advertisement with its service is read and written")
    func advertisement() throws {
        let data = try #require(
            [UInt8](hexDigits: "02 01 06 11 07 9e ca dc 24 0e e5 a9 e0 93 f3 a3 b5 01 00 40 6e"))
        try check(
            """
            04 3e 21 02 01 00 01 11 11 11 11 11 c4 15 02 01 06 11 07 9e ca dc 24 0e e5 a9 e0 93 f3
            a3 b5 01 00 40 6e ce
            """.replacing("\n", with: " "),
            .event(
                HCIEvent(
                    .leAdvertisingReport,
                    [
                        .reports: .records([
                            [
                                .leAdvtsEventType: 0, .lePeerAddressType: 1,
                                .bdAddr: .address(Self.peer), .data: .bytes(data), .rssi: -50,
                            ]
                        ])
                    ])))
        let advertised = AdvertisingData(parsing: data)
        #expect(advertised.services == [Self.service])
        #expect(advertised.bytes == data)
    }

    @Test("The packets of a link's beginning and end are read and written")
    func link() throws {
        let connected = HCIEvent(
            .leConnectionComplete,
            [
                .status: 0, .connectionHandle: 1, .role: 0, .lePeerAddressType: 1,
                .bdAddr: .address(Self.peer), .leConInterval: 12, .leConLatency: 0,
                .leSupvTimeout: 72, .leMasterClockAccuracy: 0,
            ])
        try check(
            "04 3e 13 01 00 01 00 00 01 11 11 11 11 11 c4 0c 00 00 00 48 00 00",
            .event(connected))
        #expect(connected.connection?.address == Self.peer)
        try check(
            "04 13 05 01 01 00 01 00",
            .event(
                HCIEvent(
                    .numberOfCompletedPackets,
                    [.handles: .records([[.connectionHandle: 1, .numComplPackets: 1]])])))
        try check(
            "01 06 04 03 01 00 13",
            .command(HCICommand(.disconnect, [.connectionHandle: 1, .reason: 0x13])))
        try check(
            "04 05 04 00 01 00 13",
            .event(
                HCIEvent(
                    .disconnectionComplete,
                    [.status: 0, .connectionHandle: 1, .reason: 0x13])))
    }

    @Test(
        "The packets of the attribute protocol are read and written",
        arguments: [
            (
                "02 01 00 07 00 03 00 04 00 02 f7 00", .firstNonFlushable,
                .exchangeMTURequest(mtu: 247)
            ),
            (
                """
                02 01 00 1b 00 17 00 04 00 06 01 00 ff ff 00 28 9e ca dc 24 0e e5 a9 e0 93 f3 a3 b5 \
                01 00 40 6e
                """, .firstNonFlushable,
                .findByTypeValueRequest(
                    .init(1, 0xFFFF), type: 0x2800, value: service?.longBytes ?? [])
            ),
            (
                "02 01 20 09 00 05 00 04 00 07 0e 00 15 00", .first,
                .findByTypeValueResponse([.init(0x0E, 0x15)])
            ),
            (
                "02 01 20 09 00 05 00 04 00 01 06 16 00 0a", .first,
                .errorResponse(request: 6, handle: 0x16, error: 0x0A)
            ),
            (
                "02 01 00 0b 00 07 00 04 00 08 0e 00 15 00 03 28", .firstNonFlushable,
                .readByTypeRequest(.init(0x0E, 0x15), type: BluetoothUUID(0x2803))
            ),
            (
                "02 01 20 0a 00 06 00 04 00 05 01 11 00 02 29", .first,
                .findInformationResponse([.init(handle: 0x11, type: BluetoothUUID(0x2902))])
            ),
            (
                "02 01 00 09 00 05 00 04 00 12 11 00 01 00", .firstNonFlushable,
                .writeRequest(handle: 0x11, value: [1, 0])
            ),
            ("02 01 20 05 00 01 00 04 00 13", .first, .writeResponse),
            (
                "02 01 20 0a 00 06 00 04 00 0b 31 2e 32 2e 33", .first,
                .readResponse(value: Array("1.2.3".utf8))
            ),
            (
                "02 01 20 11 00 0d 00 04 00 1b 10 00 65 63 68 6f 3a 68 65 6c 6c 6f", .first,
                .handleValueNotification(handle: 0x10, value: Array("echo:hello".utf8))
            ),
        ] as [(String, ACLPacket.Boundary, ATTPacket)])
    func attributes(text: String, boundary: ACLPacket.Boundary, packet: ATTPacket) throws {
        let frame = L2CAPFrame(channel: L2CAPFrame.Channel.attributes, payload: packet.bytes)
        try check(
            text, .acl(ACLPacket(handle: 1, boundary: boundary, payload: frame.bytes)))
        #expect(try ATTPacket(parsing: frame.payload.span.bytes) == packet)
    }

    @Test("UUIDs with equal bits are equal in any form")
    func uuids() throws {
        let long = try #require(BluetoothUUID("0000180F-0000-1000-8000-00805F9B34FB"))
        #expect(long == BluetoothUUID(0x180F))
        #expect(BluetoothUUID("180f") == long)
        #expect(long.description == "0000180f-0000-1000-8000-00805f9b34fb")
        #expect(long.attributeBytes == [0x0F, 0x18])
        #expect(BluetoothUUID("180") == nil && BluetoothUUID("18-0f") == nil)
        #expect(Self.service?.short == nil)
    }
}
