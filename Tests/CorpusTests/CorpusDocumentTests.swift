import FoundationEssentials
import Testing

@testable import SuiteLanguage

@Suite("The corpus is complete")
struct CorpusDocumentTests {
    /// What can be wrong with the messages of a construct.
    private static let kinds = ["missing", "extra", "early", "late", "swapped", "duplicated"]

    /// Folders that are not about a construct of the language, and need no trace of each kind.
    private static let others: Set<String> = ["capture", "bytes", "device"]

    /// The constructs of the language and the properties of traces.
    ///
    /// Each is a folder of the corpus.
    private static let constructs: Set<String> = [
        "anyOrder", "backoff", "broken", "bytes", "capture", "collect", "connections", "device",
        "devices",
        "do", "each", "either", "expect", "expressions", "fragments", "from-peer", "http", "ignore",
        "lost", "nested", "never", "on", "optional", "parameters", "peers", "preamble", "quiet",
        "repeat", "rules", "send", "stream", "timing", "transport", "udp", "unexpected", "until",
        "variables", "violations", "wait", "websocket",
    ]

    @Test("The corpus has a folder for each construct of the language, and a pair for each verb")
    func constructs() throws {
        #expect(Set(CorpusFiles.suites.map { String($0.prefix { $0 != "/" }) }) == Self.constructs)
        let texts = try CorpusFiles.suites.map { try CorpusFiles.text("\($0).yaml") }
        for verb in SuiteVocabulary.verbs {
            #expect(
                texts.contains { $0.contains("\(verb): ") || $0.contains("\(verb):\n") }, "\(verb)")
        }
    }

    @Test("Each construct has a trace for everything that can be wrong with messages")
    func kinds() throws {
        let constructs = Dictionary(grouping: CorpusFiles.suites) {
            String($0.prefix { $0 != "/" })
        }
        #expect(constructs.count >= 30)
        for (construct, names) in constructs where !Self.others.contains(construct) {
            let found = Set(
                try names.flatMap { try CorpusSuite($0).pairs }
                    .map { String($0.name.prefix { $0.isLetter }) })
            for kind in Self.kinds + ["right"] {
                #expect(found.contains(kind), "\(construct) has no trace with \(kind)")
            }
        }
    }

    @Test("Each fault of another harness has a test here, and all these tests exist")
    func faults() throws {
        let page = String(
            decoding: try Data(
                contentsOf: URL(
                    filePath: "\(CorpusFiles.repository)/Tests/CorpusTests/README.md")),
            as: UTF8.self)
        let table = try #require(page.firstRange(of: "## Faults of other harnesses")).upperBound
        let rows = page[table...].split(separator: "\n").filter {
            $0.hasPrefix("| ") && !$0.hasPrefix("| harness") && !$0.hasPrefix("| ---")
        }
        #expect(rows.count >= 20)
        for row in rows {
            let cells = row.split(separator: "|").map(String.init)
            let guards = try #require(cells.last { $0.contains("`") }).split(separator: ";")
            #expect(!guards.isEmpty, "\(row)")
            for guarding in guards {
                let names = guarding.split(separator: "`").enumerated()
                    .filter { $0.offset % 2 == 1 }.map { String($0.element) }
                #expect(try Self.stands(names), "\(guarding)")
            }
        }
    }

    /// Returns whether a pair of the corpus, or a test in a file, exists.
    private static func stands(_ names: [String]) throws -> Bool {
        if names.count == 2 {
            let path = "\(CorpusFiles.repository)/\(names[1])"
            guard let data = try? Data(contentsOf: URL(filePath: path)) else { return false }
            return String(decoding: data, as: UTF8.self).contains(names[0])
        }
        guard let name = names.first, let colon = name.firstIndex(of: ":") else { return false }
        let suite = String(name[..<colon])
        guard CorpusFiles.suites.contains(suite) else { return false }
        return try CorpusSuite(suite).pairs.contains {
            name == "\(suite): \($0.testCase) / \($0.name)"
        }
    }
}
