import Foundation
import FoundationXML
import Judge
import Results
import TestSupport
import Testing

@testable import Reporting

@Suite("JUnit")
struct JUnitReportTests {
    /// The children of a `testcase` that give its outcome.
    private static let outcomes: Set<String> = ["failure", "error", "skipped", "flakyFailure"]

    private func document(_ run: RunResult) throws -> XMLElement {
        let document = try XMLDocument(xmlString: JUnitReport(run).text)
        return try #require(document.rootElement())
    }

    private func number(_ element: XMLElement, _ name: String) throws -> Int {
        try #require(element.attribute(forName: name)?.stringValue.flatMap { Int($0) })
    }

    private static let runs: [RunResult] = {
        var runs = [SampleRun.run, SampleRun.passing(), RunResult(header: SampleRun.header([]))]
        var passed = SampleRun.passing(3, strict: true)
        passed.end(seconds: 1)
        runs.append(passed)
        passed.cases[1].verdict = .flaky
        passed.end(seconds: 1)
        runs.append(passed)
        passed.cases.append(passed.cases[0])
        passed.cases.append(SampleRun.result("nobody-planned-me", .pass, line: 1))
        passed.cases.remove(at: 2)
        passed.end(seconds: 1)
        runs.append(passed)
        return runs
    }()

    @Test("The counts match the content of the file", arguments: runs.indices)
    func counts(index: Int) throws {
        let root = try document(Self.runs[index])
        #expect(root.name == "testsuites")
        var sums: [String: Int] = [:]
        for suite in root.elements(forName: "testsuite") {
            let cases = suite.elements(forName: "testcase")
            let outcomes = cases.flatMap { $0.children ?? [] }.compactMap(\.name)
            let counts = [
                "tests": cases.count, "failures": outcomes.count { $0 == "failure" },
                "errors": outcomes.count { $0 == "error" },
                "skipped": outcomes.count { $0 == "skipped" },
            ]
            for (name, count) in counts {
                #expect(try number(suite, name) == count)
                sums[name, default: 0] += count
            }
            let flakes = outcomes.count { $0 == "flakyFailure" }
            #expect(
                suite.attribute(forName: "flakes")?.stringValue == (flakes > 0 ? "\(flakes)" : nil))
        }
        for (name, count) in sums { #expect(try number(root, name) == count) }
    }

    @Test(
        "There are only testsuites/testsuite/testcase, unique names, and one outcome per case",
        arguments: runs.indices)
    func structure(index: Int) throws {
        let root = try document(Self.runs[index])
        var names: Set<[String?]> = []
        for suite in root.children ?? [] {
            #expect(suite.name == "testsuite")
            let children = (suite.children ?? []).compactMap { $0 as? XMLElement }
            #expect(children.first?.name == "properties")
            for testCase in children.dropFirst() {
                #expect(testCase.name == "testcase")
                let key = ["classname", "name"].map { testCase.attribute(forName: $0)?.stringValue }
                #expect(!key.contains(nil))
                #expect(names.insert(key).inserted, "\(key) occurs twice")
                let kinds = (testCase.children ?? []).compactMap(\.name)
                #expect(kinds.count { Self.outcomes.contains($0) } <= 1)
                #expect(Set(kinds).isSubset(of: Self.outcomes.union(["properties", "system-out"])))
            }
        }
    }

    @Test("The first line of each body repeats the message", arguments: runs.indices)
    func firstLine(index: Int) throws {
        let root = try document(Self.runs[index])
        let cases = root.elements(forName: "testsuite").flatMap { $0.elements(forName: "testcase") }
        for element in cases.flatMap({ $0.children ?? [] }) {
            guard let element = element as? XMLElement, Self.outcomes.contains(element.name ?? "")
            else { continue }
            let body = try #require(
                element.name == "flakyFailure"
                    ? element.elements(forName: "stackTrace").first?.stringValue
                    : element.stringValue)
            let message = try #require(element.attribute(forName: "message")?.stringValue)
            #expect(!message.isEmpty && !message.contains("\n"))
            #expect(body.split(separator: "\n").first.map(String.init) == message)
        }
    }

    @Test("A run that is incomplete has a case with an error that says so")
    func incomplete() throws {
        func hasIt(_ run: RunResult) throws -> Bool {
            try document(run).elements(forName: "testsuite").contains {
                $0.attribute(forName: "name")?.stringValue == "conform.run"
                    && $0.elements(forName: "testcase").first?.elements(forName: "error").count == 1
            }
        }
        var run = SampleRun.passing()
        #expect(try hasIt(run), "the run goes on")
        run.end(seconds: 1)
        #expect(try !hasIt(run))
        var lost = SampleRun.passing()
        lost.cases.removeLast()
        lost.end(seconds: 1)
        #expect(try hasIt(lost), "a result is missing")
        var empty = RunResult(header: SampleRun.header([]))
        empty.end(seconds: 0)
        #expect(try hasIt(empty), "nothing was executed")
    }

    @Test("A verdict becomes the element that the readers expect")
    func outcomes() {
        func outcome(_ verdict: Verdict, _ code: ReasonCode, strict: Bool = false) -> String {
            let result = SampleRun.result("x", verdict, code, "text", line: 1)
            let outcome = JUnitOutcome(result, strict: strict)
            return "\(outcome.child) \(outcome.type) \(outcome.message)"
        }
        #expect(outcome(.fail, .timing) == "failure conform.timing text")
        #expect(outcome(.fail, .unexpectedPass) == "failure conform.xpass text")
        #expect(
            outcome(.inconclusive, .captureLoss) == "error conform.inconclusive inconclusive: text")
        #expect(outcome(.error, .setup) == "error conform.setup text")
        #expect(outcome(.skipped, .notApplicable) == "skipped conform.not-applicable text")
        #expect(outcome(.known, .field) == "skipped conform.field known failure: text")
        #expect(outcome(.flaky, .timing) == "flaky conform.timing text")
        #expect(outcome(.flaky, .timing, strict: true) == "failure conform.flaky flaky: text")
        #expect(outcome(.none, .timing).hasPrefix("error "))
    }

    @Test("Attachments are the last lines of system-out and have paths that readers can read")
    func attachments() throws {
        let root = try document(SampleRun.run)
        let outputs = root.elements(forName: "testsuite").flatMap {
            $0.elements(forName: "testcase")
        }
        .compactMap { $0.elements(forName: "system-out").first?.stringValue }
        #expect(outputs.count > 10)
        for output in outputs {
            let lines = output.split(separator: "\n")
            let first = lines.firstIndex { $0.hasPrefix("[[ATTACHMENT|") } ?? lines.endIndex
            for line in lines[first...] {
                #expect(line.hasPrefix("[[ATTACHMENT|Reports/sample/") && line.hasSuffix("]]"))
                #expect(!line.dropFirst(13).dropLast(2).contains("|"))
            }
        }
    }

    @Test("No attachment has a path that readers would cut, and a pass has at most 500 characters")
    func attachmentLimits() {
        func output(capture: String) -> [String] {
            var result = SampleRun.cases[0]
            result.capture = capture
            return JUnitCase(result, header: SampleRun.header([])).output
        }
        #expect(output(capture: "captures/a.pcapng").contains { $0.contains("a.pcapng]]") })
        for name in ["a|b", "a[b[1]]", "a\nb", String(repeating: "x", count: 500)] {
            let lines = output(capture: "captures/\(name).pcapng")
            #expect(!lines.contains { $0.contains("ATTACHMENT") }, "\(name)")
            #expect(lines.joined(separator: "\n").utf8.count < 500)
        }
    }

    @Test("Every character of Unicode's first planes gives legal XML that reads back")
    func characters() throws {
        var run = SampleRun.passing(1)
        var scalars = String.UnicodeScalarView()
        for value in UInt32(0)...0x2FFF { Unicode.Scalar(value).map { scalars.append($0) } }
        for value in UInt32(0xFDC0)...0x10030 { Unicode.Scalar(value).map { scalars.append($0) } }
        run.cases[0].verdict = .fail
        run.cases[0].reason = Reason(.field, String(scalars))
        run.cases[0].id = String(scalars)
        let root = try document(run)
        let body = try #require(
            root.elements(forName: "testsuite").first?.elements(forName: "testcase").last?
                .elements(forName: "failure").first?.stringValue)
        #expect(body.hasPrefix(PlainText.line(String(scalars))))
    }

    @Test("Attributes and text of the XML writer are read back unchanged")
    func writer() throws {
        let text = "a\tb\nc\r<&>\"']]> \u{1F600}"
        var xml = XMLWriter()
        xml.element("root", [("name", text)]) { xml in
            xml.element("child", [("name", text)], text: text)
            xml.element("empty", [])
        }
        let root = try #require(try XMLDocument(xmlString: xml.text).rootElement())
        #expect(root.attribute(forName: "name")?.stringValue == text)
        #expect(root.elements(forName: "child").first?.stringValue == text)
        #expect(!xml.text.contains("]]>"))
    }

    @Test(
        "The XML writer shows a single illegal character",
        arguments: [
            ("\u{FFFE}", "\\xEF\\xBF\\xBE"), ("\u{0}", "\\x00"), ("\u{B}", "\\x0B"),
        ])
    func illegal(text: String, shown: String) throws {
        var xml = XMLWriter()
        xml.element("root", [("name", text)], text: text)
        let root = try #require(try XMLDocument(xmlString: xml.text).rootElement())
        #expect(root.attribute(forName: "name")?.stringValue == shown)
        #expect(root.stringValue == shown)
    }

    private func size(cases: Int, failing share: Int) -> Int {
        var run = SampleRun.passing(1)
        run.cases = (0..<cases).map { number in
            var result = SampleRun.cases[number % share == 0 ? 1 : 0]
            result.id = "case[number=\(number)]"
            return result
        }
        run.header.planned = run.cases.map(SampleRun.planned)
        return JUnitReport(run).text.utf8.count
    }

    @Test("Ten thousand cases stay under the 30 MB that GitLab reads")
    func size() {
        #expect(size(cases: 10_000, failing: 100) < 30_000_000)
        #expect(size(cases: 200, failing: 1) * 50 < 30_000_000, "also if every one fails")
    }

    private static let xmllint = ["/usr/bin/xmllint", "/usr/local/bin/xmllint"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test("xmllint finds nothing", .enabled(if: xmllint != nil, "xmllint is not installed"))
    func lint() throws {
        let tool = try #require(Self.xmllint)
        let folder = TemporaryFolder()
        defer { folder.remove() }
        let file = URL(filePath: folder.path).appending(path: "junit.xml")
        for run in Self.runs {
            try Data(JUnitReport(run).text.utf8).write(to: file)
            let process = try Process.run(
                URL(filePath: tool), arguments: ["--noout", "--nonet", file.path()])
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
    }
}
