import ExternalAccessory
import Testing

@testable import conform_device

@Suite("A head unit as an accessory")
struct HeadUnitAccessoryTests {
    private static let multisession = ExternalAccessory.multisessionString
    private static let hub = ExternalAccessory.controlString
    private static let legacy = ExternalAccessory.legacyString

    @Test("It declares multisession, the hub with its dedicated strings, and the legacy string")
    func declares() {
        let rig = HeadUnitRig()
        let declared = rig.declared()
        #expect(declared.count == 32)
        #expect(declared.first == Self.multisession && declared.last == Self.legacy)
        #expect(declared.contains(Self.hub))
        #expect(declared.contains("com.smartdevicelink.prot29"))
    }

    @Test("Several sessions under multisession are open at once, each with an app")
    func multisessions() {
        let rig = HeadUnitRig()
        var links: [HeadUnitLink] = []
        for _ in 0..<3 {
            let (link, messages) = rig.open(Self.multisession)
            guard case .opened? = messages.first, messages.count == 1 else {
                Issue.record("not opened: \(messages)")
                return
            }
            #expect(rig.register(on: link))
            links.append(link)
        }
        #expect(!links.contains(where: rig.hasClosed))
    }

    @Test("The hub sends one byte, another one to each app, and its session registers")
    func hub() {
        let rig = HeadUnitRig()
        var stated: [UInt8] = []
        for _ in 0..<5 {
            let (link, bytes) = rig.query()
            #expect(bytes.count == 1)
            _ = rig.handle(.disconnected(link, "left"))
            guard let index = bytes.first else { return }
            stated.append(index)
            #expect(ExternalAccessory.dedicatedIndices.contains(index))
            #expect(rig.register(on: rig.open(ExternalAccessory.dedicatedString(index)).link))
        }
        #expect(Set(stated).count == 5)
    }

    @Test("An index is free again when its session ends; if all are promised, a promise lapses")
    func indices() throws {
        var configuration = HeadUnitConfiguration()
        configuration.protocols = [Self.hub] + [1, 2].map(ExternalAccessory.dedicatedString)
        let rig = HeadUnitRig(configuration)
        #expect(rig.query().stated == [1])
        #expect(rig.query().stated == [2])
        #expect(rig.query().stated == [1], "the oldest promise")
        let first = rig.open("com.smartdevicelink.prot1").link
        let second = rig.open("com.smartdevicelink.prot2").link
        guard case .refused(_, let reason)? = rig.open(Self.hub).messages.first else {
            Issue.record("the hub opens although it has nothing to tell")
            return
        }
        #expect(reason == "all in use")
        _ = rig.handle(.disconnected(first, "gone"))
        #expect(rig.query().stated == [1])
        #expect(!rig.hasClosed(second))
    }

    @Test(
        "An undeclared string, an unknown accessory, and a string in use are refused",
        arguments: [
            "EA-BUS/1 session 1 com.example\n", "EA-BUS/1 session 2 com.smartdevicelink.prot0\n",
        ])
    func refuses(line: String) {
        let rig = HeadUnitRig()
        let link = rig.call()
        let answer = rig.send(Array(line.utf8), on: link)
        #expect(answer.map(\.name) == ["ea.refused"])
        #expect(rig.hasClosed(link))
    }

    @Test("A dedicated string has one session; a new session on the legacy string ends the first")
    func single() {
        let rig = HeadUnitRig()
        let first = rig.open("com.smartdevicelink.prot4").link
        #expect(rig.open("com.smartdevicelink.prot4").messages.map(\.isRefusal) == [true])
        #expect(!rig.hasClosed(first))
        let legacy = rig.open(Self.legacy).link
        _ = rig.open(Self.legacy)
        #expect(rig.hasClosed(legacy))
    }

    @Test("After a line that is not of the bus the connection is closed")
    func malformed() {
        let rig = HeadUnitRig()
        let link = rig.call()
        _ = rig.send(Array("EA-BUS/2 control\n".utf8), on: link)
        #expect(rig.hasClosed(link))
    }
}

extension ExternalAccessory.Message.Content {
    fileprivate var isRefusal: Bool { if case .refused = self { true } else { false } }
}
