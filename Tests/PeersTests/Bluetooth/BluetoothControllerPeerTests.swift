import BuiltInProtocols
import SuiteLanguage
import Testing
import Wire

@testable import BluetoothPeers
@testable import PeerKit

@Suite struct BluetoothControllerPeerTests {
    private static let host = PeerConnection(address: .loopback, port: 40_000)
    private static let reset: [UInt8] = [1, 3, 0x0C, 0]

    private static func declaration(
        _ name: String, _ kind: PeerKind, _ settings: Value
    ) -> PeerDeclaration {
        PeerDeclaration(
            name: name, kind: kind, settings: settings,
            position: SourcePosition(file: "test", line: 1, column: 1))
    }

    private static let band: Value = [
        "air": "radio", "address": "c4:11:11:11:11:11",
        "advertises": ["uuids": ["180D"], "name": "band", "interval": "20ms"],
        "services": [
            [
                "uuid": "180D",
                "characteristics": [
                    ["uuid": "2A37", "properties": ["notify"]],
                    [
                        "uuid": "2A39", "properties": ["write"],
                        "answers": ["notify": "2A37", "with": "echo"],
                    ],
                ],
            ]
        ],
    ]

    private static func radio(
        _ settings: Value = [:], band: Value = band
    ) throws -> any Peer {
        try PeerFactory.builtIn.make(
            declaration("radio", .bluetoothController, settings),
            with: [declaration("band", .gattPeripheral, band)])
    }

    @Test func answersEachHostOnItsConnection() throws {
        var radio = try Self.radio()
        let other = PeerConnection(address: .loopback, port: 40_001)
        let answer: [UInt8] = [4, 0x0E, 4, 1, 3, 0x0C, 0]
        #expect(radio.receive(Self.reset, on: Self.host) == [.write(Self.host, answer)])
        #expect(radio.receive(Self.reset, on: other) == [.write(other, answer)])
        #expect(radio.inhabitants == ["band"])
        #expect(radio.servesLink)
    }

    @Test func saysNothingBeforeItIsPoweredOn() throws {
        var radio = try Self.radio(["powered": false])
        #expect(radio.receive(Self.reset, on: Self.host).isEmpty)
        #expect(try radio.perform("powerOn", arguments: .null).count == 1)
    }

    @Test func actionsReachThePeersOnItsAir() throws {
        var radio = try Self.radio()
        _ = radio.receive(Self.reset, on: Self.host)
        for action in ["advertise", "silence", "drop", "leave", "powerOff"] {
            #expect(try radio.perform(action, arguments: .null, of: "band").isEmpty)
        }
        _ = try radio.perform("connections", arguments: "ignore", of: "band")
        _ = try radio.perform(
            "notify", arguments: ["characteristic": "2A37", "value": "x"], of: "band")
        #expect(throws: PeerError.self) { try radio.perform("fly", arguments: .null, of: "band") }
        #expect(throws: PeerError.self) { try radio.perform("drop", arguments: .null) }
    }

    @Test(
        arguments: [
            ["address": "c4:11"], ["mtu": 5], ["advertises": ["uuids": ["18"]]],
            ["advertises": ["in": "nobody"]], ["services": [["uuid": "180D", "colour": 1]]],
            ["connection": "maybe"], ["wings": 2],
            [
                "advertises": [
                    "uuids": ["180D"], "name": "a name that fills more than thirty bytes",
                ]
            ],
        ] as [Value]) func settingsThatItDoesNotTakeAreRefused(settings: Value)
    {
        #expect(throws: PeerError.self) {
            _ = try Self.radio(band: Self.band.merging(settings))
        }
    }

    @Test func everySettingOfItsKindsIsRead() throws {
        let settings: Value = [
            "le": "5.0", "dual": true, "powered": true, "address": "00:11:22:33:44:55",
            "acl": ["length": 100, "packets": 2],
        ]
        let stated = Set(PeerKind.bluetoothController.settings.map(\.path))
        #expect(Set(settings.objectValue?.map(\.name) ?? []) == stated)
        _ = try Self.radio(settings)
        let band = Self.band.merging([
            "name": "band", "connection": "fail", "mtu": 23, "delay": "1s", "pieces": 5,
            "pairs": false, "encrypts": false, "malforms": [8],
        ])
        let kind = try #require(ProtocolRegistry.builtIn.peer(named: "gatt.peripheral"))
        #expect(Set(band.objectValue?.map(\.name) ?? []) == Set(kind.settings.map(\.path)))
        _ = try Self.radio(band: band)
    }

    @Test func peersOnNoAirAreRefused() {
        #expect(throws: PeerError.self) {
            _ = try PeerFactory.builtIn.make(Self.declaration("band", .gattPeripheral, Self.band))
        }
    }

    // MARK: Accessories

    private static func radio(accessory: Value) throws -> any Peer {
        try PeerFactory.builtIn.make(
            declaration("radio", .bluetoothController, ["dual": true]),
            with: [declaration("acc", .bluetoothAccessory, accessory)])
    }

    @Test func accessoryAnswersACallOfAHost() throws {
        var radio = try Self.radio(accessory: ["air": "radio", "address": "00:1a:7d:da:71:13"])
        _ = radio.receive(Self.reset, on: Self.host)
        let page: [UInt8] = [
            1, 0x05, 0x04, 13, 0x13, 0x71, 0xDA, 0x7D, 0x1A, 0, 0x18, 0xCC, 1, 0, 0, 0, 1,
        ]
        let answers = radio.receive(page, on: Self.host)
        #expect(answers.count == 2)
        #expect(
            answers.last
                == .write(
                    Self.host,
                    [4, 3, 11, 0, 0x41, 0, 0x13, 0x71, 0xDA, 0x7D, 0x1A, 0, 1, 0]))
        #expect(
            try radio.perform("leave", arguments: .null, of: "acc") == [
                .write(Self.host, [4, 5, 4, 0, 0x41, 0, 0x13])
            ])
    }

    @Test(
        arguments: [
            ["rfcomm": 31], ["sessions": "maybe"], ["echoes": 1], ["protocols": "one"],
            ["port": 1, "x": 1],
        ] as [Value])
    func accessoryTakesNoOtherSettings(wrong: Value) {
        let settings: Value = ["air": "radio", "address": "00:1a:7d:da:71:13"]
        #expect(throws: PeerError.self) {
            _ = try Self.radio(accessory: settings.merging(wrong))
        }
    }

    @Test func accessoryKnowsItsActions() throws {
        var radio = try Self.radio(accessory: ["air": "radio", "address": "00:1a:7d:da:71:13"])
        for action in ProtocolRegistry.builtIn.peer(named: "bluetooth.accessory")?.actions ?? [] {
            let argument: Value =
                switch action.name {
                case "connections": "fail"
                case "sessions": "refuse"
                case "say": "hello"
                default: .null
                }
            #expect(throws: Never.self) {
                _ = try radio.perform(action.name, arguments: argument, of: "acc")
            }
        }
        #expect(throws: PeerError.self) {
            _ = try radio.perform("advertise", arguments: .null, of: "acc")
        }
    }
}
