import ExternalAccessory
import SDL
import Testing

@testable import conform_device

/// A situation for a requirement, and whether a head unit meets the requirement in it.
private struct HeadUnitSituation: Sendable {
    let requirement: String
    let title: String
    let isKept: @Sendable (HeadUnitMutant?) -> Bool

    static let all: [HeadUnitSituation] = [
        HeadUnitSituation(requirement: "MSP-12", title: "multisession is declared") { mutant in
            let rig = HeadUnitRig(mutant: mutant)
            return rig.declared().contains(ExternalAccessory.multisessionString)
        },
        HeadUnitSituation(requirement: "MSP-12", title: "a second phone") { mutant in
            let rig = HeadUnitRig(mutant: mutant)
            _ = rig.declared()
            return rig.declared().contains(ExternalAccessory.multisessionString)
        },
        HeadUnitSituation(requirement: "MSP-12", title: "a session under it") { mutant in
            let rig = HeadUnitRig(mutant: mutant)
            let session = rig.open(ExternalAccessory.multisessionString)
            return session.messages.count == 1 && rig.register(on: session.link)
        },
        HeadUnitSituation(requirement: "MSP-10", title: "eight sessions side by side") { mutant in
            let rig = HeadUnitRig(mutant: mutant)
            let links = (1...8).map { _ in rig.open(ExternalAccessory.multisessionString).link }
            return links.allSatisfy { rig.register(on: $0) }
        },
        HeadUnitSituation(requirement: "MSP-10", title: "one of two sessions ends") { mutant in
            let rig = HeadUnitRig(mutant: mutant)
            let first = rig.open(ExternalAccessory.multisessionString).link
            let second = rig.open(ExternalAccessory.multisessionString).link
            _ = rig.handle(.disconnected(second, "test"))
            return rig.register(on: first)
        },
        HeadUnitSituation(requirement: "MSP-10", title: "one of two apps unregisters") { mutant in
            let rig = HeadUnitRig(mutant: mutant)
            let links = (1...2).map { _ in rig.open(ExternalAccessory.multisessionString).link }
            guard links.allSatisfy({ rig.register(on: $0) }) else { return false }
            _ = rig.request("UnregisterAppInterface", on: links[1])
            return rig.request("Show", on: links[0]).first?.field("params.success") == true
        },
        HeadUnitSituation(requirement: "MSP-10", title: "one of two apps ends its service") {
            mutant in
            let rig = HeadUnitRig(mutant: mutant)
            let links = (1...2).map { _ in rig.open(ExternalAccessory.multisessionString).link }
            guard rig.register(on: links[0]) else { return true }
            let hash = rig.start(on: links[1])?.field("params.hashId") ?? .null
            var encoder = SDL.Encoder(version: 5, sessionID: 1)
            _ = rig.send(
                encoder.encode(.endService, service: .rpc, parameters: ["hashId": hash]),
                on: links[1])
            return rig.request("Show", on: links[0]).first?.field("params.success") == true
        },
        HeadUnitSituation(requirement: "MSP-10", title: "two apps are activated") { mutant in
            let rig = HeadUnitRig(mutant: mutant)
            let links = (1...2).map { _ in rig.open(ExternalAccessory.multisessionString).link }
            guard links.allSatisfy({ rig.register(on: $0) }) else { return true }
            let former = rig.actions.count
            _ = rig.handle(.controlLine(#"{"jsonrpc": "2.0", "id": 1, "method": "activate"}"#))
            return links.allSatisfy { link in
                rig.actions[former...].contains { action in
                    if case .send(link, _) = action { true } else { false }
                }
            }
        },
        HeadUnitSituation(requirement: "MSP-10", title: "multisession beside the hub") { mutant in
            let rig = HeadUnitRig(mutant: mutant)
            guard let index = rig.query().stated.first else { return true }
            let link = rig.open(ExternalAccessory.dedicatedString(index)).link
            guard rig.register(on: link) else { return true }
            _ = rig.open(ExternalAccessory.multisessionString)
            return !rig.hasClosed(link)
        },
        HeadUnitSituation(requirement: "MSP-13", title: "thirty apps in turn") { mutant in
            let rig = HeadUnitRig(mutant: mutant)
            return (1...30).allSatisfy { _ in
                let (hub, stated) = rig.query()
                _ = rig.handle(.disconnected(hub, "test"))
                guard let index = stated.first else { return false }
                let (link, answers) = rig.open(ExternalAccessory.dedicatedString(index))
                _ = rig.handle(.disconnected(link, "test"))
                return !answers.isEmpty
            }
        },
        HeadUnitSituation(requirement: "MSP-13", title: "the hub is declared") { mutant in
            let rig = HeadUnitRig(mutant: mutant)
            return rig.declared().contains(ExternalAccessory.controlString)
        },
        HeadUnitSituation(requirement: "MSP-13", title: "the hub strategy") { mutant in
            let rig = HeadUnitRig(mutant: mutant)
            let declared = rig.declared()
            if mutant?.requirements.contains("MSP-12") != true {
                _ = rig.open(ExternalAccessory.multisessionString)
            }
            let stated = [rig.query().stated, rig.query().stated]
            guard stated.allSatisfy({ $0.count == 1 }), stated[0] != stated[1] else { return false }
            return stated.joined().allSatisfy { index in
                let string = ExternalAccessory.dedicatedString(index)
                return ExternalAccessory.dedicatedIndices.contains(index)
                    && declared.contains(string) && rig.register(on: rig.open(string).link)
            }
        },
        HeadUnitSituation(requirement: "SDL-1", title: "the start of the service") { mutant in
            let rig = HeadUnitRig(mutant: mutant)
            let answer = rig.start(on: rig.call(), version: "5.0.0")
            return answer?.header.sessionID == 1
                && answer?.field("params.protocolVersion") == "5.0.0"
        },
        HeadUnitSituation(requirement: "SDL-2", title: "a plain registration") { mutant in
            let rig = HeadUnitRig(mutant: mutant)
            let link = rig.call()
            _ = rig.start(on: link)
            let answers = rig.request(
                "RegisterAppInterface", HeadUnitRig.registration, on: link)
            return answers.first?.field("params.success") == true && answers.count == 3
        },
        HeadUnitSituation(requirement: "SDL-2", title: "a registration as to an accessory") {
            mutant in
            let rig = HeadUnitRig(mutant: mutant)
            let link = rig.open(ExternalAccessory.legacyString).link
            _ = rig.start(on: link)
            let answers = rig.request(
                "RegisterAppInterface", HeadUnitRig.registration, on: link)
            return answers.first?.field("params.success") == true && answers.count == 3
        },
        HeadUnitSituation(requirement: "SDL-3", title: "the end of the service") { mutant in
            let rig = HeadUnitRig(mutant: mutant)
            let link = rig.call()
            let hash = rig.start(on: link)?.field("params.hashId") ?? .null
            var encoder = SDL.Encoder(version: 5, sessionID: 1)
            let end = encoder.encode(.endService, service: .rpc, parameters: ["hashId": hash])
            return rig.send(end, on: link).first?.name == "sdl.EndServiceACK"
        },
        HeadUnitSituation(requirement: "SDL-4", title: "a heartbeat") { mutant in
            let rig = HeadUnitRig(mutant: mutant)
            let link = rig.call()
            _ = rig.start(on: link)
            var encoder = SDL.Encoder(version: 5, sessionID: 1)
            let heartbeat = encoder.encode(.heartbeat, service: .control)
            return rig.send(heartbeat, on: link).first?.name == "sdl.HeartbeatACK"
        },
        HeadUnitSituation(requirement: "SDL-5", title: "a request before the registration") {
            mutant in
            let rig = HeadUnitRig(mutant: mutant)
            let link = rig.call()
            _ = rig.start(on: link)
            return rig.request("Show", on: link).first?.field("params.success") == false
        },
    ]
}

@Suite("Mutants of the head unit")
struct HeadUnitMutantTests {
    @Test("The golden head unit meets every requirement in every situation")
    func golden() {
        for situation in HeadUnitSituation.all {
            #expect(situation.isKept(nil), "\(situation.requirement): \(situation.title)")
        }
    }

    @Test(
        "A mutant breaks the requirements that it names, and others only where it declares them",
        arguments: HeadUnitMutant.allCases)
    func breaks(mutant: HeadUnitMutant) throws {
        let broken = Set(
            HeadUnitSituation.all.filter { !$0.isKept(mutant) }.map(\.requirement))
        let first = try #require(mutant.requirements.first)
        // Requirements of the protocol itself have no situation here. `conform prove` shows that
        // the suite finds their mutants.
        if !first.hasPrefix("SPX-") { #expect(broken.contains(first)) }
        #expect(broken.isSubset(of: mutant.requirements + mutant.masks))
    }

    @Test("Each requirement on head units has a mutant")
    func complete() {
        let covered = Set(HeadUnitMutant.allCases.compactMap(\.requirements.first))
        let protocolItself =
            ([4, 5, 6, 7, 8, 9, 12, 13, 19, 22, 30, 32, 34, 36, 37] + (42...55) + (58...61) + [64])
            .map { "SPX-\($0)" }
        #expect(
            covered
                == Set(
                    ["MSP-10", "MSP-12", "MSP-13"] + (1...5).map { "SDL-\($0)" } + protocolItself))
    }
}
