import Foundation
import TestSupport
import Testing
import Wire

/// A run as a user starts it, with its results.
struct JudgedRun {
    let suite: String
    let outcome: ConformProgram.Outcome
    let folder: String
    let results: Results

    /// How often a run of few cases is executed at most, if the machine was too busy to judge one.
    private static let executions = 3
    private static let fewCases = 4

    /// Runs a suite; the further words come after it on the command line.
    init(_ suite: String, _ words: [String] = []) throws {
        var run = try JudgedRun(executing: suite, words)
        for _ in 1..<Self.executions where run.isRepeatable {
            run = try JudgedRun(executing: suite, words)
        }
        self = run
    }

    private init(executing suite: String, _ words: [String]) throws {
        self.suite = suite
        folder = TemporaryFolder.lasting() + "/run"
        outcome = try ConformProgram.run(["run", suite, "--reports", folder] + words)
        results = try Results(folder)
    }

    /// Whether the run has few cases, of which the machine was too busy to judge one.
    private var isRepeatable: Bool {
        outcome.status == 3 && results.verdicts.count <= Self.fewCases
            && results.verdicts.keys.contains(where: isUndecided)
    }

    /// The cases that neither pass nor are inconclusive because of the machine.
    var faults: [String] {
        results.verdicts.filter { id, verdict in verdict != "pass" && !isUndecided(id) }
            .map { "\($0.key): \($0.value), \(results.summaries[$0.key] ?? "")" }.sorted()
    }

    /// Whether a case is inconclusive because of the machine.
    func isUndecided(_ id: String) -> Bool {
        results.verdicts[id] == "inconclusive"
            && ConformProgram.latenessWords.contains {
                results.summaries[id]?.contains($0) == true
            }
    }

    /// Judges the captures of the run and checks that verdicts and reasons are the live ones.
    func expectSameOffline(sourceLocation: SourceLocation = #_sourceLocation) throws {
        try Self.expectSameOffline(
            results, of: suite, in: folder, status: outcome.status, sourceLocation: sourceLocation)
    }

    /// Judges the captures in a report folder and compares the results with the given live ones.
    static func expectSameOffline(
        _ live: Results, of suite: String, in folder: String, status: Int32,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        // A skipped case has no capture; that of a flaky one is its first execution, which did not
        // pass.
        let judged = live.verdicts.filter { !["skipped", "flaky"].contains($0.value) }
        let captures = judged.keys.sorted().compactMap { live.captureOf[$0] }
        let check = try ConformProgram.run(
            ["check", suite, "--reports", "\(folder)/checked"]
                + captures.map { "\(folder)/\($0)" })
        #expect(
            check.status == status, "\(check.output)\(check.errors)",
            sourceLocation: sourceLocation)
        let offline = try Results("\(folder)/checked")
        let summaries = live.summaries.filter { judged[$0.key] != nil }
        #expect(offline.verdicts == judged, "\(folder)", sourceLocation: sourceLocation)
        #expect(offline.summaries == summaries, "\(folder)", sourceLocation: sourceLocation)
    }
}

/// The parts of a results file that the tests use.
struct Results {
    private(set) var verdicts: [String: String] = [:]
    private(set) var summaries: [String: String] = [:]
    private(set) var passedRequirements: Set<String> = []
    private(set) var failedRequirements: Set<String> = []
    private(set) var captures: [String] = []
    /// The capture of each case.
    private(set) var captureOf: [String: String] = [:]

    var passCount: Int { verdicts.values.filter { $0 == "pass" }.count }

    init(_ folder: String) throws {
        try self.init(file: folder + "/results.json")
    }

    init(file: String) throws {
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: file)))
        let results = try Value(json: bytes.span.bytes)
        for entry in results["cases"]?.arrayValue ?? [] {
            let id = entry["id"]?.stringValue ?? ""
            verdicts[id] = entry["verdict"]?.stringValue
            summaries[id] = entry["reason"]?["summary"]?.stringValue
            captureOf[id] = entry["capture"]?.stringValue
            captures += captureOf[id].map { [$0] } ?? []
            for check in entry["checks"]?.arrayValue ?? [] {
                let requirement = check["requirement"]?.stringValue ?? ""
                switch check["verdict"]?.stringValue {
                case "pass": passedRequirements.insert(requirement)
                case "fail": failedRequirements.insert(requirement)
                default: break
                }
            }
        }
    }
}
