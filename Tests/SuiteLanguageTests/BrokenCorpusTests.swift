import BuiltInProtocols
import Foundation
import Testing
import Wire

@testable import SuiteLanguage

/// The suites of the folder `Broken`, each with one mistake.
///
/// A file begins with the finding that it must cause, `# finds line:column code`, and with the
/// result of the JSON Schema: `# schema refuses`, `# schema cannot see: why`, or `# schema not
/// YAML`. A line `# given name text` gives the suite's parameter of that name a text.
struct BrokenCorpusTests {
    static let folder = "Tests/SuiteLanguageTests/Broken"

    /// Files that the broken suites refer to.
    private static let parts: Set<String> = ["catalogue.yaml", "cycle.yaml", "more.yaml"]

    static let files: [String] = {
        guard let root = Repository.root else { return [] }
        let names = try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")
        return (names ?? []).filter { $0.hasSuffix(".yaml") && !parts.contains($0) }.sorted()
    }()

    /// The text of a file and the content of its first lines.
    private struct Broken {
        var path: String
        var text: String
        var findings: [String] = []
        var schema = ""
        var parameters: [String: Value] = [:]

        init(_ name: String) throws {
            path = "\(try #require(Repository.root))/\(BrokenCorpusTests.folder)/\(name)"
            text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            for line in text.split(separator: "\n").prefix(while: { $0.hasPrefix("# ") }) {
                if line.hasPrefix("# finds ") {
                    let words = line.split(separator: " ").dropFirst(2)
                    findings.append(words.joined(separator: ":"))
                } else if line.hasPrefix("# given ") {
                    let words = line.split(separator: " ")
                    parameters[String(words[2])] = .string(String(words[3]))
                } else if line.hasPrefix("# schema ") {
                    schema = String(line.dropFirst("# schema ".count))
                }
            }
        }
    }

    private static func findings(
        _ path: String, given parameters: [String: Value] = [:]
    ) -> [Diagnostic] {
        do throws(InvalidInput) {
            return try SuiteLoader(.builtIn).load(path: path, parameters: parameters).warnings
        } catch {
            return error.diagnostics
        }
    }

    @Test("Each broken suite has exactly the findings that it lists", arguments: files)
    func findings(_ name: String) throws {
        let broken = try Broken(name)
        let found = Self.findings(broken.path, given: broken.parameters)
        #expect(broken.findings != [])
        #expect(
            SuiteFixture.places(found) == broken.findings,
            "\(found.map(\.description).joined(separator: "\n"))")
        #expect(found.first.map { name.hasPrefix($0.code) } == true, "the file's name is its code")
    }

    @Test("The schema refuses each broken suite in which a schema can see the mistake")
    func schema() throws {
        let check = try SchemaCheck(Value(json: SuiteSchema(.builtIn).suite.jsonText(pretty: true)))
        var refused = 0
        for name in Self.files {
            let broken = try Broken(name)
            let value = try? YAMLNode.parse(text: broken.text, file: name).value
            switch broken.schema.prefix(while: { $0 != ":" }) {
            case "not YAML":
                #expect(value == nil, "\(name)")
            case "cannot see":
                #expect(try check.problems(#require(value)) == [], "\(name)")
            case "refuses":
                #expect(try check.problems(#require(value)) != [], "\(name)")
                refused += 1
            default: Issue.record("\(name) does not say what the schema makes of it")
            }
        }
        #expect(refused >= 20)
    }

    @Test(
        "The schema accepts every suite of the repository and of the corpus",
        arguments: ["Suites", "Tests/CorpusTests/Corpus"])
    func good(_ folder: String) throws {
        let root = "\(try #require(Repository.root))/\(folder)"
        let suite = try SchemaCheck(SuiteSchema(.builtIn).suite)
        let catalogue = try SchemaCheck(SuiteSchema(.builtIn).requirements)
        let included = try SchemaCheck(SuiteSchema(.builtIn).included)
        let log = try SchemaCheck(SuiteSchema(.builtIn).logFormat)
        let described = try SchemaCheck(SuiteSchema(.builtIn).protocolFile)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root)
            .filter { $0.hasSuffix(".yaml") && !$0.contains("devices/") }
        #expect(!paths.isEmpty)
        for path in paths {
            let value = try YAMLNode.load(path: "\(root)/\(path)").value
            let check =
                value["suite"] != nil
                ? suite
                : value["conform-requirements"] != nil
                    ? catalogue
                    : value["conform-protocol"] != nil
                        ? described : value["conform-log"] != nil ? log : included
            #expect(check.problems(value) == [], "\(path)")
        }
    }

    @Test(
        "Each documented finding has a broken suite",
        .enabled(if: Repository.has(DocumentationTests.page), "no Documentation folder"))
    func complete() throws {
        let tests = "\(try #require(Repository.root))/Tests/SuiteLanguageTests"
        let marked = try FileManager.default.contentsOfDirectory(atPath: tests)
            .filter { $0.hasSuffix(".swift") }
            .map {
                String(
                    decoding: try Data(contentsOf: URL(filePath: "\(tests)/\($0)")), as: UTF8.self)
            }
            .joined()
        var shown = Set(
            try Self.files.flatMap { try Broken($0).findings }
                .map { String($0.split(separator: ":").last ?? "") })
        // A suite that does not exist cannot be in the folder.
        shown.formUnion(Self.findings("\(tests)/Broken/nowhere.yaml").map(\.code))
        let page = try DocumentationTests.text(of: "findings")
        var count = 0
        // A finding of `list --coverage` is in no suite alone (WayCoverageTests).
        for line in page.split(separator: "\n")
        where line.hasPrefix("| `") && !line.contains("| `list --coverage`") {
            let cell = line.dropFirst(2).prefix { $0 != "|" }
            for code in cell.split(separator: "`").map(String.init)
            where code.first?.isLetter == true {
                #expect(shown.contains(code) || marked.contains("⟦\(code)⟧"), "\(code)")
                count += 1
            }
        }
        #expect(count >= 50)
    }
}
