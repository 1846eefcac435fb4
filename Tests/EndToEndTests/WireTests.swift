import Foundation
import Glibc
import TestSupport
import Testing
import Wire

@Suite("Broken bytes, hanging devices and two devices, live and from the capture")
struct WireTests {
    /// Returns a suite of one case on the reference app or on the test's own device.
    private func suite(_ testCase: String) -> String {
        let head = """
            conform: 1
            suite: wire
            title: What goes over the wire
            requirements: [\(ConformProgram.root)/Suites/requirements/change-registration.yaml]
            device: {role: sdl.app}
            peers:
              hu: {is: sdl.head-unit, protocol: 5.4.0, language: EN-US, hmiDisplayLanguage: EN-US}
            defaults: {within: 5s, tolerance: 2s, unexpected: allow, quiet: 300ms}
            cases:
              - id: case
                checks: [CRM-1]

            """
        return head
            + testCase.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n") + "\n"
    }

    private struct Ending {
        let folder: String
        let live: ConformProgram.Outcome
        let capture: String
        let verdict: String
        let summary: String
        /// The outcome of `conform check` on the capture.
        let check: ConformProgram.Outcome
    }

    /// Runs the case live and judges its capture.
    ///
    /// The device is given by the text of a profile; without one it is the reference device.
    private func run(
        _ testCase: String, profile: String? = nil, script: String? = nil
    ) throws -> Ending {
        let folder = TemporaryFolder.lasting()
        var files = ["suite.yaml": suite(testCase)]
        files["device.yaml"] = profile
        files["device.sh"] = script
        for (name, text) in files {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        let device = profile == nil ? [] : ["--device", folder + "/device.yaml"]
        let live = try ConformProgram.run(
            ["run", folder + "/suite.yaml", "--reports", folder + "/run"] + device)
        let results = try Results(folder + "/run")
        let name = try #require(results.captures.first, "\(live.output)\(live.errors)")
        let capture = "\(folder)/run/\(name)"
        let check = try ConformProgram.run(["check", folder + "/suite.yaml", capture])
        return Ending(
            folder: folder, live: live, capture: capture,
            verdict: results.verdicts["case"] ?? "none",
            summary: results.summaries["case"] ?? "", check: check)
    }

    /// The profile of a shell script that opens the service.
    private static let shell = """
        name: A shell
        role: sdl.app
        launch: [/bin/bash, device.sh, "${host}", "${port}"]
        controls: {freeze: {signal: STOP}}
        stop: {grace: 100ms}
        """

    private static func script(_ rest: String) -> String {
        """
        exec {socket}<>"/dev/tcp/$1/$2"
        printf '\\x10\\x07\\x01\\0\\0\\0\\0\\0' >&$socket
        \(rest)
        sleep 30
        """
    }

    private static func reference(_ options: String, liveness: String) -> String {
        """
        name: The reference app
        role: sdl.app
        launch: [\(ConformProgram.folder)/conform-device, sdl-app, --host, "${host}", --port, "${port}",
          --config, "${config}"\(options)]
        controls: {background: stdin}
        liveness: \(liveness)
        stop: {grace: 100ms}
        """
    }

    private static let registration = """
        preamble:
          - expect: sdl.StartService
          - expect: sdl.RegisterAppInterface.request
          - expect: sdl.RegisterAppInterface.response
            from: hu

        """

    @Test("Broken messages and plain bytes are sent exactly, and are in the capture")
    func brokenBytes() throws {
        let ending = try run(
            Self.registration + """
                steps:
                  - send: sdl.OnHMIStatus.notification
                    segments: 5
                  - send: sdl.OnHMIStatus.notification
                    corrupt: {header: {sdl.version: 9}, truncate: 20, append: "c0ffee"}
                  - send: {bytes: "deadbeef"}
                    segments: 1
                """)
        #expect(ending.verdict == "pass", "\(ending.summary)\(ending.live.errors)")
        #expect(ending.check.status == 0, "\(ending.check.output)\(ending.check.errors)")
        let decoded = try ConformProgram.run(["decode", ending.capture, "--format", "json"])
        #expect(decoded.output.contains("sdl.malformed"))
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: ending.capture)))
        #expect(bytes.contains(0xC0))
        let coffee = bytes.indices.dropLast(2).contains {
            bytes[$0] == 0xC0 && bytes[$0 + 1] == 0xFF && bytes[$0 + 2] == 0xEE
        }
        #expect(coffee)
    }

    @Test(
        "Messages after a peer's frame with a wrong length are seen",
        arguments: [3, 300, 70_000])
    func falseLength(size: Int) throws {
        // Two messages come from the peer itself, and no step defines their bytes.
        let ending = try run(
            """
            given:
              hu: {silent: [sdl.RegisterAppInterface.request]}
            steps:
              - expect: sdl.RegisterAppInterface.request
              - send: sdl.OnHMIStatus.notification
                corrupt: {header: {sdl.data_size: \(size)}}
              - send: sdl.RegisterAppInterface.response
              - expect: sdl.OnHMIStatus.notification
                from: hu
              - expect: sdl.OnPermissionsChange.notification
                from: hu
            """)
        #expect(ending.verdict == "pass", "\(ending.summary)\(ending.live.errors)")
        #expect(ending.check.status == 0, "\(ending.check.output)\(ending.check.errors)")
    }

    @Test("Undecodable bytes of a device fail the case unless a step expects them")
    func lostBytes() throws {
        let garbage = Self.script("printf '\\x9f\\x07\\x01\\x02\\x03' >&$socket")
        let steps = """
            steps:
              - expect: sdl.StartService
              - lost: bytes
                where: {offset: 8, reason: {contains: version}}
            """
        let taken = try run(steps, profile: Self.shell, script: garbage)
        #expect(taken.verdict == "pass", "\(taken.summary)")
        #expect(taken.check.status == 0, "\(taken.check.output)")
        let broken = try run(
            "steps: [{expect: sdl.StartService}]\n", profile: Self.shell, script: garbage)
        #expect(broken.verdict == "fail")
        #expect(broken.summary.contains("do not decode"), "\(broken.summary)")
        #expect(broken.check.status == 1)
    }

    @Test("A device that is stopped by a signal does not pass a case that only requires absence")
    func suspended() throws {
        let forbidding = """
            preamble: [{expect: sdl.StartService}]
            steps: [{do: device.freeze}]
            never: [sdl.ChangeRegistration.request]
            """
        let ending = try run(
            forbidding, profile: Self.shell, script: "echo ready to freeze\n" + Self.script(""))
        #expect(ending.verdict == "fail", "\(ending.summary)")
        #expect(ending.summary.contains("hangs: its process is stopped"), "\(ending.summary)")
        #expect(ending.summary.contains("ready to freeze"), "\(ending.summary)")
        #expect(ending.check.status == 1, "\(ending.check.output)")
        #expect(ending.check.output.contains("hangs: its process is stopped"))
    }

    @Test(
        "The liveness probe of the profile finds a device that hangs, and no other one",
        arguments: [
            ("control", "no answer to a ping"), ("heartbeat", "no sdl.HeartbeatACK"),
        ])
    func hang(liveness: String, words: String) throws {
        let forbidding =
            Self.registration + """
                steps: [{wait: 1500ms}]
                never: [sdl.ChangeRegistration.request]
                """
        let sound = try run(
            forbidding, profile: Self.reference("", liveness: liveness))
        #expect(sound.verdict == "pass", "\(sound.summary)")
        let hanging = try run(
            forbidding,
            profile: Self.reference(", --hang-after, \"1200\"", liveness: liveness))
        #expect(hanging.verdict == "fail", "\(hanging.summary)")
        #expect(hanging.summary.contains(words), "\(hanging.summary)")
        #expect(hanging.check.status == 1)
    }

    @Test("The last output of a device that ends is in the reason")
    func lastWords() throws {
        let ending = try run(
            "preamble: [{expect: sdl.StartService}]\nsteps: [{expect: sdl.Show.request}]",
            profile: Self.shell, script: Self.script("echo out of memory; exit 3"))
        #expect(ending.verdict == "fail", "\(ending.summary)")
        #expect(ending.summary.contains("exited with code 3"), "\(ending.summary)")
        #expect(ending.summary.contains("out of memory"), "\(ending.summary)")
    }

    @Test("Two devices of one kind are distinguished, live and in the capture")
    func twoDevices() throws {
        let both = """
            devices: {second: {role: sdl.app}}
            given: {device: {appName: One}, second: {appName: Two}}
            steps:
              - expect: sdl.RegisterAppInterface.request
                from: second
                where: {params.appName: Two}
              - do: second.background
              - send: sdl.OnHMIStatus.notification
                to: second
            never:
              - {message: sdl.RegisterAppInterface.request, from: second, where: {params.appName: One}}
              - {message: sdl.RegisterAppInterface.request, from: device, where: {params.appName: Two}}
            """
        let ending = try run(both)
        #expect(ending.verdict == "pass", "\(ending.summary)\(ending.live.output)")
        #expect(ending.check.status == 0, "\(ending.check.output)\(ending.check.errors)")
        let swapped = both.replacingOccurrences(
            of: "second: {appName: Two}", with: "second: {appName: One}")
        let wrong = try run(swapped)
        #expect(wrong.verdict == "fail", "\(wrong.summary)")
        #expect(wrong.check.status == 1, "\(wrong.check.output)")
    }

    @Test("A check applies the list of known failures too")
    func knownInCheck() throws {
        let folder = TemporaryFolder.lasting()
        let suite = "Suites/registration-language.yaml"
        _ = try ConformProgram.run([
            "run", suite, "--case", "change-carries-language-and-names", "--device",
            "reference:forgets-app-name", "--reports", folder + "/run",
        ])
        let capture = try #require(Results(folder + "/run").captures.first)
        let list = folder + "/known.yaml"
        try """
        conform-known-failures: 1
        entries:
          - {case: change-carries-language-and-names, check: CRM-7, reason: params.appName,
             issue: issue-7, owner: anna, expires: \(PolicyTests.inSomeMonths)}
        """.write(toFile: list, atomically: true, encoding: .utf8)
        let words = ["check", suite, "\(folder)/run/\(capture)"]
        #expect(try ConformProgram.run(words).status == 1)
        let known = try ConformProgram.run(words + ["--known", list])
        // Nothing fails, but without a pass the result is not called conformant.
        #expect(known.status == 4, "\(known.output)\(known.errors)")
        #expect(known.output.contains("issue-7"))
    }
}
