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
        var bench = Bench.synchronised()
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
        var bench = Bench.synchronised()
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
        var bench = Bench.synchronised()
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
        var bench = Bench.synchronised()
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
        var bench = Bench.synchronised()
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
            var bench = Bench.synchronised()
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
        var bench = Bench.synchronised()
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
            var bench = Bench.synchronised()
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
        var bench = Bench.synchronised()
        bench.send(
            Bench.control(201, .startSession(protocolID: 2, sessionID: 9)), from: Bench.device)
        bench.finish(Bench.accessory, .captureEnded)
        bench.finish(Bench.device, .captureEnded)
        #expect(!bench.names.contains("ea.close"))
    }
}
