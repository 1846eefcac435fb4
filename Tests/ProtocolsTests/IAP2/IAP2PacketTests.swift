import Testing

@testable import BuiltInProtocols
@testable import ExternalAccessory
@testable import Wire

/// All bytes are worked out by hand.
@Suite("iAP2: packets and messages, byte by byte")
struct IAP2PacketTests {
    private func hex(_ text: String) -> [UInt8] {
        stride(from: 0, to: text.count, by: 2).compactMap { place in
            UInt8(text.dropFirst(place).prefix(2), radix: 16)
        }
    }

    @Test("A pure acknowledgement")
    func acknowledgement() {
        let packet = IAP2.Packet(.ack, sequence: 0x21, acknowledgement: 7)
        #expect(packet.bytes == hex("ff5a00094021070036"))
        let header = IAP2.PacketHeader(packet.bytes[...])
        #expect(header?.length == 9)
        #expect(header?.flags == .ack)
        #expect(header?.sequence == 0x21)
        #expect(header?.acknowledgement == 7)
    }

    @Test("A SYN with three sessions")
    func syn() throws {
        let payload = IAP2.LinkSynchronization(
            maximumOutstanding: 16, maximumLength: 8192, retransmissionTimeout: 2500,
            acknowledgementTimeout: 700, maximumRetransmissions: 6, maximumAcknowledgements: 2,
            sessions: [
                .init(id: 1, .control), .init(id: 2, .externalAccessory),
                .init(id: 3, .fileTransfer, version: 2),
            ])
        let packet = IAP2.Packet(.syn, sequence: 0x21, payload: payload.bytes)
        #expect(
            packet.bytes == hex("ff5a001d80210000e90110200009c402bc06020100010202010301022f"))
        #expect(try IAP2.LinkSynchronization(parsing: packet.payload) == payload)
    }

    @Test("A payload has a checksum of its own, and the packet length includes it")
    func payload() {
        let packet = IAP2.Packet(
            .ack, sequence: 1, acknowledgement: 2, sessionID: 10, payload: [1, 2, 3])
        // 10 + 3 bytes. The header adds up to B3h, which 4Dh completes; the payload to 6, which FAh
        // does.
        #expect(packet.bytes == hex("ff5a000d4001020a4d010203fa"))
        #expect(IAP2.checksum([] as [UInt8]) == 0)
        #expect(IAP2.checksum([0xFF, 0x02]) == 0xFF)
    }

    @Test(
        "Control messages",
        arguments: [
            (IAP2.ControlMessage.startIdentification, "404000061d00"),
            (.identificationAccepted, "404000061d02"),
            (.identificationRejected([2, 10]), "4040000e1d03000400020004000a"),
            (.startSession(protocolID: 2, sessionID: 0x0307), "40400011ea000005000002000600010307"),
            (.sessionStatus(0x0307, 0), "40400011ea030006000003070005000100"),
        ])
    func control(message: IAP2.ControlMessage, text: String) throws {
        #expect(message.bytes == hex(text))
        #expect(try IAP2.ControlMessage(parsing: hex(text)) == message)
    }

    @Test("The start of a session names the protocol and the session")
    func names() throws {
        let message = IAP2.ControlMessage.startSession(protocolID: 3, sessionID: 258)
        #expect(message.namedValues["protocolIdentifier"] == 3)
        #expect(message.namedValues["sessionIdentifier"] == 258)
    }

    @Test("An identification is decoded as encoded, with one parameter per group or one for all")
    func identification() throws {
        let identification = IAP2Bench.identification
        let message = identification.message
        #expect(try IAP2.Identification(message) == identification)
        var joined = message
        let groups = message.parameters.filter { $0.id == 10 }
        joined.parameters.removeAll { $0.id == 10 }
        joined.parameters.append(IAP2.Parameter(10, groups.flatMap(\.data)))
        #expect(try IAP2.Identification(joined) == identification)
        let named = message.namedValues
        #expect(named["manufacturer"] == "Maker")
        let protocols = named["supportedExternalAccessoryProtocol"]
        #expect(protocols?.arrayValue?.count == 2)
        #expect(protocols?.arrayValue?.last?["protocolName"] == "com.smartdevicelink.multisession")
        #expect(named["messagesReceivedFromDevice"] == [0xEA00, 0xEA01])
        #expect(named["supportedLanguage"] == ["en"])
    }

    @Test("Every known message has a unique name, a unique number and a description")
    func catalogue() {
        let kinds = IAP2.ControlMessageKind.all
        #expect(Set(kinds.map(\.id)).count == kinds.count)
        #expect(Set(kinds.map(\.name)).count == kinds.count)
        for kind in kinds {
            #expect(
                ProtocolRegistry.builtIn.message(named: "iap2.\(kind.name)") != nil, "\(kind.name)")
        }
    }

    @Test(
        "Bytes that are not a valid parameter are refused",
        arguments: [[0, 3, 0, 0], [0, 9, 0, 0, 1], [0, 4, 0], [1]] as [[UInt8]])
    func badParameters(bytes: [UInt8]) {
        #expect(throws: DecodeError.self) { try IAP2.Parameter.list(bytes) }
    }
}
