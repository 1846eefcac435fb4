import Foundation
import TestSupport
import Testing

/// What real programs brought up: devices that end, busy ones, and what they expect of a network.
@Suite("Programs of strangers, live")
struct StrangerTests {
    private let folder = TemporaryFolder.lasting()

    /// Runs a suite of one case against a device that is a script, and judges its capture again.
    private func run(
        _ steps: String, peer: String = "{is: tcp.server, port: 7000, stream: {until: \"\\r\\n\"}}",
        profile: String, script: String = "", further: String = ""
    ) throws -> (run: JudgedRun, summary: String, seconds: Double) {
        let files = [
            "catalogue.yaml": """
            conform-requirements: 1
            document: d
            requirements:
              A-1: {section: "1", text: It says hello., derived: own}
            """,
            "suite.yaml": """
            conform: 1
            suite: strangers
            requirements: [catalogue.yaml]
            device: {role: a.program}
            roles: {a.program: {text: It does as it likes.}}
            peers: {peer: \(peer)}
            cases:
              - id: one
                title: One
                checks: [A-1]
                steps: \(steps)
            \(further)
            """,
            "device.yaml": "name: stranger\nrole: a.program\n" + profile, "device.py": script,
        ]
        for (name, text) in files {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        let clock = ContinuousClock()
        let start = clock.now
        let run = try JudgedRun("\(folder)/suite.yaml", ["--device", "\(folder)/device.yaml"])
        let seconds = start.duration(to: clock.now) / .seconds(1)
        try run.expectSameOffline()
        return (run, run.results.summaries["one"] ?? "", seconds)
    }

    private static let python = "launch: [python3, device.py, \"${host}\", \"${port}\"]\n"
    private static let hello = "[{expect: stream.message, where: {text: hello}, within: 30s}]"

    @Test("The end of a device ends a wait that only it could satisfy, and is in the sentence")
    func deadDevice() throws {
        for profile in ["", "exit: expected\n"] {
            let (run, summary, seconds) = try run(
                Self.hello, profile: "launch: [sh, -c, \"exit 3\"]\n" + profile)
            #expect(run.results.verdicts == ["one": "fail"])
            #expect(run.results.failedRequirements == ["A-1"])
            #expect(summary.hasPrefix("step 1 ") && summary.contains("exited with code 3"))
            #expect(seconds < 20, "\(summary)")
        }
    }

    @Test("An act that becomes due while a message is under way is carried out")
    func actDuringMessage() throws {
        let (run, summary, _) = try run(
            """
            [{expect: stream.message}, {wait: 100ms}, {do: peer.reset},
              {expect: stream.message, within: 10s}]
            """, profile: Self.python,
            script: """
                import socket, sys, time
                def connected():
                    s = socket.create_connection((sys.argv[1], int(sys.argv[2])))
                    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    s.sendall(b"hello\\r\\n")
                    return s
                first = connected()
                try:
                    while True:
                        first.sendall(b"x")
                        time.sleep(0.003)
                except OSError: second = connected()
                time.sleep(60)
                """, further: "    unexpected: allow")
        #expect(run.results.verdicts == ["one": "pass"], "\(summary)")
        #expect(run.results.passedRequirements == ["A-1"])
    }

    @Test("A companion's readiness is not awaited for a device that has ended")
    func companion() throws {
        let (run, summary, seconds) = try run(
            "[{do: peer.connect}, {expect: stream.message}]",
            peer: "{is: tcp.client, port: 7000, stream: {until: \"\\n\"}}",
            profile: """
                launch: [sh, -c, "echo cannot find the plugins >&2; exit 1"]
                companions:
                  hmi:
                    launch: [sh, -c, "sleep 100"]
                    start: after
                    ready: {line: ready, timeout: 40s}
                """)
        #expect(run.results.verdicts == ["one": "fail"])
        #expect(summary.contains("exited with code 1") && !summary.contains("companion"))
        #expect(summary.contains("cannot find the plugins"))
        #expect(seconds < 20, "\(summary)")
    }

    @Test("A device may end during the silence of a schedule, if a later step expects its end")
    func exitDuringSilence() throws {
        func attempts(_ code: Int32) throws -> (run: JudgedRun, summary: String, seconds: Double) {
            try run(
                """

                      - expect: tcp.SYN
                      - expect: tcp.refused
                        from: peer
                      - backoff: {model: fixed, base: 500ms, attempts: 2, silence: 2s, late: 300ms}
                      - expect: device.exited
                        where: {code: 4}
                        within: 3s
                """,
                peer: "{is: tcp.server, port: 7000, listens: false}",
                profile: Self.python + "exit: expected\n",
                script: """
                    import socket, sys, time
                    for attempt in range(3):
                        if attempt: time.sleep(0.5)
                        try: socket.create_connection((sys.argv[1], int(sys.argv[2])))
                        except OSError: pass
                    sys.exit(\(code))
                    """)
        }
        let right = try attempts(4)
        #expect(right.run.results.verdicts == ["one": "pass"], "\(right.summary)")
        let wrong = try attempts(5)
        #expect(wrong.run.results.verdicts == ["one": "fail"])
        #expect(wrong.summary.hasPrefix("step 4 "), "\(wrong.summary)")
    }

    @Test(
        "A daemon is there, whatever its session and environment, and when it is looked for",
        arguments: ["python3, device.py", "env, -i, /usr/bin/python3, device.py"])
    func daemon(command: String) throws {
        let (run, summary, _) = try run(
            Self.hello,
            profile: "launch: [\(command), \"${host}\", \"${port}\"]\nexit: expected\n",
            script: """
                import os, socket, sys, time
                if os.fork(): os._exit(0)
                os.setsid()
                for _ in range(200):
                    if os.fork(): os._exit(0)
                time.sleep(0.3)
                s = socket.create_connection((sys.argv[1], int(sys.argv[2])))
                s.sendall(b"hello\\r\\n")
                time.sleep(60)
                """, further: "    ignore: [tcp.SYN, tcp.established]")
        #expect(run.results.verdicts == ["one": "pass"], "\(summary)")
    }

    @Test(
        "What a suite does to a link is neither the device's failure nor a late harness",
        arguments: [
            "{do: {peer.cut: 2}}, {send: {text: \"abcdef\\r\\n\"}}",
            "{do: {peer.cut: 2000}}, {send: {text: \"${hex(bytes(5000, 1))}\\r\\n\"}}",
            "{do: {peer.cut: 8}}, {send: {text: \"abcdef\\r\\n\"}}",
        ])
    func impairments(acts: String) throws {
        let (run, summary, _) = try run(
            "[{expect: stream.message}, \(acts), {expect: stream.message}]",
            profile: Self.python,
            script: """
                import socket, sys, time
                while True:
                    s = socket.create_connection((sys.argv[1], int(sys.argv[2])))
                    s.sendall(b"hello\\r\\n")
                    try:
                        while s.recv(4096): pass
                    except OSError: pass
                    time.sleep(0.2)
                """, further: "    ignore: [tcp.*]\n    unexpected: allow")
        #expect(run.results.verdicts == ["one": "pass"], "\(summary)")
    }

    @Test("The silence of a device with many threads is its own, not the machine's")
    func threads() throws {
        let (run, summary, _) = try run(
            "[{expect: tcp.SYN}, {expect: stream.message, within: 3s}]", profile: Self.python,
            script: """
                import socket, sys, threading, time
                def tick():
                    while True: time.sleep(0.005)
                for _ in range(40): threading.Thread(target=tick, daemon=True).start()
                s = socket.create_connection((sys.argv[1], int(sys.argv[2])))
                time.sleep(60)
                """, further: "    ignore: [tcp.established]")
        #expect(run.results.verdicts == ["one": "fail"], "\(summary)")
        #expect(run.results.failedRequirements == ["A-1"])
        #expect(summary.hasPrefix("step 2 ") && summary.contains("nothing came"))
    }

    @Test("A network of a case looks like a host's: names, two addresses, IPv6, files that answer")
    func network() throws {
        let (run, summary, _) = try run(
            Self.hello, profile: Self.python + "exit: expected\n",
            script: """
                import socket, sys
                host, port = sys.argv[1], int(sys.argv[2])
                flags = socket.AI_ADDRCONFIG
                for family in (socket.AF_INET, socket.AF_INET6):
                    literal = "192.0.2.1" if family == socket.AF_INET else "2001:db8::1"
                    socket.getaddrinfo(literal, port, family, socket.SOCK_STREAM, 0, flags)
                    socket.getaddrinfo("localhost", port, family, socket.SOCK_STREAM, 0, flags)
                socket.getaddrinfo(socket.gethostname(), port)
                assert "localhost" in open("/etc/hosts").read()
                try: socket.getaddrinfo("no-such-name.example", port)
                except socket.gaierror: pass
                own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                own.connect(("192.0.2.1", 80))
                assert own.getsockname()[0] == "127.0.0.1"
                try: socket.create_connection(("192.0.2.1", 80), 5)
                except OSError as error: assert error.errno == 101
                found = socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM, 0, flags)
                s = socket.socket(found[0][0], found[0][1])
                s.connect(found[0][4])
                s.sendall(b"hello\\r\\n")
                s.recv(10)
                """)
        #expect(run.results.verdicts == ["one": "pass"], "\(summary)")
        #expect(run.results.passedRequirements == ["A-1"])
    }

    @Test("A linked folder is shown to the device with what it leads to")
    func linkedFolder() throws {
        try FileManager.default.createDirectory(
            atPath: "\(folder)/real", withIntermediateDirectories: true)
        try "content".write(toFile: "\(folder)/real/data", atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/link", withDestinationPath: "real")
        let (run, summary, _) = try run(
            Self.hello, profile: Self.python + "files: {read: [link]}\nexit: expected\n",
            script: """
                import socket, sys
                assert open("link/data").read() == open("real/data").read() == "content"
                s = socket.create_connection((sys.argv[1], int(sys.argv[2])))
                s.sendall(b"hello\\r\\n")
                s.recv(10)
                """)
        #expect(run.results.verdicts == ["one": "pass"], "\(summary)")
    }

    @Test("A device that is stopped as asked does not hang, though its channel is closed meanwhile")
    func stopping() throws {
        let (run, summary, _) = try run(
            """

                  - expect: stream.message
                    where: {text: hello}
                  - do: device.stop
                  - expect: device.exited
            """, profile: Self.python + "liveness: control\n",
            script: """
                import json, os, signal, socket, sys, threading, time
                s = socket.create_connection((sys.argv[1], int(sys.argv[2])))
                stopping = False
                def stop(*_):
                    global stopping
                    stopping = True
                    time.sleep(0.3)
                    os._exit(143)
                signal.signal(signal.SIGTERM, stop)
                def answer():
                    for line in sys.stdin:
                        if stopping: continue
                        reply = {"jsonrpc": "2.0", "id": json.loads(line)["id"], "result": True}
                        print(json.dumps(reply), flush=True)
                threading.Thread(target=answer, daemon=True).start()
                s.sendall(b"hello\\r\\n")
                while True: time.sleep(1)
                """, further: "    ignore: [tcp.FIN]")
        #expect(run.results.verdicts == ["one": "pass"], "\(summary)")
    }

    @Test("A device that crashes when it is probed does not pass")
    func crash() throws {
        let (run, summary, _) = try run(
            Self.hello, profile: Self.python + "liveness: control\n",
            script: """
                import os, signal, socket, sys
                s = socket.create_connection((sys.argv[1], int(sys.argv[2])))
                s.sendall(b"hello\\r\\n")
                sys.stdin.readline()
                os.kill(os.getpid(), signal.SIGSEGV)
                """)
        #expect(run.results.verdicts == ["one": "fail"], "\(summary)")
        #expect(summary.contains("SIGSEGV"), "\(summary)")
    }

    @Test(
        "A device that crashes when it is ended has a remark, unless the signal is the one that ends it",
        arguments: [("TERM", true), ("SEGV", false)])
    func crashAtTheEnd(signal: String, isRemarked: Bool) throws {
        let (run, summary, _) = try run(
            Self.hello, profile: Self.python + "stop: {signal: \(signal)}\n",
            script: """
                import os, signal, socket, sys, time
                if "\(signal)" == "TERM":
                    signal.signal(signal.SIGTERM, lambda *_: os.kill(os.getpid(), signal.SIGSEGV))
                s = socket.create_connection((sys.argv[1], int(sys.argv[2])))
                s.sendall(b"hello\\r\\n")
                while True: time.sleep(1)
                """, further: "    unexpected: allow")
        #expect(run.results.verdicts == ["one": "pass"], "\(summary)")
        let json = try String(contentsOfFile: "\(run.folder)/results.json", encoding: .utf8)
        #expect(json.contains("it crashed with signal 11 (SIGSEGV)") == isRemarked)
    }

    @Test("A device that a step stops by a signal of crashes has not crashed by itself")
    func stoppedByCrashSignal() throws {
        let (run, summary, _) = try run(
            "[{expect: stream.message, where: {text: hello}, within: 30s}, {do: device.stop}, "
                + "{expect: device.exited}]",
            profile: Self.python + "stop: {signal: ABRT}\n",
            script: """
                import socket, sys, time
                s = socket.create_connection((sys.argv[1], int(sys.argv[2])))
                s.sendall(b"hello\\r\\n")
                while True: time.sleep(1)
                """, further: "    unexpected: allow")
        #expect(run.results.verdicts == ["one": "pass"], "\(summary)")
    }

    @Test(
        "A message that a device has begun leaves open what it does, and a whole one does not",
        arguments: [
            ("GET /evil?password=1 HTTP/1.1\\r\\n", "inconclusive"),
            (
                "POST /evil HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 50\\r\\n\\r\\nabc",
                "inconclusive"
            ),
            ("GET /evil HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n", "fail"), ("", "pass"),
        ])
    func begun(_ text: String, _ verdict: String) throws {
        let (run, summary, _) = try run(
            "[{expect: http.request, id: first}, {expect: http.response, from: peer}]",
            peer: "{is: http.server, port: 7000, answers: [{send: {status: 200}}]}",
            profile: Self.python,
            script: """
                import socket, sys, time
                s = socket.create_connection((sys.argv[1], int(sys.argv[2])))
                s.sendall(b"GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n")
                s.recv(1000)
                s.sendall(b"\(text)")
                while True: time.sleep(1)
                """, further: "    never: [{message: http.request, since: first}]")
        #expect(run.results.verdicts == ["one": verdict], "\(summary)")
    }
}
