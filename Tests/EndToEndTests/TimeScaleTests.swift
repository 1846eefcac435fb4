import Foundation
import TestSupport
import Testing
import Wire

@Suite("conform run --time-scale, as a user runs it")
struct TimeScaleTests {
    private static let folder = "Tests/EndToEndTests/Suites"
    private static let suite = "\(folder)/time-scale.yaml"

    /// Whether the library is installed in Debian's folder.
    private static let hasFaketime =
        ["x86_64", "aarch64"].contains {
            FileManager.default.fileExists(
                atPath: "/usr/lib/\($0)-linux-gnu/faketime/libfaketimeMT.so.1")
        }

    private func run(
        _ device: String, at scale: String,
        reports: String = TemporaryFolder.lasting() + "/r"
    ) throws -> ConformProgram.Outcome {
        try ConformProgram.run([
            "run", Self.suite, "--device", "\(Self.folder)/time-scale-\(device).yaml",
            "--time-scale", scale, "--reports", reports,
        ])
    }

    @Test("A device that reads the variable passes ten times faster, live and from the capture")
    func variable() throws {
        try passes("env")
    }

    @Test(
        "A device passes ten times faster under libfaketime, live and from the capture",
        .enabled(if: hasFaketime, "the Debian package faketime is not installed"))
    func library() throws {
        try passes("faketime")
    }

    private func passes(_ device: String) throws {
        let reports = TemporaryFolder.lasting() + "/run"
        let run = try run(device, at: "10", reports: reports)
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(run.output.contains("time scale 10"), "\(run.output)")
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: reports + "/results.json")))
        let results = try Value(json: bytes.span.bytes)
        #expect(results["run"]?["timeScale"]?.numberValue == 10)
        let captures = try Results(reports).captures.map { "\(reports)/\($0)" }
        #expect(captures.count == 2)
        let check = try ConformProgram.run(["check", Self.suite] + captures)
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        #expect(check.output.contains("time scale 10"), "\(check.output)")
    }

    @Test("Cases of a device whose clock cannot be scaled are skipped, never judged by other times")
    func none() throws {
        let run = try run("none", at: "10")
        #expect(run.status == 4, "\(run.output)\(run.errors)")
        #expect(run.output.contains("clock cannot be scaled"), "\(run.output)")
    }

    @Test("A device that does not run as fast as it declares fails")
    func slower() throws {
        let path = TemporaryFolder.lasting() + "/device.yaml"
        let script = "\(ConformProgram.root)/\(Self.folder)/time-scale-device.sh"
        let text = """
            name: lies
            role: session.client
            launch: [/usr/bin/env, -u, CONFORM_TIME_SCALE, /bin/bash, "\(script)", "${host}", "${port}"]
            timeScale: env
            """
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let run = try ConformProgram.run([
            "run", Self.suite, "--device", path, "--time-scale", "10", "--reports",
            TemporaryFolder.lasting() + "/run",
        ])
        #expect(run.status == 1, "\(run.output)\(run.errors)")
    }

    @Test("An invalid time scale is refused", arguments: ["0", "101", "fast"])
    func refused(scale: String) throws {
        let run = try run("env", at: scale)
        #expect(run.status == 2)
        #expect(run.errors.contains("1 to 100"), "\(run.errors)")
    }

    @Test("The command explain shows the divided times and the unchanged tolerances")
    func explained() throws {
        let stated = try ConformProgram.run([
            "explain", Self.suite, "three-seconds", "--time-scale", "10",
        ])
        #expect(stated.status == 0, "\(stated.errors)")
        #expect(stated.output.contains("300ms"), "\(stated.output)")
        #expect(stated.output.contains("absolute tolerances stay"), "\(stated.output)")
    }
}
