import Testing

@testable import ExternalAccessory
@testable import SDL

@Suite("iAP2: damage, gaps and limits of a connection")
struct IAP2DecoderFaultTests {
    private typealias Bench = IAP2Bench

    @Test("Damaged packets are reported with the reason, and the next packet is found")
    func damage() {
        var bench = Bench.synchronised()
        var header = Bench.stream(11, 1, [1]).bytes
        header[8] ^= 1
        bench.send(header, from: Bench.accessory)
        var payload = Bench.stream(11, 1, [2]).bytes
        payload[11] ^= 1
        bench.send(payload, from: Bench.accessory)
        bench.send(Bench.stream(11, 1, [3]), from: Bench.accessory)
        let stated = bench.found.dropFirst(2)
        #expect(
            stated.map(\.name) == [
                "iap2.malformed", "iap2.malformed", "iap2.malformed", "ea.data",
            ])
        let reasons = stated.compactMap { $0.message.content.fields["error"]?.stringValue }
        #expect(reasons[0].contains("a header whose checksum"))
        #expect(reasons[1].contains("skipped"))
        #expect(reasons[2].contains("the checksum of the payload of packet 11"))
        #expect(stated.dropLast().allSatisfy { !$0.message.content.anomalies.isEmpty })
        #expect(stated.last?.field("ea.data") == .bytes([3]))
        let covered = stated.dropLast().flatMap(\.message.ranges).reduce(0) { $0 + $1.count }
        #expect(covered == header.count + payload.count)
    }

    @Test("A gap in the capture is not a fault of the sender, and the session continues after it")
    func gap() {
        var bench = Bench.synchronised()
        bench.send(Bench.stream(11, 1, Bench.startService + [0x50, 7]), from: Bench.accessory)
        let lost = Bench.stream(12, 1, [1, 0]).bytes
        bench.lose(lost.count, from: Bench.accessory)
        bench.send(Bench.stream(13, 1, Bench.startService), from: Bench.accessory)
        #expect(bench.names.last == "sdl.StartService")
        #expect(bench.names.contains("sdl.malformed"))
        let anomalies = bench.found.flatMap(\.message.content.anomalies)
        #expect(anomalies.allSatisfy { $0.severity != .violation }, "\(anomalies)")
    }

    private func violations(_ bench: Bench) -> [String] {
        bench.found.flatMap(\.message.content.anomalies).filter { $0.severity == .violation }
            .map(\.text)
    }

    @Test("A message of the control session whose beginning is missing is not a fault")
    func gapInControl() {
        var bench = Bench.synchronised()
        let message = IAP2.ControlMessage(0x5555, [.init(4, [UInt8](repeating: 7, count: 20))])
        let begin = Bench.data(11, Array(message.bytes.prefix(9)), session: 1)
        bench.lose(begin.bytes.count, from: Bench.accessory)
        bench.send(
            Bench.data(12, Array(message.bytes.dropFirst(9)), session: 1), from: Bench.accessory)
        bench.send(Bench.control(13, message), from: Bench.accessory)
        #expect(bench.names.suffix(2) == ["iap2.malformed", "iap2.ControlMessage"])
        #expect(violations(bench) == [])
    }

    @Test("A packet may be as long as either side proposes")
    func lengths() {
        for (own, other, count) in [(60, 40, 0), (40, 60, 0), (40, 40, 1)]
            as [(UInt16, UInt16, Int)]
        {
            var bench = Bench()
            bench.send(
                IAP2.Packet(
                    .syn, sequence: 10,
                    payload: IAP2.LinkSynchronization(maximumLength: own).bytes),
                from: Bench.accessory)
            bench.send(
                IAP2.Packet(
                    [.syn, .ack], sequence: 200, acknowledgement: 10,
                    payload: IAP2.LinkSynchronization(maximumLength: other).bytes),
                from: Bench.device)
            let long = Bench.stream(11, 1, [UInt8](repeating: 1, count: 45))
            bench.send(long, from: Bench.accessory)
            #expect(violations(bench).count == count)
        }
    }

    @Test("A link that is opened again with the same number is another link")
    func sameInitialNumber() {
        var bench = Bench()
        for _ in 0..<2 {
            bench.synchronise()
            for number in [UInt8(11), 12] {
                bench.send(Bench.stream(number, 1, [0xBB]), from: Bench.accessory)
            }
        }
        #expect(bench.names.filter { $0 == "iap2.SYN" }.count == 2)
        #expect(bench.names.filter { $0 == "ea.data" }.count == 4)
    }

    @Test("Where nothing is sent again, a number that was used before is not a repetition")
    func withoutRetransmission() {
        var bench = Bench()
        let payload = IAP2.LinkSynchronization(
            retransmissionTimeout: 0, acknowledgementTimeout: 0, maximumRetransmissions: 0,
            maximumAcknowledgements: 0
        ).bytes
        bench.send(IAP2.Packet(.syn, sequence: 10, payload: payload), from: Bench.accessory)
        bench.send(
            IAP2.Packet([.syn, .ack], sequence: 200, acknowledgement: 10, payload: payload),
            from: Bench.device)
        for byte in [UInt8(0xBB), 0xCC] {
            bench.send(Bench.stream(11, 1, [byte]), from: Bench.accessory)
        }
        #expect(bench.names.suffix(2) == ["ea.data", "ea.data"])
    }

    @Test("A message with more parameters than are read is not a fault")
    func manyParameters() {
        for (count, isUnread) in [
            (IAP2.Limits.parameters, false), (IAP2.Limits.parameters + 1, true),
        ] {
            var bench = Bench.synchronised()
            bench.send(
                Bench.control(
                    11, IAP2.ControlMessage(0x5555, .init(repeating: .init(1), count: count))),
                from: Bench.accessory)
            #expect((bench.found.last?.message.content.unread != nil) == isUnread)
            #expect(bench.names.last == (isUnread ? "iap2.malformed" : "iap2.ControlMessage"))
            // The packet is longer than the sides have agreed on.
            #expect(violations(bench).allSatisfy { $0.contains("above the agreed") })
        }
    }

    @Test("A missing packet that its receiver acknowledged is given up")
    func acknowledgedLoss() {
        var bench = Bench.synchronised()
        bench.send(Bench.stream(12, 1, [0xBB]), from: Bench.accessory)
        #expect(bench.found.count == 2)
        bench.send(IAP2.Packet(.ack, sequence: 200, acknowledgement: 12), from: Bench.device)
        #expect(bench.names.last == "ea.data")
    }

    @Test("In a capture that begins mid-link, control messages are decoded and other data is plain")
    func middle() {
        var bench = Bench()
        bench.send(
            Bench.control(77, .startSession(protocolID: 1, sessionID: 1)), from: Bench.device)
        bench.send(Bench.stream(78, 1, [1, 2, 3]), from: Bench.device)
        #expect(
            bench.names
                == ["iap2.StartExternalAccessoryProtocolSession", "ea.open", "iap2.data"])
        #expect(bench.found[1].field("ea.protocol") == nil)
    }

    @Test("Unknown messages, sessions and bits are reported by their numbers")
    func unknown() {
        var bench = Bench()
        bench.send(
            IAP2.Packet(
                .syn, sequence: 1,
                payload: IAP2.LinkSynchronization(sessions: [
                    .init(id: 1, .control), .init(id: 3, .fileTransfer),
                    .init(id: 4, .init(rawValue: 9)),
                ]).bytes), from: Bench.accessory)
        bench.send(
            Bench.control(2, IAP2.ControlMessage(0x5555, [.init(4, [1, 2])])),
            from: Bench.accessory)
        bench.send(Bench.data(3, [1], session: 3), from: Bench.accessory)
        bench.send(Bench.data(4, [2], session: 4), from: Bench.accessory)
        bench.send(
            IAP2.Packet(.init(rawValue: 0x44), sequence: 4), from: Bench.accessory)
        bench.send(IAP2.Packet(.slp, sequence: 4), from: Bench.accessory)
        #expect(
            bench.names.dropFirst() == [
                "iap2.ControlMessage", "iap2.data", "iap2.data", "iap2.ACK", "iap2.SLP",
            ])
        #expect(bench.found[1].field("iap2.message_id") == 0x5555)
        #expect(bench.found[1].field("parameters[0].id") == 4)
        #expect(bench.found[2].field("session_type") == 1)
        #expect(bench.found[3].field("session_type") == 9)
        #expect(bench.found[4].message.content.anomalies.first?.severity == .warning)
    }

    @Test("iAP2 is recognised by its first bytes, however few arrive at a time")
    func recognition() {
        let packet = Bench.stream(1, 1, [1]).bytes
        for (bytes, wanted) in [
            (IAP2.detection, true), (Array(IAP2.detection.prefix(3)), nil), ([0xFF], nil),
            (packet, true), (Array(packet.prefix(8)), nil), ([0xFF, 0x56], false),
            ([0xFF, 0x55, 0x03], false), ([0x10], false),
            ([0xFF, 0x5A, 0, 9, 0x40, 1, 1, 0, 0], false),
        ] as [([UInt8], Bool?)] {
            #expect(IAP2.recognises(bytes.span.bytes) == wanted, "\(bytes)")
        }
    }
}
