import Glibc
import SuiteLanguage
import TestSupport
import Testing
import Wire

@testable import Devices

@Suite("A device profile")
struct DeviceProfileTests {
    @Test("A profile with every kind of key is read")
    func complete() throws {
        let text = """
            conform: 1
            name: my-app
            version: "2.1"
            role: sdl.app
            launch: [./app, --to, "${host}:${hu.port}", --config, "${config}"]
            env: {MODE: test, DATA: "${home}/data"}
            cwd: /opt/app
            ready: {line: listening, timeout: 3s}
            controls:
              background: stdin
              set: {stdin: app.set}
              reload: {signal: HUP}
              reboot: {command: [adb, reboot, "${arguments.mode}"]}
            features: [sdl.change-registration]
            parameters: {appName: Demo, ports: [1, 2]}
            stop: {signal: SIGINT, grace: 500ms}
            limits: {cpu: 2m, memory: 2GiB, processes: 64, output: 1MiB, fileSize: 4096, openFiles: 99}
            exit: expected
            """
        var limits = DeviceProfile.Limits()
        limits.cpuSeconds = 120
        limits.memory = 2 << 30
        limits.processes = 64
        limits.output = 1 << 20
        limits.fileSize = 4096
        limits.openFiles = 99
        let expected = DeviceProfile(
            name: "my-app", version: "2.1", role: "sdl.app",
            access: .launch(["./app", "--to", "${host}:${hu.port}", "--config", "${config}"]),
            environment: ["MODE": "test", "DATA": "${home}/data"], workingDirectory: "/opt/app",
            readiness: .stdoutLine("listening"), readyTimeout: .seconds(3),
            controls: [
                "background": .request(method: "background"), "set": .request(method: "app.set"),
                "reload": .init(way: .signal(SIGHUP)),
                "reboot": .init(way: .command(["adb", "reboot", "${arguments.mode}"])),
            ],
            features: ["sdl.change-registration"],
            parameters: ["appName": "Demo", "ports": [1, 2]],
            stop: DeviceProfile.Stop(signal: SIGINT, grace: .milliseconds(500)),
            limits: limits, exit: .expected)
        #expect(try DeviceProfile.parse(text: text, file: "p.yaml") == expected)
    }

    @Test("Companions are read in their order, with their own defaults")
    func companions() throws {
        let text = """
            name: a
            role: r
            launch: [./core]
            env: {A: "1", B: "2"}
            companions:
              ui: {launch: ./ui, env: {B: "3"}, start: after, exit: expected, stop: {grace: 5s}}
              store: {launch: [./store, "${port}"], cwd: /srv, ready: {port: 8087, timeout: 3s}}
            """
        let profile = try DeviceProfile.parse(text: text, file: "p.yaml")
        let (ui, store) = (profile.companions[0], profile.companions[1])
        #expect(ui.name == "ui" && ui.begin == .after && ui.exit == .expected)
        #expect(ui.readiness == .none && ui.stop.grace == .seconds(5))
        #expect(store.arguments == ["./store", "${port}"] && store.begin == .before)
        #expect(store.readiness == .portOpen(8087) && store.readyTimeout == .seconds(3))
        #expect(store.exit == .error && store.workingDirectory == "/srv")
        #expect(profile.profile(of: ui).environment == ["A": "1", "B": "3"])
        #expect(profile.patience(for: []) == .seconds(10 + 5 + 3 + 2))
    }

    @Test("A profile needs only name, role and launch; the rest has defaults")
    func least() throws {
        let profile = try DeviceProfile.parse(
            text: "{name: a, role: sdl.app, launch: ./app}", file: "p.yaml")
        #expect(
            profile == DeviceProfile(name: "a", role: "sdl.app", access: .launch(["./app"])))
        #expect(profile.limits.memory == nil)
        #expect(profile.stop == DeviceProfile.Stop(signal: SIGTERM, grace: .seconds(2)))
        #expect(profile.exit == .error)
    }

    @Test(
        "Readiness can be defined in several ways",
        arguments: [
            ("none", DeviceProfile.Readiness.none), ("firstPacket", .firstPacket),
            ("{firstPacket: true}", .firstPacket), ("{port: 8080}", .portOpen(8080)),
            ("{line: up}", .stdoutLine("up")),
        ])
    func readiness(text: String, readiness: DeviceProfile.Readiness) throws {
        let profile = try DeviceProfile.parse(
            text: "{name: a, role: r, launch: x, ready: \(text)}", file: "p.yaml")
        #expect(profile.readiness == readiness)
        #expect(profile.readyTimeout == .seconds(10))
    }

    @Test("A profile may name a device that is already running")
    func attach() throws {
        let profile = try DeviceProfile.parse(
            text: "{name: a, role: r, attach: {address: 10.0.0.7, interface: eth0}}", file: "p.yaml"
        )
        #expect(profile.access == .attach(.init(address: "10.0.0.7", interface: "eth0")))
    }

    @Test("A profile may say where an attached device is captured")
    func capture() throws {
        func capture(_ text: String) throws -> [DeviceProfile.CaptureSource]? {
            try DeviceProfile.parse(
                text: """
                    {name: a, role: r, attach: {address: 10.0.0.7, interface: eth0}, capture: \(text)}
                    """, file: "p.yaml"
            ).capture
        }
        let words = ["ssh", "bench", "tcpdump", "host", "${device.host}"]
        #expect(
            try capture("{command: [\(words.map { "'\($0)'" }.joined(separator: ", "))]}")
                == [.init(origin: .command(words))])
        let two = try capture(
            "[{interface: eth1}, {command: cat, probe: '[fe80::1]:99', timeout: 2s}]")
        #expect(two?.first?.origin == .interface("eth1"))
        #expect(two?.last?.probe?.port == 99 && two?.last?.timeout == .seconds(2))
        for wrong in [
            "{}", "[]", "{command: a, interface: b}", "{command: a, probe: 10.0.0.7}",
            "{command: a, probe: 'x:9'}", "{command: '${nothing}'}", "{pipe: a}",
        ] {
            #expect(throws: InvalidInput.self, "\(wrong)") { try capture(wrong) }
        }
        #expect(throws: InvalidInput.self) {
            try DeviceProfile.parse(
                text: "{name: a, role: r, launch: ./x, capture: {command: a}}", file: "p.yaml")
        }
    }

    @Test("The device of a profile file runs in the file's folder unless it names another")
    func folder() throws {
        let folder = TemporaryFolder()
        let plain = folder.write("a.yaml", "{name: a, role: r, launch: ./x}")
        #expect(try DeviceProfile.load(path: plain).workingDirectory == folder.path + "/")
        let other = folder.write("b.yaml", "{name: a, role: r, launch: ./x, cwd: sub}")
        #expect(try DeviceProfile.load(path: other).workingDirectory == folder.path + "/sub")
    }

    @Test("A missing profile is reported by its path")
    func missingFile() {
        let error = #expect(throws: InvalidInput.self) {
            try DeviceProfile.load(path: "/nothing/device.yaml")
        }
        #expect(error?.description.contains("/nothing/device.yaml") == true)
    }

    /// A faulty line, appended to a good profile, and the finding that it must give.
    static let faults: [(line: String, finding: String)] = [
        (
            "featuers: []",
            #"4:1: error: unknown key "featuers" in a device profile; did you mean "features"? [unknown-key]"#
        ),
        (
            "env: [A]",
            #"4:6: error: an environment is a mapping, this is a list; write env: {NAME: VALUE} [wrong-type]"#
        ),
        (
            "env: {A: 1}",
            #"4:10: error: "A" takes text, this is an integer; put it in quotes [wrong-type]"#
        ),
        (
            "version: 1.2",
            #"4:10: error: "version" takes text, this is a number; put it in quotes [wrong-type]"#
        ),
        (
            "attach: {address: a, interface: b}",
            #"4:1: error: a device is either launched or attached; remove "launch" or "attach" [bad-value]"#
        ),
        (
            "cwd: ${hme}",
            #"4:6: error: there is no ${hme}; did you mean "home"? [unknown-placeholder]"#
        ),
        (
            "cwd: ${home",
            #"4:6: error: "${" without "}"; write $${ for the characters themselves [bad-value]"#
        ),
        (
            "ready: firstpacket",
            #"4:8: error: "ready" cannot be "firstpacket"; did you mean "firstPacket"? [bad-value]"#
        ),
        (
            "ready: {}",
            #"4:8: error: readiness is defined by one of "line", "port" and "firstPacket" [bad-value]"#
        ),
        (
            "ready: {line: a, port: 1}",
            #"4:8: error: readiness is defined by one of "line", "port" and "firstPacket" [bad-value]"#
        ),
        (
            "ready: {port: 70000}",
            #"4:15: error: "port" is between 1 and 65535, not 70000 [bad-value]"#
        ),
        (
            "ready: {line: a, timeout: 5}",
            #"4:27: error: "timeout" is a duration, not 5; write a number and a unit: 100us, 200ms, 1.5s, 2m or 1h [bad-duration]"#
        ),
        (
            "controls: {x: 5}",
            #"4:15: error: control "x" takes stdin or a mapping; write stdin, {stdin: METHOD}, {signal: NAME} or {command: [PROGRAM, ...]} [wrong-type]"#
        ),
        (
            "controls: {x: {signal: TREM}}",
            #"4:24: error: there is no signal "TREM"; did you mean "TERM"? [bad-value]"#
        ),
        (
            "controls: {x: {singal: TERM}}",
            #"4:16: error: unknown key "singal" in a control; did you mean "signal"? [unknown-key]"#
        ),
        (
            "controls: {x: {signal: TERM, stdin: a}}",
            #"4:15: error: a control has one of "stdin", "signal", "command", "ssh", "http", "serial" and "operator" [bad-value]"#
        ),
        ("controls: {x: {command: []}}", #"4:25: error: "command" names no program [bad-value]"#),
        (
            "stop: {grace: 2 s}",
            #"4:15: error: "grace" is a duration, not "2 s"; write it without a blank: 2s [bad-duration]"#
        ),
        (
            "limits: {memory: 2GB}",
            #"4:18: error: "memory" is an amount of bytes, not "2GB"; write bytes or a unit: 1048576, 512KiB, 64MiB, 2GiB [bad-value]"#
        ),
        (
            "limits: {memory: 64KiB}",
            #"4:18: error: "memory" is at least 16MiB; with less, programs are killed before they begin [bad-value]"#
        ),
        (
            "limits: {output: 0}",
            #"4:18: error: "output" is an amount of bytes, not 0; write bytes or a unit: 1048576, 512KiB, 64MiB, 2GiB [bad-value]"#
        ),
        (
            "exit: fine",
            #"4:7: error: "exit" cannot be "fine"; there are: error, expected [bad-value]"#
        ),
        (
            "companions: {a/b: {launch: x}}",
            #"4:14: error: "a/b" is not a name of a companion; write letters, digits, "-" and "_" [bad-value]"#
        ),
        (
            "companions: {a: {ready: {firstPacket: true}, launch: x}}",
            #"4:25: error: packets come from the device, and do not show that a companion is ready; write line or port [bad-value]"#
        ),
        (
            "conform: 2",
            #"4:10: error: version 2 of this file format is not known; this program reads version 1 [unsupported-version]"#
        ),
        (
            "stop: {signal: 9}",
            #"4:16: error: "signal" is the name of a signal, not its number; write KILL [bad-value]"#
        ),
        ("limits: {cpu: 0s}", #"4:15: error: "cpu" is at least 1s, not 0s [bad-value]"#),
        (
            "exit: 3",
            #"4:7: error: "exit" takes a word, this is an integer; there are: error, expected [wrong-type]"#
        ),
        (
            "features: {a: b}",
            #"4:11: error: "features" takes a text or a list of texts, this is a mapping; write features: [TEXT, TEXT] [wrong-type]"#
        ),
        (
            "controls: {x: {http: {url: \"https://h/\"}}}",
            #"4:28: error: "https://h/" does not begin with http://; for TLS write a command, such as command: [curl, https://h/] [bad-value]"#
        ),
        (
            "controls: {x: {http: GET}}",
            #"4:22: error: an HTTP request is a mapping, this is text; write {url: TEXT}; its keys are url, method, headers, body, status [wrong-type]"#
        ),
        (
            "env: {A: \"${device.hots}\"}",
            #"4:10: error: there is no ${device.hots}; did you mean ${device.host}? [unknown-placeholder]"#
        ),
        (
            "files: /tmp",
            #"4:8: error: a set of files is a mapping, this is text; write {read: TEXT}; its keys are read, write [wrong-type]"#
        ),
        (
            "controls: kill",
            #"4:11: error: "controls" takes a mapping, this is text; write controls: {NAME: stdin} [wrong-type]"#
        ),
        (
            "grace: 2s",
            #"4:1: error: unknown key "grace" in a device profile; "grace" belongs in a way to stop [unknown-key]"#
        ),
    ]

    @Test("A faulty profile is refused with line, column and advice", arguments: faults.indices)
    func diagnostics(index: Int) {
        let (line, finding) = Self.faults[index]
        let text = "name: a\nrole: r\nlaunch: [x]\n\(line)\n"
        let error = #expect(throws: InvalidInput.self) {
            try DeviceProfile.parse(text: text, file: "p.yaml")
        }
        let found = error?.diagnostics.map(\.description) ?? []
        #expect(found.contains("p.yaml:" + finding), "\(found)")
    }

    @Test("All missing keys of a profile are reported at once")
    func missing() {
        let error = #expect(throws: InvalidInput.self) {
            try DeviceProfile.parse(text: "features: []", file: "p.yaml")
        }
        #expect(error?.diagnostics.map(\.code) == ["missing-key", "missing-key", "missing-key"])
        #expect(error?.diagnostics.allSatisfy { $0.position?.line == 1 } == true)
    }

    @Test("The profile of the reference device starts it with host, port and configuration")
    func reference() throws {
        let profile = try #require(
            DeviceProfile.reference(role: "sdl.app", executable: "/x/conform-device", mutant: "m1"))
        #expect(
            profile.access
                == .launch([
                    "/x/conform-device", "sdl-app", "--host", "${host}", "--port", "${port}",
                    "--config", "${config}", "--mutant", "m1",
                ]))
        #expect(
            Set(profile.controls.keys) == [
                "background", "foreground", "managers", "present", "startApp", "state", "stop",
            ])
        #expect(profile.features.contains("sdl.change-registration"))
        #expect(
            DeviceProfile.reference(role: "ble.central", executable: "x", mutant: nil) == nil)
        let called = DeviceProfile.reference(role: "sdl.head-unit", executable: "x", mutant: nil)
        #expect(
            called?.access
                == .launch([
                    "x", "head-unit", "--host", "${device.host}", "--port", "${device.port}",
                    "--config", "${config}",
                ]), "a device that peers call is given the place to listen")
    }

    @Test("The reference session client has the controls and features that its suites need")
    func sessionClient() throws {
        let profile = try #require(
            DeviceProfile.reference(role: "session.client", executable: "/x/d", mutant: nil))
        #expect(
            profile.access
                == .launch([
                    "/x/d", "session-client", "--host", "${host}", "--port", "${port}",
                    "--config", "${config}",
                ]))
        #expect(Set(profile.controls.keys) == ["background", "foreground", "state", "stop"])
        #expect(
            profile.features == [
                "session.reconnect", "session.reset-choice", "session.resume", "session.ping",
                "session.lifecycle",
            ])
        #expect(profile.liveness == .control)
    }

    @Test("A role that looks like a typing error is refused, a user's own role is not")
    func role() throws {
        do throws(InvalidInput) {
            _ = try DeviceProfile.parse(
                text: "name: a\nrole: sdl.ap\nlaunch: a\n", file: "d.yaml", roles: ["sdl.app"])
            Issue.record("the role sdl.ap was taken")
        } catch {
            #expect(
                error.description == "d.yaml:2:7: error: conform knows no device role \"sdl.ap\"; "
                    + "did you mean \"sdl.app\"? [unknown-role]")
        }
        let own = try DeviceProfile.parse(
            text: "name: a\nrole: coffee.machine\nlaunch: a\n", file: "d.yaml")
        #expect(own.role == "coffee.machine")
        let declared = try DeviceProfile.parse(
            text: "name: a\nrole: sensor.client\nlaunch: a\n", file: "d.yaml",
            roles: ["sensor.client"])
        #expect(declared.role == "sensor.client")
    }
}
