import SDL
import Wire

@testable import conform_device

extension Situation {
    /// The situations of resumption (SDL-0183).
    static let resumption = storing + accepted + differing + refused + archives + kinds

    /// RHM-1, RHM-2, RHM-3, RHM-10: which hash the next registration carries.
    private static let storing: [Situation] = [
        Situation(requirement: "RHM-1", title: "a restart after a lost link") { mutant in
            var life = ResumptionRig(.everything, mutant: mutant)
            life.session()
            life.lifeAfterLoss()
            life.open()
            return life.sentHash != nil
        },
        Situation(requirement: "RHM-1", title: "a restart after a stop") { mutant in
            var life = ResumptionRig(.everything, mutant: mutant)
            life.session()
            life.rig.feed(.terminate)
            life.restart()
            life.open()
            return life.sentHash != nil
        },
        Situation(requirement: "RHM-1", title: "a restart after the head unit unregisters") {
            mutant in
            var life = ResumptionRig(.everything, mutant: mutant)
            life.session()
            life.rig.notify("OnAppInterfaceUnregistered", ["reason": "IGNITION_OFF"])
            life.restart()
            life.open()
            return life.sentHash != nil
        },
        Situation(requirement: "RHM-2", title: "a connection in the same process") { mutant in
            var life = ResumptionRig(.everything, mutant: mutant)
            life.session()
            life.loseLink()
            let isStored = !life.rig.archives.isEmpty
            life.rig.feed(.timerFired(.reconnect))
            life.open()
            return !isStored || life.sentHash != nil
        },
        Situation(requirement: "RHM-3", title: "no hash was ever received") { mutant in
            var life = ResumptionRig(.everything, mutant: mutant)
            life.tellsHashes = false
            life.session()
            let first = life.sentHash
            life.lifeAfterLoss()
            life.open()
            return first == nil && life.sentHash == nil
        },
        Situation(requirement: "RHM-10", title: "the hash changes at the last moment") { mutant in
            var life = ResumptionRig(.everything, mutant: mutant)
            life.session()
            life.tellHash("last")
            life.lifeAfterLoss()
            life.open()
            return life.sentHash == nil || life.sentHash == "last"
        },
    ]

    /// RHM-4, RHM-5: the hash is accepted and the same data is set.
    private static let accepted: [Situation] = [
        Situation(requirement: "RHM-4", title: "the developer sets nothing") { mutant in
            let resumed = Resumed(mutant, delegate: .speaks(set: ManagersData()))
            return !resumed.isAccepted
                || resumed.life.functions.allSatisfy { $0 == "Speak" }
        },
        Situation(requirement: "RHM-4", title: "the delegate speaks") { mutant in
            let resumed = Resumed(mutant, delegate: .speaks(set: nil))
            return !resumed.isAccepted || resumed.life.functions.first == "Speak"
        },
        Situation(requirement: "RHM-5", title: "the developer sets the same") { mutant in
            let resumed = Resumed(mutant)
            return !resumed.isAccepted || resumed.life.functions.isEmpty
        },
        Situation(requirement: "RHM-5", title: "resumed items are activated") { mutant in
            var resumed = Resumed(mutant)
            resumed.life.rig.notify("OnCommand", ["cmdID": 1, "triggerSource": "MENU"])
            resumed.life.rig.notify("OnCommand", ["cmdID": 1_900_000_001, "triggerSource": "VR"])
            resumed.life.rig.notify(
                "OnButtonPress",
                [
                    "buttonName": "CUSTOM_BUTTON", "buttonPressMode": "SHORT",
                    "customButtonID": 1,
                ])
            let texts = resumed.life.parameters("Alert").compactMap { $0["alertText1"] }
            return !resumed.isUntouched || texts == ["menu", "voice", "button"]
        },
    ]

    /// RHM-6, RHM-7: the hash is accepted and other data is set.
    private static let differing: [Situation] = [
        Situation(requirement: "RHM-6", title: "a text differs") { mutant in
            let resumed = Resumed(mutant) { $0.screen[.textField1] = .text("other") }
            return !resumed.isAccepted
                || resumed.requests == [Request("Show", ["mainField1": "other"])]
        },
        Situation(requirement: "RHM-6", title: "a cell is gone") { mutant in
            let resumed = Resumed(mutant) { $0.menu?.removeFirst() }
            return !resumed.isAccepted
                || resumed.requests == [Request("DeleteCommand", ["cmdID": 1])]
        },
        Situation(requirement: "RHM-6", title: "a cell has moved") { mutant in
            let resumed = Resumed(mutant) { data in
                data.menu = data.menu.map { $0.suffix(2) + $0.prefix(1) }
            }
            return !resumed.isAccepted
                || resumed.life.functions == ["DeleteCommand", "AddCommand"]
        },
        Situation(requirement: "RHM-6", title: "a cell has another image") { mutant in
            let resumed = Resumed(mutant) { $0.menu?[2].icon = Artwork(name: "other.png") }
            let expected = ["DeleteCommand", "ListFiles", "PutFile", "AddCommand"]
            return !resumed.isAccepted
                || resumed.life.functions == expected
        },
        Situation(requirement: "RHM-6", title: "a sub cell is new") { mutant in
            let resumed = Resumed(mutant) { $0.menu?[1].subCells?.append(MenuCell(title: "Folk")) }
            return !resumed.isAccepted
                || resumed.life.functions == ["AddCommand"]
        },
        Situation(requirement: "RHM-7", title: "the choices are the same") { mutant in
            let resumed = Resumed(mutant)
            return !resumed.isAccepted
                || !resumed.life.functions.contains("CreateInteractionChoiceSet")
        },
        Situation(requirement: "RHM-7", title: "a choice has another image") { mutant in
            let resumed = Resumed(mutant) {
                $0.preloadedChoices?[0].artwork = Artwork(name: "x.png")
            }
            return !resumed.isAccepted
                || resumed.count("CreateInteractionChoiceSet") == 1
        },
        Situation(requirement: "RHM-7", title: "a choice has other voice commands") { mutant in
            let resumed = Resumed(mutant) { $0.preloadedChoices?[0].voiceCommands = ["first"] }
            return !resumed.isAccepted
                || resumed.count("CreateInteractionChoiceSet") == 1
        },
    ]

    /// RHM-8: the hash is refused.
    private static let refused: [Situation] = [
        Situation(requirement: "RHM-8", title: "all is sent again") { mutant in
            var life = ResumptionRig(.everything, mutant: mutant)
            life.session()
            let first = life.requests.map { Request($0) }
            life.lifeAfterLoss()
            life.session(resultCode: "RESUME_FAILED")
            return life.sentHash == nil || life.requests.map { Request($0) } == first
        },
        Situation(requirement: "RHM-8", title: "no other hash comes") { mutant in
            var life = ResumptionRig(.everything, mutant: mutant)
            life.session()
            life.lifeAfterLoss()
            life.tellsHashes = false
            life.session(resultCode: "RESUME_FAILED")
            let refused = life.sentHash
            life.lifeAfterLoss()
            life.open()
            return refused == nil || life.sentHash != refused
        },
    ]

    /// RHM-9, RHM-12: the content of the archive, and whose archive it is.
    private static let archives: [Situation] = [
        Situation(requirement: "RHM-9", title: "the process restarts") { mutant in
            var life = ResumptionRig(.everything, mutant: mutant)
            life.session()
            life.loseLink()
            life.rig.feed(.timerFired(.reconnect))
            life.open()
            let isResumedInProcess = life.sentHash != nil
            life.lifeAfterLoss()
            life.open()
            return !isResumedInProcess || life.sentHash != nil
        },
        Situation(requirement: "RHM-9", title: "the archive is truncated") { mutant in
            registersWithoutHash(mutant) { .bytes(Array($0.dropLast(20))) }
        },
        Situation(requirement: "RHM-9", title: "the archive cannot be read") { mutant in
            registersWithoutHash(mutant) { _ in .unreadable("open: Permission denied") }
        },
        Situation(requirement: "RHM-9", title: "the archive is of the future") { mutant in
            registersWithoutHash(mutant) { bytes in
                let text = String(decoding: bytes, as: UTF8.self)
                let parts = text.split(separator: "\"version\":1,", maxSplits: 1)
                return .bytes(Array(parts.joined(separator: "\"version\":99,").utf8))
            }
        },
        Situation(requirement: "RHM-12", title: "another app") { mutant in
            var life = ResumptionRig(.everything, mutant: mutant)
            life.session()
            let hash = life.hash
            life.lifeAfterLoss(appID: "other")
            life.open()
            return life.sentHash?.stringValue != hash
        },
        Situation(requirement: "RHM-12", title: "another head unit") { mutant in
            var life = ResumptionRig(.everything, mutant: mutant)
            life.session()
            let hash = life.hash
            life.lifeAfterLoss()
            life.model = "Other"
            life.open()
            return life.sentHash?.stringValue != hash
        },
    ]

    private static func registersWithoutHash(
        _ mutant: SDLAppMutant?, _ damage: ([UInt8]) -> ArchiveReading
    ) -> Bool {
        var life = ResumptionRig(.everything, mutant: mutant)
        life.session()
        life.loseLink()
        for case (let key, .bytes(let bytes)) in life.rig.archives {
            life.rig.archives[key] = damage(bytes)
        }
        life.restart()
        life.open()
        return !life.rig.actions.contains(.crash) && life.rig.registrations.count == 1
            && life.sentHash == nil
    }

    /// RHM-11: each kind of covered data alone.
    private static let kinds: [Situation] = DataKind.allCases.map { kind in
        Situation(requirement: "RHM-11", title: "\(kind) alone") { mutant in
            let others = DataKind.allCases.filter { $0 != kind }
            let data = others.reduce(ManagersData.everything) { $0.without($1) }
            var life = ResumptionRig(data, mutant: mutant)
            life.session()
            // Texts and graphics do not change the hash of a head unit; another manager does.
            life.tellHash()
            life.tellHash()
            life.lifeAfterLoss()
            life.session()
            return life.sentHash == nil || life.functions.isEmpty
        }
    }
}

/// A request without its numbers.
struct Request: Hashable {
    let function: String
    let parameters: Value

    init(_ function: String, _ parameters: Value) {
        self.function = function
        self.parameters = parameters
    }

    init(_ rpc: SDL.RPC) { self.init(rpc.functionName, rpc.parameters) }
}

/// A second life, with an accepted hash, of an app that had data of every kind.
private struct Resumed {
    var life: ResumptionRig

    init(
        _ mutant: SDLAppMutant?, delegate: ResumptionDelegate? = nil,
        _ change: (inout ManagersData) -> Void = { _ in }
    ) {
        life = ResumptionRig(.everything.withHandlers, mutant: mutant)
        life.session()
        var data = ManagersData.everything.withHandlers
        change(&data)
        life.lifeAfterLoss(data, delegate: delegate)
        life.session()
    }

    /// Whether there was a hash to accept; if not, nothing is judged.
    var isAccepted: Bool { life.sentHash != nil }

    /// Whether the managers have left the resumed items unchanged.
    var isUntouched: Bool { isAccepted && life.functions.allSatisfy { $0 == "Alert" } }

    var requests: [Request] { life.requests.map { Request($0) } }

    func count(_ function: String) -> Int { life.functions.count { $0 == function } }
}

extension ResumptionDelegate {
    /// Returns a delegate that sends a Speak request when it is notified.
    fileprivate static func speaks(set: ManagersData?) -> ResumptionDelegate {
        var delegate = ResumptionDelegate()
        delegate.send = Handler(requests: [
            .init("Speak", ["ttsChunks": [["text": "x", "type": "TEXT"]]])
        ])
        delegate.set = set
        return delegate
    }
}
