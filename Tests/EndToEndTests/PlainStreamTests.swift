import Foundation
import TestSupport
import Testing

/// Live cases of protocols that `conform` does not know.
///
/// A device sends only bytes, and the live verdict is that of the saved capture.
@Suite(
    "Live streams of unknown protocols",
    .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/python3"), "no Python 3"))
struct PlainStreamTests {
    /// A client or server that sends and receives according to its arguments.
    private static let device = """
        import socket, sys, time

        def act(line, orders):
            for order in orders:
                verb, _, what = order.partition("=")
                if verb == "say":
                    line.sendall(what.encode("ascii").decode("unicode_escape").encode("latin-1"))
                elif verb == "hear":
                    line.recv(4096)
                elif verb == "rest":
                    time.sleep(float(what))

        role, host, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
        if role == "client":
            with socket.create_connection((host, port)) as line:
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                act(line, sys.argv[4:])
        else:
            with socket.create_server((host, port)) as listener:
                while True:
                    with listener.accept()[0] as line:
                        while request := line.recv(4096):
                            line.sendall(b"+PONG\\r\\n" if request == b"PING\\r\\n" else b"-ERR\\r\\n")
        """

    private static let catalogue = """
        conform-requirements: 1
        document: A line protocol
        requirements:
          L-1: {section: "1", text: The device says its lines., wire: Lines.}
        """

    struct Scene {
        var role = "my.client"
        var peer = "{is: tcp.server}"
        var actions: [String] = []
        let cases: String
    }

    /// Runs cases on the device, judges the captures again, and returns the live results.
    static func run(
        _ scene: Scene, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Results {
        try judged(scene, sourceLocation: sourceLocation).results
    }

    private static func judged(
        _ scene: Scene, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JudgedRun {
        let folder = TemporaryFolder.lasting()
        let isClient = scene.role != "my.server"
        let launch = ["python3", "\(folder)/device.py", isClient ? "client" : "server"]
        let place = isClient ? ["${host}", "${port}"] : ["${device.host}", "${device.port}"]
        let words = (launch + place + scene.actions).map { "'\($0)'" }.joined(separator: ", ")
        let files = [
            ("device.py", device), ("catalogue.yaml", catalogue),
            (
                "profile.yaml",
                """
                name: a device
                role: \(scene.role)
                launch: [\(words)]
                \(isClient ? "exit: expected" : "")
                """
            ),
            (
                "suite.yaml",
                """
                conform: 1
                suite: lines
                requirements: [catalogue.yaml]
                device: {role: \(scene.role)}
                peers: {p: \(scene.peer)}
                defaults: {tolerance: 150ms}
                cases:
                \(scene.cases)
                """
            ),
        ]
        for (name, text) in files {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        let run = try JudgedRun("\(folder)/suite.yaml", ["--device", "\(folder)/profile.yaml"])
        try run.expectSameOffline(sourceLocation: sourceLocation)
        if run.results.verdicts.isEmpty {
            Issue.record(
                "\(run.outcome.output)\(run.outcome.errors)", sourceLocation: sourceLocation)
        }
        return run
    }

    @Test("Half a line in the closing window fails the case, unless the suite ignores it")
    func halfLine() throws {
        let results = try Self.run(
            Scene(
                peer: "{is: tcp.server, stream: {until: \"\\r\\n\"}}",
                actions: ["say=ONE\\r\\nTW", "rest=60"],
                cases: """
                      - id: judged
                        checks: [L-1]
                        steps: [{expect: stream.message, where: {text: ONE}}]
                      - id: ignored
                        checks: [L-1]
                        steps: [{expect: stream.message, where: {text: ONE}}]
                        ignore: [stream.malformed]
                    """))
        #expect(results.verdicts == ["judged": "fail", "ignored": "pass"])
        #expect(results.summaries["judged"]?.contains("2 bytes that are not a complete") == true)
    }

    @Test("decode splits streams as a suite defines, by the capture's metadata or by the port")
    func decoded() throws {
        let run = try Self.judged(
            Scene(
                peer: "{is: tcp.server, port: 2525, stream: {until: \"\\r\\n\"}}",
                actions: ["say=ONE\\r\\nTWO", "rest=0.1", "say=\\r\\n"],
                cases: """
                      - id: judged
                        checks: [L-1]
                        steps:
                          - {expect: stream.message, where: {text: ONE}}
                          - {expect: stream.message, where: {text: TWO}}
                    """))
        #expect(run.results.verdicts == ["judged": "pass"])
        let capture = "\(run.folder)/\(try #require(run.results.captures.first))"
        func texts(_ arguments: [String]) throws -> String {
            let outcome = try ConformProgram.run(
                ["decode", capture, "--message", "stream.*", "--fields", "text"] + arguments)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.output
        }
        #expect(try texts([]) == "")
        #expect(try texts(["--suite", run.suite]) == "ONE\nTWO\n")
        #expect(
            try texts(["--suite", run.suite, "--peer", "p=127.0.0.1:2525"]) == "ONE\nTWO\n")
        let counts = try ConformProgram.run(["decode", capture, "--stats", "--suite", run.suite])
        let names = counts.output.split(separator: "\n").compactMap {
            $0.split(separator: " ").first
        }
        #expect(names.contains("stream.message") && !names.contains("stream.begun"), "\(names)")
        let refused = try ConformProgram.run(["decode", capture, "--peer", "p=127.0.0.1:2525"])
        #expect(refused.status != 0 && refused.errors.contains("--suite"), "\(refused.errors)")
    }

    @Test("A device that may end by itself is awaited until its end, and can be started again")
    func expectedEnd() throws {
        func results(_ code: Int) throws -> [String: String] {
            try Self.run(
                Scene(
                    actions: ["say=ONE\\r\\n", "rest=0.5"],
                    cases: """
                          - id: cycle
                            checks: [L-1]
                            steps:
                              - lost: bytes
                                where: {bytes: {text: "ONE\\r\\n"}}
                              - expect: device.exited
                                where: {code: \(code)}
                              - do: device.start
                              - lost: bytes
                                where: {bytes: {text: "ONE\\r\\n"}}
                              - expect: device.exited
                          - id: unasked
                            checks: [L-1]
                            steps:
                              - lost: bytes
                                where: {bytes: {text: "ONE\\r\\n"}}
                        """)
            ).verdicts
        }
        #expect(try results(0) == ["cycle": "pass", "unasked": "pass"])
        #expect(try results(3) == ["cycle": "fail", "unasked": "pass"])
    }

    @Test("Bytes that come half a second after those of a step are not part of them")
    func apart() throws {
        let results = try Self.run(
            Scene(
                actions: ["say=ONE\\r\\n", "rest=0.5", "say=TWO\\r\\n", "rest=1"],
                cases: """
                      - id: both
                        checks: [L-1]
                        steps:
                          - lost: bytes
                            where: {bytes: {text: "ONE\\r\\n"}}
                          - lost: bytes
                            where: {bytes: {text: "TWO\\r\\n"}}
                            within: 2s
                      - id: only-the-first
                        checks: [L-1]
                        steps:
                          - lost: bytes
                            where: {bytes: {starts: ONE}}
                          - wait: 1s
                    """))
        #expect(results.verdicts == ["both": "pass", "only-the-first": "fail"])
        #expect(results.summaries["only-the-first"]?.contains("do not decode") == true)
    }

    @Test("Garbage long after the one permitted bad frame is not part of it")
    func garbage() throws {
        let frame = "\\xf9\\x07\\x01\\x00\\x00\\x00\\x00\\x04oops"
        let results = try Self.run(
            Scene(
                role: "sdl.app", peer: "{is: sdl.head-unit}",
                actions: [
                    "say=\\x10\\x07\\x01\\x00\\x00\\x00\\x00\\x00", "rest=0.3", "say=\(frame)",
                    "rest=0.7", "say=" + String(repeating: "\\xfe", count: 500), "rest=1",
                ],
                cases: """
                      - id: one-bad-frame
                        checks: [L-1]
                        preamble: [{expect: sdl.StartService}]
                        steps:
                          - lost: bytes
                          - wait: 1s
                    """))
        #expect(results.verdicts == ["one-bad-frame": "fail"])
    }

    @Test("A server greets and answers on the connection that the client has opened")
    func greeting() throws {
        let results = try Self.run(
            Scene(
                actions: ["hear", "say=HELLO a\\r\\n", "hear", "say=BYE\\r\\n", "hear"],
                cases: """
                      - id: greets
                        checks: [L-1]
                        preamble: [{expect: tcp.SYN, id: call}, {expect: tcp.established}]
                        steps:
                          - send: {text: "220 mx\\r\\n"}
                          - lost: bytes
                            where: {bytes: {starts: "HELLO ", ends: "\\r\\n"}}
                          - send: {text: "250 mx\\r\\n"}
                            on: call
                          - lost: bytes
                            where: {bytes: {ascii: "BYE\\r\\n"}}
                          - send: {hex: "32 0d 0a"}
                          - expect: tcp.FIN
                    """))
        #expect(results.verdicts == ["greets": "pass"], "\(results.summaries)")
    }

    @Test("A request is compared as it is, not as it is expected", arguments: ["GET", "DEL"])
    func requests(_ word: String) throws {
        let results = try Self.run(
            Scene(
                actions: [
                    "say=*1\\r\\n$4\\r\\nPING\\r\\n", "hear",
                    "say=*2\\r\\n$3\\r\\n\(word)\\r\\n$1\\r\\nk\\r\\n", "hear", "rest=0.2",
                ],
                cases: """
                      - id: gets
                        checks: [L-1]
                        steps:
                          - expect: tcp.SYN
                          - lost: bytes
                            where: {bytes: {contains: PING}}
                          - send: {text: "+PONG\\r\\n"}
                          - lost: bytes
                            where: {bytes: {contains: GET}}
                          - send: {text: "$-1\\r\\n"}
                          - expect: tcp.FIN
                    """))
        #expect(
            results.verdicts == ["gets": word == "GET" ? "pass" : "fail"], "\(results.summaries)")
        let summary = results.summaries["gets"] ?? ""
        #expect(
            word == "GET"
                || summary.contains("expected bytes {contains: {text: GET}}, got bytes {text:"),
            "\(summary)")
    }

    @Test(
        "A client calls a listening device, and each answer is attributed to its request",
        arguments: [
            "{is: tcp.client, port: 6379}", "{is: sdl.app, upTo: connection, port: 6379}",
        ])
    func server(_ peer: String) throws {
        let results = try Self.run(
            Scene(
                role: "my.server", peer: peer,
                cases: """
                      - id: answers
                        checks: [L-1]
                        steps:
                          - do: p.connect
                          - send: {text: "PING\\r\\n"}
                          - lost: bytes
                            where: {bytes: {text: "+PONG\\r\\n"}}
                          - send: {text: "X\\r\\n"}
                          - lost: bytes
                            where: {bytes: {text: "-ERR\\r\\n"}}
                          - do: p.close
                    """))
        #expect(results.verdicts == ["answers": "pass"], "\(results.summaries)")
    }
}
