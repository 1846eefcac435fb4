import ExternalAccessory
import TestSupport
import Testing

@testable import AccessoryBus

/// A phone without sockets, with the actions that it requested and the events that it reported.
private struct PhoneRig {
    var phone = PhoneSide()
    private(set) var actions: [PhoneSide.Action] = []

    var events: [BusEvent] {
        actions.compactMap {
            if case .report(let event) = $0 { event } else { nil }
        }
    }

    mutating func perform(_ new: [PhoneSide.Action]) { actions += new }

    mutating func receive(
        _ bytes: [UInt8], on connection: PhoneSide.Connection, piece: Int = .max
    ) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(piece))
            rest = rest.dropFirst(piece)
            perform(phone.received(part, on: connection))
        }
    }

    mutating func receive(_ text: String, on connection: PhoneSide.Connection = .control) {
        receive(Array(text.utf8), on: connection)
    }

    /// A phone with an established control connection.
    static var started: PhoneRig {
        var rig = PhoneRig()
        rig.perform(rig.phone.start())
        rig.perform(rig.phone.connected(.control))
        return rig
    }

    mutating func query(_ accessory: UInt32 = 1, _ string: String = "org.example") -> SessionNumber
    {
        let (session, actions) = phone.openSession(with: accessory, protocolString: string)
        perform(actions)
        perform(phone.connected(.session(session)))
        return session
    }
}

private typealias Accessory = ExternalAccessory.Accessory

@Suite("The phone's side of the bus")
struct PhoneSideTests {
    private let first = Accessory(id: 1, name: "Head Unit", protocols: ["a", "b"])
    private let second = Accessory(id: 2, name: "Zubehör", manufacturer: "m", protocols: [])

    @Test("The control connection begins with its line and is not opened twice")
    func control() {
        var rig = PhoneRig.started
        #expect(
            rig.actions == [.connect(.control), .send(Array("EA-BUS/1 control\n".utf8), .control)])
        rig.perform(rig.phone.start())
        #expect(rig.actions.count == 2)
    }

    @Test(
        "Accessories come and go, however the bytes are cut", arguments: [1, 2, 7, .max])
    func accessories(piece: Int) {
        var rig = PhoneRig.started
        let bytes =
            ExternalAccessory.BusLine.accessory(first) + ExternalAccessory.BusLine.ready
            + ExternalAccessory.BusLine.connected(second)
            + ExternalAccessory.BusLine.disconnected(id: 1)
        rig.receive(bytes, on: .control, piece: piece)
        #expect(rig.events == [.ready, .connected(second), .disconnected(first)])
        #expect(rig.phone.accessories == [second])
    }

    @Test("An accessory that is announced again replaces its earlier announcement")
    func announcedAgain() {
        var rig = PhoneRig.started
        rig.receive(ExternalAccessory.BusLine.accessory(first), on: .control)
        rig.receive(ExternalAccessory.BusLine.accessory(second), on: .control)
        let changed = Accessory(id: 1, name: "Other", protocols: ["c"])
        rig.receive(ExternalAccessory.BusLine.connected(changed), on: .control)
        #expect(rig.phone.accessories == [changed, second])
    }

    @Test("A session begins with its line, opens and carries bytes", arguments: [1, 3, .max])
    func session(piece: Int) {
        var rig = PhoneRig.started
        let session = rig.query(7, "com.example.one")
        #expect(
            rig.actions.suffix(2) == [
                .connect(.session(session)),
                .send(Array("EA-BUS/1 session 7 com.example.one\n".utf8), .session(session)),
            ])
        #expect(rig.phone.send([1], in: session).isEmpty)
        rig.receive(Array("opened 12\n".utf8) + [5, 10, 6], on: .session(session), piece: piece)
        #expect(rig.events.first == .opened(session, id: 12))
        let data = rig.events.dropFirst().flatMap { event -> [UInt8] in
            if case .received(session, let bytes) = event { bytes } else { [] }
        }
        #expect(data == [5, 10, 6])
        #expect(rig.phone.send([1, 2], in: session) == [.send([1, 2], .session(session))])
    }

    @Test("A refused session is closed and has the reason")
    func refused() {
        var rig = PhoneRig.started
        let session = rig.query()
        rig.receive("refused no such string\n", on: .session(session))
        #expect(rig.events == [.refused(session, "no such string")])
        #expect(rig.actions.contains(.close(.session(session))))
        rig.perform(rig.phone.ended(.session(session), "end"))
        #expect(rig.events.count == 1)
    }

    @Test(
        "An invalid answer ends the session",
        arguments: ["hello\n", "opened x\n", "opened\n", "\n"])
    func badAnswer(line: String) {
        var rig = PhoneRig.started
        let session = rig.query()
        rig.receive(line, on: .session(session))
        guard case .ended(session, let reason)? = rig.events.last else {
            Issue.record("not ended: \(rig.events)")
            return
        }
        #expect(reason.contains("ea.answer"))
        #expect(rig.actions.contains(.close(.session(session))))
    }

    @Test("An invalid line about accessories is reported and skipped")
    func badAnnouncement() {
        var rig = PhoneRig.started
        rig.receive("{\"ready\":false}\nhello\n{\"connected\":{\"id\":1}}\n{\"ready\":true}\n")
        #expect(rig.events.count == 4)
        #expect(rig.events.last == .ready)
        for event in rig.events.dropLast() {
            guard case .malformed = event else {
                Issue.record("\(event)")
                continue
            }
        }
    }

    @Test("A line without an end is not awaited forever")
    func tooLong() {
        var rig = PhoneRig.started
        let session = rig.query()
        let limit = ExternalAccessory.Limits.lineBytesMax
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: limit - 1)
        rig.receive(line, on: .control, piece: 1000)
        rig.receive(line, on: .session(session), piece: 1000)
        #expect(rig.events.isEmpty)
        rig.receive("x")
        rig.receive("x", on: .session(session))
        #expect(rig.events.count == 2)
        #expect(rig.actions.contains(.close(.control)))
        #expect(rig.actions.contains(.close(.session(session))))
    }

    @Test("After the loss of the control connection no accessory is known, and it can be reopened")
    func lost() {
        var rig = PhoneRig.started
        rig.receive(ExternalAccessory.BusLine.accessory(first), on: .control)
        let session = rig.query()
        rig.receive("opened 1\n", on: .session(session))
        rig.perform(rig.phone.ended(.control, "reset"))
        #expect(rig.events.last == .lost("reset"))
        #expect(rig.phone.accessories.isEmpty)
        #expect(rig.phone.isOpen(session))
        #expect(rig.phone.start() == [.connect(.control)])
    }

    @Test("A closed session reports nothing more")
    func closed() {
        var rig = PhoneRig.started
        let session = rig.query()
        rig.receive("opened 1\n", on: .session(session))
        let before = rig.events
        rig.perform(rig.phone.close(session))
        rig.receive([1, 2, 3], on: .session(session))
        rig.perform(rig.phone.ended(.session(session), "end"))
        #expect(rig.events == before)
        #expect(rig.phone.close(session).isEmpty)
        #expect(rig.query() != session)
    }

    @Test("Whatever the other side sends, the phone neither stops nor stores it")
    func fuzz() {
        var random = SeededGenerator(seed: 0xB0B)
        let words = [
            "{\"accessory\":", "{\"id\":1,", "\"name\":\"n\",", "\"protocols\":[\"a\"]}}", "\n",
            "{\"ready\":true}\n", "opened ", "7\n", "refused ", "\u{0}", "é", "}", "[",
            "{\"disconnected\":{\"id\":1}}\n", "99999999999", "\r\n", " ",
        ]
        for _ in 0..<200 {
            var rig = PhoneRig.started
            var sessions: [SessionNumber] = []
            for _ in 0..<40 {
                var bytes = Array(words[random.below(words.count)].utf8)
                if random.below(8) == 0 { bytes = [UInt8(random.below(256))] }
                switch random.below(5) {
                case 0: sessions.append(rig.query())
                case 1, 2: rig.receive(bytes, on: .control)
                default:
                    if let session = sessions.last { rig.receive(bytes, on: .session(session)) }
                }
            }
            #expect(rig.phone.accessories.count <= 1)
            let sent = rig.actions.count {
                if case .send = $0 { true } else { false }
            }
            #expect(sent == sessions.count + 1)
        }
    }
}
