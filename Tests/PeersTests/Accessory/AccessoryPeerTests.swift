import ExternalAccessory
import SuiteLanguage
import Testing
import Wire

@testable import PeerKit
@testable import SDLPeers

@Suite("Accessories")
struct AccessoryPeerTests {
    private static let hub = ExternalAccessory.controlString
    private static let multisession = ExternalAccessory.multisessionString
    private static let start: [UInt8] = [0x10, 7, 1, 0, 0, 0, 0, 0]

    private static func accessory(
        _ name: String, _ protocols: [Value], connected: Bool = true
    ) -> Value {
        [
            "name": .string(name), "protocols": .array(protocols), "connected": .bool(connected),
        ]
    }

    @Test("a phone gets the connected accessories, then ea.ready, and later ones as notifications")
    func announcements() throws {
        var bench = try AccessoryBench([
            "accessories": [
                Self.accessory("One", ["a.b"]), Self.accessory("Two", [], connected: false),
                Self.accessory("Three", ["c.d"]),
            ]
        ])
        try bench.control(1)
        #expect(bench.names == ["1 ea.accessory", "1 ea.accessory", "1 ea.ready"])
        try bench.control(2)
        try bench.perform("connect", "Two")
        #expect(bench.names.suffix(2) == ["1 ea.connected", "2 ea.connected"])
        #expect(bench.latest("ea.accessory_id") == 3)
        #expect(bench.latest("ea.accessory_name") == "Two")
        try bench.perform("disconnect", "Three")
        #expect(bench.latest("ea.accessory_id") == 2)
        try bench.perform("connect", "Three")
        #expect(bench.latest("ea.accessory_id") == 4)
    }

    @Test("of two accessories with one name, the first that is or is not connected is meant")
    func accessoriesOfOneName() throws {
        var bench = try AccessoryBench([
            "accessories": [
                Self.accessory("Same", ["a.b"]), Self.accessory("Same", ["c.d"], connected: false),
            ]
        ])
        try bench.control(1)
        try bench.perform("connect", "Same")
        #expect(bench.latest("ea.accessory_id") == 2)
        #expect(throws: PeerError.self) { try bench.perform("connect", "Same") }
        try bench.perform("disconnect", "Same")
        #expect(bench.latest("ea.accessory_id") == 1)
        try bench.perform("disconnect", "Same")
        #expect(bench.latest("ea.accessory_id") == 2)
        try bench.perform("connect", "Same")
        #expect(bench.latest("ea.accessory_id") == 3)
    }

    @Test("bytes that are not SDL are sent back if the accessory echoes")
    func echoes() throws {
        for echoes in [true, false] {
            var bench = try AccessoryBench([
                "accessories": [Self.accessory("One", ["a.b"])], "echoes": .bool(echoes),
            ])
            try bench.open(1, "a.b")
            #expect(bench.names == ["1 ea.opened"])
            try bench.phone(1, Array("hello".utf8))
            #expect(bench.names.dropFirst() == (echoes ? ["1 ea.data"] : []))
        }
    }

    @Test("a notification without a phone to receive it is sent to the first phone that connects")
    func untold() throws {
        var bench = try AccessoryBench([
            "accessories": [
                Self.accessory("One", ["a.b"]), Self.accessory("Two", [], connected: false),
            ]
        ])
        try bench.perform("connect", "Two")
        try bench.control(1)
        #expect(bench.names == ["1 ea.accessory", "1 ea.ready", "1 ea.connected"])
        try bench.control(2)
        #expect(
            bench.names.suffix(3) == ["2 ea.accessory", "2 ea.accessory", "2 ea.ready"])
    }

    @Test("the hub sends its index after the answer, and the next index in the next session")
    func index() throws {
        var bench = try AccessoryBench(["hubIndex": [31, 4]])
        for (port, index) in [(1, 31), (2, 4), (3, 4)] as [(UInt16, UInt8)] {
            try bench.open(port, Self.hub)
            #expect(bench.names.suffix(2) == ["\(port) ea.opened", "\(port) ea.data"])
            #expect(bench.latest("ea.data") == .bytes([index]))
            #expect(bench.latest("ea.session_id") == .integer(Int64(port)))
        }
    }

    @Test("without a setting the index is that of the first dedicated string declared")
    func defaultIndex() throws {
        for (protocols, index) in [
            (["com.smartdevicelink.prot7", "com.smartdevicelink.prot0"], 7 as UInt8?),
            (["com.smartdevicelink.prot0", "com.smartdevicelink.prot30"], nil),
        ] {
            var bench = try AccessoryBench([
                "accessories": [Self.accessory("A", protocols.map { .string($0) })]
            ])
            try bench.open(1, Self.hub)
            #expect(bench.latest("ea.data") == index.map { .bytes([$0]) })
        }
    }

    @Test("an index may also be sent late, only by the suite")
    func lateIndex() throws {
        var bench = try AccessoryBench(["hubIndex": []])
        #expect(throws: PeerError.self) { try bench.perform("index", 4) }
        try bench.open(1, Self.hub)
        #expect(bench.names == ["1 ea.opened"])
        try bench.perform("index", 4)
        #expect(bench.latest("ea.data") == .bytes([4]))
        try bench.perform("indices", [0, 4])
        #expect(bench.latest("ea.data") == .bytes([0, 4]))
        #expect(throws: PeerError.self) { try bench.perform("indices", [4, 256]) }
    }

    @Test("each session of a kind of string has its own setting, and the last setting repeats")
    func behaviours() throws {
        var bench = try AccessoryBench([
            "sessions": [
                "multisession": ["refuse", "silent", "drop", "accept"], "all": ["refuse"],
            ]
        ])
        for port: UInt16 in 1...5 { try bench.open(port, Self.multisession) }
        #expect(
            bench.names == ["1 ea.refused", "3 ea.opened", "4 ea.opened", "5 ea.opened"])
        #expect(bench.ends == ["close 1", "close 3"])
        try bench.open(6, ExternalAccessory.legacyString)
        #expect(bench.names.last == "6 ea.refused")
    }

    @Test("an undeclared string and an accessory that is not connected are refused")
    func undeclared() throws {
        var bench = try AccessoryBench([
            "accessories": [
                Self.accessory("A", ["a.b"]), Self.accessory("B", ["c.d"], connected: false),
            ]
        ])
        try bench.open(1, "c.d")
        #expect(bench.latest("ea.reason") == "c.d is not declared")
        try bench.open(2, "c.d", accessory: 2)
        #expect(bench.latest("ea.reason") == "no such accessory")
        #expect(bench.ends == ["close 1", "close 2"])
    }

    @Test("a head unit serves several sessions of one string at the same time, but not the hub's")
    func headUnit() throws {
        var bench = try AccessoryBench(["headUnit": ["protocol": "4.1.0"]])
        try bench.open(1, Self.multisession)
        try bench.open(2, Self.multisession)
        try bench.phone(1, Self.start)
        try bench.phone(2, Self.start)
        #expect(
            bench.names.suffix(2) == ["1 sdl.StartServiceACK", "2 sdl.StartServiceACK"])
        #expect(bench.latest("sdl.version") == 4)
        try bench.send("sdl.Heartbeat", on: 1)
        #expect(bench.names.last == "1 sdl.Heartbeat")
        try bench.send("sdl.Heartbeat")
        #expect(bench.names.last == "2 sdl.Heartbeat")
        try bench.open(3, Self.hub)
        try bench.phone(3, Self.start)
        #expect(bench.names.last == "3 ea.data")
        #expect(throws: PeerError.self) { try bench.send("sdl.Heartbeat", on: 3) }
    }

    @Test("a suite may answer instead of the accessory, later and differently")
    func answers() throws {
        var bench = try AccessoryBench()
        bench.withholds = true
        try bench.open(1, Self.hub)
        try bench.open(2, Self.multisession)
        #expect(bench.names.isEmpty)
        try bench.send("ea.refused", [("ea.reason", "later")], on: 2)
        #expect(bench.latest("ea.reason") == "later")
        try bench.send("ea.opened", [("ea.session_id", 77)])
        #expect(bench.names.suffix(2) == ["1 ea.opened", "1 ea.data"])
        #expect(bench.latest("ea.session_id") == 77)
        #expect(throws: PeerError.self) { try bench.send("ea.opened", on: 1) }
        #expect(throws: PeerError.self) { try bench.send("ea.data") }
    }

    @Test("close and dropLink end the latest session once, then the one before it")
    func ends() throws {
        var bench = try AccessoryBench()
        try bench.control(1)
        for port: UInt16 in 2...3 { try bench.open(port, Self.multisession) }
        try bench.phone(3, Self.start)
        try bench.perform("dropLink")
        try bench.perform("close")
        #expect(bench.ends == ["reset 3", "close 2"])
        #expect(throws: PeerError.self) { try bench.perform("close") }
        #expect(throws: PeerError.self) { try bench.send("sdl.Heartbeat", on: 3) }
    }

    @Test("a disconnected accessory ends its own sessions only")
    func disconnect() throws {
        var bench = try AccessoryBench([
            "accessories": [
                Self.accessory("A", ["a.b"]), Self.accessory("B", ["a.b"]),
            ]
        ])
        try bench.control(1)
        try bench.open(2, "a.b", accessory: 1)
        try bench.open(3, "a.b", accessory: 2)
        try bench.perform("disconnect", "A")
        #expect(bench.names.last == "1 ea.disconnected")
        #expect(bench.ends == ["close 2"])
    }

    @Test("the phone's FIN is answered, and its connection is removed")
    func fin() throws {
        var bench = try AccessoryBench()
        try bench.open(1, Self.multisession)
        try bench.phone(1, Self.start)
        try bench.event(.fin, 1)
        #expect(bench.ends == ["close 1"])
        #expect(bench.peer.latestConnection == nil)
        try bench.open(1, Self.multisession)
        try bench.phone(1, Self.start)
        #expect(bench.names.last == "1 sdl.StartServiceACK")
        try bench.event(.rst, 1)
        #expect(throws: PeerError.self) { try bench.perform("close") }
    }

    @Test("a phone with another version of the bus is disconnected")
    func otherVersion() throws {
        var bench = try AccessoryBench()
        try bench.call(1, Array("EA-BUS/2 control\n".utf8))
        #expect(bench.ends == ["close 1"])
        #expect(bench.names.isEmpty)
    }

    @Test("ignitionOff ends the sessions of every app")
    func ignitionOff() throws {
        var bench = try AccessoryBench()
        for port: UInt16 in 1...2 {
            try bench.open(port, Self.multisession)
            try bench.phone(port, Self.start)
        }
        try bench.perform("ignitionOff")
        #expect(bench.ends.sorted() == ["close 1", "close 2"])
        #expect(throws: PeerError.self) { try bench.perform("close") }
    }

    @Test("settings can change during a case, also those of the head unit")
    func configure() throws {
        var bench = try AccessoryBench()
        try bench.perform(
            "configure",
            [
                "hubIndex": [9], "sessions": ["legacy": ["refuse"]],
                "headUnit": ["protocol": "3.0.0"],
            ])
        try bench.open(1, Self.hub)
        #expect(bench.latest("ea.data") == .bytes([9]))
        try bench.open(2, ExternalAccessory.legacyString)
        #expect(bench.names.last == "2 ea.refused")
        try bench.open(3, Self.multisession)
        try bench.phone(3, Self.start)
        #expect(bench.latest("sdl.version") == 3)
        #expect(throws: PeerError.self) {
            try bench.perform("configure", ["accessories": []])
        }
        #expect(throws: PeerError.self) { try bench.perform("configure") }
    }

    @Test("lists that an action changes apply to the next sessions")
    func configuredLists() throws {
        var bench = try AccessoryBench(["hubIndex": [31, 4], "sessions": ["all": ["accept"]]])
        for port: UInt16 in 1...2 { try bench.open(port, Self.hub) }
        try bench.perform(
            "configure", ["hubIndex": [9, 8], "sessions": ["all": ["refuse", "accept"]]])
        try bench.open(3, Self.hub)
        #expect(bench.names.last == "3 ea.refused")
        try bench.open(4, Self.hub)
        #expect(bench.latest("ea.data") == .bytes([9]))
        try bench.perform("configure", ["headUnit": ["protocol": "3.0.0"]])
        try bench.open(5, Self.hub)
        #expect(bench.latest("ea.data") == .bytes([8]))
    }

    private static let refusedSettings: [(Value, String)] = [
        (["accessory": []], "accessories"),
        (["accessories": [["name": "A", "protocols": ["a b"]]]], "without blanks"),
        (["accessories": [["protocols": []]]], "a name for each"),
        (["hubIndex": [256]], "0 to 255"),
        (["hubIndex": 4], "a list"),
        (["sessions": ["hub": ["accept"]]], "no kind of protocol string"),
        (["sessions": ["all": ["acept"]]], "accept"),
        (["headUnit": ["langauge": "EN-US"]], "language"),
        (["carrier": "serial"], "bus"),
    ]

    @Test(
        "an invalid setting or action is refused with the valid ones",
        arguments: refusedSettings)
    func refused(settings: Value, words: String) throws {
        do {
            _ = try AccessoryPeer(AccessoryBench.declaration(settings))
            Issue.record("accepted")
        } catch {
            #expect("\(error)".contains(words), "\(error)")
        }
        var bench = try AccessoryBench()
        #expect(throws: PeerError.self) { try bench.perform("connect", "Nobody") }
        #expect(throws: PeerError.self) { try bench.perform("connect", "Head Unit") }
        #expect(throws: PeerError.self) { try bench.perform("jump") }
    }
}
