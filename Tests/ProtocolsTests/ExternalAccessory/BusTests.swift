import TestSupport
import Testing

@testable import BuiltInProtocols
@testable import ExternalAccessory
@testable import Wire

@Suite("The accessory bus")
struct BusTests {
    static let unit = ExternalAccessory.Accessory(
        id: 7, name: "Wagen \"Über\"", manufacturer: "Ford", model: "M",
        protocols: [ExternalAccessory.controlString, ExternalAccessory.legacyString])
    /// A StartService frame of version 1, and its answer.
    private static let startService: [UInt8] = [0x10, 7, 1, 0, 0, 0, 0, 0]
    private static let startServiceACK: [UInt8] = [0x10, 7, 2, 1, 0, 0, 0, 0]

    private func session(_ string: String = "com.ford.sync.prot0") -> BusConversation {
        var bus = BusConversation()
        bus.phone(ExternalAccessory.BusLine.session(accessory: 7, protocolString: string))
        bus.accessory(ExternalAccessory.BusLine.opened(session: 3))
        return bus
    }

    @Test("a control connection announces accessories in the bus's own message names")
    func control() {
        var bus = BusConversation()
        bus.phone(Array("EA-BUS/1 control\n".utf8))
        bus.accessory(ExternalAccessory.BusLine.accessory(Self.unit))
        bus.accessory(ExternalAccessory.BusLine.ready)
        bus.accessory(ExternalAccessory.BusLine.connected(Self.unit))
        bus.accessory(ExternalAccessory.BusLine.disconnected(id: 7))
        bus.end(isPhone: true)
        #expect(
            bus.names == [
                "ea.control", "ea.accessory", "ea.ready", "ea.connected", "ea.disconnected",
            ])
        let fields = bus.said[1].message.content.fields
        #expect(fields["ea"]?["accessory_name"] == "Wagen \"Über\"")
        #expect(
            fields["ea"]?["protocols"] == ["com.smartdevicelink.prot0", "com.ford.sync.prot0"])
        #expect(bus.said[3].message.content.fields == fields)
        #expect(bus.said[4].message.content.fields == ["ea": ["accessory_id": 7]])
        #expect(bus.said.dropFirst().allSatisfy { !$0.isPhone })
        let text = String(decoding: ExternalAccessory.BusLine.disconnected(id: 7), as: UTF8.self)
        #expect(text == "{\"disconnected\":{\"id\":7}}\n")
    }

    @Test("a session is requested, opened and ended, and later messages name the session")
    func open() {
        var bus = session("com.example.other")
        bus.phone([1, 2])
        bus.accessory([3])
        bus.end(isPhone: false)
        bus.end(isPhone: true)
        let requested = #""accessory_id":7,"protocol":"com.example.other""#
        let known = #"\#(requested),"session_id":3"#
        #expect(
            bus.lines == [
                #"phone ea.open {"ea":{\#(requested)}}"#,
                #"accessory ea.opened {"ea":{\#(known)}}"#,
                #"phone ea.data {"ea":{\#(known),"data":"0102"}}"#,
                #"accessory ea.data {"ea":{\#(known),"data":"03","index":3}}"#,
                #"accessory ea.close {"ea":{\#(known)}}"#,
            ])
    }

    @Test("SDL within a session is dissected as SDL messages in both directions")
    func nested() {
        var bus = session(ExternalAccessory.multisessionString)
        bus.phone(Self.startService)
        bus.accessory(Self.startServiceACK)
        #expect(bus.names.suffix(2) == ["sdl.StartService", "sdl.StartServiceACK"])
        let first = ExternalAccessory.BusLine.session(
            accessory: 7, protocolString: ExternalAccessory.multisessionString
        ).count
        #expect(bus.said[2].message.ranges == [UInt64(first)..<UInt64(first + 8)])
    }

    @Test("the hub's index is a message of its own, even if it could begin a frame")
    func index() {
        for index: UInt8 in [0, 4, 0x10, 0x50, 255] {
            var bus = session(ExternalAccessory.controlString)
            bus.accessory([index])
            let last = bus.said.last?.message.content.fields["ea"]
            #expect(last?["data"] == .bytes([index]))
            #expect(last?["protocol"] == "com.smartdevicelink.prot0")
        }
    }

    @Test("bytes that only look like the beginning of a frame are reported once that is clear")
    func undecided() {
        var bus = session()
        bus.phone([0x10])
        #expect(bus.names.last == "ea.opened")
        bus.phone([0x99])
        #expect(
            bus.said.suffix(2).map { $0.message.content.fields["ea"]?["data"] } == [
                .bytes([0x10]), .bytes([0x99]),
            ])
        var other = session()
        other.accessory([0x10, 7])
        other.phone(Self.startService)
        other.accessory([2, 1, 0, 0, 0, 0])
        #expect(other.names.suffix(2) == ["sdl.StartService", "sdl.StartServiceACK"])
    }

    @Test("a refusal has its reason, and no session end follows")
    func refused() {
        var bus = BusConversation()
        bus.phone(ExternalAccessory.BusLine.session(accessory: 1, protocolString: "a.b"))
        bus.accessory(ExternalAccessory.BusLine.refused("not now,\nplease"))
        bus.end(isPhone: false)
        bus.end(isPhone: true)
        #expect(bus.names == ["ea.open", "ea.refused"])
        #expect(bus.said[1].message.content.fields["ea"]?["reason"] == "not now, please")
    }

    @Test("a phone that abandons an unanswered session ends it once")
    func givenUp() {
        var bus = BusConversation()
        bus.phone(ExternalAccessory.BusLine.session(accessory: 1, protocolString: "a.b"))
        bus.end(isPhone: true)
        bus.accessory(ExternalAccessory.BusLine.opened(session: 9))
        bus.end(isPhone: false)
        #expect(bus.names == ["ea.open", "ea.close", "ea.opened"])
        #expect(
            bus.said[1].message.content.fields["ea"] == ["accessory_id": 1, "protocol": "a.b"])
    }

    @Test("the end of the capture does not end a session, a reset does")
    func captureEnd() {
        var bus = session()
        bus.finish()
        #expect(bus.names == ["ea.open", "ea.opened"])
        for isPhone in [true, false] {
            var other = session()
            other.phone([0x10, 7])
            other.reset(isPhone: isPhone)
            #expect(other.names.last == "ea.close")
            #expect(other.said.last?.isPhone == isPhone)
        }
    }

    @Test(
        "a line that is not valid on the bus is reported with the reason",
        arguments: [
            ("EA-BUS/2 control\n", "", "expected EA-BUS/1"),
            ("EA-BUS/1 contro\n", "", "neither"),
            ("EA-BUS/1 session 1\n", "", "neither"),
            ("EA-BUS/1 session 1 a b\n", "", "neither"),
            ("EA-BUS/1 session 1 \n", "", "neither"),
            ("EA-BUS/1 session -1 a\n", "", "not a number"),
            ("EA-BUS/1 session 4294967296 a\n", "", "not a number"),
            ("EA-BUS/1 control\r\n", "", "CR LF"),
            ("EA-BUS/1 control\nmore", "", "only the accessory sends"),
            ("EA-BUS/1 session 1 a\nhello", "", "before the accessory has answered"),
            ("EA-BUS/1 session 1 a\n", "opened\n", "neither"),
            ("EA-BUS/1 session 1 a\n", "opened x\n", "neither"),
            ("EA-BUS/1 session 1 a\n", "refused\n", "neither"),
            ("EA-BUS/1 session 1 a\n", "refused no\nmore", "was refused"),
            ("EA-BUS/1 control\n", "{]\n", "json"),
            ("EA-BUS/1 control\n", "{}\n", "one member"),
            ("EA-BUS/1 control\n", "{\"ready\":false}\n", "not one of"),
            ("EA-BUS/1 control\n", "{\"disconnected\":{}}\n", "expected an integer"),
            ("EA-BUS/1 control\n", "{\"accessory\":{\"id\":1}}\n", "expected a text"),
            (
                "EA-BUS/1 control\n", "{\"accessory\":{\"id\":1,\"name\":\"\"}}\n",
                "expected a list"
            ),
            (
                "EA-BUS/1 control\n",
                "{\"accessory\":{\"id\":1,\"name\":\"\",\"protocols\":[1]}}\n",
                "list of texts"
            ),
        ])
    func malformed(phone: String, accessory: String, words: String) {
        var bus = BusConversation()
        bus.phone(Array(phone.utf8))
        bus.accessory(Array(accessory.utf8))
        bus.finish()
        let stated = bus.said.filter { $0.message.content.name == "ea.malformed" }
        #expect(stated.count == 1)
        let error = stated.first?.message.content.fields["error"]?.stringValue ?? ""
        #expect(error.contains(words), "\(error)")
    }

    @Test("an unreadable line of the control connection does not affect the next line")
    func nextLine() {
        var bus = BusConversation()
        bus.phone(ExternalAccessory.BusLine.control)
        bus.accessory([0xFF, 0x0A] + ExternalAccessory.BusLine.ready)
        #expect(bus.names == ["ea.control", "ea.malformed", "ea.ready"])
    }

    @Test("a line longer than the limit is refused before more of it is kept")
    func limit() {
        var bus = BusConversation()
        bus.phone(Array("EA-BUS/1 session 1 ".utf8) + [UInt8](repeating: 0x61, count: 4096))
        #expect(bus.names == ["ea.malformed"])
        var silent = BusConversation()
        silent.accessory([UInt8](repeating: 0x61, count: 5000))
        #expect(silent.names == ["ea.malformed"])
    }

    @Test("a session's bytes are read even if the accessory's answer was not captured")
    func lostAnswer() {
        var bus = BusConversation()
        bus.phone(
            ExternalAccessory.BusLine.session(
                accessory: 7, protocolString: ExternalAccessory.multisessionString))
        bus.accessory([0x6F])
        bus.lose(8, isPhone: false)
        bus.phone(Self.startService)
        bus.accessory(Self.startServiceACK)
        #expect(
            bus.names == ["ea.open", "ea.malformed", "sdl.StartService", "sdl.StartServiceACK"])
    }

    @Test("a stream is recognised by the first seven bytes of the phone's first line")
    func recognition() {
        for line in [
            ExternalAccessory.BusLine.control,
            ExternalAccessory.BusLine.session(accessory: 1, protocolString: "a"),
        ] {
            for count in 0...line.count {
                let known = ExternalAccessory.recognisesBus(Array(line.prefix(count)).span.bytes)
                #expect(known == (count < 7 ? nil : true))
            }
            for other in ProtocolRegistry.builtIn.streamProtocols where other.name != "ea" {
                #expect(other.recognises(line.span.bytes) == false)
            }
        }
        #expect(ExternalAccessory.recognisesBus(Array("EX".utf8).span.bytes) == false)
    }

    @Test("the messages and their positions do not depend on how both streams are cut")
    func cuts() {
        for seed in 1...40 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let script = Self.script(&random)
            let whole = Self.play(script) { [$0] }
            let single = Self.play(script) { $0.map { [$0] } }
            let cut = Self.play(script) { StreamPieces.cut($0, &random) }
            #expect(single.summary == whole.summary, "seed \(seed)")
            #expect(cut.summary == whole.summary, "seed \(seed)")
            #expect(whole.names.count > 2)
            #expect(!whole.names.contains("ea.malformed"))
        }
    }

    @Test("no input traps the decoders, and every byte belongs to a message")
    func anyBytes() {
        for seed in 1...300 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var script = Self.script(&random)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let turn = Int.random(in: 0..<script.count, using: &random)
                guard !script[turn].bytes.isEmpty else { continue }
                let place = Int.random(in: 0..<script[turn].bytes.count, using: &random)
                script[turn].bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            let played = Self.play(script) { StreamPieces.cut($0, &random) }
            for isPhone in [true, false] {
                let sent = script.filter { $0.isPhone == isPhone }.reduce(0) {
                    $0 + $1.bytes.count
                }
                #expect(played.covered(isPhone: isPhone) == sent, "seed \(seed)")
            }
        }
    }

    private struct Turn {
        var isPhone: Bool
        var bytes: [UInt8]
    }

    private static func play(
        _ script: [Turn], cut: ([UInt8]) -> [[UInt8]]
    ) -> BusConversation {
        var bus = BusConversation()
        for turn in script {
            for piece in cut(turn.bytes) {
                if turn.isPhone { bus.phone(piece) } else { bus.accessory(piece) }
            }
        }
        bus.finish()
        return bus
    }

    /// Returns a random valid conversation: a control connection, or a session with or without SDL.
    private static func script(_ random: inout SeededGenerator) -> [Turn] {
        if Bool.random(using: &random) {
            let lines = (0..<Int.random(in: 1...5, using: &random)).flatMap { id in
                ExternalAccessory.BusLine.accessory(
                    ExternalAccessory.Accessory(
                        id: UInt32(id), name: "é\(id)", protocols: ["a", "b"]))
            }
            return [
                Turn(isPhone: true, bytes: ExternalAccessory.BusLine.control),
                Turn(isPhone: false, bytes: lines + ExternalAccessory.BusLine.ready),
                Turn(isPhone: false, bytes: ExternalAccessory.BusLine.disconnected(id: 0)),
            ]
        }
        let carriesSDL = Bool.random(using: &random)
        var script = [
            Turn(
                isPhone: true,
                bytes: ExternalAccessory.BusLine.session(
                    accessory: 1, protocolString: ExternalAccessory.multisessionString)),
            Turn(isPhone: false, bytes: ExternalAccessory.BusLine.opened(session: 5)),
        ]
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let data = (0..<Int.random(in: 1...20, using: &random)).map { _ in
                UInt8.random(in: 0x60...0xFF, using: &random)
            }
            script.append(Turn(isPhone: true, bytes: carriesSDL ? startService : data))
            if carriesSDL { script.append(Turn(isPhone: false, bytes: startServiceACK)) }
        }
        return script
    }
}
