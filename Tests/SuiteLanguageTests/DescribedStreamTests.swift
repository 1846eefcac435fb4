import BuiltInProtocols
import Testing
import Wire

@testable import SuiteLanguage

/// `stream: {ksy: ...}`, the fields of messages, and messages that are sent.
@Suite("Streams that a file describes")
struct DescribedStreamTests {
    private static let description = """
        meta: {id: words, endian: be, encoding: UTF-8}
        seq:
          - {id: kind, type: u1, enum: kind}
          - {id: len_body, type: u2}
          - {id: body, size: len_body, type: body}
        types:
          body:
            seq:
              - {id: num_words, type: u1}
              - {id: words, type: strz, repeat: expr, repeat-expr: num_words}
              - {id: rest, size-eos: true}
        enums:
          kind: {1: ask, 2: tell}
        """

    private static func suite(
        _ steps: String, stream: String = "{ksy: words.ksy}", peer: String = "",
        description: String = description
    ) throws -> Suite {
        let text = """
            conform: 1
            suite: s
            requirements: [catalogue.yaml]
            device: {role: my.client}
            roles: {my.client: {text: It says words.}}
            peers:
              hu: {is: tcp.server, port: 1, stream: \(stream)\(peer)}
            cases:
              - id: one
                checks: [A-1]
                steps:
            \(steps.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n"))
            """
        let catalogue = """
            conform-requirements: 1
            document: D
            source: https://example.org
            requirements: {A-1: {section: "1", text: It does., derived: "1"}}
            """
        let files = ["suite.yaml": text, "catalogue.yaml": catalogue, "words.ksy": description]
        return try SuiteLoader(.builtIn).load(path: "suite.yaml") { path throws(InvalidInput) in
            if let text = files[path] { return text }
            throw InvalidInput([Diagnostic("unreadable-file", "there is no \(path)", at: nil)])
        }
    }

    private static func findings(
        _ steps: String, stream: String = "{ksy: words.ksy}", peer: String = "",
        description: String = description
    ) -> [String] {
        do {
            let suite = try suite(steps, stream: stream, peer: peer, description: description)
            return suite.warnings.map(\.description)
        } catch {
            return (error as? InvalidInput)?.diagnostics.map(\.description) ?? ["\(error)"]
        }
    }

    private static let expects = "- expect: stream.message"

    @Test("A step sends a message by its fields; lengths and counts are filled in")
    func sends() throws {
        let suite = try Self.suite(
            """
            - expect: stream.message
              where: {fields.kind: ask}
              save: {word: "fields.body.words[0]"}
            - send: {fields: {kind: tell, body: {words: [hello], rest: {hex: "00ff"}}}}
            - send: {fields: {kind: tell, len_body: 3, body: {words: ["${word}"], rest: ""}}}
            """)
        let steps = suite.cases[0].steps
        #expect(steps[2].suiteText.hasPrefix("send: {fields: {"), "\(steps[2].suiteText)")
        guard case .sendBytes(let known) = steps[1].verb, case .sendBytes(let late) = steps[2].verb
        else {
            Issue.record("not two messages")
            return
        }
        #expect(
            known.literalBytes
                == [2, 0, 9, 1] + Array("hello".utf8) + [0, 0, 0xFF])
        #expect(late.literalBytes == nil)
        #expect(try late.evaluate(["word": "ab"]) == [2, 0, 3, 1] + Array("ab".utf8) + [0])
        #expect(throws: EvaluationError.self) { try late.evaluate(["word": 5]) }
        #expect(suite.sources.contains { $0.path == "words.ksy" })
        #expect(
            steps[2].suiteText.hasPrefix(
                "send: {fields: {kind: tell, len_body: 3, body: {words: ["), "\(steps[2].suiteText)"
        )
        #expect(steps[2].suiteText.contains("${word}"))
        #expect(steps[1].suiteText.contains("{fields: {kind: tell, body: {words: [hello]"))
    }

    @Test("The answer of a peer may be a message given by its fields")
    func answers() throws {
        let suite = try Self.suite(
            "- expect: stream.message",
            peer: [
                ", greeting: {fields: {kind: ask, body: {words: [], rest: ''}}}",
                "answers: [{message: stream.message, where: {fields.kind: ask}",
                "save: {w: fields.body.words}",
                "send: [{fields: {kind: tell, body: {words: '${w}', rest: ''}}}]}]",
            ].joined(separator: ", "))
        let script = suite.cases[0].peers[0].script
        #expect(script.greeting[0].literalBytes == [1, 0, 1, 0])
        guard case .bytes(let answer) = script.answers[0].sends[0] else {
            Issue.record("no bytes")
            return
        }
        #expect(
            try answer.evaluate(["w": ["a", "b"]])
                == [2, 0, 5, 2, UInt8(ascii: "a"), 0, UInt8(ascii: "b"), 0])
    }

    @Test("What is impossible is found when the suite is loaded, with its place and a proposal")
    func mistakes() {
        #expect(
            Self.findings("- expect: stream.message\n  where: {fields.bdy.words: {length: 1}}")
                .first?.contains("did you mean \"body\"?") == true)
        #expect(
            Self.findings("- send: {fields: {kind: say, body: {words: [], rest: \"\"}}}").first?
                .contains("kind has no \"say\"") == true)
        #expect(
            Self.findings("- send: {fields: {kind: ask}}").first?.contains("rest: it is not given")
                == true)
        #expect(
            Self.findings("- send: {fields: {kind: ask}}", stream: "{until: x}").first?
                .contains("no description says what they are") == true)
        #expect(
            Self.findings(Self.expects, stream: "{ksy: other.ksy}").first?.contains(
                "file-not-found")
                == true)
        #expect(
            Self.findings(Self.expects, description: "meta: {id: words}\nseq: [{id: a, tpe: u1}]")
                .contains { $0.hasPrefix("words.ksy:2:15: error: unknown key \"tpe\"") })
        let custom = "meta: {id: words}\nseq: [{id: a, size: 3, process: mine(1)}]"
        #expect(
            Self.findings(Self.expects, description: custom).first?.contains("[unsupported]")
                == true)
        let endless = "meta: {id: words}\nseq: [{id: a, type: u1, repeat: eos}]"
        #expect(
            Self.findings(Self.expects, description: endless).first?.contains("[ksy-endless]")
                == true)
        #expect(
            Self.findings(Self.expects, stream: "{fixed: 3, ksy: words.ksy}", description: endless)
                == [])
    }

    @Test("A stream has the same messages, however it is split")
    func pieces() throws {
        let peer = try #require(try Self.suite(Self.expects).cases[0].peers.first)
        let cutting = try #require(peer.stream)
        let bytes: [UInt8] = [1, 0, 4, 1, 97, 0, 9, 2, 0, 1, 0, 1, 0, 3, 1, 98, 0]
        for size in 1...bytes.count {
            var decoder = cutting.streamProtocol.makeDecoder(DissectionStack([]))
            var messages: [StreamMessage] = []
            var offset = 0
            while offset < bytes.count {
                let part = Array(bytes[offset..<min(bytes.count, offset + size)])
                decoder.consume(
                    part.span.bytes, from: .first, at: UInt64(offset), into: &messages)
                offset += part.count
            }
            decoder.finish(.first, .closed, into: &messages)
            #expect(messages.map(\.ranges) == [[0..<7], [7..<11], [11..<17]])
            #expect(messages.allSatisfy { $0.content.name == "stream.message" })
            let fields = messages[0].content.fields["fields"]
            #expect(fields?["kind"] == "ask")
            #expect(fields?["body"]?["words"] == ["a"])
            #expect(messages[0].content.fieldPlaces["fields.body.rest"] == 6..<7)
        }
    }

    @Test("Bytes that are not a message are malformed up to the end, with the reason")
    func malformed() throws {
        let peer = try #require(try Self.suite(Self.expects).cases[0].peers.first)
        var decoder = try #require(peer.stream).streamProtocol.makeDecoder(DissectionStack([]))
        var messages: [StreamMessage] = []
        let bytes: [UInt8] = [1, 0, 1, 0, 1, 0, 1, 9, 1, 1]
        decoder.consume(bytes.span.bytes, from: .first, at: 0, into: &messages)
        #expect(messages.map(\.content.name) == ["stream.message", "stream.malformed"])
        #expect(messages[1].ranges == [4..<10])
        #expect(
            messages[1].content.fields["error"]?.stringValue?.hasPrefix("body.words") == true)
    }
}
