import Testing
import Wire

@testable import Bluetooth

/// What correct senders do on links, and what they may not do.
@Suite("Bluetooth: rules of links")
struct LinkRulesTests {
    private typealias Channel = L2CAPFrame.Channel
    private typealias Service = L2CAPFrame.Service

    private static let ends = (host: UInt16(0x0041), remote: UInt16(0x0052))

    /// The names of messages with a violation.
    private func accused(_ talk: Talk) -> [String] {
        talk.messages.filter { $0.content.violation != nil }.map(\.content.name)
    }

    private func classic(_ decoder: HostDecoder? = nil) throws -> Talk {
        var talk = Talk()
        talk.decoder = decoder ?? talk.decoder
        try talk.event(
            .connectionComplete,
            [
                .status: 0, .connectionHandle: 1, .bdAddr: .address(Talk.band), .linkType: 1,
            ])
        return talk
    }

    private func signal(
        _ content: L2CAPSignal.Content, isFromHost: Bool, in talk: inout Talk
    ) throws {
        try talk.unit(
            L2CAPSignal(content, identifier: 1).bytes, to: Channel.signalling,
            isFromHost: isFromHost)
    }

    /// Opens a channel at the request of the host.
    private func open(_ psm: UInt16, in talk: inout Talk) throws {
        try signal(
            .connectionRequest(psm: psm, source: Self.ends.host), isFromHost: true, in: &talk)
        try signal(
            .connectionResponse(
                destination: Self.ends.remote, source: Self.ends.host, result: 0),
            isFromHost: false, in: &talk)
    }

    private func close(in talk: inout Talk) throws {
        let (host, remote) = Self.ends
        try signal(
            .disconnectionRequest(destination: remote, source: host), isFromHost: true, in: &talk)
        try signal(
            .disconnectionResponse(destination: remote, source: host), isFromHost: false, in: &talk)
    }

    @Test("A list of values that does not fit is cut, and its last length is that of the value")
    func cutValues() throws {
        for (bytes, values) in [
            ([1, 0, 7, 5, 0, 1, 2], [[7], [1, 2]]), ([1, 0, 7, 5], [[7]]), ([5, 0], [[]]),
        ] as [([UInt8], [[UInt8]])] {
            let packet = try ATTPacket(parsing: ([0x21] + bytes).span.bytes)
            #expect(packet == .readMultipleVariableResponse(values: values))
        }
    }

    @Test("A new channel of the Attribute Protocol owes nothing of the earlier one")
    func laterAttributeChannel() throws {
        var talk = try classic()
        for _ in 0..<2 {
            try open(Service.att, in: &talk)
            try talk.unit(
                ATTPacket.readRequest(handle: 3).bytes, to: Self.ends.remote, isFromHost: true)
            try talk.unit(
                ATTPacket.handleValueIndication(handle: 3, value: [1]).bytes, to: Self.ends.host,
                isFromHost: false)
            try close(in: &talk)
        }
        #expect(talk.names.filter { $0 == "gatt.read" }.count == 2)
        #expect(accused(talk) == [])
    }

    @Test("Units of a channel that is not in the basic mode are not read")
    func modes() throws {
        let unit: [UInt8] = [0x03, 0x08, 0x2F, 0x01, 0x1C, 0x55]
        for (mode, expected) in [(UInt8(3), []), (0, ["btrfcomm.malformed"])] {
            var talk = try classic()
            try open(Service.rfcomm, in: &talk)
            try signal(
                .configurationRequest(
                    destination: Self.ends.remote,
                    options: [.retransmission([mode] + [UInt8](repeating: 0, count: 8))]),
                isFromHost: true, in: &talk)
            try talk.unit(unit, to: Self.ends.remote, isFromHost: true)
            #expect(accused(talk) == expected)
            try talk.unit(unit, to: Self.ends.host, isFromHost: false)
            #expect(accused(talk) == expected + expected)
        }
    }

    @Test(
        "After a loss the ids of channels may have another meaning",
        arguments: [
            Service.rfcomm, Service.sdp, Service.att,
        ])
    func channelsAfterLoss(psm: UInt16) throws {
        for isLost in [true, false] {
            var talk = try classic()
            try open(psm, in: &talk)
            var lost: [HostMessage] = []
            if isLost { talk.decoder.lose(isFromHost: true, into: &lost) }
            try talk.unit([0x0A, 0x01], to: Self.ends.remote, isFromHost: true)
            #expect(accused(talk).isEmpty == isLost)
        }
    }

    @Test("A received unit without its end is a violation on Low Energy links alone")
    func flushedUnits() throws {
        let part = L2CAPFrame(channel: Self.ends.host, payload: [UInt8](repeating: 1, count: 40))
        let first = ACLPacket.fragments(of: part.bytes, handle: 1, size: 27)[0]
        for isFromHost in [true, false] {
            var classic = try classic()
            var lowEnergy = Talk()
            try lowEnergy.connect()
            for _ in 0..<2 {
                try classic.send(.acl(first), isFromHost: isFromHost)
                try lowEnergy.send(.acl(first), isFromHost: isFromHost)
            }
            #expect(accused(classic) == (isFromHost ? ["btl2cap.malformed"] : []))
            #expect(accused(lowEnergy) == ["btl2cap.malformed"])
        }
    }

    @Test("The end of a link may discard the rest of a unit")
    func endWithinUnit() throws {
        var talk = Talk()
        try talk.connect()
        let unit = L2CAPFrame(channel: 4, payload: [UInt8](repeating: 0x52, count: 40)).bytes
        try talk.send(
            .acl(ACLPacket.fragments(of: unit, handle: 1, size: 27)[0]), isFromHost: true)
        try talk.command(.disconnect, [.connectionHandle: 1, .reason: 0x13])
        try talk.event(
            .disconnectionComplete, [.status: 0, .connectionHandle: 1, .reason: 0x16])
        #expect(accused(talk) == [])
        #expect(talk.names.suffix(2) == ["le.disconnect", "le.disconnected"])
    }

    @Test("Links for voice and isochronous streams are not links of data")
    func voice() throws {
        for event in [
            HCIEvent(HCIEventKind(0x2C), rest: [0, 5, 0] + [UInt8](repeating: 2, count: 14)),
            HCIEvent(
                HCIEventKind(HCIEventKind.leMetaCode, subevent: 0x19),
                rest: [0, 5, 0] + [UInt8](repeating: 2, count: 25)),
            HCIEvent(
                .connectionComplete,
                [.status: 0, .connectionHandle: 5, .bdAddr: .address(Talk.band), .linkType: 0]),
        ] {
            var talk = Talk()
            try talk.event(.connectionRequest, [.bdAddr: .address(Talk.band), .linkType: 2])
            try talk.send(.event(event))
            try talk.command(.disconnect, [.connectionHandle: 5, .reason: 0x13])
            try talk.event(
                .disconnectionComplete, [.status: 0, .connectionHandle: 5, .reason: 0x16])
            #expect(talk.names == [])
            // The handle of a later link may be the same.
            try talk.connect(5)
            try talk.command(.disconnect, [.connectionHandle: 5, .reason: 0x13])
            #expect(talk.names == ["le.connected", "le.disconnect"])
        }
    }

    @Test("The channels of a link that began before the capture show its kind")
    func kindOfLateLink() throws {
        for (channel, name) in [
            (Channel.attributes, "le.disconnected"), (Channel.signalling, "bredr.disconnected"),
        ] {
            var talk = Talk()
            try talk.unit([0x0A, 1, 0], to: channel, isFromHost: true)
            try talk.event(
                .disconnectionComplete, [.status: 0, .connectionHandle: 1, .reason: 0x13])
            #expect(talk.names.last == name)
        }
    }

    @Test("The bytes of a serial channel do not continue those of an earlier one")
    func laterSerialChannel() throws {
        var talk = try classic(HostDecoder(of: DissectionStack([Counted.streamProtocol])))
        for isClosed in [true, false, true] {
            try open(Service.rfcomm, in: &talk)
            for frame in [
                RFCOMMFrame(.sabm, dlci: 6), RFCOMMFrame(.uih, dlci: 6, payload: [3, 1]),
            ] {
                try talk.unit(frame.bytes, to: Self.ends.remote, isFromHost: true)
            }
            if isClosed { try close(in: &talk) }
        }
        #expect(!talk.messages.contains { $0.content.name == "counted.unit" })
        #expect(accused(talk) == [])
    }

    @Test("An error response of the Service Discovery Protocol may have information")
    func errorInformation() throws {
        let bytes: [UInt8] = [1, 0, 7, 0, 4, 0, 3, 9, 9]
        let packet = try SDPPacket(parsing: bytes.span.bytes)
        #expect(packet.content == .errorResponse(code: 3))
    }
}

/// A protocol of units that begin with their length, for the bytes of serial channels.
private enum Counted {
    static let streamProtocol = StreamProtocol(
        name: "counted", carriers: [.rfcomm],
        recognises: { bytes, _ in bytes.byteCount > 0 },
        makeConnectionDecoder: { _ in IndependentDirections { Decoder() } })

    private struct Unit: DissectedMessage {
        let bytes: [UInt8]
        var name: String { "counted.unit" }
        var fields: Value { .object([]) }
        var anomalies: [Anomaly] { [] }
    }

    private struct Decoder: StreamDecoder {
        private var pending: [UInt8] = []
        private var start: UInt64 = 0

        mutating func consume(
            _ bytes: RawSpan, at offset: UInt64, into messages: inout [StreamMessage]
        ) {
            if pending.isEmpty { start = offset }
            pending += [UInt8](copying: bytes)
            guard let length = pending.first, pending.count > Int(length) else { return }
            let end = start + UInt64(pending.count)
            messages.append(
                StreamMessage(content: Unit(bytes: pending), ranges: [start..<end]))
            (pending, start) = ([], end)
        }

        mutating func gap(upTo offset: UInt64, into messages: inout [StreamMessage]) {
            (pending, start) = ([], offset)
        }

        mutating func finish(into messages: inout [StreamMessage]) {}
        var oldestPendingOffset: UInt64 { start }
    }
}

/// What senders may not do.
@Suite("Bluetooth: violations that a receiver sees")
struct LinkViolationsTests {
    private func isAccused(_ request: ATTPacket, _ answer: ATTPacket) throws -> Bool {
        var talk = Talk()
        try talk.connect()
        try talk.exchange(request, answer)
        return talk.messages.contains { $0.content.violation != nil }
    }

    @Test("The handles of an answer ascend and are those that were requested")
    func handles() throws {
        let range = ATTPacket.Handles(3, 9)
        let type = BluetoothUUID(0x2803)
        for (handles, isWrong) in [
            ([3, 4, 9], false), ([3, 3], true), ([5, 4], true), ([2], true), ([10], true),
        ] as [([UInt16], Bool)] {
            let items = handles.map { ATTPacket.Attribute(handle: $0, value: [1]) }
            let groups = handles.map { ATTPacket.Group(.init($0, 0xFFFF), value: [0x0F, 0x18]) }
            for (request, answer) in [
                (.readByTypeRequest(range, type: type), .readByTypeResponse(items)),
                (.readByGroupTypeRequest(range, type: type), .readByGroupTypeResponse(groups)),
                (
                    .findInformationRequest(range),
                    .findInformationResponse(handles.map { .init(handle: $0, type: type) })
                ),
                (
                    .findByTypeValueRequest(range, type: 0x2800, value: [0x0F, 0x18]),
                    .findByTypeValueResponse(handles.map { .init($0, 0xFFFF) })
                ),
            ] as [(ATTPacket, ATTPacket)] {
                #expect(try isAccused(request, answer) == isWrong, "\(answer)")
            }
        }
        // A server that answers to an impossible range is not defined.
        #expect(
            try !isAccused(
                .readByTypeRequest(.init(0, 9), type: type),
                .readByTypeResponse([.init(handle: 3, value: [1])])))
    }

    @Test("A prepared write is repeated as it was requested")
    func preparedWrites() throws {
        let request = ATTPacket.prepareWriteRequest(handle: 3, offset: 2, value: [1, 2])
        for (answer, isWrong) in [
            (.prepareWriteResponse(handle: 3, offset: 2, value: [1, 2]), false),
            (.prepareWriteResponse(handle: 4, offset: 2, value: [1, 2]), true),
            (.prepareWriteResponse(handle: 3, offset: 0, value: [1, 2]), true),
            (.prepareWriteResponse(handle: 3, offset: 2, value: [1]), true),
        ] as [(ATTPacket, Bool)] {
            #expect(try isAccused(request, answer) == isWrong)
        }
    }

    @Test("A value has at most 512 bytes")
    func longValues() throws {
        for (count, isWrong) in [(512, false), (513, true)] {
            var talk = Talk()
            try talk.connect()
            try talk.exchange(.exchangeMTURequest(mtu: 600), .exchangeMTUResponse(mtu: 600))
            let value = [UInt8](repeating: 1, count: count)
            try talk.att(.handleValueIndication(handle: 3, value: value), isFromHost: false)
            try talk.att(.handleValueConfirmation, isFromHost: true)
            try talk.att(.writeRequest(handle: 3, value: value), isFromHost: true)
            let wrong = talk.messages.filter { $0.content.violation != nil }
            #expect(wrong.map(\.content.name) == (isWrong ? ["btatt.HandleValueIndication"] : []))
        }
    }

    @Test("Parameters of channels and links have limits")
    func signals() {
        let credits = L2CAPSignal.Credits(mtu: 64, mps: 64, initial: 0)
        let few = L2CAPSignal.Credits(mtu: 22, mps: 22, initial: 0)
        for (content, count) in [
            (.lowEnergyConnectionRequest(psm: 0x80, source: 0x40, credits), 0),
            (.lowEnergyConnectionRequest(psm: 0x80, source: 0x3F, few), 3),
            (.lowEnergyConnectionResponse(destination: 0x40, credits, result: 0), 0),
            (.lowEnergyConnectionResponse(destination: 0, few, result: 2), 0),
            (.lowEnergyConnectionResponse(destination: 0, few, result: 0), 3),
            (.creditConnectionRequest(psm: 0x27, credits, sources: [0x40, 0x41]), 0),
            (.creditConnectionRequest(psm: 0x27, few, sources: [0x40, 0x3F]), 3),
            (.creditIndication(channel: 0x40, credits: 1), 0),
            (.creditIndication(channel: 0x40, credits: 0), 1),
            (.connectionResponse(destination: 0, source: 0x40, result: 1), 0),
            (.connectionResponse(destination: 0, source: 0x40, result: 0), 1),
            (.parameterUpdateRequest(minimum: 6, maximum: 6, latency: 499, timeout: 3_200), 0),
            (.parameterUpdateRequest(minimum: 7, maximum: 6, latency: 0, timeout: 100), 1),
            (.parameterUpdateRequest(minimum: 5, maximum: 6, latency: 0, timeout: 100), 1),
            (.parameterUpdateRequest(minimum: 6, maximum: 6, latency: 500, timeout: 100), 1),
            (.parameterUpdateRequest(minimum: 6, maximum: 6, latency: 0, timeout: 9), 1),
        ] as [(L2CAPSignal.Content, Int)] {
            let found = L2CAPSignal(content, identifier: 1).anomalies(
                isLowEnergy: true, isFirst: true)
            #expect(found.count == count, "\(content)")
        }
    }

    @Test("The size of a key is 7 to 16 bytes")
    func keySizes() {
        for (size, isWrong) in [(UInt8(7), false), (16, false), (6, true), (17, true)] {
            let packet = SMPPacket.pairingRequest(.init(maximumKeySize: size))
            let message = PacketMessage(
                packet: packet, bytes: packet.bytes, anomalies: packet.anomalies)
            #expect((message.violation != nil) == isWrong)
        }
    }
}
