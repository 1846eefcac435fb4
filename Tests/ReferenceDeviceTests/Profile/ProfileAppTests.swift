import BluetoothPeers
import Testing
import Wire

@testable import conform_device

@Suite struct ProfileAppTests {
    @Test(arguments: ControllerSettings.Generation.allCases)
    func activatesAndDeactivates(generation: ControllerSettings.Generation) {
        var settings = ControllerSettings()
        settings.generation = generation
        var phone = ProfilePhone(settings)
        phone.activate()
        #expect(phone.names == ["available", "discovered", "activating", "activated"])
        phone.control("send", ["object": .string(ProfilePhone.bandText), "data": "hello"])
        phone.control("deactivate", ["object": .string(ProfilePhone.bandText)])
        phone.wait(milliseconds: 100)
        #expect(phone.names.suffix(2) == ["received", "deactivated"])
        #expect(phone.reports[4].fields["data"] == "hello")
        #expect(phone.commands.last == 0x0406)
    }

    @Test func smallestPacketsAndPDUsSuffice() {
        var settings = ControllerSettings()
        settings.aclPackets = 1
        let band = ProfilePhone.settings {
            $0.mtu = 23
            $0.pieces = 3
        }
        var phone = ProfilePhone(settings, devices: [band])
        phone.activate()
        #expect(phone.names.last == "activated")
        let text = String(repeating: "0123456789", count: 5)
        phone.control("send", ["object": .string(ProfilePhone.bandText), "data": .string(text)])
        phone.wait(milliseconds: 100)
        let received = phone.reports.filter { $0.name == "received" }
        #expect(received.compactMap { $0.fields["data"]?.stringValue }.joined() == text)
        #expect(received.count == 3)
    }

    @Test func servicesAreFoundByTheListOfAll() {
        var phone = ProfilePhone(configuration: ProfilePhone.configuration(["discovery": "all"]))
        phone.activate()
        #expect(phone.names.last == "activated")
    }

    @Test func activatingWhatIsActiveDoesNothing() {
        var phone = ProfilePhone()
        phone.activate()
        let count = phone.commands.count
        phone.control("activate", ["object": .string(ProfilePhone.bandText)])
        phone.wait(milliseconds: 100)
        #expect(phone.names == ["available", "discovered", "activating", "activated"])
        #expect(phone.commands.count == count)
        #expect(phone.answers.last?["error"] == nil)
    }

    @Test func missingServiceFailsAndEndsTheLink() {
        var phone = ProfilePhone(devices: [ProfilePhone.settings { $0.services = [] }])
        phone.activate()
        #expect(phone.names.last == "activationFailed")
        #expect(phone.commands.last == 0x0406)
    }

    @Test func requestThatIsNeverAnsweredFailsAfterThirtySeconds() {
        let band = ProfilePhone.settings {
            $0.services[0].characteristics[2].silent = [.read]
        }
        var phone = ProfilePhone(devices: [band])
        phone.activate()
        phone.wait(milliseconds: 29_000)
        #expect(phone.names.last == "activating")
        phone.wait(milliseconds: 2_000)
        #expect(phone.names.last == "activationFailed")
    }

    @Test func linkThatDoesNotComeAboutFails() {
        var phone = ProfilePhone(devices: [ProfilePhone.settings { $0.connection = .ignores }])
        phone.activate()
        phone.wait(milliseconds: 6_000)
        #expect(phone.names.last == "activationFailed")
        #expect(phone.commands.last == 0x200E)
    }

    @Test func lostLinkMakesInactiveAndCanBeMadeAgain() {
        var phone = ProfilePhone()
        phone.activate()
        phone.band { $0.end(reason: 0x08) }
        #expect(phone.names.last == "inactive")
        phone.control("activate", ["object": .string(ProfilePhone.bandText)])
        phone.wait(milliseconds: 100)
        #expect(phone.names.last == "activated")
    }

    @Test func manualObjectNeedsALink() {
        var phone = ProfilePhone()
        phone.control("make", ["address": .string(ProfilePhone.bandText), "object": "manual"])
        phone.control("activate", ["object": "manual"])
        phone.wait(milliseconds: 100)
        #expect(phone.names.last == "activationFailed")
        #expect(!phone.commands.contains(0x200D))
        phone.control("system.connect", ["address": .string(ProfilePhone.bandText)])
        phone.wait(milliseconds: 100)
        phone.control("activate", ["object": "manual"])
        phone.wait(milliseconds: 100)
        #expect(phone.names.last == "activated")
        phone.control("deactivate", ["object": "manual"])
        phone.wait(milliseconds: 100)
        #expect(phone.names.last == "deactivated")
        #expect(!phone.commands.contains(0x0406))
    }

    @Test func connectedDevicesAreRetrievedAndDetected() {
        var phone = ProfilePhone(
            configuration: ProfilePhone.configuration([
                "systemConnections": [.string(ProfilePhone.bandText)]
            ]))
        phone.wait(milliseconds: 100)
        #expect(phone.names == ["available"])
        phone.control("monitor")
        #expect(phone.names == ["available"])
        phone.control("retrieve")
        #expect(phone.reports.last?.fields["via"] == "retrieve")
        phone.control("system.disconnect", ["address": .string(ProfilePhone.bandText)])
        phone.control("retrieve")
        #expect(phone.names.count == 2)
        phone.control("system.connect", ["address": .string(ProfilePhone.bandText)])
        phone.wait(milliseconds: 100)
        #expect(phone.reports.last?.fields["via"] == "monitor")
    }

    @Test func answersThatCannotBeReadDoNoHarm() {
        for opcode: UInt8 in [0x02, 0x04, 0x06, 0x08, 0x0A, 0x12] {
            var phone = ProfilePhone(devices: [ProfilePhone.settings { $0.malforms = [opcode] }])
            phone.activate()
            #expect(!phone.hasCrashed)
            #expect(["activated", "activationFailed"].contains(phone.names.last))
        }
    }

    @Test func anyBytesOfTheControllerDoNoHarm() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            var phone = ProfilePhone()
            let codes: [UInt8] = [0x03, 0x05, 0x08, 0x0E, 0x0F, 0x13, 0x3E]
            for _ in 0..<10 {
                let count = Int.random(in: 0...30, using: &generator)
                let body = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                let code = codes.randomElement(using: &generator) ?? 0
                phone.input(.received(.controller, [4, code, UInt8(count)] + body))
            }
        }
    }

    @Test(arguments: ProfileAppMutant.allCases) func everyMutantNamesWhatItBreaks(
        mutant: ProfileAppMutant
    ) {
        #expect(mutant.requirements.allSatisfy { $0.hasPrefix("PCM-") })
        #expect(!mutant.requirements.isEmpty)
        #expect(mutant.summary.hasSuffix("."))
    }
}
