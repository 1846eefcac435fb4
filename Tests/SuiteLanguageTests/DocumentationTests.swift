import BuiltInProtocols
import Testing
import Wire

@testable import SuiteLanguage

/// Checks that the reference of the language matches the loader.
struct DocumentationTests {
    /// The page of what all protocols share.
    static let page = "Documentation/suite-language.md"

    /// All pages of the reference, below the folder of the documents.
    private static let pages =
        ["suite-language", "keywords", "findings", "backoff", "peers"]
        + ["bluetooth", "diffusion", "http", "iap2", "sdl", "tcp", "websocket"].map {
            "protocols/\($0)"
        }

    private struct Block {
        var tag: String
        /// The page and the line.
        var place: String
        var text: String
    }

    /// Returns the text of one page, or of all.
    static func text(of page: String? = nil) throws -> String {
        let folder = "\(try #require(Repository.root))/Documentation"
        return try (page.map { [$0] } ?? pages).map {
            try SourceFile.text(path: "\(folder)/\($0).md")
        }.joined(separator: "\n")
    }

    private static func blocks() throws -> [Block] { try pages.flatMap(blocks) }

    private static func blocks(of page: String) throws -> [Block] {
        var blocks: [Block] = []
        var open: Block?
        for (index, line) in try text(of: page).split(
            separator: "\n", omittingEmptySubsequences: false
        ).enumerated() {
            if line == "```", let block = open {
                blocks.append(block)
                open = nil
            } else if line.hasPrefix("```") {
                open = Block(
                    tag: String(line.dropFirst(3)), place: "\(page).md:\(index + 1)", text: "")
            } else {
                open?.text += line + "\n"
            }
        }
        return blocks
    }

    private static let catalogueTag = "yaml file=catalogue.yaml"

    /// Returns the catalogue that the examples are loaded with.
    static func catalogue() throws -> String {
        try #require(blocks().first { $0.tag == catalogueTag }).text
    }

    /// Returns every other example as a whole suite, with the page and line where it starts.
    static func suites() throws -> [(place: String, text: String)] {
        try blocks().filter { $0.tag != catalogueTag }.compactMap { block in
            switch block.tag {
            case "yaml suite": return (block.place, block.text)
            case "yaml case": return (block.place, SuiteFixture.suite(case: block.text))
            case "yaml steps": return (block.place, SuiteFixture.suite(steps: block.text))
            default:
                Issue.record("unknown tag \(block.tag) at \(block.place)")
                return nil
            }
        }
    }

    @Test(
        "Every example of the language reference loads without an error",
        .enabled(if: Repository.has(page), "no Documentation folder"))
    func examples() throws {
        let files = ["catalogue.yaml": try Self.catalogue()]
        let suites = try Self.suites()
        for suite in suites {
            let findings = SuiteFixture.findings(suite.text, files: files)
            #expect(findings.map(\.description) == [], "\(suite.place)")
        }
        #expect(suites.count >= 30)
    }

    @Test(
        "Every code that the tests expect is in the table of findings",
        .enabled(if: Repository.has(page), "no Documentation folder"))
    func codes() throws {
        let page = try Self.text(of: "findings")
        let marked =
            BrokenSuiteTests.topLevel + BrokenSuiteTests.caseLines + BrokenSuiteTests.stepLines
            + BrokenSuiteTests.conditionLines
        let codes = Set(
            marked.flatMap { MarkedText($0).expected.map { $0.split(separator: ":")[2] } })
        #expect(codes.count > 25)
        for code in codes.sorted() { #expect(page.contains("`\(code)`"), "\(code)") }
    }

    @Test(
        "The fields of headers that a test may overwrite are named in the language reference",
        .enabled(if: Repository.has(page), "no Documentation folder"))
    func headerFields() throws {
        let row = try #require(
            try Self.text().split(separator: "\n").first { $0.hasPrefix("| `header: {") })
        let fields = ProtocolRegistry.builtIn.descriptions.flatMap(\.frameFields)
        #expect(fields.count >= 8)
        for field in fields { #expect(row.contains("`\(field.path)`")) }
    }
}
