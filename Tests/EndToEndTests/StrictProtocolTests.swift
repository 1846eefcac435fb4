import FoundationEssentials
import TestSupport
import Testing
import Wire

@Suite("Violations of a protocol's specification, as a user sees them")
struct StrictProtocolTests {
    private static let suite = "Suites/registration-language.yaml"

    /// Runs an app whose requests have negative correlation ids in a case that does not check them.
    private func run(
        _ options: [String], reports: String
    ) throws -> ConformProgram.Outcome {
        try ConformProgram.run(
            [
                "run", Self.suite, "--case", "comparison-follows-the-response", "--device",
                "reference:negates-correlation-ids", "--reports", reports,
            ] + options)
    }

    @Test("Violations are counted in all reports, and fail nothing by themselves")
    func counted() throws {
        let reports = TemporaryFolder.lasting() + "/run"
        let run = try run([], reports: reports)
        #expect(run.output.contains("protocol: device: 1 violation in 1 case"), "\(run.output)")
        #expect(!run.output.contains("breaks its specification"), "\(run.output)")
        for file in ["summary.md", "junit.xml", "index.html"] {
            let text = try String(contentsOf: URL(filePath: "\(reports)/\(file)"), encoding: .utf8)
            #expect(text.contains("device: 1 violation in 1 case"), "\(file)")
        }
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: reports + "/results.json")))
        let results = try Value(json: bytes.span.bytes)
        let violation = results["cases"]?.arrayValue?.first?["violations"]?.arrayValue?.first
        #expect(violation?["party"]?.stringValue == "device")
        #expect(violation?["isOfDevice"]?.boolValue == true)
    }

    @Test("--strict protocol fails the case, live and from the capture, but no requirement")
    func strict() throws {
        let reports = TemporaryFolder.lasting() + "/run"
        let run = try run(["--strict", "protocol"], reports: reports)
        #expect(run.status == 1, "\(run.output)\(run.errors)")
        #expect(run.output.contains("breaks its specification"), "\(run.output)")
        #expect(try Results(reports).failedRequirements.isEmpty, "\(run.output)")
        #expect(run.output.contains("--device reference:negates-correlation-ids --strict protocol"))
        let captures = try Results(reports).captures.map { "\(reports)/\($0)" }
        let check = try ConformProgram.run(["check", Self.suite] + captures)
        #expect(check.status == 1, "\(check.output)\(check.errors)")
        #expect(check.output.contains("breaks its specification"), "\(check.output)")
    }

    @Test("check --strict protocol finds violations in a capture of a run without the option")
    func check() throws {
        let reports = TemporaryFolder.lasting() + "/run"
        _ = try run([], reports: reports)
        let captures = try Results(reports).captures.map { "\(reports)/\($0)" }
        let plain = try ConformProgram.run(["check", Self.suite] + captures)
        #expect(!plain.output.contains("breaks its specification"), "\(plain.output)")
        for further in [[], ["--assume", "foreign"]] {
            let strict = try ConformProgram.run(
                [
                    "check", Self.suite, "--strict", "protocol", "--case",
                    "comparison-follows-the-response",
                ]
                    + further + captures)
            #expect(strict.status == 1, "\(strict.output)\(strict.errors)")
            #expect(strict.output.contains("breaks its specification"), "\(strict.output)")
        }
    }
}
