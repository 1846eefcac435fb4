import Judge
import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Reporting
@testable import Results

@Suite("The published schema of results.json")
struct ResultsSchemaTests {
    private func problems(_ run: RunResult) throws -> [String] {
        let check = try SchemaCheck(ResultsSchema.document)
        let bytes = try ResultsFile.bytes(of: run)
        return check.problems(try Value(json: bytes.span.bytes))
    }

    /// A run that has every possible member.
    static let everything: RunResult = {
        var run = JUnitSchemaTests.repeated
        run.header.knownFindings = ["known.yaml:3:5: matches no case"]
        run.header.shard = RunShard(index: 1, total: 2, plan: run.header.planned)
        run.header.job = RunJob(
            page: "https://ci/1", artifacts: "https://ci/1/artifacts/file/",
            source: "https://ci/{file}#L{line}")
        run.header.timeScale = TimeScale(2.5)
        run.header.parameters = [
            RunParameter(suite: "language", name: "limit", value: "2s", origin: .device)
        ]
        let digest = String(repeating: "0f", count: 32)
        run.files = ["journal.jsonl": digest]
        run.header.digests = RunDigest.Kind.allCases.map {
            RunDigest($0, path: "\($0).yaml", sha256: digest)
        }
        run.cases[0].captureDigest = digest
        run.cases[0].executions?[0].captureDigest = digest
        run.cases.append(contentsOf: EvidenceSample.run.cases)
        run.cases[0].steps[0].schedule = [
            ScheduledInterval(
                index: 1, wait: 1, lower: 0.9, upper: 1.1, measured: 1, frame: 4, isKept: true)
        ]
        run.cases[0].steps[0].schedule?[0].broken = ["delay"]
        run.cases[0].steps[0].drawnAct = "act 1: close"
        run.cases[0].steps[0].spread = ScheduledSpread(
            waits: 12, level: 1e-6, probability: 0.3, power: 0.02)
        run.cases[0].measurements = [
            Measurement(name: "way", seconds: 0.012, frames: [3, 4]),
            Measurement(name: "sessions", count: 2),
        ]
        run.cases[0].executions?[0].log = "logs/x.log"
        run.cases[0].subject = CaseSubject(
            testCase: "case", capture: "x.pcap", connection: "tcp.stream 12")
        run.cases[0].shrunk = SampleRun.shrunk
        run.cases[0].shrunk?.execution.captureDigest = digest
        run.header.suites[0].rules = [
            RuleSummary(id: "follows", checks: ["CRM-3"], needs: "sdl.reconnect")
        ]
        run.end(seconds: .infinity)
        return run
    }()

    @Test("Every run that the tests use is valid by the schema")
    func valid() throws {
        for (name, run) in JUnitSchemaTests.runs + [("everything", Self.everything)] {
            #expect(try problems(run) == [], "\(name)")
        }
    }

    /// Returns the files of evidence of the run with every member.
    private func evidence() throws -> [Value] {
        try Self.everything.cases.compactMap { result in
            guard var evidence = result.evidence else { return nil }
            evidence.captureStart = evidence.origin
            let bytes = EvidenceFiles.bytes(of: evidence, for: CaseReference(result))
            return try Value(json: bytes.span.bytes)
        }
    }

    @Test("Every file of evidence is valid by its schema")
    func validEvidence() throws {
        let check = try SchemaCheck(ResultsSchema.evidenceFile)
        let files = try evidence()
        #expect(files.count >= 3)
        for file in files { #expect(check.problems(file) == []) }
        let damaged = Value.object((files[0].objectValue ?? []).filter { $0.name != "id" })
        #expect(check.problems(damaged) != [])
    }

    @Test("Every member of the schemas is used, so that they promise nothing that never occurs")
    func complete() throws {
        let bytes = try ResultsFile.bytes(of: Self.everything)
        let results = try Value(json: bytes.span.bytes)
        for (schema, values) in [
            (ResultsSchema.document, [results]), (ResultsSchema.evidenceFile, try evidence()),
        ] {
            var names: Set<String> = []
            func collect(_ value: Value) {
                for member in value.objectValue ?? [] {
                    names.insert(member.name)
                    collect(member.value)
                }
                value.arrayValue?.forEach(collect)
            }
            values.forEach(collect)
            var promised: Set<String> = []
            func gather(_ schema: Value) {
                for member in schema.objectValue ?? [] {
                    if member.name == "properties" {
                        promised.formUnion((member.value.objectValue ?? []).map(\.name))
                    }
                    gather(member.value)
                }
            }
            gather(schema)
            #expect(promised.subtracting(names).isEmpty)
        }
    }

    @Test(
        "A value that is not a result is refused",
        arguments: [
            ("\"verdict\" : \"pass\"", "\"verdict\" : \"passed\""),
            ("\"seconds\" : 1.25", "\"seconds\" : \"long\""), ("\"schema\" : 2", "\"schema\" : 1"),
            ("\"planned\" :", "\"plan\" :"), ("\"exitCode\" : 0", "\"exitCode\" : 7"),
        ])
    func refused(text: String, replacement: String) throws {
        var run = SampleRun.passing(1)
        run.end(seconds: 1)
        let whole = String(decoding: try ResultsFile.bytes(of: run), as: UTF8.self)
        let broken = whole.replacing(text, with: replacement)
        #expect(broken != whole)
        let check = try SchemaCheck(ResultsSchema.document)
        #expect(check.problems(try Value(json: whole)) == [])
        #expect(check.problems(try Value(json: broken)) != [])
    }
}
