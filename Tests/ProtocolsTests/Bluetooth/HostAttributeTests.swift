import Testing
import Wire

@testable import Bluetooth

@Suite("Bluetooth: operations on attributes in a host decoder")
struct HostAttributeTests {
    private static let service = BluetoothUUID(0x180F)
    private static let notFound = ATTError.attributeNotFound.rawValue

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
}
