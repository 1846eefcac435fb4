import BuiltInProtocols
import TCPIP
import Testing
import Wire

@testable import SuiteLanguage

/// `protocols`: messages with their own names.
@Suite("Protocols that files describe")
struct NamedProtocolTests {
    static let description = """
        meta: {id: chat, endian: be, encoding: UTF-8}
        seq:
          - {id: kind, type: u1, enum: kind}
          - {id: len_body, type: u2}
          - id: body
            size: len_body
            type: {switch-on: kind, cases: {kind::hello: hello, kind::say: say, _: nothing}}
        types:
          hello:
            seq:
              - {id: name, type: str, size-eos: true}
          say:
            seq:
              - {id: number, type: u1}
              - {id: mood, type: u1, enum: mood}
              - {id: words, size-eos: true}
          nothing: {}
        enums:
          kind: {1: hello, 2: welcome, 3: say}
          mood: {0: calm, 1: angry}
        """

    static let file = """
        conform-protocol: 1
        protocol: chat
        ksy: chat.ksy
        message: "chat.{kind}"
        top: [body]
        tcp: {ports: [7000]}
        udp: {ports: 7001}
        recognise: kind == kind::hello
        malformed: {a number of 0: "kind == kind::say and body.as<say>.number == 0"}
        messages: {hello: {text: Somebody comes., answer: welcome}}
        """

    /// Returns a suite with one case; `peer` are the settings of its peer.
    static func suite(
        _ steps: String, peer: String = "is: tcp.server, speaks: chat", file: String = file,
        description: String = description, more: String = ""
    ) throws -> Suite {
        let text = """
            conform: 1
            suite: s
            requirements: [catalogue.yaml]
            device: {role: my.client}
            roles: {my.client: {text: It chats.}}
            protocols: [chat.yaml]
            peers:
              hu: {\(peer)}
            cases:
              - id: one
                checks: [A-1]
            \(more)
                steps:
            \(steps.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n"))
            """
        let catalogue = """
            conform-requirements: 1
            document: D
            source: https://example.org
            requirements: {A-1: {section: "1", text: It does., derived: "1"}}
            """
        let files = [
            "suite.yaml": text, "catalogue.yaml": catalogue, "chat.yaml": file,
            "chat.ksy": description,
        ]
        return try SuiteLoader(.builtIn).load(path: "suite.yaml") { path throws(InvalidInput) in
            if let text = files[path] { return text }
            throw InvalidInput([Diagnostic("unreadable-file", "there is no \(path)", at: nil)])
        }
    }

    static func findings(
        _ steps: String = "- expect: chat.hello", peer: String = "is: tcp.server, speaks: chat",
        file: String = file, description: String = description, more: String = ""
    ) -> [String] {
        do {
            return try suite(
                steps, peer: peer, file: file, description: description, more: more
            ).warnings.map(\.description)
        } catch {
            return (error as? InvalidInput)?.diagnostics.map(\.description) ?? ["\(error)"]
        }
    }

    static func chat(file: String = file) throws -> NamedProtocol {
        try #require(try suite("- expect: tcp.SYN", file: file).cases[0].known.own.first)
    }

    static let say: [UInt8] = [3, 0, 4, 7, 1] + Array("hm".utf8)

    @Test("A message has the name that its fields give it, and the fields of its body at the top")
    func dissects() throws {
        let chat = try Self.chat()
        guard case .message(let fields, let count) = chat.dissect(Self.say + [9], isWhole: false)
        else {
            Issue.record("no message")
            return
        }
        #expect(count == 7)
        #expect(fields.name == "chat.say")
        #expect(fields.value["number"] == 7)
        #expect(fields.value["mood"] == "angry")
        #expect(fields.value["words"] == .bytes(Array("hm".utf8)))
        #expect(fields.value["body"] == nil)
        #expect(fields.places.contains(.init("number", 3..<4)))
        guard case .message(let other, _) = chat.dissect([9, 0, 0], isWhole: true) else {
            Issue.record("no message")
            return
        }
        #expect(other.name == "chat.other")
    }

    @Test("A stream is cut by the description; a forbidden message does not end it")
    func streams() throws {
        let cutting = try #require(try Self.chat().stream)
        let hello: [UInt8] = [1, 0, 2] + Array("me".utf8)
        let bytes = hello + [3, 0, 2, 0, 0] + Self.say
        for size in [1, 2, 5, bytes.count] {
            var decoder = cutting.streamProtocol.makeDecoder(DissectionStack([]))
            var messages: [StreamMessage] = []
            var offset = 0
            while offset < bytes.count {
                let part = Array(bytes[offset..<min(offset + size, bytes.count)])
                part.withUnsafeBytes { raw in
                    decoder.consume(
                        RawSpan(_unsafeBytes: raw), from: .first, at: UInt64(offset),
                        into: &messages)
                }
                offset += part.count
            }
            #expect(messages.map(\.content.name) == ["chat.hello", "chat.malformed", "chat.say"])
            #expect(messages[1].content.fields["error"] == "a number of 0")
            #expect(messages[0].content.field(try #require(FieldPath("name"))) == "me")
            #expect(
                messages[0].content.field(try #require(FieldPath("data"))) == .bytes(hello))
            #expect(messages[2].ranges == [10..<17])
        }
    }

    @Test("The first message of a stream shows whether it belongs to the protocol")
    func recognises() throws {
        let known = try #require(try Self.chat().recognised)
        func recognises(_ bytes: [UInt8]) -> Bool? {
            bytes.withUnsafeBytes { known.recognises(RawSpan(_unsafeBytes: $0)) }
        }
        #expect(recognises([1, 0, 2]) == nil)
        #expect(recognises([1, 0, 2] + Array("me".utf8)) == true)
        #expect(recognises(Self.say) == false)
    }

    @Test("Steps name messages and fields; what the name implies need not be sent")
    func sends() throws {
        let suite = try Self.suite(
            """
            - expect: chat.hello
              where: {name: {starts: m}}
              save: {who: name}
            - send: chat.welcome
            - send: chat.say
              with: {number: 1, mood: calm, words: {text: hi}}
            - send: chat.say
              with: {number: 0, mood: calm, words: "${who}"}
            """)
        let testCase = suite.cases[0]
        #expect(suite.sources.map(\.path).contains("chat.yaml"))
        #expect(suite.sources.map(\.path).contains("chat.ksy"))
        #expect(testCase.peers[0].settings["port"] == 7000)
        guard case .send("chat.welcome", _, let answering) = testCase.steps[1].verb,
            case .send("chat.say", let fields, _) = testCase.steps[2].verb
        else {
            Issue.record("no messages")
            return
        }
        #expect(answering == 0)
        let chat = try #require(testCase.known.own.first)
        let values = fields.map { (path: $0.path, value: $0.value?.literalValue) }
        #expect(
            try chat.encode("chat.say", values, isDatagram: false)
                == [3, 0, 4, 1, 0] + Array("hi".utf8))
        #expect(
            testCase.steps[2].suiteText.hasPrefix("send: chat.say {from: hu, with: {number: 1"))
    }

    @Test("A message that is malformed on purpose is sent as its bytes")
    func malformed() throws {
        let suite = try Self.suite(
            """
            - expect: chat.hello
            - send: chat.say
              with: {number: 0, mood: calm, words: ""}
            - send: chat.malformed
              with: {data: {hex: "0100"}}
            """)
        let texts = suite.cases[0].steps.map(\.suiteText)
        #expect(texts[1].contains("chat.malformed"))
        #expect(texts[1].contains("0300020000"))
        #expect(texts[2].contains("0100"))
    }

    @Test("Peers answer with messages")
    func answers() throws {
        let suite = try Self.suite(
            "- expect: chat.hello",
            peer: "is: tcp.server, speaks: chat, greeting: {message: chat.welcome}, "
                + "answers: [{message: chat.hello, where: {name: me}, save: {w: name}, "
                + "send: [{message: chat.say, with: {number: 2, mood: angry, words: '${w}'}}]}]")
        let script = suite.cases[0].peers[0].script
        #expect(script.greeting[0].literalBytes == [2, 0, 0])
        guard case .bytes(let answer) = script.answers[0].sends[0] else {
            Issue.record("no bytes")
            return
        }
        #expect(try answer.evaluate(["w": "a"]) == [3, 0, 3, 2, 1, UInt8(ascii: "a")])
        #expect(
            answer.suiteText
                == "{message: chat.say, with: {number: 2, mood: angry, words: \"${w}\"}}")
    }

    @Test(
        "What no message has is found when the suite is loaded, with a proposal",
        arguments: [
            ("- expect: chat.helo", "did you mean \"chat.hello\"?"),
            ("- expect: chat.hello\n  where: {nme: me}", "did you mean \"name\"?"),
            ("- expect: chat.hello\n  where: {mood: calm}", "chat.hello has no field \"mood\""),
            ("- expect: chat.say\n  where: {mood: clam}", "did you mean \"calm\"?"),
            ("- expect: chat.say\n  where: {number: 300}", "an integer from 0 to 255"),
            ("- expect: chat.say\n  where: {mood: 1}", "one of mood, not 1"),
            ("- expect: chat.say\n  where: {mood: {starts: x}}", "none of the possible values"),
            ("- expect: chat.say\n  save: {x: numbr}", "did you mean \"number\"?"),
            ("- expect: chat.hello\n- send: chat.say", "chat.say cannot be written"),
            (
                "- expect: chat.hello\n- send: chat.welcome\n  with: {kind: 7}",
                "it is chat.other, not chat.welcome"
            ),
        ])
    func mistakes(steps: String, expected: String) {
        let found = Self.findings(steps)
        #expect(found.contains { $0.contains(expected) }, "\(found)")
    }

    @Test(
        "A number that an enumeration lacks is a value of its field",
        arguments: [
            "- expect: chat.other\n  where: {kind: 77}",
            "- expect: chat.other\n  where: {kind: {in: [4, 77]}}",
            "- expect: chat.say\n  where: {mood: {min: 2, type: integer}}",
            "- expect: chat.say\n  where: {mood: {not: 9}}",
        ])
    func numbers(steps: String) {
        #expect(Self.findings(steps) == [])
    }

    @Test(
        "A fault in a peer or in the file is found when the suite is loaded",
        arguments: [
            ("is: tcp.server, speaks: caht", "", "", "did you mean \"chat\"? [unknown-protocol]"),
            (
                "is: tcp.server, speaks: chat, stream: {fixed: 2}", "", "",
                "\"stream\" together with"
            ),
            (
                "is: udp.server, port: 1, speaks: chat", "udp: {ports: 7001}", "",
                "UDP does not carry chat"
            ),
            ("is: tcp.server", "protocol: chat", "protocol: sdl", "of its own"),
            ("is: tcp.server", "protocol: chat", "protocol: Chat", "cannot be"),
            ("is: tcp.server", "{kind}", "{knd}", "did you mean \"kind\"?"),
            ("is: tcp.server", "{kind}", "{len_body}", "not known which names"),
            ("is: tcp.server", "{kind}", "{kind", "not closed"),
            ("is: tcp.server", "[body]", "[bdy]", "did you mean \"body\"?"),
            ("is: tcp.server", "[body]", "[kind]", "has no fields"),
            ("is: tcp.server", "kind == kind::hello", "kind", "no condition"),
            ("is: tcp.server", "answer: welcome", "answer: welcom", "\"welcome\"?"),
            ("is: tcp.server", "messages:", "correlation: [nme]\nmessages:", "\"name\"?"),
            (
                "is: tcp.server", "messages:", "correlation: [name]\nmessages:",
                "chat.welcome has no field \"name\", and chat.hello has one"
            ),
            (
                "is: tcp.server", "messages: {hello: {text: Somebody comes., answer: welcome}}",
                "correlation: [kind]", "no message has an \"answer\""
            ),
            ("is: tcp.server", "chat.ksy", "caht.ksy", "file-not-found"),
            ("is: tcp.server", "ports: [7000]", "port: 1", "did you mean"),
            ("is: tcp.server", "[7000]", "[70000]", "1 to 65535"),
            ("is: tcp.server", "conform-protocol: 1", "title: x", "conform-protocol"),
        ])
    func wrongFiles(peer: String, old: String, new: String, expected: String) {
        let file = old.isEmpty ? Self.file : Self.file.replacing(old, with: new)
        let found = Self.findings("- expect: tcp.SYN", peer: peer, file: file)
        #expect(found.contains { $0.contains(expected) }, "\(found)")
    }

    @Test("A description without an end needs a stream that is cut, or a datagram")
    func endless() throws {
        let words = """
            meta: {id: chat}
            seq: [{id: words, size-eos: true}]
            """
        let plain = "conform-protocol: 1\nprotocol: chat\nksy: chat.ksy\n"
        func found(_ rest: String, _ peer: String) -> [String] {
            Self.findings(
                "- expect: chat.message\n  where: {words: {text: hi}}", peer: peer,
                file: plain + rest, description: words)
        }
        let udp = found("udp: {ports: 5}", "is: udp.server, speaks: chat")
        #expect(udp == [])
        let open = found("tcp: {ports: 5}", "is: tcp.server, speaks: chat")
        #expect(open.contains { $0.contains("ksy-endless") })
        let cut = "tcp: {ports: 5, stream: {length: {at: 0, size: 2}}, prefix: 2}"
        #expect(found(cut, "is: tcp.server, speaks: chat") == [])
        let suite = try Self.suite(
            "- expect: chat.message", file: plain + cut, description: words)
        let chat = try #require(suite.cases[0].known.own.first)
        let words5: [(path: FieldPath, value: Value?)] = [
            (path: try #require(FieldPath("words")), value: "hello")
        ]
        #expect(
            try chat.encode("chat.message", words5, isDatagram: false)
                == [0, 5] + Array("hello".utf8))
        #expect(
            try chat.encode("chat.message", words5, isDatagram: true) == Array("hello".utf8))
    }

    @Test("The defaults of a message come from the file of the protocol")
    func defaults() throws {
        let file = Self.file.replacing(
            "answer: welcome}}",
            with: "answer: welcome}, say: {defaults: {number: 1, words: {text: hi}}}}\n"
                + "defaults: {mood: calm}")
        let chat = try Self.chat(file: file)
        #expect(
            try chat.encode("chat.say", [], isDatagram: false)
                == [3, 0, 4, 1, 0] + Array("hi".utf8))
        let mood = (path: try #require(FieldPath("mood")), value: Value?.some("angry"))
        #expect(
            try chat.encode("chat.say", [mood], isDatagram: false)
                == [3, 0, 4, 1, 1] + Array("hi".utf8))
        #expect(
            Self.findings(
                "- expect: chat.hello", file: file.replacing("number: 1", with: "nmber: 1")
            ).contains { $0.contains("did you mean \"number\"?") })
    }

    @Test("Names may result from a condition; both sides of it can be sent")
    func conditions() throws {
        let suite = try Self.suite(
            "- expect: chat.query\n- send: chat.response",
            file: """
                conform-protocol: 1
                protocol: chat
                ksy: chat.ksy
                message: '{is_response ? "response" : "query"}'
                tcp: {ports: 1}
                """,
            description: """
                meta: {id: chat}
                seq:
                  - {id: is_response, type: b1}
                  - {id: rest, type: b7, valid: 0}
                """)
        let chat = try #require(suite.cases[0].known.own.first)
        #expect(try chat.encode("chat.response", [], isDatagram: false) == [0x80])
        #expect(try chat.encode("chat.query", [], isDatagram: false) == [0])
    }

    @Test("A datagram is a message with the fields of the protocols that carry it")
    func datagrams() throws {
        let chat = try Self.chat()
        let header = try UDPHeader(
            parsing: Array<UInt8>([0, 1, 0, 2, 0, 15, 0, 0]).span.bytes, of: 15)
        let address = IPAddress(ipv4: 0x7F00_0001)
        let datagram = UDPDatagram(
            from: address, to: address, header: header, stream: 0, bytes: Self.say)
        let message = DescribedDatagram(datagram, by: chat)
        #expect(message.name == "chat.say")
        #expect(message.field(try #require(FieldPath("number"))) == 7)
        #expect(message.field(try #require(FieldPath("udp.dstport"))) == 2)
        #expect(message.fields["ip"]?["src"] == "127.0.0.1")
        let broken = DescribedDatagram(
            UDPDatagram(
                from: address, to: address, header: header, stream: 0, bytes: [3, 0, 9]),
            by: chat)
        #expect(broken.name == "chat.malformed")
    }

    @Test("A filter recognises the messages and the fields")
    func filters() throws {
        let chat = try Self.chat()
        for text in ["chat.say", "chat", "mood == \"angry\"", "number > 3 && !chat.hello"] {
            _ = try MessageFilter(text, KnownMessages(.builtIn, [chat]))
        }
        #expect(throws: MessageFilter.SyntaxError.self) {
            try MessageFilter("moood == 1", KnownMessages(.builtIn, [chat]))
        }
        #expect(throws: MessageFilter.SyntaxError.self) {
            try MessageFilter("mood == 1", KnownMessages(.builtIn))
        }
    }
}
