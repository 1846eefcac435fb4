import HTTP
import Testing

@testable import SuiteLanguage

struct PeerScriptTests {
    private func suite(_ peer: String, kind: String = "tcp.server") -> String {
        """
        conform: 1
        suite: made-up
        requirements: [catalogue.yaml]
        device: {role: tcp.client}
        variables: {name: mx}
        peers:
          p:
            is: \(kind)
        \(peer)
        cases:
          - id: one
            checks: [A-1]
            steps: [{expect: tcp.SYN}]
          - id: two
            checks: [A-1]
            given: {p: {greeting: bye}}
            steps: [{expect: tcp.SYN}]

        """
    }

    @Test("Greeting, answers and keep-alive are read, and a case may replace them")
    func reading() throws {
        let loaded = try SuiteFixture.load(
            suite(
                """
                    greeting: "220 ${name}\\r\\n"
                    keepAlive: {every: 30s, send: {hex: "00"}}
                    answers:
                      - {to: {starts: EHLO}, send: {text: "250 ${name}\\r\\n"}, after: 20ms}
                      - {to: {hex: "01 02"}, send: [{hex: "ff"}, "two"], times: 2}
                      - {to: "QUIT", send: [], then: close}
                      - {message: tcp.FIN}
                """))
        let script = try #require(loaded.cases.first?.peers.first?.script)
        #expect(script.greeting.map(\.literalBytes) == [Array("220 mx\r\n".utf8)])
        #expect(script.keepAlive?.interval == .seconds(30))
        #expect(script.answers.count == 4)
        let hello = script.answers[0]
        #expect(hello.after == .milliseconds(20) && hello.times == nil && hello.end == nil)
        #expect(hello.sends.map(\.literalBytes) == [Array("250 mx\r\n".utf8)])
        let fits = hello.conditions.map { $0.matcher.matches(.bytes(Array("EHLO a".utf8))) }
        #expect(fits == [true])
        #expect(script.answers[1].sends.count == 2 && script.answers[1].times == 2)
        #expect(script.answers[2].end == .close)
        #expect(script.answers[3].message == "tcp.FIN" && script.answers[3].sends.isEmpty)
        let other = try #require(loaded.cases.last?.peers.first?.script)
        #expect(other.greeting.map(\.literalBytes) == [Array("bye".utf8)])
        #expect(other.answers == script.answers)
    }

    @Test("A later answer may send what another answer saved")
    func saved() throws {
        let loaded = try SuiteFixture.load(
            suite(
                """
                    answers:
                      - {where: {udp.srcport: {min: 1}}, save: {who: text}, times: 1}
                      - {send: "hello ${who}"}
                """, kind: "udp.server"))
        let script = try #require(loaded.cases.first?.peers.first?.script)
        #expect(script.answers[0].saves.map(\.variable) == ["who"])
        guard case .bytes(let greeting)? = script.answers[1].sends.first else {
            Issue.record("no bytes: \(script.answers[1].sends)")
            return
        }
        #expect(try greeting.evaluate(["who": "me"]) == Array("hello me".utf8))
    }

    @Test("Answers on a stream that is cut use the fields of its messages")
    func cutStream() throws {
        let loaded = try SuiteFixture.load(
            suite(
                """
                    stream: {until: "\\r\\n"}
                    answers:
                      - {to: {starts: "use "}, save: {line: text}, send: "USING ${slice(line, 4)}"}
                      - {where: {text: {matches: "^put "}}, send: ok}
                """))
        let answers = try #require(loaded.cases.first?.peers.first?.script.answers)
        #expect(answers.map(\.message) == [nil, nil])
        #expect(answers[0].saves.map(\.variable) == ["line"])
    }

    @Test(
        "Mistakes are reported where they are",
        arguments: [
            ("answers: [{two: x}]", "unknown-key"), ("answers: {to: x}", "wrong-type"),
            ("answers: [{to: {strts: x}}]", "bad-matcher"),
            ("answers: [{after: x}]", "bad-duration"),
            ("answers: [{then: stop}]", "bad-value"), ("answers: [{times: 0}]", "bad-value"),
            ("answers: [{message: tcp.FINN}]", "unknown-message"),
            ("answers: [{message: tcp.FIN, to: x}]", "misplaced-key"),
            ("answers: [{send: 1}]", "bad-value"),
            ("answers: [{send: \"${who}\"}]", "unknown-variable"),
            ("keepAlive: {send: x}", "missing-key"),
            ("keepAlive: {every: 0s, send: x}", "bad-value"),
            ("greting: x", "unknown-setting"),
        ])
    func mistakes(setting: String, code: String) throws {
        let text = suite("    " + setting)
        do {
            _ = try SuiteFixture.load(text)
            Issue.record("\(setting) was loaded")
        } catch {
            #expect(error.diagnostics.map(\.code).contains(code), "\(setting): \(error)")
        }
    }

    @Test("A peer of HTTP sends a message, or bytes as they are")
    func http() throws {
        let loaded = try SuiteFixture.load(
            suite(
                """
                    answers:
                      - to: {starts: "GET /${name} "}
                        send: {status: 404, headers: {X-A: "${name}"}, json: {a: ["${name}"]}}
                      - {where: {json.id: 1}, save: {id: json.id}, send: {body: "${id}", chunked: true}}
                      - {message: http.malformed, send: {text: "HTTP/1.1 400 No\\r\\n\\r\\n"}}
                """, kind: "http.server"
            ).replacing("{greeting: bye}", with: "{greeting: [{text: x}, {status: 100}]}"))
        let answers = try #require(loaded.cases.first?.peers.first?.script.answers)
        #expect(answers.map(\.message) == ["http.request", "http.request", "http.malformed"])
        #expect(answers[0].conditions.map(\.path) == [.answeredBytes])
        let sent = try answers.map { answer in
            switch answer.sends.first {
            case .http(let template)?:
                String(
                    decoding: try template.bytes(["id": "7"], host: "h", answering: "GET"),
                    as: UTF8.self)
            case let other: String(decoding: other?.literalBytes ?? [], as: UTF8.self)
            }
        }
        #expect(
            sent == [
                "HTTP/1.1 404 Not Found\r\nX-A: mx\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 12\r\n\r\n{\"a\":[\"mx\"]}",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n7\r\n0\r\n\r\n",
                "HTTP/1.1 400 No\r\n\r\n",
            ])
        #expect(loaded.cases.last?.peers.first?.script.greeting.count == 2)
    }

    @Test(
        "Mistakes in messages of HTTP are reported where they are",
        arguments: [
            ("http.server", "greeting: {stats: 1}", "unknown-key"),
            ("http.server", "greeting: {status: 99}", "bad-value"),
            ("http.server", "greeting: {uri: /}", "misplaced-key"),
            ("http.client", "greeting: {status: 200}", "misplaced-key"),
            ("http.client", "greeting: {uri: /, body: a, json: 1}", "misplaced-key"),
            ("http.client", "greeting: {headers: [a]}", "wrong-type"),
            ("tcp.server", "greeting: {status: 200}", "bad-value"),
            ("http.server", "answers: [{where: {jsn: 1}}]", "unknown-field"),
            ("http.client", "answers: [{where: {http.request.uri: /}}]", "unknown-field"),
        ])
    func httpMistakes(kind: String, setting: String, code: String) throws {
        let text = suite("    " + setting, kind: kind)
        do {
            _ = try SuiteFixture.load(text)
            Issue.record("\(setting) was loaded")
        } catch {
            #expect(error.diagnostics.map(\.code).contains(code), "\(setting): \(error)")
        }
    }

    @Test("An answer that is never given is reported where it is")
    func neverGiven() {
        let marked = MarkedText(
            suite(
                """
                    greeting: "${name}"
                    answers: [{send: a}, ⟦never-answers⟧{to: x, send: b}]
                """))
        let found = SuiteFixture.findings(marked.text)
        #expect(SuiteFixture.places(found) == marked.expected)
        #expect(found.map(\.code) == ["never-answers"])
    }

    @Test("The name of a message in place of its bytes is reported where it is")
    func nameForBytes() {
        let marked = MarkedText(
            suite(
                """
                    stream: {until: "\\n"}
                    greeting: "${name}"
                    answers: [{to: ⟦never-answers⟧stream.message, send: b}]
                """))
        let found = SuiteFixture.findings(marked.text)
        #expect(SuiteFixture.places(found) == marked.expected)
        #expect(found.first?.description.contains("write message: stream.message") == true)
    }

    @Test(
        "Datagrams have no bytes of a stream that could be sent or corrupted",
        arguments: [
            ("{send: {hex: ff}}", "not-sendable"),
            ("{send: udp.datagram, with: {text: a}, segments: 3}", "misplaced-key"),
            ("{send: udp.datagram, with: {text: a}, corrupt: {truncate: 1}}", "misplaced-key"),
        ])
    func datagramBytes(step: String, code: String) throws {
        let text = suite("", kind: "udp.server").replacing(
            "steps: [{expect: tcp.SYN}]", with: "steps: [{expect: udp.datagram}, \(step)]")
        do {
            _ = try SuiteFixture.load(text)
            Issue.record("\(step) was loaded")
        } catch {
            #expect(error.diagnostics.map(\.code).contains(code), "\(step): \(error)")
        }
    }

    @Test("A program needs its command")
    func program() throws {
        do {
            _ = try SuiteFixture.load(
                suite("", kind: "process").replacing(
                    "given: {p: {greeting: bye}}", with: "note: x"))
            Issue.record("it was loaded")
        } catch {
            #expect(error.diagnostics.map(\.code).contains("missing-key"), "\(error)")
        }
    }
}
