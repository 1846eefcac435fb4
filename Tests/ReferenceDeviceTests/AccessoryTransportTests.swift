import ExternalAccessory
import TestSupport
import Testing

@testable import AccessoryBus
@testable import conform_device

/// A transport, with the bus played by a test.
private struct TransportRig {
    private var transport: AccessoryTransport
    private(set) var actions: [AccessoryTransport.Action] = []
    /// The sessions in the order of their requests.
    private(set) var sessions: [AccessoryTransport.Connection] = []

    init(_ change: (inout AccessoryUse) -> Void = { _ in }) {
        var settings = AccessoryUse()
        change(&settings)
        transport = AccessoryTransport(settings: settings)
    }

    mutating func feed(_ input: AccessoryTransport.Input) {
        let new = transport.handle(input, at: .zero)
        actions += new
        for case .connect(let connection) in new where connection != .bus(.control) {
            sessions.append(connection)
        }
    }

    mutating func receive(
        _ bytes: [UInt8], _ connection: AccessoryTransport.Connection = .bus(.control)
    ) {
        feed(.received(connection, bytes))
    }

    /// Opens the control connection and announces accessories.
    mutating func announce(_ accessories: ExternalAccessory.Accessory...) {
        feed(.connected(.bus(.control)))
        receive(
            accessories.flatMap(ExternalAccessory.BusLine.accessory)
                + ExternalAccessory.BusLine.ready)
    }

    /// What was sent on the connections, as text.
    var sent: [String] {
        actions.compactMap {
            if case .send(let bytes, _) = $0 { String(decoding: bytes, as: UTF8.self) } else { nil }
        }
    }
}

@Suite("Transport over accessories")
struct AccessoryTransportTests {
    private let hub = ExternalAccessory.Accessory(
        id: 4, name: "Hub",
        protocols: ["com.smartdevicelink.prot0", "com.smartdevicelink.prot17"])

    @Test("A session over the hub has its lines, its index, and the app's bytes in both directions")
    func overHub() throws {
        var rig = TransportRig()
        rig.feed(.app(.connect))
        #expect(rig.actions == [.connect(.bus(.control))])
        rig.announce(hub)
        #expect(rig.actions.contains(.reachable))
        let control = try #require(rig.sessions.first)
        rig.feed(.connected(control))
        rig.receive(Array("opened 1\n".utf8) + [17], control)
        #expect(rig.actions.contains(.close(control)))
        #expect(rig.sessions.count == 2)
        let data = try #require(rig.sessions.last)
        rig.feed(.connected(data))
        #expect(!rig.actions.contains(.appConnected))
        rig.receive(Array("opened 2\n".utf8), data)
        #expect(rig.actions.contains(.appConnected))
        rig.feed(.app(.send([1, 2])))
        #expect(rig.actions.last == .send([1, 2], data))
        rig.receive([3], data)
        #expect(rig.actions.last == .deliver([3]))
        #expect(
            rig.sent.prefix(3) == [
                "EA-BUS/1 control\n", "EA-BUS/1 session 4 com.smartdevicelink.prot0\n",
                "EA-BUS/1 session 4 com.smartdevicelink.prot17\n",
            ])
        rig.feed(.app(.close))
        #expect(rig.actions.contains(.close(data)))
        rig.feed(.disconnected(data, "end"))
        #expect(!rig.actions.contains(.appDisconnected("end")))
    }

    @Test("The app is notified of a bus that cannot be reached, and tries again")
    func unreachable() {
        var rig = TransportRig()
        rig.feed(.app(.connect))
        rig.feed(.connectFailed(.bus(.control), "refused"))
        #expect(rig.actions.last == .appConnectFailed("refused"))
        rig.feed(.app(.connect))
        #expect(rig.actions.count { $0 == .connect(.bus(.control)) } == 2)
        rig.announce()
        #expect(!rig.actions.contains(.startTimer(.again, milliseconds: 500)))
    }

    @Test("The transport reconnects a bus that is lost later")
    func lost() {
        var rig = TransportRig()
        rig.feed(.app(.connect))
        rig.announce()
        rig.feed(.disconnected(.bus(.control), "reset"))
        #expect(rig.actions.last == .startTimer(.again, milliseconds: 500))
        rig.feed(.timerFired(.again))
        #expect(rig.actions.last == .connect(.bus(.control)))
        rig.announce(hub)
        #expect(rig.sessions.count == 1)
    }

    @Test(
        "Sessions that cannot be opened, that are refused or that stay silent are failed attempts")
    func failures() throws {
        var rig = TransportRig {
            $0.createSessionRetries = 3
            $0.sessionTimeout = 77
        }
        rig.feed(.app(.connect))
        rig.announce(hub)
        rig.feed(.connectFailed(try #require(rig.sessions.last), "refused"))
        rig.feed(.timerFired(.setup))
        #expect(rig.sessions.count == 2)
        rig.receive(Array("refused busy\n".utf8), try #require(rig.sessions.last))
        rig.feed(.timerFired(.setup))
        #expect(rig.sessions.count == 3)
        #expect(rig.actions.last == .startTimer(.setup, milliseconds: 77))
        rig.feed(.timerFired(.setup))
        #expect(rig.actions.contains(.close(try #require(rig.sessions.last))))
        rig.feed(.timerFired(.setup))
        #expect(rig.sessions.count == 3)
        let events = rig.actions.compactMap { action -> String? in
            if case .log(let line) = action { line["event"]?.stringValue } else { nil }
        }
        #expect(events.suffix(2) == ["createSessionRetriesExhausted", "setupEnded"])
    }

    @Test("A line of the bus that cannot be read is logged")
    func malformed() {
        var rig = TransportRig()
        rig.feed(.app(.connect))
        rig.feed(.connected(.bus(.control)))
        rig.receive(Array("hello\n".utf8))
        guard case .log(let line)? = rig.actions.last else {
            Issue.record("no log line")
            return
        }
        #expect(line["event"] == "busMalformed")
    }

    @Test(
        "Whatever the accessory side sends, the app is notified only of a connection that is open")
    func fuzz() {
        var random = SeededGenerator(seed: 0xACC)
        let lines = [
            ExternalAccessory.BusLine.ready, ExternalAccessory.BusLine.accessory(hub),
            ExternalAccessory.BusLine.connected(hub), ExternalAccessory.BusLine.disconnected(id: 4),
            ExternalAccessory.BusLine.opened(session: 1), ExternalAccessory.BusLine.refused("x"),
            [17], [0], [10], Array("{\"connected\":{}}\n".utf8), [0xFF, 10],
        ]
        for _ in 0..<200 {
            var rig = TransportRig { $0.createSessionRetries = 2 }
            rig.feed(.app(.connect))
            for _ in 0..<40 {
                let line = lines[random.below(lines.count)]
                let connection = random.below(3) == 0 ? nil : rig.sessions.last
                switch random.below(8) {
                case 0: rig.feed(.connected(connection ?? .bus(.control)))
                case 1: rig.feed(.timerFired(random.below(2) == 0 ? .setup : .again))
                case 2: rig.feed(.disconnected(connection ?? .bus(.control), "end"))
                case 3: rig.feed(.app(random.below(2) == 0 ? .connect : .send([1])))
                default: rig.receive(line, connection ?? .bus(.control))
                }
            }
            var stands = false
            for action in rig.actions {
                switch action {
                case .appConnected:
                    #expect(!stands)
                    stands = true
                case .appDisconnected:
                    #expect(stands)
                    stands = false
                case .deliver: #expect(stands)
                default: break
                }
            }
        }
    }
}
