import BuiltInProtocols
import TestSupport
import Testing
import Wire

@testable import Bluetooth

/// Packets between a host and its controller, and the messages of a host decoder.
struct Talk {
    var decoder = HostDecoder(of: DissectionStack([]))
    private(set) var messages: [HostMessage] = []
    private var place: UInt64 = 0

    static let band: UInt64 = 0xC411_1111_1111

    mutating func send(_ packet: HCIPacket, isFromHost: Bool? = nil) throws {
        let bytes = packet.bytes
        let fromHost: Bool
        let kind: HCIHeader.Kind
        switch packet {
        case .command: (kind, fromHost) = (.command, true)
        case .event: (kind, fromHost) = (.event, false)
        default: (kind, fromHost) = (.acl, isFromHost ?? true)
        }
        _ = try decoder.consume(
            kind, isFromHost: fromHost, bytes.span.bytes.extracting(droppingFirst: 1),
            at: place..<place + 1, into: &messages)
        place += 1
    }

    mutating func command(_ opcode: HCIOpcode, _ values: HCIParameters = [:]) throws {
        try send(.command(HCICommand(opcode, values)))
    }

    mutating func event(_ kind: HCIEventKind, _ values: HCIParameters) throws {
        try send(.event(HCIEvent(kind, values)))
    }

    mutating func connect(
        _ handle: UInt16 = 1, kind: HCIEventKind = .leEnhancedConnectionComplete
    ) throws {
        try event(
            kind,
            [
                .status: 0, .connectionHandle: .number(handle), .bdAddr: .address(Self.band),
                .role: 0, .leConInterval: 24,
            ])
    }

    mutating func att(_ packet: ATTPacket, isFromHost: Bool, handle: UInt16 = 1) throws {
        try attribute(packet.bytes, isFromHost: isFromHost, handle: handle)
    }

    mutating func attribute(_ pdu: [UInt8], isFromHost: Bool, handle: UInt16 = 1) throws {
        try unit(
            pdu, to: L2CAPFrame.Channel.attributes, isFromHost: isFromHost, handle: handle)
    }

    mutating func unit(
        _ payload: [UInt8], to channel: UInt16, isFromHost: Bool, handle: UInt16 = 1
    ) throws {
        let frame = L2CAPFrame(channel: channel, payload: payload)
        for part in ACLPacket.fragments(of: frame.bytes, handle: handle, size: 27) {
            try send(.acl(part), isFromHost: isFromHost)
        }
    }

    /// Sends a request and its answer.
    mutating func exchange(_ request: ATTPacket, _ answer: ATTPacket) throws {
        try att(request, isFromHost: true)
        try att(answer, isFromHost: false)
    }

    /// The messages of the plain layer.
    var plain: [HostMessage] { messages.filter { $0.content is PlainMessage } }
    var names: [String] { plain.map(\.content.name) }

    func field(_ path: String, of index: Int) -> Value? {
        FieldPath(path).flatMap { plain[index].content.field($0) }
    }
}

@Suite("Bluetooth: messages of a host decoder")
struct HostDecoderTests {
    private static let service = BluetoothUUID(0x180F)
    private static let notFound = ATTError.attributeNotFound.rawValue

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

    @Test("A discovery is one procedure, and subscriptions and reads are reported")
    func attributes() throws {
        var talk = Talk()
        try talk.connect()
        try talk.exchange(
            .findByTypeValueRequest(.init(1, 0xFFFF), type: 0x2800, value: [0x0F, 0x18]),
            .findByTypeValueResponse([.init(14, 21)]))
        try talk.exchange(
            .findByTypeValueRequest(.init(22, 0xFFFF), type: 0x2800, value: [0x0F, 0x18]),
            .errorResponse(request: 6, handle: 22, error: Self.notFound))
        try talk.exchange(
            .readByTypeRequest(.init(14, 21), type: BluetoothUUID(0x2803)),
            .readByTypeResponse([.init(handle: 15, value: [0x10, 16, 0, 0x19, 0x2A])]))
        try talk.exchange(
            .readByTypeRequest(.init(16, 21), type: BluetoothUUID(0x2803)),
            .readByTypeResponse([.init(handle: 20, value: [2, 21, 0, 0x29, 0x2A])]))
        try talk.exchange(
            .findInformationRequest(.init(17, 17)),
            .findInformationResponse([.init(handle: 17, type: BluetoothUUID(0x2902))]))
        try talk.exchange(.writeRequest(handle: 17, value: [1, 0]), .writeResponse)
        try talk.exchange(.readRequest(handle: 21), .readResponse(value: [1, 2]))
        try talk.att(.handleValueNotification(handle: 16, value: [3]), isFromHost: false)
        try talk.exchange(.writeRequest(handle: 17, value: [0, 0]), .writeResponse)
        #expect(
            talk.names == [
                "le.connected", "gatt.discover", "gatt.discovered", "gatt.discover",
                // The next discovery shows that the previous one is over.
                "gatt.discovered", "gatt.discover", "gatt.discovered", "gatt.subscribe",
                "gatt.subscribed", "gatt.read", "gatt.value", "gatt.notification",
                "gatt.unsubscribe", "gatt.unsubscribed",
            ])
        #expect(talk.field("gatt.what", of: 1) == "service")
        #expect(talk.field("gatt.uuid", of: 1) == .string(Self.service.description))
        #expect(talk.field("gatt.found[0].handle", of: 2) == 14)
        #expect(
            talk.field("gatt.found[1].uuid", of: 4) == .string(BluetoothUUID(0x2A29).description))
        let level: Value = .string(BluetoothUUID(0x2A19).description)
        for index in [7, 8, 11, 12] {
            #expect(talk.field("gatt.characteristic", of: index) == level)
            #expect(talk.field("gatt.service", of: index) == .string(Self.service.description))
        }
        #expect(talk.field("gatt.bits", of: 7) == 1)
        #expect(talk.field("gatt.value", of: 10) == .bytes([1, 2]))
        #expect(talk.plain[7].isFromHost && !talk.plain[8].isFromHost)
        #expect(talk.messages.allSatisfy { $0.content.anomalies.isEmpty })
    }

    @Test("Handles that were discovered on one link are known on the next one")
    func cached() throws {
        var talk = Talk()
        try talk.connect()
        try talk.exchange(
            .findInformationRequest(.init(17, 17)),
            .findInformationResponse([.init(handle: 17, type: BluetoothUUID(0x2902))]))
        try talk.event(
            .disconnectionComplete, [.status: 0, .connectionHandle: 1, .reason: 0x08])
        try talk.connect(7)
        try talk.att(.writeRequest(handle: 17, value: [1, 0]), isFromHost: true, handle: 7)
        #expect(talk.names.last == "gatt.subscribe")
    }

    @Test("A refused request, a long read and a long write are reported")
    func values() throws {
        var talk = Talk()
        try talk.connect()
        try talk.exchange(
            .readRequest(handle: 3), .errorResponse(request: 0x0A, handle: 3, error: 5))
        let long = Array(0..<UInt8(30))
        try talk.exchange(.readRequest(handle: 3), .readResponse(value: Array(long.prefix(22))))
        try talk.exchange(
            .readBlobRequest(handle: 3, offset: 22),
            .readBlobResponse(value: Array(long.dropFirst(22))))
        try talk.exchange(
            .prepareWriteRequest(handle: 4, offset: 0, value: [1, 2]),
            .prepareWriteResponse(handle: 4, offset: 0, value: [1, 2]))
        try talk.exchange(
            .prepareWriteRequest(handle: 4, offset: 2, value: [3]),
            .prepareWriteResponse(handle: 4, offset: 2, value: [3]))
        try talk.exchange(.executeWriteRequest(flags: 1), .executeWriteResponse)
        try talk.att(.writeCommand(handle: 4, value: [9]), isFromHost: true)
        #expect(
            talk.names == [
                "le.connected", "gatt.read", "gatt.refused", "gatt.read", "gatt.value",
                "gatt.value", "gatt.write", "gatt.written", "gatt.write",
            ])
        #expect(talk.field("gatt.error", of: 2) == 5)
        #expect(talk.field("gatt.request", of: 2) == "ReadRequest")
        #expect(talk.field("gatt.isPartial", of: 4) == true)
        #expect(talk.field("gatt.value", of: 5) == .bytes(long))
        #expect(talk.field("gatt.isPartial", of: 5) == nil)
        #expect(talk.field("gatt.value", of: 6) == .bytes([1, 2, 3]))
        #expect(talk.field("gatt.withoutResponse", of: 8) == true)
    }

    @Test("A second request before the answer, and an answer without a request, are violations")
    func discipline() throws {
        var talk = Talk()
        try talk.connect()
        try talk.att(.readRequest(handle: 1), isFromHost: true)
        try talk.att(.readRequest(handle: 2), isFromHost: true)
        #expect(talk.messages.filter { !$0.content.anomalies.isEmpty }.count == 1)
        // Answers are paired with requests in order, however late.
        try talk.att(.readResponse(value: [1]), isFromHost: false)
        try talk.att(.readResponse(value: [2]), isFromHost: false)
        #expect(talk.names.suffix(2) == ["gatt.value", "gatt.value"])
        #expect(talk.field("gatt.handle", of: 3) == 1)
        #expect(talk.field("gatt.handle", of: 4) == 2)
        #expect(talk.messages.filter { !$0.content.anomalies.isEmpty }.count == 1)
        try talk.att(.readResponse(value: []), isFromHost: false)
        #expect(talk.messages.filter { !$0.content.anomalies.isEmpty }.count == 2)
        // A malformed answer still ends its request.
        for broken: [UInt8] in [[0x09, 21, 1], [0x01, 0x08]] {
            var talk = Talk()
            try talk.connect()
            let handles = ATTPacket.Handles(1, 9)
            try talk.att(.readByTypeRequest(handles, type: Self.service), isFromHost: true)
            try talk.attribute(broken, isFromHost: false)
            try talk.att(.readRequest(handle: 1), isFromHost: true)
            let wrong = talk.messages.filter { !$0.content.anomalies.isEmpty }
            #expect(wrong.map(\.content.name) == ["btatt.malformed"])
        }
        // If the capture lacks the beginning, the request may have been sent before it.
        var late = Talk()
        try late.att(.readResponse(value: []), isFromHost: false)
        #expect(late.messages.allSatisfy { $0.content.anomalies.isEmpty })
    }

    @Test("Packets beyond the agreed MTU and unconfirmed indications are violations")
    func attributeRules() throws {
        func violations(_ talk: Talk) -> [String] {
            talk.messages.compactMap(\.content.violation)
        }
        let long = [UInt8](repeating: 1, count: 30)
        var talk = Talk()
        try talk.connect()
        try talk.att(.handleValueNotification(handle: 3, value: long), isFromHost: false)
        #expect(
            violations(talk) == ["33 bytes, with an ATT_MTU of 23 (Core 5.4 Vol 3 Part F 3.2.8)"])
        try talk.exchange(.exchangeMTURequest(mtu: 100), .exchangeMTUResponse(mtu: 50))
        try talk.att(.handleValueNotification(handle: 3, value: long), isFromHost: false)
        #expect(violations(talk).count == 1)
        try talk.att(.exchangeMTURequest(mtu: 100), isFromHost: true)
        #expect(
            violations(talk).last
                == "a second Exchange MTU Request (Core 5.4 Vol 3 Part F 3.4.2.1)")
        var indicating = Talk()
        try indicating.connect()
        for isConfirmed in [true, false, false] {
            try indicating.att(.handleValueIndication(handle: 3, value: [1]), isFromHost: false)
            guard isConfirmed else { continue }
            try indicating.att(.handleValueConfirmation, isFromHost: true)
        }
        #expect(
            violations(indicating) == [
                "an indication before the previous one is confirmed (Core 5.4 Vol 3 Part F 3.3.2)"
            ])
    }

    @Test("A host sends nothing after its transaction timed out, but may still answer")
    func transactionTimeout() throws {
        let late = "(Core 5.4 Vol 3 Part F 3.3.3)"
        let note = ATTPacket.writeCommand(handle: 3, value: [1])
        /// Returns the violations of packets, each with its sender and its time in milliseconds.
        func violations(
            _ packets: [(ATTPacket, isFromHost: Bool, at: Int64?)], isWhole: Bool = true
        ) throws -> [String] {
            var talk = Talk()
            if isWhole { try talk.connect() }
            for packet in packets {
                talk.decoder.now = packet.at.map { Timestamp(nanoseconds: $0 * 1_000_000) }
                try talk.att(packet.0, isFromHost: packet.isFromHost)
            }
            return talk.messages.compactMap(\.content.violation)
        }
        let read = ATTPacket.readRequest(handle: 3)
        let value = ATTPacket.readResponse(value: [1])
        let indication = ATTPacket.handleValueIndication(handle: 3, value: [1])
        let after = "a packet after a transaction timed out \(late)"
        #expect(try violations([(read, true, 0), (note, true, 31_000)]) == [after])
        #expect(try violations([(read, true, 0), (read, true, 31_000)]) == [after])
        #expect(
            try violations([(read, true, 0), (value, false, 31_000), (read, true, 32_000)])
                == [after])
        #expect(try violations([(indication, true, 0), (note, true, 31_000)]) == [after])
        #expect(try violations([(read, false, 0), (value, true, 31_000)]) == [])
        #expect(
            try violations([(indication, false, 0), (.handleValueConfirmation, true, 31_000)])
                == [])
        // What is in time, another side's, of another clock, or of a link that began before.
        for now in [29_000, 30_300, 3_600_000, -31_000, nil] as [Int64?] {
            #expect(try violations([(read, true, 0), (note, true, now)]) == [])
        }
        #expect(try violations([(read, true, 0), (value, false, 31_000)]) == [])
        #expect(try violations([(read, false, 0), (note, false, 31_000)]) == [])
        #expect(try violations([(read, true, 0), (value, false, 1), (note, true, 31_000)]) == [])
        #expect(try violations([(read, true, 0), (note, true, 31_000)], isWhole: false) == [])
        #expect(try violations([(read, false, 0), (note, true, 31_000)]) == [])
    }

    @Test("An answer to a request that could not be read is not a violation")
    func answersToUnreadRequests() throws {
        for request: [UInt8] in [[0x0A, 1], [0x3E, 1], [0x1D]] {
            var talk = Talk()
            try talk.connect()
            try talk.attribute(request, isFromHost: true)
            try talk.attribute([0x01, request[0], 0, 0, 0x04], isFromHost: false)
            let wrong = talk.messages.filter { $0.content.violation != nil }
            #expect(wrong.allSatisfy { $0.isFromHost }, "\(request)")
        }
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
