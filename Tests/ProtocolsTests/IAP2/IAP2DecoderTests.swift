import Testing

@testable import ExternalAccessory
@testable import SDL

@Suite("iAP2: dissection of a connection")
struct IAP2DecoderTests {
    private typealias Bench = IAP2Bench

    @Test("A talk of both ends is dissected from the detection to the end of a session")
    func wholeTalk() {
        var talk = IAP2Talk()
        talk.settle()
        let id = talk.device.open("com.smartdevicelink.multisession", at: talk.now) ?? 0
        talk.settle()
        talk.accessory.open(session: id, at: talk.now)
        talk.settle()
        talk.device.send(Bench.startService, session: id, at: talk.now)
        talk.settle()
        talk.accessory.send(
            [0x10, 7, 2, 1, 0, 0, 0, 0], session: id, at: talk.now)
        talk.settle()
        talk.device.close(session: id, at: talk.now)
        talk.settle()
        var bench = Bench()
        for (side, bytes) in talk.written { bench.send(bytes, from: side) }
        #expect(
            bench.names == [
                "iap2.detection", "iap2.detection", "iap2.SYN", "iap2.SYN-ACK",
                "iap2.StartIdentification", "iap2.IdentificationInformation", "ea.connected",
                "ea.accessory", "iap2.IdentificationAccepted",
                "iap2.StartExternalAccessoryProtocolSession",
                "ea.open", "iap2.StatusExternalAccessoryProtocolSession", "ea.opened",
                "sdl.StartService", "sdl.StartServiceACK",
                "iap2.StopExternalAccessoryProtocolSession", "ea.close",
            ])
        #expect(bench.found.allSatisfy { $0.message.content.anomalies.isEmpty })
        let sides = bench.found.map(\.side)
        #expect(sides[7] == Bench.accessory && sides[10] == Bench.device)
        #expect(bench.found[7].field("ea.accessory_id") == 7)
        #expect(
            bench.found[7].field("ea.protocols")
                == ["com.smartdevicelink.prot0", "com.smartdevicelink.multisession"])
        for place in [10, 12, 16] {
            #expect(
                bench.found[place].field("ea.protocol") == "com.smartdevicelink.multisession")
            #expect(bench.found[place].field("ea.session_id") == .integer(Int64(id)))
        }
        #expect(bench.found[2].field("link.max_outstanding") == 8)
    }

    @Test("A repeated packet is reported but not delivered again, and one that is ahead waits")
    func order() {
        var bench = Bench()
        bench.synchronise()
        bench.send(Bench.stream(12, 1, [0xBB]), from: Bench.accessory)
        bench.send(Bench.stream(11, 1, [0xAA]), from: Bench.accessory)
        bench.send(Bench.stream(12, 1, [0xBB]), from: Bench.accessory)
        bench.send(Bench.stream(11, 1, [0xAA]), from: Bench.accessory)
        let names = bench.names.dropFirst(2)
        #expect(names == ["ea.data", "ea.data", "iap2.retransmission", "iap2.retransmission"])
        #expect(bench.found[2].field("ea.data") == .bytes([0xAA]))
        #expect(bench.found[3].field("ea.data") == .bytes([0xBB]))
        #expect(bench.found[2].message.ranges != bench.found[3].message.ranges)
    }

    @Test("Sequence numbers continue at 0 after 255")
    func wrap() {
        var bench = Bench()
        let payload = IAP2.LinkSynchronization().bytes
        bench.send(IAP2.Packet(.syn, sequence: 253, payload: payload), from: Bench.accessory)
        for number in [254, 255, 0, 1, 0] as [UInt8] {
            bench.send(Bench.stream(number, 1, [number]), from: Bench.accessory)
        }
        #expect(
            bench.names.dropFirst() == [
                "ea.data", "ea.data", "ea.data", "ea.data", "iap2.retransmission",
            ])
    }

    @Test("An SDL frame in two packets has the ranges of both, without their headers")
    func ranges() {
        var bench = Bench()
        bench.synchronise()
        let before = bench.oldestPendingOffset(of: Bench.accessory)
        bench.send(Bench.stream(11, 1, Array(Bench.startService.prefix(5))), from: Bench.accessory)
        #expect(bench.oldestPendingOffset(of: Bench.accessory) == before + 11)
        bench.send(
            Bench.stream(12, 1, Array(Bench.startService.dropFirst(5))), from: Bench.accessory)
        #expect(bench.names.last == "sdl.StartService")
        let second = before + 17
        #expect(
            bench.found.last?.message.ranges == [
                (before + 11)..<(before + 16), (second + 11)..<(second + 14),
            ])
    }

    @Test("A control message may span packets")
    func longControl() {
        var bench = Bench()
        bench.synchronise()
        let bytes = Bench.identification.message.bytes
        bench.send(Bench.data(11, Array(bytes.prefix(40)), session: 1), from: Bench.accessory)
        #expect(bench.found.count == 2)
        bench.send(Bench.data(12, Array(bytes.dropFirst(40)), session: 1), from: Bench.accessory)
        #expect(
            bench.names.dropFirst(2)
                == ["iap2.IdentificationInformation", "ea.connected", "ea.accessory"])
        #expect(bench.found.last?.message.ranges.count == 2)
    }

    @Test("The byte of a hub session is data at once, even if frames can begin with it")
    func hub() {
        var bench = Bench()
        bench.synchronise()
        bench.send(Bench.control(11, Bench.identification.message), from: Bench.accessory)
        bench.send(
            Bench.control(201, .startSession(protocolID: 1, sessionID: 5)), from: Bench.device)
        bench.send(Bench.control(12, .sessionStatus(5, 0)), from: Bench.accessory)
        bench.send(Bench.stream(13, 5, [0x10]), from: Bench.accessory)
        #expect(bench.names.last == "ea.data")
        #expect(bench.found.last?.field("ea.protocol") == "com.smartdevicelink.prot0")
    }

    @Test("A session that is not opened is refused, and either side closes an open one")
    func refusedAndClosed() {
        var bench = Bench()
        bench.synchronise()
        bench.send(Bench.control(11, Bench.identification.message), from: Bench.accessory)
        for id in 1...3 as ClosedRange<UInt16> {
            bench.send(
                Bench.control(200 &+ UInt8(id), .startSession(protocolID: 2, sessionID: id)),
                from: Bench.device)
        }
        let start = bench.found.count
        bench.send(Bench.control(12, .sessionStatus(1, 1)), from: Bench.accessory)
        bench.send(Bench.control(13, .sessionStatus(2, 0)), from: Bench.accessory)
        bench.send(Bench.control(14, .sessionStatus(2, 1)), from: Bench.accessory)
        bench.send(Bench.control(204, .stopSession(3)), from: Bench.device)
        let stated = bench.found.dropFirst(start).filter { $0.name.hasPrefix("ea.") }
        #expect(stated.map(\.name) == ["ea.refused", "ea.opened", "ea.close", "ea.close"])
        #expect(stated.first?.field("ea.reason") == "status 1")
        #expect(
            stated.map(\.side)
                == [Bench.accessory, Bench.accessory, Bench.accessory, Bench.device])
    }

    @Test("Bytes in flight when the other side ended a session still belong to it")
    func late() {
        for first in [3, Bench.startService.count] {
            var bench = Bench()
            bench.synchronise()
            bench.send(Bench.control(11, Bench.identification.message), from: Bench.accessory)
            bench.send(
                Bench.control(201, .startSession(protocolID: 2, sessionID: 9)),
                from: Bench.device)
            bench.send(Bench.control(12, .sessionStatus(9, 0)), from: Bench.accessory)
            let start = bench.found.count
            let (head, rest) = (
                Bench.startService.prefix(first), Bench.startService.dropFirst(first)
            )
            bench.send(Bench.stream(202, 9, Array(head)), from: Bench.device)
            bench.send(Bench.control(13, .sessionStatus(9, 1)), from: Bench.accessory)
            if !rest.isEmpty { bench.send(Bench.stream(203, 9, Array(rest)), from: Bench.device) }
            bench.send(Bench.stream(204, 9, Bench.startService), from: Bench.device)
            bench.send(Bench.control(205, .stopSession(9)), from: Bench.device)
            bench.send(Bench.stream(206, 9, Bench.startService), from: Bench.device)
            bench.finish(Bench.device)
            bench.finish(Bench.accessory)
            let stated = bench.found.dropFirst(start).filter { !$0.name.hasPrefix("iap2.") }
            #expect(stated.filter { $0.name == "sdl.StartService" }.count == 3)
            #expect(stated.filter { $0.name == "ea.close" }.count == 1)
            #expect(stated.first { $0.name == "ea.close" }?.side == Bench.accessory)
            #expect(!stated.contains { $0.name == "ea.data" })
        }
    }

    @Test("A session number that is used again is another session")
    func numberUsedAgain() {
        var bench = Bench()
        bench.synchronise()
        bench.send(Bench.control(11, Bench.identification.message), from: Bench.accessory)
        for (round, string) in [(0, UInt8(2)), (1, 1)] {
            let number = UInt8(201 + round * 3)
            bench.send(
                Bench.control(number, .startSession(protocolID: string, sessionID: 9)),
                from: Bench.device)
            bench.send(
                Bench.control(UInt8(12 + round * 2), .sessionStatus(9, 0)), from: Bench.accessory)
            bench.send(Bench.stream(number + 1, 9, [7]), from: Bench.device)
            bench.send(
                Bench.control(UInt8(13 + round * 2), .sessionStatus(9, 1)), from: Bench.accessory)
            bench.send(Bench.stream(number + 2, 9, [8]), from: Bench.device)
        }
        bench.finish(Bench.device)
        let data = bench.found.filter { $0.name == "ea.data" }
        #expect(
            data.map { $0.field("ea.protocol")?.stringValue?.suffix(5) }
                == ["ssion", "ssion", "prot0", "prot0"])
    }

    @Test(
        "A reset or the end of the connection closes open sessions once, by the side that ended it")
    func ends() {
        for isReset in [true, false] {
            var bench = Bench()
            bench.synchronise()
            bench.send(
                Bench.control(201, .startSession(protocolID: 2, sessionID: 9)),
                from: Bench.device)
            let start = bench.found.count
            if isReset {
                bench.send(IAP2.Packet(.rst, sequence: 10), from: Bench.accessory)
                #expect(bench.names.dropFirst(start) == ["iap2.RST", "ea.close"])
            } else {
                bench.finish(Bench.accessory)
                bench.finish(Bench.device)
                #expect(bench.names.dropFirst(start) == ["ea.close"])
            }
            #expect(bench.found.last?.side == Bench.accessory)
        }
        var bench = Bench()
        bench.synchronise()
        bench.send(
            Bench.control(201, .startSession(protocolID: 2, sessionID: 9)), from: Bench.device)
        bench.finish(Bench.accessory, .captureEnded)
        bench.finish(Bench.device, .captureEnded)
        #expect(!bench.names.contains("ea.close"))
    }

    @Test("Damaged packets are reported with the reason, and the next packet is found")
    func damage() {
        var bench = Bench()
        bench.synchronise()
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
        var bench = Bench()
        bench.synchronise()
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
        var bench = Bench()
        bench.synchronise()
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
            var bench = Bench()
            bench.synchronise()
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
        var bench = Bench()
        bench.synchronise()
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
                    .init(id: 1, kind: .control), .init(id: 3, kind: .fileTransfer),
                    .init(id: 4, kind: .init(rawValue: 9)),
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
