import Bluetooth
import Testing
import Wire

@testable import BluetoothPeers
@testable import conform_device

@Suite struct AccessoryAppTests {
    private static let address = "00:1a:7d:da:71:13"
    private static let string = "com.rtk.datapath"

    private static var dual: ControllerSettings {
        var settings = ControllerSettings()
        settings.isDual = true
        return settings
    }

    private static func accessory(_ change: (inout Accessory.Settings) -> Void = { _ in })
        -> Accessory
    {
        var settings = Accessory.Settings(address: DeviceAddress(0x001A_7DDA_7113, isRandom: false))
        settings.protocols = ["com.rtk.log", string]
        settings.echoes = true
        change(&settings)
        return Accessory(settings)
    }

    private static func phone(
        connected: Bool = true, mutant: ProfileAppMutant? = nil,
        _ change: (inout Accessory.Settings) -> Void = { _ in }
    ) throws -> ProfilePhone {
        let document: Value = [
            "classes": [
                ["name": "Link", "carrier": "iap", "communicationProtocol": .string(string)]
            ],
            "systemConnections": connected ? [.string(address)] : [],
        ]
        var phone = ProfilePhone(
            dual, configuration: try ProfileConfiguration(document: document), mutant: mutant,
            devices: [accessory(change)])
        phone.wait(milliseconds: 500)
        return phone
    }

    /// Retrieves the accessory and activates its connection.
    private static func activate(_ phone: inout ProfilePhone) {
        phone.control("retrieve", ["carrier": "iap"])
        phone.control("activate", ["object": .string(address)])
        phone.wait(milliseconds: 500)
    }

    @Test func retrievesActivatesExchangesAndDeactivates() throws {
        var phone = try Self.phone()
        #expect(phone.names == ["available"])
        Self.activate(&phone)
        #expect(phone.names == ["available", "discovered", "activating", "activated"])
        let text = String(repeating: "0123456789", count: 500)
        phone.control("send", ["object": .string(Self.address), "data": .string(text)])
        phone.wait(milliseconds: 500)
        let received = phone.reports.filter { $0.name == "received" }
        #expect(received.compactMap { $0.fields["data"]?.stringValue }.joined() == text)
        phone.control("deactivate", ["object": .string(Self.address)])
        #expect(phone.names.last == "deactivated")
        #expect(!phone.commands.contains(0x0406))
    }

    @Test func makesTheLinkThatItNeedsAndEndsIt() throws {
        var phone = try Self.phone(connected: false)
        phone.control("instantiate", ["address": .string(Self.address), "carrier": "iap"])
        phone.control("activate", ["object": .string(Self.address)])
        phone.wait(milliseconds: 500)
        #expect(phone.names.last == "activated")
        phone.control("deactivate", ["object": .string(Self.address)])
        phone.wait(milliseconds: 100)
        #expect(phone.names.last == "deactivated")
        // The link has ended, so it is set up again.
        phone.control("activate", ["object": .string(Self.address)])
        phone.wait(milliseconds: 500)
        #expect(phone.names.last == "activated")
        #expect(phone.commands.count { $0 == 0x0405 } == 2)
    }

    @Test func accessoryThatIsNotThereFailsTheActivation() throws {
        var phone = try Self.phone(connected: false) { $0.connection = .ignores }
        phone.control("instantiate", ["address": .string(Self.address), "carrier": "iap"])
        phone.control("activate", ["object": .string(Self.address)])
        phone.wait(milliseconds: 6_000)
        #expect(phone.names.last == "activationFailed")
    }

    @Test func stringThatIsNotDeclaredIsNotEligible() throws {
        for protocols in [[], ["COM.RTK.DATAPATH"], ["com.rtk.datapath2"]] {
            var phone = try Self.phone { $0.protocols = protocols }
            phone.control("retrieve", ["carrier": "iap"])
            #expect(phone.names == ["available"])
        }
    }

    @Test func refusedSessionFails() throws {
        var phone = try Self.phone { $0.sessions = .refuse }
        Self.activate(&phone)
        #expect(phone.names.last == "activationFailed")
    }

    @Test func callOfAnAccessoryIsDetected() throws {
        var phone = try Self.phone(connected: false)
        phone.control("monitor", ["carrier": "iap"])
        phone.accessory { $0.call() }
        phone.wait(milliseconds: 500)
        #expect(phone.names == ["available", "discovered"])
        #expect(phone.reports.last?.fields["via"] == "monitor")
        #expect(phone.commands.contains(0x0409))
    }

    @Test func everyLossMakesInactiveAndCanBeMadeGood() throws {
        let losses: [(inout Accessory) -> Void] = [
            { $0.end(reason: 0x08) }, { $0.closeSession() }, { $0.resetLink() },
            { $0.closeChannel() },
        ]
        for loss in losses {
            var phone = try Self.phone()
            Self.activate(&phone)
            phone.accessory(loss)
            phone.wait(milliseconds: 100)
            #expect(phone.names.last == "inactive")
            phone.control("activate", ["object": .string(Self.address)])
            phone.wait(milliseconds: 500)
            #expect(phone.names.last == "activated")
        }
    }

    @Test func whatAnAccessorySaysIsTakenOnlyOnceItIsShown() throws {
        var phone = try Self.phone { $0.actsOnTrace = true }
        Self.activate(&phone)
        #expect(phone.names.last == "activating")
        phone.air.show(.requested(session: 1))
        phone.wait(milliseconds: 100)
        #expect(phone.names.last == "activated")
        // The trace shows the data before its bytes have come.
        phone.air.show(.data(session: 1, count: 2))
        phone.control("send", ["object": .string(Self.address), "data": "hi"])
        phone.wait(milliseconds: 100)
        #expect(phone.names.last == "received")
    }

    @Test func anyBytesOnTheLinkDoNoHarm() throws {
        for round in 0..<300 {
            var phone = try Self.phone(connected: round % 2 == 0)
            if round % 2 == 0 { Self.activate(&phone) }
            for _ in 0..<30 {
                let channel = [1, 0x40, 0x41].randomElement() ?? 1
                let payload = (0..<Int.random(in: 0...20)).map { _ in
                    [0x19, 0xEF, 0xFF, 0x5A, 2, UInt8.random(in: 0...255)].randomElement() ?? 0
                }
                let unit = [UInt8(payload.count), 0, UInt8(channel), 0] + payload
                phone.input(
                    .received(
                        .controller, [2, 0x41, 0x20, UInt8(unit.count), 0] + unit))
            }
            phone.wait(milliseconds: 2_000)
        }
    }
}
