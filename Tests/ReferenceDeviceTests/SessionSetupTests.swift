import TestSupport
import Testing
import Wire

@testable import conform_device

@Suite("Setup of a session with an accessory")
struct SessionSetupTests {
    /// The declared strings, and the first session below version 9 and from version 9 on.
    ///
    /// The values are those of the document.
    private static let table: [(declared: String, below: String?, from: String?)] = [
        ("", nil, nil),
        ("M", nil, "1M"),
        ("C", "1C", "1C"),
        ("L", "1L", "1L"),
        ("MC", "1C", "1M"),
        ("ML", "1L", "1M"),
        ("CL", "1C", "1C"),
        ("MCL", "1C", "1M"),
    ]

    private static func orders(_ text: String) -> [[String]] {
        guard text.count > 1 else { return [text.map(String.init)] }
        return text.indices.flatMap { index -> [[String]] in
            var rest = text
            let first = String(rest.remove(at: index))
            return orders(rest).map { [first] + $0 }
        }
    }

    @Test(
        "The first session is the one of the document, in every order of declaration",
        arguments: ["7.1.2", "8", "8.4.1", "9", "9.0", "9.3.5", "10", "10.0.1", "17.5", "100"])
    func firstSession(version: String) {
        let isBelow = version.hasPrefix("7") || version.hasPrefix("8")
        for row in Self.table {
            let expected = [isBelow ? row.below : row.from].compactMap { $0 }
            for order in Self.orders(row.declared) {
                let accessory = PlayedAccessory(declares: ["org.example.other"] + order + ["5"])
                let searched = AccessoryRig(version: version, accessories: [accessory])
                #expect(searched.opens == expected, "\(order) searched")
                var notified = AccessoryRig(version: version)
                notified.connect(accessory)
                #expect(notified.opens == expected, "\(order) notified")
            }
        }
    }

    @Test("The search goes by string first, and by accessory second")
    func search() {
        func first(_ sets: String...) -> [String] {
            AccessoryRig(
                accessories: sets.enumerated().map {
                    PlayedAccessory(
                        id: UInt32($0.offset + 1), declares: $0.element.map(String.init))
                }
            ).opens
        }
        #expect(first("L", "C", "M") == ["3M"])
        #expect(first("CL", "M") == ["2M"])
        #expect(first("L", "C") == ["2C"])
        #expect(first("", "L") == ["2L"])
        #expect(first("M", "M") == ["1M"])
        #expect(first("LC", "CL") == ["1C"])
    }

    @Test("A notified accessory is tried before better strings elsewhere")
    func notified() {
        var rig = AccessoryRig(accessories: [PlayedAccessory(id: 1, declares: ["X"])])
        #expect(rig.opens.isEmpty)
        rig.connect(PlayedAccessory(id: 2, declares: ["L"]))
        #expect(rig.opens == ["2L"])
    }

    @Test("The search follows only if the notified accessory offers nothing compatible")
    func notifiedWithout() {
        var rig = AccessoryRig(
            retries: 1, accessories: [PlayedAccessory(declares: ["L"], data: .refuses)])
        rig.run(for: 5000)
        #expect(rig.opens == ["1L"])
        rig.connect(PlayedAccessory(id: 2, declares: ["X"]))
        #expect(rig.opens == ["1L", "1L"])
    }

    @Test(
        "The hub's byte names the channel; the control session ends before the data session opens")
    func hub() {
        var rig = AccessoryRig(
            accessories: [PlayedAccessory(declares: ["C", "29"], hub: .index(29))])
        rig.run(for: 100)
        #expect(rig.history == ["open 1C", "close control", "open 129", "connected"])
    }

    @Test(
        "Failed attempts are retried up to the limit, and a notification begins again",
        arguments: [1, 2, 5])
    func exhaustion(limit: Int) {
        let fates: [(PlayedAccessory.Hub, PlayedAccessory.Fate)] = [
            (.index(5), .refuses), (.index(5), .silent), (.index(5), .drops), (.index(6), .stands),
            (.index(0), .stands), (.index(30), .stands), (.silent, .stands), (.ends, .stands),
            (.refuses, .stands),
        ]
        for (hub, data) in fates {
            let accessory = PlayedAccessory(declares: ["C", "5", "30"], hub: hub, data: data)
            var rig = AccessoryRig(retries: limit, accessories: [accessory])
            rig.run(for: 60_000)
            #expect(rig.opens.count { $0 == "1C" } == limit, "\(hub) \(data)")
            #expect(Set(rig.opens).isSubset(of: ["1C", "15"]), "\(hub) \(data)")
            #expect(rig.events.count { $0 == .createSessionRetriesExhausted } == 1)
            #expect(rig.open.isEmpty)
            rig.connect(PlayedAccessory(id: 2, declares: ["M"]))
            rig.run(for: 100)
            #expect(rig.opens.last == "2M")
            #expect(rig.isConnected)
        }
    }

    @Test("A setup without a compatible accessory ends, and a notification begins another")
    func nothingCompatible() {
        var rig = AccessoryRig(retries: 1, accessories: [PlayedAccessory(declares: ["X", "5"])])
        rig.run(for: 60_000)
        #expect(rig.history.isEmpty)
        #expect(rig.events.contains(.noCompatibleAccessory))
        #expect(rig.events.last == .setupEnded)
        rig.connect(PlayedAccessory(id: 2, declares: ["M"]))
        rig.run(for: 100)
        #expect(rig.history == ["open 2M", "connected"])
    }

    @Test("A notification during a session or a setup changes nothing")
    func ignoredNotifications() {
        var rig = AccessoryRig(accessories: [PlayedAccessory(declares: ["C"], hub: .silent)])
        rig.run(for: 500)
        rig.connect(PlayedAccessory(id: 2, declares: ["L"]))
        #expect(rig.opens == ["1C"])
        #expect(rig.events.last == .notificationIgnored)
        rig = AccessoryRig(accessories: [PlayedAccessory(declares: ["L"])])
        rig.run(for: 500)
        rig.connect(PlayedAccessory(id: 2, declares: ["M"]))
        rig.run(for: 500)
        #expect(rig.opens == ["1L"])
        #expect(rig.isConnected)
    }

    @Test("A dropped session counts as an attempt, a session that the app closes does not")
    func reconnections() {
        var rig = AccessoryRig(retries: 2, accessories: [PlayedAccessory(declares: ["M"])])
        for _ in 0..<3 {
            rig.run(for: 1000)
            rig.drop()
        }
        rig.run(for: 1000)
        #expect(rig.opens.count == 2)
        rig = AccessoryRig(retries: 2, accessories: [PlayedAccessory(declares: ["M"])])
        for _ in 0..<3 {
            rig.run(for: 1000)
            rig.feed(.close)
            rig.feed(.connect)
        }
        #expect(rig.opens.count == 4)
    }

    @Test("An accessory that goes ends its session, and its return resets the counter")
    func disconnection() {
        var rig = AccessoryRig(retries: 1, accessories: [PlayedAccessory(declares: ["M"])])
        rig.run(for: 100)
        for _ in 0..<3 {
            rig.disconnect(1)
            #expect(!rig.isConnected)
            rig.run(for: 1000)
            rig.connect(PlayedAccessory(declares: ["M"]))
            rig.run(for: 100)
            #expect(rig.isConnected)
        }
        #expect(rig.opens == ["1M", "1M", "1M", "1M"])
    }

    @Test("If an accessory comes back before the app asks, the app asks that one")
    func quickReturn() {
        var rig = AccessoryRig(
            retries: 1, accessories: [PlayedAccessory(id: 1, declares: ["M"])])
        rig.run(for: 100)
        rig.connect(PlayedAccessory(id: 2, declares: ["M"]))
        rig.disconnect(1)
        rig.connect(PlayedAccessory(id: 3, declares: ["L"]))
        rig.run(for: 1000)
        #expect(rig.opens == ["1M", "3L"])
    }

    @Test("An accessory that goes during the setup ends the setup")
    func disconnectionDuringSetup() {
        var rig = AccessoryRig(accessories: [PlayedAccessory(declares: ["C"], hub: .silent)])
        rig.run(for: 100)
        rig.disconnect(1)
        rig.run(for: 60_000)
        #expect(rig.history == ["open 1C", "close control"])
        #expect(rig.setup.state == .ended)
    }

    @Test(
        "Accessories that are lost and found restart the setup; an open session survives the loss")
    func lostAndFound() {
        let accessory = PlayedAccessory(declares: ["L"], data: .refuses)
        var rig = AccessoryRig(retries: 2, accessories: [accessory])
        rig.run(for: 10_000)
        #expect(rig.opens.count == 2)
        rig.feed(.lost("test"))
        rig.feed(.ready([accessory.accessory]))
        rig.run(for: 10_000)
        #expect(rig.opens.count == 4)
        rig = AccessoryRig(accessories: [PlayedAccessory(declares: ["L"])])
        rig.run(for: 100)
        rig.feed(.lost("test"))
        rig.feed(.ready([accessory.accessory]))
        #expect(rig.isConnected)
        #expect(rig.opens == ["1L"])
    }

    @Test("In any order of events there are never too many attempts, nor two data sessions")
    func anyOrder() {
        var random = SeededGenerator(seed: 0x5E55)
        for _ in 0..<400 {
            var rig = AccessoryRig(retries: 2)
            var sinceNotification = 0
            for _ in 0..<60 {
                let before = rig.opens.count
                switch random.below(9) {
                case 0:
                    let id = UInt32(random.below(3) + 1)
                    rig.disconnect(id)
                    let sets = [["M"], ["C", "5"], ["L"], ["X"], ["L", "C", "M"]]
                    sinceNotification = 0
                    rig.connect(
                        PlayedAccessory(
                            id: id, declares: sets[random.below(5)],
                            hub: .index(UInt8(random.below(7))),
                            data: [.stands, .refuses, .silent, .drops][random.below(4)]))
                case 1:
                    rig.disconnect(UInt32(random.below(3) + 1))
                    sinceNotification = 0
                case 2: rig.drop()
                case 3:
                    rig.feed(
                        .received(
                            random.below(2) == 0 ? .control : .data, [UInt8(random.below(256))]))
                case 4: rig.feed(.refused(random.below(2) == 0 ? .control : .data, "test"))
                case 5: rig.feed(.timerFired)
                case 6: rig.feed(.opened(random.below(2) == 0 ? .control : .data, id: 3))
                default: rig.run(for: random.below(2000))
                }
                sinceNotification += rig.opens.dropFirst(before).count { $0.dropFirst() != "5" }
                #expect(rig.open.count <= 1)
                #expect(sinceNotification <= 4)
            }
        }
    }
}
