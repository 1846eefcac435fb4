import Foundation
import TestSupport
import Testing

@Suite(
    "An attached device", .enabled(if: Bench.obstacle == nil, "\(Bench.obstacle ?? "")"),
    .serialized)
struct AttachedDeviceTests {
    private static let registration = "Suites/registration-language.yaml"

    @Test(
        "An attached device gets the verdicts of a launched one, live and from the captures",
        arguments: [
            (
                ReferenceKind.app, registration,
                ["same-language-*", "comparison-follows-the-response"]
            ),
            (.client, "Suites/backoff-timing.yaml", ["*active*"]),
            (.headUnit, "Suites/head-unit-multisession.yaml", ["*tcp*"]),
        ])
    func sameVerdicts(kind: ReferenceKind, suite: String, patterns: [String]) throws {
        let bench = try Bench()
        let profile = try bench.profile(kind, line: bench.startBoard(kind))
        let selection = patterns.flatMap { ["--case", $0] }
        let launched = try JudgedRun(suite, selection)
        let attached = try JudgedRun(
            suite, selection + ["--device", profile, "--network", "host"])
        #expect(attached.outcome.status == 0, "\(attached.outcome.output)")
        #expect(attached.results.verdicts.count >= 2)
        #expect(attached.results.verdicts == launched.results.verdicts)
        try attached.expectSameOffline()
    }

    @Test("A case that needs a launched device is skipped, and the reason says so")
    func skipped() throws {
        let bench = try Bench()
        let profile = try bench.profile(.app, line: "/dev/null")
        let run = try JudgedRun(
            Self.registration,
            ["--case", "restarted-*", "--device", profile, "--network", "host"])
        #expect(run.results.verdicts.values.allSatisfy { $0 == "skipped" })
        #expect(
            run.results.summaries.values.first?.hasPrefix(
                "device.restart is for a device that conform launches, or takes a control") == true)
    }

    @Test(
        "A device is started and stopped on the bench by SSH",
        .enabled(if: Bench.find("sshd") != nil, "no openssh-server"))
    func ssh() throws {
        let bench = try Bench()
        let key = try bench.startSSH()
        let script = try bench.write(
            "device.sh",
            """
            folder=$1
            if [ "$2" = stop ]; then
                kill $(cat "$folder/process")
                exit
            fi
            mkdir -p "$folder/home"
            printf %s "$4" > "$folder/configuration.json"
            mkfifo "$folder/input-$$"
            sleep 600 > "$folder/input-$$" &
            keeper=$!
            HOME=$folder/home "\(ConformProgram.folder)/conform-device" sdl-app --host "$2" \\
                --port "$3" --config "$folder/configuration.json" \\
                < "$folder/input-$$" > "$folder/device.log" 2>&1 &
            echo $! $keeper > "$folder/process"
            echo started
            """)
        func control(_ words: String) -> String {
            """
            {ssh: {host: "root@${device.host}", port: 2222, identity: \(key), options:
                [StrictHostKeyChecking=no, UserKnownHostsFile=/dev/null], command:
                [/bin/sh, \(script), \(bench.folder.path), \(words)]}
            """
        }
        let profile = try bench.write(
            "ssh.yaml",
            """
            name: Board by SSH
            role: sdl.app
            attach: {address: \(bench.address), interface: \(bench.interface), before: [begin], after: [end]}
            features: [sdl.change-registration]
            controls:
              begin: \(control("\"${host}\", \"${port}\", \"${configuration}\"")), answer: started}
              end: \(control("stop"))}
            """)
        let run = try JudgedRun(
            Self.registration,
            [
                "--case", "same-language-*", "--case", "comparison-follows-the-response",
                "--device", profile,
                "--network", "host",
            ])
        #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.results.verdicts.count == 2 && !run.outcome.output.contains("after the case"))
        try run.expectSameOffline()
    }

    @Test("An attached device that breaks a requirement fails, as a launched one does")
    func mutant() throws {
        let bench = try Bench()
        let line = "\(bench.folder.path)/line"
        try bench.start([
            "python3", ConformProgram.root + "/Tests/EndToEndTests/Bench/board.py", line,
            ConformProgram.folder + "/conform-device", "sdl-app", "--host", "{host}", "--port",
            "{port}", "--config", "{config}", "--mutant", "forgets-hmi-display-language",
        ])
        let profile = try bench.profile(.app, line: line)
        let run = try JudgedRun(
            Self.registration,
            [
                "--case", "change-carries-language-and-names*", "--device", profile,
                "--network", "host",
            ])
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        try run.expectSameOffline()
    }

    @Test("A datagram in fragments, of which only the first has ports, is captured whole")
    func fragments() throws {
        let bench = try Bench()
        let script = try bench.write(
            "send.py",
            """
            import socket, sys
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            for port in (int(sys.argv[2]) + 1, int(sys.argv[2])):
                s.sendto(b"x" * 4000, (sys.argv[1], port))
            """)
        _ = try bench.write(
            "catalogue.yaml",
            """
            conform-requirements: 1
            document: d
            requirements: {A-1: {text: It sends a long datagram., ours: a test}}
            """)
        let suite = try bench.write(
            "suite.yaml",
            """
            conform: 1
            suite: fragments
            requirements: [catalogue.yaml]
            device: {role: udp.client}
            peers: {host: {is: udp.server, port: 1900}}
            cases:
              - id: one
                checks: [A-1]
                steps: [{expect: udp.datagram, where: {length: 4000, udp.dstport: 1900}}]
            """)
        for capture in ["", "capture: \(bench.expanded("{command: [capture]}"))"] {
            let profile = try bench.write(
                "datagrams.yaml",
                """
                name: Sender
                role: udp.client
                attach: {address: \(bench.address), interface: \(bench.interface), before: [begin]}
                controls: {begin: \(bench.control("python3", script, "${host}", "${port}"))}
                \(capture)
                """)
            let run = try JudgedRun(suite, ["--device", profile, "--network", "host"])
            #expect(
                run.results.verdicts == ["one": "pass"],
                "\(run.outcome.output)\(run.outcome.errors)")
            try run.expectSameOffline()
        }
    }

    @Test("What a device still sends on a connection of an earlier case changes no verdict")
    func leftover() throws {
        let bench = try Bench()
        let script = try bench.write(
            "lines.py",
            """
            import os, socket, sys, time
            host, port, first = sys.argv[1], int(sys.argv[2]), sys.argv[3]
            second = first + ".second"
            isFirst = not os.path.exists(first)
            open(first if isFirst else second, "w").close()
            time.sleep(0.3)
            s = socket.create_connection((host, port))
            s.sendall(b"A 1\\n")
            time.sleep(0.1)
            s.sendall(b"B 2\\n")
            if isFirst and os.fork() == 0:
                for name in (0, 1, 2): os.close(name)
                for _ in range(3000):
                    if os.path.exists(second): break
                    time.sleep(0.01)
                s.close()
            elif not isFirst:
                time.sleep(0.5)
            """)
        _ = try bench.write(
            "catalogue.yaml",
            """
            conform-requirements: 1
            document: d
            requirements: {A-1: {text: It sends lines., ours: a test}}
            """)
        let suite = try bench.write(
            "suite.yaml",
            #"""
            conform: 1
            suite: leftover
            requirements: [catalogue.yaml]
            device: {role: line.client}
            roles: {line.client: {text: lines}}
            peers: {server: {is: tcp.server, port: 2525, stream: {until: "\n"}}}
            ignore: [tcp.*]
            cases:
              - id: two-lines
                checks: [A-1]
                steps:
                  - {expect: stream.message, where: {text: A 1}}
                  - {expect: stream.message, where: {text: B 2}, within: 1s}
              - id: one-line
                checks: [A-1]
                quiet: 500ms
                steps: [{expect: stream.message, where: {text: A 1}}]
            """#)
        let profile = try bench.write(
            "lines.yaml",
            """
            name: Lines
            role: line.client
            attach: {address: \(bench.address), interface: \(bench.interface), before: [begin]}
            controls:
              begin: \(bench.control(
                "python3", script, "${host}", "${port}", bench.folder.path + "/first"))
            """)
        let run = try JudgedRun(suite, ["--device", profile, "--network", "host"])
        #expect(
            run.results.verdicts == ["two-lines": "pass", "one-line": "fail"],
            "\(run.outcome.output)\(run.outcome.errors)")
        try run.expectSameOffline()
    }

    @Test("A silent device or a failing control is an error of the case, not a failure")
    func absent() throws {
        let bench = try Bench()
        let head = """
            name: Nobody
            role: sdl.app
            attach: {address: \(bench.address), interface: \(bench.interface), before: [begin]}
            ready: {timeout: 2s}
            features: [sdl.change-registration]
            controls:
              begin:
            """
        for (name, control, words) in [
            ("silent", "{command: [/bin/true]}", "has sent nothing"),
            ("broken", "{command: [/bin/false]}", "ended with exit code 1"),
            ("wrong", "{command: [/bin/echo, no], answer: yes}", "no line of its answer"),
        ] {
            let profile = try bench.write("\(name).yaml", "\(head) \(control)\n")
            let run = try JudgedRun(
                Self.registration,
                ["--case", "same-language-*", "--device", profile, "--network", "host"])
            #expect(run.outcome.status == 3, "\(run.outcome.output)")
            #expect(run.results.verdicts.values.allSatisfy { $0 == "error" })
            #expect(run.outcome.output.contains(words), "\(run.outcome.output)")
        }
    }

    @Test("An attached device needs --network host and an existing interface")
    func refusals() throws {
        let bench = try Bench()
        func run(_ interface: String, _ words: [String]) throws -> ConformProgram.Outcome {
            let profile = try bench.write(
                "\(interface).yaml",
                """
                name: Nobody
                role: sdl.app
                attach: {address: \(bench.address), interface: \(interface)}
                features: [sdl.change-registration]
                """)
            return try ConformProgram.run(
                [
                    "run", Self.registration, "--case", "same-language-*", "--device", profile,
                    "--reports", TemporaryFolder.lasting() + "/run",
                ] + words)
        }
        let isolated = try run(bench.interface, [])
        #expect(isolated.status == 2 && isolated.errors.contains("add --network host"))
        let elsewhere = try run("cfnone", ["--network", "host"])
        #expect(elsewhere.status == 2 && elsewhere.errors.contains("cfnone cannot be captured"))
    }
}
