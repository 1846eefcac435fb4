import Foundation
import Glibc
import TestSupport
import Testing

private let suite = "Suites/head-unit-multisession.yaml"

@Suite("A head unit under test")
struct HeadUnitTests {
    @Test(
        "The reference head unit passes every case, and each capture gives the live verdict")
    func referencePasses() throws {
        let run = try JudgedRun(suite)
        #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
        let live = run.results
        #expect(live.verdicts.allSatisfy { $0.value == "pass" })
        #expect(live.verdicts.count >= 26)
        #expect(
            live.passedRequirements
                == Set(["MSP-10", "MSP-12", "MSP-13"] + (1...5).map { "SDL-\($0)" }))
        try run.expectSameOffline()
    }

    @Test(
        "A mutant fails the case of its requirement with the right words, live and offline",
        arguments: [
            (
                "undeclared-multisession", "multisession-is-declared", "MSP-12",
                "expected ea.accessory within 5s, no ea.accessory with ea.protocols"
            ),
            (
                "ends-former-multisession", "several-phones-under-multisession", "MSP-10",
                "ea.close came "
            ),
            ("tells-no-index", "hub-tells-one-index", "MSP-13", "expected ea.data"),
            ("tells-two-bytes", "hub-tells-one-index", "MSP-13", "got ea.data {hex: \"0001\"}"),
            ("tells-undeclared-index", "hub-tells-one-index", "MSP-13", "ea.index 30"),
            (
                "tells-same-index", "promised-index-is-not-told-twice", "MSP-13",
                "got ea.index 1"
            ),
            ("mute-dedicated", "dedicated-session-registers", "MSP-13", "sdl.StartServiceACK"),
            ("silent-heartbeat", "heartbeat-is-answered", "SDL-4", "sdl.HeartbeatACK"),
        ])
    func mutant(name: String, testCase: String, requirement: String, words: String) throws {
        let run = try JudgedRun(suite, ["--device", "reference:\(name)", "--case", testCase])
        #expect(run.outcome.status == 1, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(run.outcome.output.contains(words), "\(run.outcome.output)")
        #expect(run.results.failedRequirements.contains(requirement))
        try run.expectSameOffline()
    }

    /// Whether this process may capture on the host's own interfaces.
    private static let mayCapture: Bool = {
        let descriptor = socket(AF_PACKET, Int32(SOCK_RAW.rawValue), 0)
        defer { close(descriptor) }
        return descriptor >= 0
    }()

    @Test(
        "Without a separate network, peers call the device on the host's loopback",
        .enabled(if: mayCapture, "capturing on lo is not permitted here"))
    func hostNetwork() throws {
        let run = try ConformProgram.Started(
            ["CONFORM_REFUSE=network"]
                + ConformProgram.command([
                    "run", suite, "--case", "registers-over-tcp", "--case",
                    "dedicated-session-registers", "--reports", TemporaryFolder.lasting() + "/run",
                ]), in: ConformProgram.root
        ).wait()
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(run.output.contains("host's loopback"))
    }

    @Test("A device that does not listen is an error that says where it should")
    func deaf() throws {
        let folder = TemporaryFolder.lasting()
        try """
        name: Deaf
        role: sdl.head-unit
        launch: [/bin/sleep, "60"]
        features: [head-unit.tcp]
        ready: {line: never, timeout: 1s}
        """.write(toFile: folder + "/deaf.yaml", atomically: true, encoding: .utf8)
        let run = try ConformProgram.run([
            "run", suite, "--case", "registers-over-tcp", "--device", folder + "/deaf.yaml",
            "--reports", folder + "/run",
        ])
        #expect(run.status == 3, "\(run.output)\(run.errors)")
        #expect(run.output.contains("does not listen on TCP port 12345 after"), "\(run.output)")
        #expect(run.output.contains("${device.port}"), "\(run.output)")
    }

    @Test(
        "A case's clock starts when a slow device listens, and a restarted device is called again")
    func slow() throws {
        let folder = TemporaryFolder.lasting()
        let device = "\(ConformProgram.folder)/conform-device"
        try """
        name: Slow
        role: sdl.head-unit
        launch:
          - /bin/sh
          - -c
          - sleep 1; exec \(device) head-unit --host ${device.host} --port ${device.port}
        features: [head-unit.tcp]
        controls: {stop: stdin}
        """.write(toFile: folder + "/slow.yaml", atomically: true, encoding: .utf8)
        try """
        conform: 1
        suite: slow
        requirements: [\(ConformProgram.root)/Suites/requirements/sdl-session.yaml]
        device: {role: sdl.head-unit}
        peers:
          app: {is: sdl.app}
        defaults: {within: 500ms, tolerance: 400ms, unexpected: allow}
        cases:
          - id: called-again
            checks: [SDL-2]
            needs: head-unit.tcp
            steps:
              - &call
                do: app.connect
                within: 500ms
              - &started
                expect: sdl.StartServiceACK
              - &registered
                expect: sdl.RegisterAppInterface.response
                where: {params.success: true}
              - &status
                expect: sdl.OnHMIStatus.notification
              - do: device.restart
              - expect: device.exited
              - expect: device.started
                within: 5s
              - *call
              - *started
              - *registered
              - *status
        """.write(toFile: folder + "/slow-suite.yaml", atomically: true, encoding: .utf8)
        let run = try ConformProgram.run([
            "run", folder + "/slow-suite.yaml", "--device", folder + "/slow.yaml",
            "--reports", folder + "/run",
        ])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
    }
}
