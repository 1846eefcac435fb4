import Foundation
import TestSupport
import Testing
import Wire

@Suite("Explorations with the built program: found, shrunk, and judged again")
struct ExplorationTests {
    private let suite = "Suites/registration-language.yaml"
    private let exploration = "lives-and-head-units"

    /// A list in the results of a report folder.
    private func list(_ path: String..., in folder: String) throws -> [Value] {
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: folder + "/results.json")))
        let results = try Value(json: bytes.span.bytes)
        return path.reduce(Optional(results)) { $0?[$1] }?.arrayValue ?? []
    }

    @Test("A mutant is found by a rule in a drawn run, and shrunk to what is needed")
    func shrunk() throws {
        let run = try JudgedRun(
            suite,
            ["--device", "reference:compares-once", "--case", exploration + "*", "--explore", "12"])
        let output = run.outcome.output
        #expect(run.outcome.status == 1, "\(output)\(run.outcome.errors)")
        let all = try list("cases", in: run.folder).compactMap { $0["shrunk"] }
        let shrunk = try #require(all.first, "\(output)")
        let acts = shrunk["acts"]?.arrayValue?.compactMap(\.stringValue) ?? []
        // A later head unit is not compared, or its language is not changed to.
        let requirements = shrunk["requirements"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(requirements == ["CRM-10"] || requirements == ["CRM-3"])
        #expect((1...3).contains(acts.count), "\(acts)")
        #expect(shrunk["execution"]?["verdict"] == "fail")
        #expect(output.contains("\nshrinking ") && output.contains("\nshrunk "), "\(output)")
        #expect(output.contains("- id: \(exploration)-0-"), "\(output)")
        let left = try FileManager.default.contentsOfDirectory(atPath: run.folder + "/captures")
        #expect(!left.contains("shrinking"))

        try run.expectSameOffline()
        let verified = try ConformProgram.run(["report", "verify", run.folder])
        #expect(verified.status == 0, "\(verified.output)")
        let capture = try #require(shrunk["execution"]?["capture"]?.stringValue)
        let check = try ConformProgram.run(["check", suite, "\(run.folder)/\(capture)"])
        #expect(check.status == 1, "\(check.output)")
        let text = try #require(shrunk["suiteText"]?.stringValue)
        #expect(try failedFromSuite(text).isSuperset(of: requirements))
    }

    /// Puts the printed case into a copy of the suite, runs it, and returns what it breaks.
    private func failedFromSuite(_ text: String) throws -> Set<String> {
        let copy = TemporaryFolder.lasting() + "/suites"
        try FileManager.default.copyItem(atPath: "\(ConformProgram.root)/Suites", toPath: copy)
        let file = "\(copy)/registration-language.yaml"
        try String(contentsOfFile: file, encoding: .utf8)
            .replacing("\ncases:\n", with: "\ncases:\n" + text, maxReplacements: 1)
            .write(toFile: file, atomically: true, encoding: .utf8)
        let again = try JudgedRun(
            file, ["--device", "reference:compares-once", "--case", exploration + "-0-*"])
        #expect(again.outcome.status == 1, "\(again.outcome.output)\(again.outcome.errors)")
        return again.results.failedRequirements
    }

    @Test("Runs are drawn until the time is over, and shards merge")
    func time() throws {
        let words = ["--case", exploration + "*", "--explore-time", "2s"]
        let runs = try ["1/2", "2/2"].map { try JudgedRun(suite, words + ["--shard", $0]) }
        for run in runs {
            #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
            #expect(!run.results.verdicts.isEmpty)
            let planned = try list("run", "planned", in: run.folder).count
            #expect(planned == run.results.verdicts.count)
        }
        let merged = TemporaryFolder.lasting() + "/merged"
        let outcome = try ConformProgram.run(
            ["report", "merge", runs[0].folder, runs[1].folder, "--reports", merged])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        let count = runs.reduce(0) { $0 + $1.results.verdicts.count }
        #expect(try Results(merged).verdicts.count == count)
    }

    @Test("An exploration is explained with acts, rules and coverage, and a drawn run as a case")
    func explained() throws {
        let whole = try ConformProgram.run(["explain", suite, exploration])
        #expect(whole.status == 0, "\(whole.errors)")
        let wanted = ["other-head-unit (weight 5)", "one-change-for-a-registration", "of acts"]
        for words in wanted { #expect(whole.output.contains(words), "\(whole.output)") }
        let drawn = try ConformProgram.run(["explain", suite, exploration + "[seed=0,n=2]"])
        #expect(drawn.status == 0 && drawn.output.contains("[seed=0,n=2]"), "\(drawn.errors)")
    }
}
