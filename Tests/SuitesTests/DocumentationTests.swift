import Testing

@testable import Suites

/// The language's reference keeps to what the loader does.
struct DocumentationTests {
    static let page = "Documentation/suite-language.md"

    private struct Block {
        var tag: String
        var line: Int
        var text: String
    }

    private static func text() throws -> String {
        try SourceFile.text(path: "\(try #require(Repository.root))/\(page)")
    }

    private static func blocks() throws -> [Block] {
        var blocks: [Block] = []
        var open: Block?
        for (index, line) in try text().split(
            separator: "\n", omittingEmptySubsequences: false
        ).enumerated() {
            if line == "```", let block = open {
                blocks.append(block)
                open = nil
            } else if line.hasPrefix("```") {
                open = Block(tag: String(line.dropFirst(3)), line: index + 1, text: "")
            } else {
                open?.text += line + "\n"
            }
        }
        return blocks
    }

    @Test(
        "every example of the language reference loads without an error",
        .enabled(if: Repository.has(page), "no Documentation folder"))
    func examples() throws {
        let blocks = try Self.blocks()
        let catalogue = try #require(blocks.first { $0.tag == "yaml file=catalogue.yaml" }).text
        var loaded = 0
        for block in blocks where block.tag != "yaml file=catalogue.yaml" {
            let text: String
            switch block.tag {
            case "yaml suite": text = block.text
            case "yaml case": text = SuiteFixture.suite(case: block.text)
            case "yaml steps": text = SuiteFixture.suite(steps: block.text)
            default:
                Issue.record("unknown tag \(block.tag) in line \(block.line)")
                continue
            }
            let findings = SuiteFixture.findings(text, files: ["catalogue.yaml": catalogue])
            #expect(findings.map(\.description) == [], "block in line \(block.line)")
            loaded += 1
        }
        #expect(loaded >= 5)
    }

    @Test(
        "every code that the tests expect is in the table of the language reference",
        .enabled(if: Repository.has(page), "no Documentation folder"))
    func codes() throws {
        let page = try Self.text()
        let marked =
            BrokenSuiteTests.topLevel + BrokenSuiteTests.caseLines + BrokenSuiteTests.stepLines
            + BrokenSuiteTests.conditionLines
        let codes = Set(
            marked.flatMap { MarkedText($0).expected.map { $0.split(separator: ":")[2] } })
        #expect(codes.count > 25)
        for code in codes.sorted() { #expect(page.contains("`\(code)`"), "\(code)") }
    }
}
