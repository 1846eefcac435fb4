import Results

/// The JUnit file: exactly `testsuites/testsuite/testcase`, in the dialect that all common readers
/// accept.
///
/// An incomplete run (unfinished, nothing executed, plan and results disagree) gets a case
/// `conform.run` / `complete` with an error, so that no reader can regard it as passed.
public struct JUnitReport: Sendable {
    private let run: RunResult
    private let audit: Audit
    private var suites: [JUnitSuite]

    /// Creates the report of a run, finished or not.
    public init(_ run: RunResult) {
        self.run = run
        audit = run.audit
        suites = Self.suites(of: run, audit: audit)
    }

    /// One file for each suite in Surefire's dialect, with Maven's names: `TEST-<suite>.xml`.
    public var surefireFiles: [(name: String, text: String)] {
        suites.map { suite in
            var xml = XMLWriter()
            suite.write(to: &xml, properties: properties(of: suite), dialect: .surefire)
            return ("TEST-\(PlainText.line(suite.id)).xml", xml.text)
        }
    }

    /// The whole file in the common dialect.
    public var text: String {
        var xml = XMLWriter()
        xml.element("testsuites", Self.attributes(of: suites, run.seconds)) { xml in
            for suite in suites {
                suite.write(to: &xml, properties: properties(of: suite), dialect: .common)
            }
        }
        return xml.text
    }

    /// Returns the file of several devices: each suite of each device, named `device/suite`.
    static func text(of matrix: DeviceMatrix) -> String {
        let reports = matrix.columns.map { column in
            var report = JUnitReport(column.run)
            for index in report.suites.indices {
                report.suites[index].name = "\(column.label)/\(report.suites[index].id)"
            }
            return report
        }
        var xml = XMLWriter()
        let seconds = reports.reduce(0) { $0 + $1.run.seconds }
        xml.element("testsuites", attributes(of: reports.flatMap(\.suites), seconds)) { xml in
            for report in reports {
                for suite in report.suites {
                    suite.write(
                        to: &xml, properties: report.properties(of: suite), dialect: .common)
                }
            }
        }
        return xml.text
    }

    private static func attributes(
        of suites: [JUnitSuite], _ seconds: Double
    ) -> [XMLWriter.Attribute] {
        [("name", "conform")] + suites.map(\.counts).reduce(JUnitCounts(), +).attributes
            + [("time", NumberText.seconds(seconds))]
    }

    private func properties(of suite: JUnitSuite) -> [XMLWriter.Attribute] {
        let planned = run.header.planned.count {
            $0.suite == suite.id || suite.id == JUnitCase.runSuite
        }
        let mutant = run.header.device.mutant.map { [("conform.mutant", $0)] } ?? []
        let timeScale =
            run.header.timeScale.map { [("conform.timeScale", $0.description)] } ?? []
        let violations =
            ViolationText.line(run.cases.filter { $0.suite == suite.id }, of: run.header)
            .map { [("conform.violations", $0)] } ?? []
        return [
            ("conform.version", run.header.version),
            ("conform.run", run.header.id),
            ("conform.seed", String(run.header.seed)),
            ("conform.dut", run.header.device.label),
        ] + mutant + timeScale + [
            ("conform.role", run.header.device.role),
            ("conform.isolation", run.header.environment.isolation),
            ("conform.planned", String(planned)),
            ("conform.outcome", run.exit?.word ?? "unfinished"),
            ("conform.audit", AuditText.line(audit)),
        ] + violations
    }

    private static func suites(of run: RunResult, audit: Audit) -> [JUnitSuite] {
        let results = Dictionary(grouping: run.casesInPlanOrder, by: \.suite)
        let named = run.header.suites.map(\.id)
        let unnamed = Set(results.keys).subtracting(named).sorted()
        let files = Dictionary(run.header.suites.map { ($0.id, $0.file) }) { first, _ in first }
        var seen: Set<String> = []
        var suites: [JUnitSuite] = []
        for id in named + unnamed where seen.insert(id).inserted {
            guard let cases = results[id] else { continue }
            suites.append(
                JUnitSuite(
                    id: id, file: files[id] ?? cases.first?.position.file ?? "", header: run.header,
                    cases: JUnitCase.cases(of: cases, header: run.header)))
        }
        let broken = [JUnitCase.incomplete(run, audit), JUnitCase.staleEntries(run)]
            .compactMap { $0 }
        if !broken.isEmpty {
            suites.append(
                JUnitSuite(id: JUnitCase.runSuite, file: "", header: run.header, cases: broken))
        }
        return suites
    }
}

/// One `testsuite` element.
struct JUnitSuite: Sendable {
    var id: String
    var file: String
    var header: RunHeader
    var cases: [JUnitCase]
    /// Its name, if it is not the id.
    var name: String?

    var counts: JUnitCounts { cases.map(\.counts).reduce(JUnitCounts(), +) }

    func write(
        to xml: inout XMLWriter, properties: [XMLWriter.Attribute], dialect: JUnitDialect
    ) {
        let attributes: [XMLWriter.Attribute] =
            [("name", PlainText.line(name ?? id))] + counts.attributes
            + [("time", NumberText.seconds(wallTime))]
            + (dialect == .common ? commonAttributes : [])
        xml.element("testsuite", attributes) { xml in
            xml.element("properties", []) { xml in
                for property in properties {
                    xml.element(
                        "property",
                        [("name", property.name), ("value", PlainText.line(property.value))])
                }
            }
            for testCase in cases { testCase.write(to: &xml, dialect: dialect) }
        }
    }

    /// The attributes that Surefire's schema does not have.
    private var commonAttributes: [XMLWriter.Attribute] {
        let flakes = cases.count { $0.child == .flaky }
        return (flakes > 0 ? [("flakes", String(flakes))] : [])
            + [
                ("timestamp", header.started.utc),
                ("hostname", PlainText.line(header.environment.host)),
            ] + (file.isEmpty ? [] : [("file", PlainText.line(file))])
    }

    /// The time from the first start to the last end if starts are known, otherwise the sum.
    private var wallTime: Double {
        let spans = cases.compactMap(\.span)
        guard let first = spans.map(\.lowerBound).min(), let last = spans.map(\.upperBound).max()
        else { return cases.reduce(0) { $0 + $1.seconds } }
        return Double(last - first) / 1e9
    }
}

/// The counts that a suite and the whole file repeat.
struct JUnitCounts: Sendable {
    var tests = 0
    var failures = 0
    var errors = 0
    var skipped = 0

    static func + (left: JUnitCounts, right: JUnitCounts) -> JUnitCounts {
        JUnitCounts(
            tests: left.tests + right.tests, failures: left.failures + right.failures,
            errors: left.errors + right.errors, skipped: left.skipped + right.skipped)
    }

    var attributes: [XMLWriter.Attribute] {
        [
            ("tests", String(tests)), ("failures", String(failures)), ("errors", String(errors)),
            ("skipped", String(skipped)),
        ]
    }
}
