import Foundation
import Judge
import Live
import Results
import TestSupport
import Testing

@testable import Reporting

@Suite("JUnit against schemas and real readers")
struct JUnitSchemaTests {
    private static let xmllint = ExternalTool.path(of: "xmllint")

    /// Runs with every verdict, with none, unfinished, passed, and with repetitions.
    static let runs: [(name: String, run: RunResult)] = {
        var empty = RunResult(header: SampleRun.header([]))
        empty.end(seconds: 0)
        var passed = SampleRun.passing(3)
        passed.end(seconds: 1)
        return [
            ("every verdict", SampleRun.run), ("unfinished", SampleRun.passing()),
            ("empty", empty), ("passed", passed), ("repeated", repeated),
        ]
    }()

    /// A case that passed on its third attempt, and one that failed each time.
    static let repeated: RunResult = {
        let pass = SampleRun.result("flaky", .pass, line: 10)
        let first = SampleRun.result("flaky", .fail, .timing, "12 ms late", line: 10)
        let second = SampleRun.result("flaky", .inconclusive, .preamble, "no start", line: 10)
        let failing = (1...30).map {
            SampleRun.result("failing", .fail, .field, "wrong \($0) ]]>", line: 20)
        }
        let results = [
            AttemptPolicy.retried(2).folded([first, second, pass]),
            AttemptPolicy.repeated(30).folded(failing),
        ].compactMap { $0 }
        var run = RunResult(
            header: SampleRun.header(results.map(SampleRun.planned)), cases: results)
        run.end(seconds: 1)
        return run
    }()

    static func large(_ count: Int) -> RunResult {
        let results = (0..<count).map { number in
            var result = SampleRun.cases[number % 10]
            if number % 97 == 0 { result = SampleRun.cases.last ?? result }
            result.suite = "suite-\(number % 7)"
            result.id += "[number=\(number)]"
            return result
        }
        var run = RunResult(
            header: SampleRun.header(results.map(SampleRun.planned)), cases: results)
        run.end(seconds: 100)
        return run
    }

    private func lint(_ text: String, by schema: String) throws -> ExternalTool.Outcome {
        let tool = try #require(Self.xmllint)
        let scratch = TemporaryFolder()
        defer { scratch.remove() }
        let folder = URL(filePath: scratch.path)
        let file = folder.appending(path: "report.xml")
        try Data(text.utf8).write(to: file)
        let schema = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Schemas/\(schema).xsd").path
        return try ExternalTool.run(
            [tool, "--noout", "--nonet", "--huge", "--schema", schema, file.path])
    }

    @Test(
        "The common dialect is valid by its schema, whatever the run is",
        .enabled(if: xmllint != nil, "xmllint is not installed"), arguments: runs.indices)
    func common(index: Int) throws {
        let (name, run) = Self.runs[index]
        let outcome = try lint(JUnitReport(run).text, by: "common")
        #expect(outcome.status == 0, "\(name): \(outcome.output.prefix(2000))")
    }

    @Test(
        "Each file of the Surefire dialect is valid by Surefire's schema",
        .enabled(if: xmllint != nil, "xmllint is not installed"), arguments: runs.indices)
    func surefire(index: Int) throws {
        let (name, run) = Self.runs[index]
        let files = JUnitReport(run).surefireFiles
        #expect(!files.isEmpty && Set(files.map(\.name)).count == files.count)
        for file in files {
            let outcome = try lint(file.text, by: "surefire")
            #expect(outcome.status == 0, "\(name) \(file.name): \(outcome.output.prefix(2000))")
        }
    }

    @Test(
        "The schemas refuse what readers cannot handle",
        .enabled(if: xmllint != nil, "xmllint is not installed"),
        arguments: [
            ("common", " name=\"passes-0\"", ""), ("common", "time=\"2.500\"", "time=\"2,5\""),
            ("common", "<testcase ", "<testsuite name=\"deep\"/><testcase "),
            ("common", "passes-1", "passes-0"), ("surefire", "time=\"1.250\"", ""),
            ("surefire", "classname=", "file=\"x\" classname="),
            ("surefire", "<system-out>", "<failure message=\"x\"/><system-out>"),
        ])
    func refusals(schema: String, text: String, replacement: String) throws {
        var run = SampleRun.passing()
        run.end(seconds: 2.5)
        let report = JUnitReport(run)
        let whole =
            schema == "common" ? report.text : try #require(report.surefireFiles.first?.text)
        #expect(try lint(whole, by: schema).status == 0)
        let broken = whole.replacing(text, with: replacement)
        #expect(broken != whole)
        #expect(try lint(broken, by: schema).status != 0)
    }

    @Test("Ten thousand cases are written in seconds and stay valid", .timeLimit(.minutes(2)))
    func large() throws {
        let run = Self.large(10_000)
        let text = JUnitReport(run).text
        #expect(text.utf8.count < 30_000_000)
        if Self.xmllint != nil {
            let outcome = try lint(text, by: "common")
            #expect(outcome.status == 0, "\(outcome.output.prefix(2000))")
        }
    }

    @Test("The Surefire files have the same cases as the common one, and no places or properties")
    func sameCases() throws {
        let run = SampleRun.run
        func names(_ text: String) -> [Substring] {
            text.split(separator: "\n").filter { $0.contains("<testcase ") }.map {
                $0[...($0.range(of: " time=")?.lowerBound ?? $0.startIndex)]
                    .drop { $0 == " " }
            }
        }
        let files = JUnitReport(run).surefireFiles
        #expect(files.flatMap { names($0.text) } == names(JUnitReport(run).text))
        for file in files {
            let cases = file.text.split(separator: "<testcase ").dropFirst()
            #expect(cases.allSatisfy { !$0.contains("<properties>") && !$0.contains(" line=") })
        }
    }

    // MARK: readers

    private func read(_ run: RunResult, _ program: String) throws -> ExternalTool.Outcome {
        let python = try #require(PythonReaders.interpreter)
        let scratch = TemporaryFolder()
        defer { scratch.remove() }
        let folder = URL(filePath: scratch.path)
        let file = folder.appending(path: "junit.xml").path
        try Data(JUnitReport(run).text.utf8).write(to: URL(filePath: file))
        return try ExternalTool.run([python, "-c", program, file])
    }

    private static let isReady = Comment("Python or its registry is out of reach")

    @Test(
        "junitparser reads the intended counts, names and outcomes",
        .enabled(if: PythonReaders.interpreter != nil, isReady), .timeLimit(.minutes(3)))
    func junitparser() throws {
        let program = """
            import sys
            from junitparser import JUnitXml, Failure, Error, Skipped
            xml = JUnitXml.fromfile(sys.argv[1])
            print("sum", xml.tests, xml.failures, xml.errors, xml.skipped)
            seen = [0, 0, 0, 0]
            names = set()
            for suite in xml:
                for case in suite:
                    seen[0] += 1
                    names.add((case.classname, case.name))
                    for result in case.result:
                        for place, kind in ((1, Failure), (2, Error), (3, Skipped)):
                            if type(result) is kind: seen[place] += 1
            print("seen", *seen)
            print("names", len(names))
            """
        for run in [SampleRun.run, Self.repeated, Self.large(10_000)] {
            let outcome = try read(run, program)
            #expect(outcome.status == 0, "\(outcome.output.prefix(2000))")
            let lines = outcome.output.split(separator: "\n").map { $0.split(separator: " ") }
            #expect(lines.count == 3 && lines[0].dropFirst() == lines[1].dropFirst())
            let audit = run.audit
            let skipped = audit.skippedTotal + audit.judged.known + audit.notRun
            #expect(lines[0].last.map(String.init) == "\(skipped)")
            #expect(lines[2].last == lines[1][1], "every case has a name of its own")
        }
    }

    @Test(
        "junitparser reads a case of an interrupted run, hostile text and the failing attempts",
        .enabled(if: PythonReaders.interpreter != nil, isReady), .timeLimit(.minutes(3)))
    func hostileText() throws {
        let program = """
            import sys
            from junitparser import JUnitXml
            for suite in JUnitXml.fromfile(sys.argv[1]):
                if suite.name == "hostile":
                    case = list(suite)[0]
                    print(ascii(case.result[0].message))
                    print(case.result[0].text.split("\\n")[0] == case.result[0].message)
            """
        let outcome = try read(SampleRun.run, program)
        #expect(outcome.output.contains("]]>"))
        #expect(outcome.output.contains("\\U0001f600"), "the emoji")
        #expect(outcome.output.contains("\\u05e9"), "right-to-left letters")
        #expect(!outcome.output.contains("\\u202e"), "no override of the direction")
        #expect(outcome.output.hasSuffix("True\n"))
    }

    @Test(
        "junit2html draws a page that names every case",
        .enabled(if: PythonReaders.interpreter != nil, isReady), .timeLimit(.minutes(3)))
    func junit2html() throws {
        let python = try #require(PythonReaders.interpreter)
        let scratch = TemporaryFolder()
        defer { scratch.remove() }
        let folder = URL(filePath: scratch.path)
        let (file, page) = (
            folder.appending(path: "junit.xml").path, folder.appending(path: "page.html").path
        )
        try Data(JUnitReport(SampleRun.run).text.utf8).write(to: URL(filePath: file))
        let outcome = try ExternalTool.run(
            [python, "-m", "junit2htmlreport", file, page])
        #expect(outcome.status == 0, "\(outcome.output.suffix(2000))")
        let html = String(decoding: try Data(contentsOf: URL(filePath: page)), as: UTF8.self)
        let plain = SampleRun.run.casesInPlanOrder.filter { $0.suite != "hostile" }
        for result in plain { #expect(html.contains(result.id), "\(result.id)") }
    }
}
