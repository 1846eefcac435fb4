import BuiltInProtocols
import Testing
import Wire

@testable import SuiteLanguage

@Suite("What the description of a message forbids")
struct WrongMessageTests {
    private static let known = KnownMessages(.builtIn)

    private static func value(_ id: String, of message: String) -> Value? {
        for wrong in known.wrongMessages(message) where wrong.id == id {
            if case .set(_, let value) = wrong.change { return value }
        }
        return nil
    }

    @Test("Each limit of a field has values below, at and above it; only those at it are allowed")
    func limits() throws {
        let name = "sdl.AddCommand.request"
        #expect(Self.value("params.cmdID.greatest", of: name) == 2_000_000_000)
        #expect(Self.value("params.cmdID.above", of: name) == 2_000_000_001)
        #expect(Self.value("params.cmdID.below", of: name) == -1)
        #expect(Self.value("params.cmdID.null", of: name) == .null)
        let longest = Self.value("params.menuParams.menuName.longest", of: name)
        #expect(longest?["menuName"]?.stringValue?.count == 500)
        #expect(Self.value("params.vrCommands.above", of: name)?.arrayValue?.count == 101)
        let allowed = Self.known.wrongMessages(name).filter(\.isAllowed).map(\.id)
        #expect(allowed.contains("params.cmdID.greatest"))
        #expect(!allowed.contains { $0.hasSuffix(".above") || $0.hasSuffix(".below") })
    }

    /// Returns a way's member in JSON, before and after the bytes of its marks are replaced.
    private static func json(_ id: String) throws -> (encoded: [UInt8], sent: [UInt8]) {
        let ways = known.wrongMessages("sdl.Show.request")
        let way = try #require(ways.first { $0.id == "params.mainField1.\(id)" })
        #expect(way.place == .bytes && !way.isAllowed)
        var change: (value: Value, replacements: [Corruption.Replacement])?
        if case .replace(_, let value, let replacements) = way.change {
            change = (value, replacements)
        }
        let (value, replacements) = try #require(change)
        let encoded = Array("{\"mainField1\":\(value.jsonText())}".utf8)
        return (
            encoded, try #require(Corruption(replacements: replacements).applied(to: encoded))
        )
    }

    @Test("A text can be bytes that are not UTF-8, and in JSON a member that is there twice")
    func bytes() throws {
        let text = try Self.json("not-utf-8")
        #expect(String(validating: text.encoded, as: UTF8.self) != nil)
        #expect(String(validating: text.sent, as: UTF8.self) == nil)
        let twice = try Self.json("twice")
        let members = try Value(json: twice.sent.span.bytes).objectValue
        #expect(members?.map(\.name) == ["mainField1", "mainField1"])
        #expect(twice.sent.count == twice.encoded.count)
    }

    @Test("A structure can have its members in the opposite order, which is allowed")
    func backwards() throws {
        let ways = Self.known.wrongMessages("sdl.AddCommand.request")
        let way = try #require(ways.first { $0.id == "params.cmdIcon.backwards" })
        #expect(way.isAllowed)
        let plain = Self.value("params.cmdIcon.backwards", of: "sdl.AddCommand.request")
        #expect(plain?.objectValue?.map(\.name) == ["imageType", "value"])
    }

    @Test("Each value fits a comment of a packet, for each message of each protocol")
    func lengths() {
        for name in Self.known.protocols.messageNames {
            for way in Self.known.wrongMessages(name) {
                guard case .set(_, let value) = way.change else { continue }
                #expect(value.suiteText.utf8.count < 60_000, "\(name) \(way.id)")
            }
        }
    }

    @Test("Ids are unique, for each message of each protocol")
    func ids() {
        for name in Self.known.protocols.messageNames {
            let ids = Self.known.wrongMessages(name).map(\.id)
            #expect(Set(ids).count == ids.count, "\(name)")
        }
    }

    /// Returns an exploration with one act, which has this step.
    private static func exploration(_ step: String, length: Int) throws -> Exploration {
        let suite = try SuiteFixture.load(
            SuiteFixture.head.replacing(
                "cases:\n",
                with: """
                    explore:
                      - id: forbidden
                        acts: {forbidden: {steps: [\(step)]}}
                        length: \(length)
                    """))
        return try #require(suite.explorations.first)
    }

    @Test(
        "Each way is a step that can be read, and the violation is in its field",
        arguments: [
            "sdl.Show.request", "sdl.RegisterAppInterface.response", "sdl.StartServiceACK",
            "sdl.OnHMIStatus.notification",
        ])
    func steps(_ message: String) throws {
        let exploration = try Self.exploration("{wrong: \(message), from: hu}", length: 1)
        let draw = try #require(exploration.acts.first?.draws.first)
        let ways = Self.known.wrongMessages(message)
        #expect(draw.elements.count == ways.count)
        for choice in draw.elements.indices {
            let run = DrawnRun(
                name: DrawnName(exploration: "forbidden", seed: 0, number: 1), given: [],
                acts: [DrawnRun.Act(act: 0, choices: [UInt64(choice)])])
            let steps = try exploration.testCase(of: run).steps.plain
            let sent = try #require(
                steps.first { if case .send = $0.verb { true } else { false } })
            switch (ways[choice].change, sent.verb) {
            case (.set(let path, let value), .send(message, let overrides, _)):
                #expect(overrides.first?.path == path)
                #expect(overrides.first?.value?.literalValue == value)
            case (.remove(let path), .send(message, let overrides, _)):
                #expect(overrides.first?.path == path && overrides.first?.value == nil)
            case (.segments(let size), .send(message, _, _)): #expect(sent.segmentSize == size)
            case (_, .send(message, _, _)): #expect(sent.corruption?.isEmpty == false)
            default: Issue.record("\(ways[choice].id): another step")
            }
        }
    }

    @Test("The first runs draw each kind of way of each message")
    func coverage() throws {
        let exploration = try Self.exploration(
            "{wrong: [sdl.Show.response, sdl.Alert.response], from: hu, in: values}", length: 10)
        let draw = try #require(exploration.acts.first?.draws.first)
        let kinds = Set(draw.elements.compactMap(\.kind))
        #expect(kinds.contains("sdl.Alert.response absent") && kinds.count > 10)
        let runs = exploration.runs(seed: 3, count: (kinds.count + 9) / 10)
        let drawn = runs.flatMap { $0.acts.flatMap(\.choices) }.compactMap {
            draw.elements[Int($0)].kind
        }
        #expect(Set(drawn) == kinds)
    }

    @Test("A message of a described protocol is only wrong in ways that can be encoded")
    func described() throws {
        let own = try NamedProtocolTests.chat()
        let known = KnownMessages(.builtIn, [own])
        let ways = known.wrongMessages("chat.say")
        #expect(ways.contains { $0.id == "number.greatest" }, "\(ways.map(\.id))")
        for way in ways {
            if case .set(let path, let value) = way.change {
                let fields = way.others.map { (path: $0.path, value: Value?.some($0.value)) }
                let bytes = try own.encode(
                    "chat.say", fields + [(path, value)], isDatagram: false)
                #expect(!bytes.isEmpty, "\(way.id)")
            }
        }
    }

    private static func chat() throws -> KnownMessages {
        KnownMessages(.builtIn, [try NamedProtocolTests.chat()])
    }

    @Test("A described message is cut at each border of its fields, and its lengths lie")
    func borders() throws {
        let ways = try Self.chat().wrongMessages("chat.hello")
        let ids = ways.map(\.id)
        // One byte of the kind, two of the length, one of the name.
        #expect(
            ids.filter { $0.hasPrefix("first-") }
                == ["first-1", "first-3", "first-of-its-connection"])
        #expect(ids.contains("within-itself-1") && ids.contains("within-itself-3"))
        let less = try #require(ways.first { $0.id == "len_body.less" })
        guard case .set(_, let value) = less.change else {
            Issue.record("not a value")
            return
        }
        #expect(value == 0 && !less.isAllowed)
        #expect(ids.contains("len_body.more"))
        // With more than the message has, or with less, the rest is not a message.
        let greatest = try #require(ways.first { $0.id == "len_body.greatest" })
        #expect(!greatest.isAllowed)
    }

    @Test("What a specification calls malformed is not allowed, even at the limit of a field")
    func refused() throws {
        let ways = try Self.chat().wrongMessages("chat.say")
        #expect(ways.first { $0.id == "number.least" }?.isAllowed == false)
        #expect(ways.first { $0.id == "number.greatest" }?.isAllowed == true)
    }

    @Test("A stream is divided, joined and put into itself at several places, each of one kind")
    func divisions() throws {
        for known in [Self.known, try Self.chat()] {
            for message in ["sdl.Show.request", "chat.say"]
            where known.message(named: message) != nil {
                let ways = known.wrongMessages(message)
                let kinds = ways.filter { $0.id.hasPrefix("segments-") }.map(\.kind)
                #expect(kinds.count == 7 && Set(kinds) == ["segments"])
                #expect(ways.contains { $0.id == "joined-3" && $0.needsStream && !$0.isAllowed })
                #expect(ways.count { $0.kind == "within-itself" } > 1)
            }
        }
    }

    private static func mqtt() throws -> Suite {
        let root = try #require(Repository.root)
        return try SuiteLoader(.builtIn).load(
            path: "\(root)/Suites/examples/mqtt-server-robustness.yaml")
    }

    @Test("A message whose fields decide which others there are has ways, with those of a step")
    func given() throws {
        let known = try #require(try Self.mqtt().cases.first?.known)
        #expect(known.wrongMessages("mqtt.connect").contains { $0.id == "client_id.length.more" })
        let publish = known.wrongMessages("mqtt.publish").map(\.id)
        #expect(publish.contains("topic.length.more") && !publish.contains("qos.more"))
        for name in ["connack", "puback", "subscribe", "suback", "unsubscribe", "pingreq"] {
            #expect(!known.wrongMessages("mqtt.\(name)").isEmpty, "\(name)")
        }
        let flag = try #require(FieldPath("has_user_name"))
        let name = try #require(FieldPath("user_name.value"))
        let ways = known.wrongMessages(
            "mqtt.connect", with: [(flag, true), (name, .string("ann"))])
        #expect(ways.contains { $0.id == "user_name.length.more" })
        #expect(ways.allSatisfy { way in !way.others.contains { [flag, name].contains($0.path) } })
        let node = YAMLNode(.scalar(.bool(true)), at: SourcePosition(file: "a", line: 1, column: 1))
        let with = [YAMLNode.Entry(key: "has_user_name", keyPosition: node.position, value: node)]
        let way = try #require(ways.first { $0.id == "keep_alive.greatest" })
        let entries = way.entries(with: with, at: node.position)
        #expect(entries.first?.value["has_user_name"]?.content == .scalar(.bool(true)))
    }

    @Test("A message that is the first of its connection is sent on a new one")
    func state() throws {
        let suite = try Self.mqtt()
        let exploration = try #require(suite.explorations.first { $0.id == "forbidden" })
        let act = try #require(exploration.acts.firstIndex { $0.name == "bytes" })
        let draw = try #require(exploration.acts[act].draws.first)
        let name = "mqtt.publish: it is the first message of a new connection"
        let choice = try #require(draw.elements.firstIndex { $0.name == name })
        let run = DrawnRun(
            name: DrawnName(exploration: "forbidden", seed: 0, number: 1), given: [],
            acts: [DrawnRun.Act(act: act, choices: [UInt64(choice)])])
        let steps = try exploration.testCase(of: run).steps.plain.map(\.suiteText)
        let place = try #require(steps.firstIndex { $0.contains("send: mqtt.publish") })
        #expect(steps[place - 2].contains("do: client.reset"))
        #expect(steps[place - 1].contains("do: client.connect"))
    }
}
