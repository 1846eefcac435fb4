import BuiltInProtocols
import TestSupport
import Testing
import Wire

@testable import Bluetooth

@Suite("Bluetooth: messages of a host decoder")
struct HostDecoderTests {
    private static let service = BluetoothUUID(0x180F)

    @Test("On a Low Energy link the packet boundary flag gives the direction of data")
    func direction() throws {
        var talk = Talk()
        func isFromHost(_ boundary: ACLPacket.Boundary) -> Bool? {
            let packet = ACLPacket(handle: 1, boundary: boundary, payload: [1])
            return talk.decoder.isFromHost(
                data: packet.bytes.span.bytes)
        }
        #expect(isFromHost(.firstNonFlushable) == nil)
        try talk.connect()
        #expect(isFromHost(.firstNonFlushable) == true)
        #expect(isFromHost(.first) == false)
        #expect(isFromHost(.continuing) == nil)
        let unit = L2CAPFrame(channel: 4, payload: [0x0A, 1, 0]).bytes
        let first = ACLPacket.fragments(of: unit, handle: 1, size: 5, first: .firstNonFlushable)[0]
        try talk.send(.acl(first), isFromHost: true)
        #expect(isFromHost(.continuing) == true)
    }

    @Test("Legacy and extended commands give the same messages")
    func scanning() throws {
        var legacy = Talk()
        try legacy.command(.leSetScanParameters, [.leScanType: 1])
        try legacy.command(.leSetScanEnable, [.leScanEnable: 1, .leFilterDuplicates: 1])
        try legacy.command(.leSetScanEnable, [.leScanEnable: 0])
        try legacy.command(.leCreateConnection, [.bdAddr: .address(Talk.band)])
        var extended = Talk()
        try extended.command(
            .leSetExtendedScanParameters,
            [.leScanPhys: 1, .leScanPhyParam: .records([[.leScanType: 1]])])
        try extended.command(
            .leSetExtendedScanEnable, [.leScanEnable: 1, .leFilterDuplicates: 1])
        try extended.command(.leSetExtendedScanEnable, [.leScanEnable: 0])
        try extended.command(
            .leExtendedCreateConnection, [.bdAddr: .address(Talk.band), .leInitPhys: 1])
        #expect(legacy.names == ["le.scan", "le.scanStopped", "le.connect"])
        #expect(extended.names == legacy.names)
        for talk in [legacy, extended] {
            #expect(talk.field("le.active", of: 0) == true)
            #expect(talk.field("le.filter_duplicates", of: 0) == true)
            #expect(talk.field("le.address", of: 2) == "c4:11:11:11:11:11")
            #expect(talk.plain[2].remote == .address(Talk.band))
        }
        #expect(legacy.field("le.extended", of: 0) == false)
        #expect(extended.field("le.extended", of: 0) == true)
    }

    @Test("Stopping what never began gives no message")
    func idle() throws {
        var talk = Talk()
        try talk.command(.reset)
        try talk.command(.leSetScanEnable, [.leScanEnable: 0])
        try talk.command(.leSetAdvertisingEnable, [.leAdvtsEnable: 0])
        #expect(talk.names.isEmpty)
    }

    @Test(
        "A link begins and ends with any form of the controller's event",
        arguments: [
            HCIEventKind.leConnectionComplete, .leEnhancedConnectionComplete,
            .leEnhancedConnectionCompleteV2,
        ])
    func links(kind: HCIEventKind) throws {
        var talk = Talk()
        try talk.command(.leCreateConnection, [.bdAddr: .address(Talk.band)])
        try talk.connect(kind: kind)
        #expect(talk.names.last == "le.connected")
        #expect(talk.field("le.interval", of: 1) == 24)
        // The controller reports the remote device as the cause although the host requested the
        // end.
        try talk.command(.disconnect, [.connectionHandle: 1, .reason: 0x13])
        try talk.event(
            .disconnectionComplete, [.status: 0, .connectionHandle: 1, .reason: 0x13])
        #expect(talk.names.suffix(2) == ["le.disconnect", "le.disconnected"])
        #expect(talk.field("le.by", of: 3) == "device")
        #expect(talk.field("le.address", of: 3) == "c4:11:11:11:11:11")
    }

    @Test(
        "The reason gives the side that ended a link",
        arguments: [
            (0x13, "remote"), (0x15, "remote"), (0x16, "device"), (0x08, "air"), (0x3D, "air"),
        ])
    func ends(reason: Int64, by: String) throws {
        var talk = Talk()
        try talk.connect()
        try talk.event(
            .disconnectionComplete,
            [.status: 0, .connectionHandle: 1, .reason: .number(reason)])
        #expect(talk.field("le.by", of: 1) == .string(by))
    }

    @Test("A Disconnect that is refused does not end the link")
    func refusedEnd() throws {
        var talk = Talk()
        try talk.connect()
        try talk.command(.disconnect, [.connectionHandle: 1, .reason: 0x13])
        try talk.send(.event(.status(.disconnect, 0x0C)))
        try talk.event(
            .disconnectionComplete, [.status: 0, .connectionHandle: 1, .reason: 0x13])
        #expect(talk.field("le.by", of: 2) == "remote")
    }

    @Test("A failed connection is reported for a status and for an event")
    func failures() throws {
        var talk = Talk()
        try talk.command(.leCreateConnection, [.bdAddr: .address(Talk.band)])
        try talk.send(.event(.status(.leCreateConnection, 0x0C)))
        try talk.command(.leCreateConnection, [.bdAddr: .address(Talk.band)])
        try talk.event(.leConnectionComplete, [.status: 0x3E])
        #expect(
            talk.names == ["le.connect", "le.connectFailed", "le.connect", "le.connectFailed"])
        #expect(talk.field("le.status", of: 1) == 0x0C)
        #expect(talk.field("le.status", of: 3) == 0x3E)
        #expect(talk.field("le.address", of: 3) == "c4:11:11:11:11:11")
    }

    @Test("UUIDs of all forms are read from advertisements and scan responses")
    func advertisements() throws {
        typealias Kind = AdvertisingData.Kind
        let long = BluetoothUUID("6e400001-b5a3-f393-e0a9-e50e24dcca9e") ?? Self.service
        let data = AdvertisingData([
            .init(Kind.incompleteUUIDs16, [0x0F, 0x18]),
            .init(Kind.completeUUIDs128, long.longBytes),
            .init(Kind.serviceData16, [0x0A, 0x18, 1]),
            .init(Kind.completeName, Array("band".utf8)),
        ])
        let report: HCIParameters = [
            .leAdvtsEventType: 4, .lePeerAddressType: 1, .bdAddr: .address(Talk.band),
            .data: .bytes(data.bytes), .rssi: -50,
        ]
        var talk = Talk()
        try talk.event(.leAdvertisingReport, [.reports: .records([report, report])])
        #expect(talk.names == ["le.advertisement", "le.advertisement"])
        #expect(
            talk.field("le.uuids", of: 0)
                == .array([.string(Self.service.description), .string(long.description)]))
        #expect(talk.field("le.name", of: 0) == "band")
        #expect(talk.field("le.isScanResponse", of: 0) == true)
        #expect(talk.field("le.rssi", of: 0) == -50)
        #expect(talk.plain[0].remote == .address(Talk.band) && !talk.plain[0].isFromHost)
    }

    @Test("The advertising of a peripheral is reported")
    func peripheral() throws {
        let data = AdvertisingData([.init(AdvertisingData.Kind.completeUUIDs16, [0x0F, 0x18])])
        let padded = data.bytes + [UInt8](repeating: 0, count: 31 - data.bytes.count)
        var talk = Talk()
        try talk.command(
            .leSetAdvertisingData,
            [.leDataLength: .number(data.bytes.count), .data: .bytes(padded)])
        try talk.command(.leSetAdvertisingEnable, [.leAdvtsEnable: 1])
        try talk.command(.leSetAdvertisingEnable, [.leAdvtsEnable: 0])
        try talk.command(
            .leSetExtendedAdvertisingData,
            [.advertisingHandle: 3, .advDataOperation: 3, .data: .bytes(data.bytes)])
        try talk.command(
            .leSetExtendedAdvertisingEnable,
            [.leAdvtsEnable: 1, .leAdvSet: .records([[.advertisingHandle: 3]])])
        #expect(talk.names == ["le.advertise", "le.advertiseStopped", "le.advertise"])
        for index in [0, 2] {
            #expect(
                talk.field("le.uuids", of: index) == .array([.string(Self.service.description)]))
        }
    }

    @Test("Every message and its fields are described in the catalogue")
    func described() throws {
        var packets = RandomPackets(seed: 3)
        var messages: [HostMessage] = []
        var decoder = HostDecoder(of: DissectionStack([]))
        for place in 0..<4_000 as Range<UInt64> {
            var packet = packets.hci()
            if case .acl = packet {
                let payloads = [
                    (L2CAPFrame.Channel.attributes, packets.att().bytes),
                    (L2CAPFrame.Channel.security, packets.smp().bytes),
                    (L2CAPFrame.Channel.signalling, packets.signal().bytes),
                ]
                let (channel, payload) = payloads[packets.random.below(payloads.count)]
                packet = .acl(
                    ACLPacket(
                        handle: 1, payload: L2CAPFrame(channel: channel, payload: payload).bytes))
            }
            let bytes = packet.bytes
            guard let type = H4Type(rawValue: bytes[0]) else { continue }
            _ = try decoder.consume(
                HCIHeader.Kind(type), isFromHost: type == .command || place % 2 == 0,
                bytes.span.bytes.extracting(droppingFirst: 1), at: place..<place + 1,
                into: &messages)
        }
        var unknown: Set<String> = []
        for message in messages {
            let name = message.content.name
            if ProtocolRegistry.builtIn.message(named: name) == nil { unknown.insert(name) }
            let fields = message.content.fields.objectValue ?? []
            for path in fields.flatMap({ Self.paths($0.value, $0.name) }) {
                guard let path = FieldPath(path),
                    ProtocolRegistry.builtIn.fieldType(of: path, inMessage: name) == nil
                else { continue }
                unknown.insert("\(name): \(path)")
            }
        }
        #expect(unknown.isEmpty, "\(unknown.sorted().prefix(20))")
    }

    private static func paths(_ value: Value, _ path: String) -> [String] {
        switch value {
        case .object(let members): members.flatMap { paths($0.value, "\(path).\($0.name)") }
        case .array(let elements): elements.isEmpty ? [path] : paths(elements[0], "\(path)[0]")
        default: [path]
        }
    }
}
