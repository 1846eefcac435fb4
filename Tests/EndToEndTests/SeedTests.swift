import Foundation
import TestSupport
import Testing
import Wire

@Suite("conform run --seed, as a user runs it")
struct SeedTests {
    private static let suite = "Tests/EndToEndTests/Suites/time-scale.yaml"

    @Test("The device gets the seed, and the reports contain it")
    func stated() throws {
        let folder = TemporaryFolder.lasting()
        let device = """
            name: tells
            role: session.client
            launch: [/bin/sh, -c, 'echo "the seed is $CONFORM_SEED"']
            """
        try device.write(toFile: folder + "/device.yaml", atomically: true, encoding: .utf8)
        let run = try ConformProgram.run([
            "run", Self.suite, "--device", folder + "/device.yaml", "--seed", "41", "--case",
            "three-seconds", "--reports", folder + "/run",
        ])
        // The device ends at once, before anything is judged.
        #expect(run.status == 3, "\(run.output)\(run.errors)")
        #expect(run.output.contains("--seed 41"), "\(run.output)")
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: folder + "/run/results.json")))
        #expect(try Value(json: bytes.span.bytes)["run"]?["seed"]?.integerValue == 41)
        let logs = try FileManager.default.contentsOfDirectory(atPath: folder + "/run/logs")
        let log = try String(
            contentsOfFile: "\(folder)/run/logs/\(try #require(logs.first))", encoding: .utf8)
        #expect(log.contains("the seed is 41"), "\(log)")
    }

    @Test("An invalid seed is refused", arguments: ["-1", "1.5", "x", "18446744073709551616"])
    func refused(seed: String) throws {
        let run = try ConformProgram.run(["run", Self.suite, "--seed", seed])
        #expect(run.status == 2)
        #expect(run.errors.contains("0 to 18446744073709551615"), "\(run.errors)")
    }
}
