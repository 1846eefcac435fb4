import FoundationEssentials
import Testing

@testable import SuiteLanguage

@Suite("The corpus: pairs of a case and a trace with a known verdict")
struct CorpusTests {
    @Test("Each trace has the verdict that a person gave it", arguments: CorpusFiles.suites)
    func verdicts(_ name: String) throws {
        let corpus = try CorpusSuite(name)
        #expect(!corpus.pairs.isEmpty)
        for pair in corpus.pairs {
            let expected = try #require(pair.verdict)
            let outcome = try corpus.judge(pair)
            for mistake in PairCheck.mistakes(pair, expected, outcome) {
                Issue.record(
                    """
                    \(name).traces:\(pair.line): \(pair.testCase) / \(pair.name): \(mistake)
                    \(outcome.stated.joined(separator: "\n"))
                    """)
            }
        }
    }

    /// The first two of each kind, in different suites: more would record the same words again.
    @Test("Each kind of verdict is explained in the recorded words")
    func explanations() throws {
        var suites: [String: Set<String>] = [:]
        var sections: [String] = []
        for name in CorpusFiles.suites {
            let corpus = try CorpusSuite(name)
            for pair in corpus.pairs {
                let verdict = try #require(pair.verdict)
                let kind = [verdict.verdict?.rawValue, verdict.code?.rawValue].compactMap(\.self)
                    .joined(separator: " ")
                guard suites[kind, default: []].count < 2,
                    suites[kind, default: []].insert(name).inserted
                else { continue }
                let stated = try corpus.judge(pair).stated
                let head = "=== \(name): \(pair.testCase) / \(pair.name)"
                sections.append(([head] + stated).joined(separator: "\n"))
            }
        }
        try Golden.expect(
            sections.joined(separator: "\n\n") + "\n", matches: "explanations.golden")
    }

    /// The suites share a catalogue, and each needs only a part of it.
    @Test("Each suite of the corpus is without a finding", arguments: CorpusFiles.suites)
    func lint(_ name: String) throws {
        let findings = try CorpusSuite(name).suite.warnings.filter {
            $0.code != "uncovered-requirement"
        }
        #expect(findings.map(\.description) == [])
    }

    @Test("Each case of the corpus has a trace that passes and one that does not")
    func bothWays() throws {
        for name in CorpusFiles.suites {
            let corpus = try CorpusSuite(name)
            let cases = Set(
                (corpus.suite.cases + [corpus.suite.rulesCase].compactMap(\.self)).map(\.id))
            let judged = corpus.pairs.filter { $0.verdict?.verdict != nil }
            #expect(Set(judged.map(\.testCase)) == cases, "\(name)")
            for id in cases {
                let verdicts = corpus.pairs.filter { $0.testCase == id }.map(\.verdict?.verdict)
                #expect(verdicts.contains(.pass), "\(name): \(id) never passes")
                #expect(verdicts.contains { $0 != .pass }, "\(name): \(id) always passes")
            }
        }
    }

    @Test("The corpus has at least 400 pairs, each with its own name")
    func size() throws {
        let names = try CorpusFiles.suites.flatMap { name in
            try CorpusSuite(name).pairs.map { "\(name) \($0.testCase) \($0.name)" }
        }
        #expect(names.count >= 400)
        #expect(Set(names).count == names.count)
    }
}
