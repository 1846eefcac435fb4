import Foundation
import Glibc
import TestSupport
import Testing

/// Devices that write the keys of their TLS connections with a real program.
@Suite("Key logs of devices", .serialized)
struct DeviceKeyLogTests {
    private static let folder = ConformProgram.root + "/Tests/EndToEndTests/Suites"
    private static let hasPrograms =
        access("/usr/bin/python3", X_OK) == 0 && access("/usr/bin/openssl", X_OK) == 0

    /// Runs cases of the suite on a device, given by the words of its launch.
    private func run(_ launch: String, _ cases: String) throws -> JudgedRun {
        let profile = TemporaryFolder.lasting() + "/device.yaml"
        try """
        name: client that writes its keys
        role: tcp.client
        launch: [\(launch)]
        keyLog: true
        exit: expected
        """.write(toFile: profile, atomically: true, encoding: .utf8)
        return try JudgedRun(
            Self.folder + "/tls-keys.yaml", ["--device", profile, "--case", cases])
    }

    private func device(_ habit: String) -> String {
        "python3, \(Self.folder)/tls-keys-device.py, \"${host}\", \"${port}\", \(habit)"
    }

    @Test(
        "What a device exchanges with a real program is judged with its own keys, live and offline",
        .enabled(if: hasPrograms, "python3 or openssl is missing"),
        arguments: [
            ("sound", "pass"), ("late", "pass"), ("secret", "fail"),
            // A key only decrypts: without a right one nothing is seen.
            ("never", "inconclusive"), ("forged", "inconclusive"),
        ])
    func judged(habit: String, verdict: String) throws {
        let run = try run(device(habit), "asks*")
        #expect(
            run.results.verdicts == ["asks": verdict, "asks-in-an-old-version": verdict],
            "\(run.outcome.output)\(run.outcome.errors)")
        try run.expectSameOffline()
        for capture in run.results.captures where habit != "never" {
            var status = stat()
            let place = "\(run.folder)/\(capture)"
            #expect(stat(place, &status) == 0 && status.st_mode & 0o777 == 0o600, "\(capture)")
        }
    }

    @Test(
        "A connection that the device ends without all keys is not waited for",
        .enabled(if: hasPrograms, "python3 or openssl is missing"))
    func refused() throws {
        let run = try run(device("refuses"), "refuses")
        #expect(run.results.verdicts == ["refuses": "pass"], "\(run.outcome.output)")
        try run.expectSameOffline()
    }

    @Test(
        "curl writes its keys without being told more",
        .enabled(if: hasPrograms && access("/usr/bin/curl", X_OK) == 0, "a program is missing"))
    func curl() throws {
        let call = "curl -sk https://${host}:${port}/ -o /dev/null"
        let run = try run("/bin/sh, -c, \"\(call); \(call)\"", "asks*")
        #expect(
            run.results.verdicts == ["asks": "pass", "asks-in-an-old-version": "pass"],
            "\(run.outcome.output)\(run.outcome.errors)")
        try run.expectSameOffline()
    }
}
