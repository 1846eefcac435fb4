@testable import conform_device

/// Situations of document 000: what an app does with accessories.
///
/// They are judged by the sessions that the app requests and ends.
extension Situation {
    static let accessories = strings + hub + choice + counting + sessions

    private static func situation(
        _ requirement: String, _ title: String,
        _ isKept: @escaping @Sendable (SDLAppMutant?) -> Bool
    ) -> Situation {
        Situation(requirement: requirement, title: title, isKept: isKept)
    }

    /// Returns the history of the first second with one accessory.
    private static func history(
        _ mutant: SDLAppMutant?, _ version: String, _ accessory: PlayedAccessory
    ) -> [String] {
        var rig = AccessoryRig(mutant, version: version, accessories: [accessory])
        rig.run(for: 900)
        return rig.history
    }

    private static func first(
        _ mutant: SDLAppMutant?, _ version: String, _ declares: String...
    ) -> String? {
        history(mutant, version, PlayedAccessory(declares: declares)).first
    }

    // MARK: Which string (MSP-1, MSP-2, MSP-4, MSP-5)

    private static let strings: [Situation] = [
        situation("MSP-1", "multisession and 9.3") {
            history($0, "9.3", PlayedAccessory(declares: ["M", "C", "5", "L"]))
                == ["open 1M", "connected"]
        },
        situation("MSP-1", "multisession and exactly 9") {
            first($0, "9", "M", "C", "5", "L") == "open 1M"
        },
        situation("MSP-1", "multisession and 10.2") {
            first($0, "10.2", "M", "C", "5", "L") == "open 1M"
        },
        situation("MSP-2", "multisession, hub and 8.4.1") {
            let history = history($0, "8.4.1", PlayedAccessory(declares: ["M", "C", "5"]))
            return history.first == "open 1C" && !history.contains("open 1M")
        },
        situation("MSP-2", "multisession, legacy and 7.1") {
            first($0, "7.1", "M", "L") == "open 1L"
        },
        situation("MSP-2", "multisession alone and 8.4.1") {
            first($0, "8.4.1", "M") == nil
        },
        situation("MSP-2", "multisession alone and exactly 9") { first($0, "9", "M") == "open 1M" },
        situation("MSP-2", "multisession alone and 10.2") { first($0, "10.2", "M") == "open 1M" },
        nearMisses("MSP-1"), nearMisses("MSP-5"),
        situation("MSP-5", "multisession and hub, each session is refused") { mutant in
            let accessory = PlayedAccessory(declares: ["M", "C", "5"], data: .refuses)
            var rig = AccessoryRig(mutant, accessories: [accessory])
            rig.run(for: 10_000)
            return rig.opens.allSatisfy { $0 == "1M" }
        },
        situation("MSP-4", "legacy alone") {
            history($0, "9.3", PlayedAccessory(declares: ["L"])) == ["open 1L", "connected"]
        },
        situation("MSP-5", "all, in the wrong order of declaration") {
            first($0, "9.3", "L", "5", "C", "M") == "open 1M"
        },
        situation("MSP-5", "hub and legacy, legacy declared first") {
            first($0, "9.3", "L", "C", "5") == "open 1C"
        },
    ]

    /// Strings similar to multisession do not count as multisession.
    private static func nearMisses(_ requirement: String) -> Situation {
        situation(requirement, "strings that are like multisession") { mutant in
            [
                "com.smartdevicelink.multisession2", "COM.SMARTDEVICELINK.MULTISESSION",
                "com.example.multisession",
            ].allSatisfy { first(mutant, "9.3", $0, "L") == "open 1L" }
        }
    }

    // MARK: The hub (MSP-3, MSP-14)

    private static let hub: [Situation] = [
        situation("MSP-3", "an index of one digit") {
            history($0, "9.3", PlayedAccessory(declares: ["C", "4", "5", "6"]))
                == ["open 1C", "close control", "open 15", "connected"]
        },
        situation("MSP-3", "an index of two digits") {
            let accessory = PlayedAccessory(
                declares: ["C", "27", "28", "29", "1"], hub: .index(28))
            return history($0, "9.3", accessory)
                == ["open 1C", "close control", "open 128", "connected"]
        },
        bad("a channel that is not declared", .index(6)),
        bad("index 0", .index(0)),
        bad("index 30, although such a string is declared", .index(30)),
        bad("index 200", .index(200)),
        bad("an index whose low bits name a channel", .index(37)),
        bad("an index that is the digit of a channel", .index(0x35)),
        situation("MSP-14", "a channel that another accessory declares") { mutant in
            let accessories = [
                PlayedAccessory(declares: ["C", "5"], hub: .index(6)),
                PlayedAccessory(id: 2, declares: ["6"]),
            ]
            var rig = AccessoryRig(mutant, retries: 2, accessories: accessories)
            rig.run(for: 10_000)
            return rig.opens == ["1C", "1C"]
        },
        bad("no index", .silent),
        bad("a control session that ends", .ends),
        bad("a good index after a bad one", .indices(6, 5)),
    ]

    /// Each attempt fails at the hub.
    ///
    /// There are as many control sessions as attempts, each ended by one side, and no others.
    private static func bad(_ title: String, _ hub: PlayedAccessory.Hub) -> Situation {
        situation("MSP-14", title) { mutant in
            let accessory = PlayedAccessory(declares: ["L", "C", "5", "30"], hub: hub)
            var rig = AccessoryRig(mutant, retries: 2, accessories: [accessory])
            rig.run(for: 10_000)
            return rig.opens == ["1C", "1C"] && !rig.history.contains("connected")
        }
    }

    // MARK: Which accessory (MSP-6, MSP-7, MSP-8)

    private static func searched(_ mutant: SDLAppMutant?, _ sets: [String]...) -> String? {
        let accessories = sets.enumerated().map {
            PlayedAccessory(id: UInt32($0.offset + 1), declares: $0.element)
        }
        return AccessoryRig(mutant, accessories: accessories).opens.first
    }

    private static let choice: [Situation] = [
        situation("MSP-6", "the notified one has a worse string than another") { mutant in
            let better = PlayedAccessory(declares: ["M"], data: .refuses)
            var rig = AccessoryRig(mutant, retries: 1, accessories: [better])
            rig.run(for: 10_000)
            rig.connect(PlayedAccessory(id: 2, declares: ["L"]))
            return rig.opens.last == "2L"
        },
        situation("MSP-6", "the notified one offers nothing, another does") { mutant in
            let other = PlayedAccessory(declares: ["L"], data: .refuses)
            var rig = AccessoryRig(mutant, retries: 1, accessories: [other])
            rig.run(for: 10_000)
            let before = rig.opens.count
            rig.connect(PlayedAccessory(id: 2, declares: ["X"]))
            return rig.opens.dropFirst(before) == ["1L"]
        },
        situation("MSP-7", "the best string is the last one's") {
            searched($0, ["L"], ["C", "5"], ["M"]) == "3M"
        },
        situation("MSP-7", "the first one has a hub, the second multisession") {
            searched($0, ["C", "5"], ["M"]) == "2M"
        },
        situation("MSP-7", "the first one has legacy, the second a hub") {
            searched($0, ["L"], ["C", "5"]) == "2C"
        },
        situation("MSP-7", "an accessory that has gone") { mutant in
            let accessories = [
                PlayedAccessory(declares: ["M"], data: .refuses),
                PlayedAccessory(id: 2, declares: ["L"]),
            ]
            var rig = AccessoryRig(mutant, retries: 1, accessories: accessories)
            rig.run(for: 10_000)
            rig.disconnect(1)
            let before = rig.opens.count
            rig.connect(PlayedAccessory(id: 3, declares: ["X"]))
            return rig.opens.dropFirst(before).first == "2L"
        },
        situation("MSP-8", "nothing compatible, and a notification later") { mutant in
            let other = PlayedAccessory(declares: ["X", "5"])
            var rig = AccessoryRig(mutant, retries: 1, accessories: [other])
            rig.run(for: 10_000)
            let silence = rig.opens.isEmpty
            rig.connect(PlayedAccessory(id: 2, declares: ["M", "L"]))
            return silence && rig.opens.first?.hasPrefix("2") == true
        },
        situation("MSP-8", "nothing at all, and a notification later") { mutant in
            var rig = AccessoryRig(mutant, retries: 2)
            rig.run(for: 10_000)
            rig.connect(PlayedAccessory(id: 2, declares: ["M", "L"]))
            return rig.opens.count == 1
        },
    ]

    // MARK: How often (MSP-9)

    private static let counting: [Situation] =
        [PlayedAccessory.Fate.refuses, .silent, .drops].flatMap { fate in
            [
                counted(
                    "direct, each session \(fate)", PlayedAccessory(declares: ["L"], data: fate),
                    "1L"),
                counted(
                    "over the hub, each session \(fate)",
                    PlayedAccessory(declares: ["C", "5"], data: fate), "15"),
            ]
        } + [
            situation("MSP-9", "one attempt is allowed") { mutant in
                let accessory = PlayedAccessory(declares: ["M"], data: .refuses)
                var rig = AccessoryRig(mutant, retries: 1, accessories: [accessory])
                rig.run(for: 10_000)
                return rig.opens.count == 1
            },
            situation("MSP-9", "nine attempts are allowed") { mutant in
                let accessory = PlayedAccessory(declares: ["L"], data: .refuses)
                var rig = AccessoryRig(mutant, retries: 9, accessories: [accessory])
                rig.run(for: 10_000)
                return rig.opens.count == 9
            },
            situation("MSP-8", "a notification after the last attempt") { mutant in
                let accessory = PlayedAccessory(declares: ["M"], data: .refuses)
                var rig = AccessoryRig(mutant, retries: 1, accessories: [accessory])
                rig.run(for: 10_000)
                let before = rig.opens.count
                rig.connect(PlayedAccessory(id: 2, declares: ["M"]))
                rig.run(for: 10_000)
                return rig.opens.count > before
            },
        ]

    /// The allowed number of attempts, then silence; after a notification the same number again.
    private static func counted(
        _ title: String, _ accessory: PlayedAccessory, _ data: String
    ) -> Situation {
        situation("MSP-9", title) { mutant in
            var rig = AccessoryRig(mutant, retries: 3, accessories: [accessory])
            rig.run(for: 10_000)
            let before = rig.opens.count { $0 == data }
            rig.connect(accessory)
            rig.run(for: 10_000)
            return before == 3 && rig.opens.count { $0 == data } == 6
        }
    }

    // MARK: Open sessions (MSP-10, MSP-11)

    private static let sessions: [Situation] = [
        situation("MSP-10", "another app opens a session") { mutant in
            var rig = AccessoryRig(mutant, accessories: [PlayedAccessory(declares: ["M"])])
            rig.run(for: 100)
            rig.feed(.otherAppStarts)
            rig.run(for: 100)
            return rig.history == ["open 1M", "connected"]
        },
        situation("MSP-10", "another accessory comes") { mutant in
            var rig = AccessoryRig(mutant, accessories: [PlayedAccessory(declares: ["M"])])
            rig.run(for: 100)
            rig.connect(PlayedAccessory(id: 2, declares: ["M"]))
            rig.run(for: 100)
            return rig.history == ["open 1M", "connected"]
        },
        situation("MSP-11", "the sessions until the app is connected") { mutant in
            let accessory = PlayedAccessory(declares: ["M", "C", "5"])
            var rig = AccessoryRig(mutant, accessories: [accessory])
            rig.run(for: 900)
            return rig.opens.count == 1 && rig.isConnected
        },
    ]
}
