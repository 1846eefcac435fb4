import TestSupport
import Testing

/// Each way of splitting a stream, and each kind of message that a peer sends by itself.
///
/// Each is judged live and from the capture.
extension PlainStreamTests {
    @Test(
        "A stream is split in each way, and a wrong or missing message fails",
        arguments: [
            ("{fixed: 3}", ["say=ONETWO"], ["ONE", "TWO"]),
            (
                "{length: {at: 1, size: 2, endian: little, plus: 1}}",
                ["say=A\\x02\\x00hi!B\\x00", "rest=0.1", "say=\\x00!"], ["hi!", "B"]
            ),
            (
                "{idle: 600ms}", ["say=ON", "rest=0.02", "say=E", "rest=1.5", "say=TWO"],
                ["ONE", "TWO"]
            ),
        ])
    func cut(_ stream: String, _ actions: [String], _ words: [String]) throws {
        func steps(_ words: [String]) -> String {
            words.map { "{expect: stream.message, where: {data: {contains: {text: \($0)}}}}" }
                .joined(separator: ", ")
        }
        let results = try Self.run(
            Scene(
                peer: "{is: tcp.server, stream: \(stream)}", actions: actions + ["rest=60"],
                cases: """
                      - id: right
                        checks: [L-1]
                        steps: [\(steps(words))]
                      - id: wrong
                        checks: [L-1]
                        steps: [\(steps([words[0], "other"]))]
                      - id: missing
                        checks: [L-1]
                        steps: [\(steps(words + ["more"]))]
                    """))
        #expect(
            results.verdicts == ["right": "pass", "wrong": "fail", "missing": "fail"],
            "\(results.summaries)")
    }

    @Test("A peer greets, answers with a saved value, and keeps the connection alive")
    func script() throws {
        let results = try Self.run(
            Scene(
                peer: """
                    {is: tcp.server, stream: {until: "\\n"}, greeting: "hello\\n",
                      answers: [{to: {starts: "I am "}, save: {line: text}, send: "welcome ${slice(line, 5)}\\n"}],
                      keepAlive: {every: 300ms, send: {text: "still here\\n"}}}
                    """,
                actions: ["hear", "say=I am me\\n", "rest=1"],
                cases: """
                      - id: said
                        checks: [L-1]
                        steps:
                          - {expect: stream.message, from: p, where: {text: hello}}
                          - {expect: stream.message, where: {text: I am me}}
                          - {expect: stream.message, from: p, where: {text: welcome me}}
                          - {expect: stream.message, from: p, where: {text: still here}}
                          - {expect: stream.message, from: p, where: {text: still here}, after: 250ms}
                      - id: other
                        checks: [L-1]
                        steps: [{expect: stream.message, where: {text: I am you}}]
                    """))
        #expect(
            results.verdicts == ["said": "pass", "other": "fail"], "\(results.summaries)")
    }

    @Test("Bodies in gzip are decoded in both directions")
    func gzip() throws {
        let packed =
            "\\x1f\\x8b\\x08\\x00\\x00\\x00\\x00\\x00\\x02\\x03\\xab\\x56\\xca\\x4b\\xcc\\x4d\\x55\\xb2\\x52\\x50\\xca\\x49\\xcc\\x2d\\x50\\xaa\\x05\\x00\\xa1\\x9c\\x24\\xd4\\x10\\x00\\x00\\x00"
        let head =
            "POST / HTTP/1.1\\r\\nHost: h\\r\\nContent-Type: application/json\\r\\n"
            + "Content-Encoding: gzip\\r\\nContent-Length: 36\\r\\n\\r\\n"
        let results = try Self.run(
            Scene(
                peer: """
                    {is: http.server, answers: [{where: {json.name: lamp},
                      send: {headers: {Content-Encoding: gzip}, body: {hex: 1f8b0800000000000203cbc80400ac2a93d802000000}}}]}
                    """,
                actions: ["say=\(head)\(packed)", "hear", "rest=60"],
                cases: """
                      - id: posts
                        checks: [L-1]
                        steps:
                          - expect: http.request
                            where: {json.name: lamp, violation: {present: false}}
                          - {expect: http.response, from: p, where: {text: hi}}
                      - id: another
                        checks: [L-1]
                        steps: [{expect: http.request, where: {json.name: desk}}]
                    """))
        #expect(
            results.verdicts == ["posts": "pass", "another": "fail"], "\(results.summaries)")
    }

    @Test("A peer's address is saved from the connection and sent in a message")
    func ownAddress() throws {
        let results = try Self.run(
            Scene(
                role: "my.server",
                peer: "{is: tcp.client, port: 6379, stream: {until: \"\\r\\n\"}}",
                cases: """
                      - id: says-it
                        checks: [L-1]
                        steps:
                          - do: p.connect
                          - {expect: tcp.SYNACK, save: {mine: ip.dst}}
                          - send: {text: "PORT ${replace(mine, '.', ',')}\\r\\n"}
                          - {expect: stream.message, from: p, where: {text: "PORT 127,1,0,1"}}
                          - {expect: stream.message, where: {text: -ERR}}
                    """))
        #expect(results.verdicts == ["says-it": "pass"], "\(results.summaries)")
    }
}
