import AccessoryBus
import ExternalAccessory
import Testing

@testable import conform_device

/// A phone that uses iAP2 links, with accessories played by a test, and a simulated clock.
private struct LinkRig {
    var carrier = IAP2Carrier()
    private(set) var events: [BusEvent] = []
    /// The links for which the phone keeps a connection.
    private(set) var connections: [Int] = []
    private var ends: [Int: IAP2.AccessoryEnd] = [:]
    private var toPhone: [(link: Int, bytes: [UInt8])] = []
    private var timers: [CarrierTimer: Duration] = [:]
    private(set) var now = Duration.zero
    /// The strings that the accessories were asked for, followed by the data that they got.
    private(set) var requested: [String?] = []
    private(set) var data: [UInt8] = []

    init() {
        perform(carrier.start())
        for link in connections { perform(carrier.connected(.link(link), at: now)) }
    }

    /// Attaches an accessory to the spare connection, and returns the link.
    mutating func plug(_ name: String, _ protocols: String...) -> Int {
        let link = connections.last ?? 0
        var end = IAP2.AccessoryEnd(
            IAP2.Identification(
                name: name, model: "m", manufacturer: "f", serialNumber: "1",
                protocols: protocols))
        end.start(at: now)
        ends[link] = end
        settle()
        return link
    }

    mutating func unplug(_ link: Int) {
        ends[link] = nil
        connections.removeAll { $0 == link }
        perform(carrier.ended(.link(link), "unplugged"))
        settle()
    }

    mutating func open(_ link: Int, _ string: String) -> SessionNumber {
        let (session, actions) = carrier.openSession(
            with: UInt32(link), protocolString: string, at: now)
        perform(actions)
        settle()
        return session
    }

    mutating func perform(_ actions: [CarrierAction]) {
        for action in actions {
            switch action {
            case .connect(.link(let link)): connections.append(link)
            case .send(let bytes, .link(let link)):
                consume(ends[link]?.receive(bytes, at: now) ?? [], of: link)
            case .close(.link(let link)): connections.removeAll { $0 == link }
            case .startTimer(let timer, let milliseconds):
                timers[timer] = now + .milliseconds(milliseconds)
            case .stopTimer(let timer): timers[timer] = nil
            case .report(let event): events.append(event)
            case .connect, .send, .close: break
            }
        }
    }

    private mutating func consume(_ events: [IAP2.AccessoryEnd.Event], of link: Int) {
        for event in events {
            switch event {
            case .requested(let session, let string):
                requested.append(string)
                if string == "refused" {
                    ends[link]?.close(session: session, at: now)
                } else {
                    ends[link]?.open(session: session, at: now)
                }
            case .data(let session, let bytes):
                data += bytes
                ends[link]?.send(bytes.reversed(), session: session, at: now)
                if bytes == [0] { ends[link]?.close(session: session, at: now) }
            default: break
            }
        }
    }

    /// Exchanges bytes until neither side has any to send.
    mutating func settle() {
        while true {
            let said = ends.keys.sorted().compactMap { link -> (Int, [UInt8])? in
                guard let bytes = ends[link]?.takeOutput(), !bytes.isEmpty else { return nil }
                return (link, bytes)
            }
            if said.isEmpty { return }
            for (link, bytes) in said {
                let before = connections.count
                perform(carrier.received(bytes, on: .link(link), at: now))
                for new in connections.dropFirst(before) {
                    perform(carrier.connected(.link(new), at: now))
                }
            }
        }
    }

    /// Lets time pass.
    mutating func run(for duration: Duration) {
        let end = now + duration
        while true {
            let timer = timers.min { $0.value < $1.value }
            let accessory = ends.compactMapValues(\.nextDeadline).min { $0.value < $1.value }
            let next = [timer?.value, accessory?.value].compactMap { $0 }.min()
            guard let next, next <= end else { break }
            now = max(now, next)
            if let timer, timer.value <= now {
                timers[timer.key] = nil
                perform(carrier.timerFired(timer.key, at: now))
            } else if let accessory {
                consume(ends[accessory.key]?.advance(to: now) ?? [], of: accessory.key)
            }
            settle()
        }
        now = end
    }
}

@Suite("IAP2 as a carrier")
struct IAP2CarrierTests {
    @Test("One connection is spare; when an accessory uses it, the phone opens the next")
    func spare() {
        var rig = LinkRig()
        #expect(rig.connections == [1])
        let link = rig.plug("One", "a", "b")
        rig.run(for: .seconds(2))
        #expect(link == 1)
        #expect(rig.connections == [1, 2])
        #expect(rig.events == [.ready])
        #expect(rig.carrier.accessories.map(\.protocols) == [["a", "b"]])
    }

    @Test("The phone is notified of accessories that come later, and of those that go")
    func notifications() throws {
        var rig = LinkRig()
        rig.run(for: .seconds(2))
        #expect(rig.events == [.ready])
        let link = rig.plug("Later", "a")
        rig.run(for: .seconds(2))
        let later = try #require(rig.carrier.accessories.first)
        #expect(later.name == "Later")
        #expect(rig.events.last == .connected(later))
        rig.unplug(link)
        rig.run(for: .seconds(2))
        #expect(rig.events.last == .disconnected(later))
        #expect(rig.carrier.accessories.isEmpty)
        #expect(rig.connections == [2])
    }

    @Test("A session opens, carries bytes in both directions and ends from either side")
    func sessions() {
        var rig = LinkRig()
        let link = rig.plug("One", "a", "b")
        rig.run(for: .seconds(2))
        let first = rig.open(link, "b")
        rig.run(for: .seconds(1))
        #expect(rig.requested == ["b"])
        #expect(rig.events.last == .opened(first, id: 1))
        rig.perform(rig.carrier.send([1, 2, 3], in: first, at: rig.now))
        rig.run(for: .seconds(1))
        #expect(rig.data == [1, 2, 3])
        #expect(rig.events.last == .received(first, [3, 2, 1]))
        let count = rig.events.count
        rig.perform(rig.carrier.close(first, at: rig.now))
        rig.run(for: .seconds(1))
        #expect(rig.events.count == count)

        let second = rig.open(link, "a")
        rig.run(for: .seconds(1))
        rig.perform(rig.carrier.send([0], in: second, at: rig.now))
        rig.run(for: .seconds(1))
        guard case .ended(second, _)? = rig.events.last else {
            Issue.record("not ended: \(rig.events)")
            return
        }
    }

    @Test("A session that the accessory refuses, or whose string it does not declare, is refused")
    func refused() {
        var rig = LinkRig()
        let link = rig.plug("One", "refused")
        rig.run(for: .seconds(2))
        let first = rig.open(link, "refused")
        rig.run(for: .seconds(1))
        #expect(rig.events.last == .refused(first, "status 1"))
        let second = rig.open(link, "undeclared")
        guard case .refused(second, _)? = rig.events.last else {
            Issue.record("not refused")
            return
        }
        #expect(rig.requested == ["refused"])
    }

    @Test("An accessory that goes ends its sessions; a peer that does not answer is reported")
    func ends() {
        var rig = LinkRig()
        let link = rig.plug("One", "a")
        rig.run(for: .seconds(2))
        let session = rig.open(link, "a")
        rig.run(for: .seconds(1))
        rig.unplug(link)
        #expect(rig.events.contains(.ended(session, "unplugged")))

        var carrier = IAP2Carrier()
        _ = carrier.start()
        #expect(carrier.ended(.link(1), "refused").contains(.report(.lost("refused"))))
        #expect(carrier.start().contains(.connect(.link(2))))
    }

    @Test("A spare connection that ends is opened again after a pause")
    func lostSpare() {
        var rig = LinkRig()
        rig.run(for: .seconds(1))
        rig.unplug(1)
        #expect(rig.connections.isEmpty)
        rig.run(for: .seconds(1))
        #expect(rig.connections == [2])
    }
}
