import ExternalAccessory
import SDL
import TCPIP
import Testing

@testable import PeerKit

@Suite("Accessories on iAP2 links")
struct IAP2AccessoryPeerTests {
    private static let hub = "com.smartdevicelink.prot0"
    private static let multisession = "com.smartdevicelink.multisession"
    private static let startService: [UInt8] = [0x10, 7, 1, 0, 0, 0, 0, 0]

    @Test("The accessory uses the phone's free connection and identifies itself on it")
    func identification() throws {
        var bench = try LinkedAccessoryBench()
        bench.call(1)
        #expect(bench.accessory(on: 1) == "Head Unit")
        #expect(bench.said == ["1 ea.connected", "1 ea.accessory"])
        bench.call(2)
        #expect(bench.accessory(on: 2) == nil)
    }

    @Test("A session is opened, and the head unit sends SDL in it")
    func session() throws {
        var bench = try LinkedAccessoryBench()
        bench.call(1)
        let requested = bench.open(Self.multisession, on: 1)
        let session = try #require(requested)
        #expect(bench.said.last == "1 ea.opened")
        bench.send(Self.startService, in: session, on: 1)
        #expect(bench.said.last == "1 sdl.StartServiceACK")
        bench.close(session, on: 1)
        #expect(bench.ended.isEmpty)
    }

    @Test("The hub sends its index, then another session carries SDL on the same link")
    func hubSession() throws {
        var bench = try LinkedAccessoryBench(["hubIndex": [4]])
        bench.call(1)
        let askedControl = bench.open(Self.hub, on: 1)
        let control = try #require(askedControl)
        #expect(bench.said.suffix(2) == ["1 ea.opened", "1 ea.data"])
        #expect(bench.stated.contains { $0.event == .data(session: control, [4]) })
        bench.close(control, on: 1)
        let askedData = bench.open("com.smartdevicelink.prot4", on: 1)
        let data = try #require(askedData)
        bench.send(Self.startService, in: data, on: 1)
        #expect(bench.said.last == "1 sdl.StartServiceACK")
    }

    @Test("Sessions are refused, ignored and dropped as the suite specifies")
    func behaviours() throws {
        var bench = try LinkedAccessoryBench([
            "sessions": ["multisession": ["refuse", "silent", "drop"]]
        ])
        bench.call(1)
        let askedFirst = bench.open(Self.multisession, on: 1)
        let first = try #require(askedFirst)
        #expect(bench.said.last == "1 ea.refused")
        #expect(bench.stated.last?.event == .refused(session: first, status: 1))
        let count = bench.said.count
        _ = bench.open(Self.multisession, on: 1)
        #expect(bench.said.count == count)
        let askedThird = bench.open(Self.multisession, on: 1)
        let third = try #require(askedThird)
        #expect(bench.said.suffix(2) == ["1 ea.opened", "1 ea.close"])
        #expect(bench.stated.last?.event == .closedSession(session: third))
    }

    @Test("A later accessory uses the free connection, and a disconnected one ends its link")
    func connectAndDisconnect() throws {
        var bench = try LinkedAccessoryBench([
            "accessories": [
                ["name": "A", "protocols": ["com.example.a"]],
                ["name": "B", "protocols": ["com.example.b"], "connected": false],
            ]
        ])
        bench.call(1)
        bench.call(2)
        #expect(bench.accessory(on: 1) == "A")
        #expect(bench.accessory(on: 2) == nil)
        try bench.perform("connect", "B")
        #expect(bench.accessory(on: 2) == "B")
        try bench.perform("disconnect", "A")
        #expect(bench.ended == [1])
    }

    @Test("Several accessories use the connections in the order in which the phone opens them")
    func severalAccessories() throws {
        var bench = try LinkedAccessoryBench([
            "accessories": [
                ["name": "A", "protocols": ["com.example.a"]],
                ["name": "B", "protocols": ["com.example.b"]],
            ]
        ])
        for port in 1...3 as ClosedRange<UInt16> { bench.call(port) }
        #expect(bench.accessory(on: 1) == "A")
        #expect(bench.accessory(on: 2) == "B")
        #expect(bench.accessory(on: 3) == nil)
    }

    @Test("Another phone with a first connection alongside a free one gets the accessory too")
    func severalPhones() throws {
        var bench = try LinkedAccessoryBench()
        bench.call(1)
        bench.call(2)
        bench.call(3)
        bench.call(4)
        #expect(bench.accessory(on: 3) == "Head Unit")
        #expect(bench.accessory(on: 2) == nil && bench.accessory(on: 4) == nil)
        for port in [1, 3] as [UInt16] {
            let requested = bench.open(Self.multisession, on: port)
            let session = try #require(requested)
            bench.send(Self.startService, in: session, on: port)
            #expect(bench.said.last == "\(port) sdl.StartServiceACK")
        }
        bench.hangUp(1)
        #expect(bench.ended == [1])
    }

    @Test("Phones that connect at the same moment are distinguished by the called address")
    func phonesTogether() throws {
        var bench = try LinkedAccessoryBench()
        let other = IPAddress(ipv4: 0x7F00_0002)
        bench.callTogether([(1, .loopback), (2, other)])
        bench.callTogether([(4, other), (3, .loopback)])
        for port in [1, 2] as [UInt16] { #expect(bench.accessory(on: port) == "Head Unit") }
        for port in [3, 4] as [UInt16] { #expect(bench.accessory(on: port) == nil) }
    }

    @Test("A link repeats unanswered packets, and link impairment may apply to them")
    func repetition() throws {
        var bench = try LinkedAccessoryBench()
        let connection = AccessoryBench.connection(1)
        let detection = [PeerCommand.packet(connection, IAP2.detection)]
        #expect(bench.begin(1) == detection)
        #expect(bench.peer.advance(to: 999_999_999).isEmpty)
        #expect(bench.peer.advance(to: 1_000_000_000) == detection)
        guard
            case .packet(connection, let syn)? = bench.peer.receive(IAP2.detection, on: connection)
                .first
        else {
            Issue.record("no SYN")
            return
        }
        let due = try #require(bench.peer.nextDeadline)
        #expect(bench.peer.advance(to: due) == [.packet(connection, syn)])
    }

    @Test("A link that is reset ends its connection, and the next free one is used")
    func brokenLink() throws {
        var bench = try LinkedAccessoryBench()
        bench.call(1)
        bench.call(2)
        bench.receive(IAP2.Packet(.rst, sequence: 0).bytes, on: 1)
        #expect(bench.ended == [1])
        bench.call(3)
        #expect(bench.accessory(on: 2) == "Head Unit" || bench.accessory(on: 3) == "Head Unit")
    }

    @Test("Messages and plain bytes of a suite are sent in the session that carries SDL")
    func carried() throws {
        var bench = try LinkedAccessoryBench()
        bench.call(1)
        let askedHub = bench.open(Self.hub, on: 1)
        let requested = bench.open(Self.multisession, on: 1)
        _ = try #require(askedHub)
        let session = try #require(requested)
        bench.send(Self.startService, in: session, on: 1)
        try bench.sendBySuite("sdl.Heartbeat")
        #expect(bench.said.last == "1 sdl.Heartbeat")
        bench.write([0xEE, 0xEE], on: 1)
        #expect(bench.stated.last?.event == .data(session: session, [0xEE, 0xEE]))
        bench.close(session, on: 1)
        let connection = AccessoryBench.connection(1)
        let plain = [PeerCommand.write(connection, [1, 2])]
        #expect(bench.peer.carry(plain) == plain)
    }
}
