import BuiltInProtocols
import Devices
import Offline
import Reporting
import Results
import SuiteLanguage

/// The targets for files from people and from earlier runs.
extension FuzzTarget {
    static func results(_ bytes: [UInt8]) {
        if let run = try? ResultsFile.run(from: bytes) { draw(run) }
    }

    static func journal(_ bytes: [UInt8]) {
        if let run = try? Journal.run(from: bytes) { draw(run) }
    }

    /// Draws every report and compares the run with itself.
    private static func draw(_ run: RunResult) {
        let console = ConsoleReport(folder: "run")
        var lines = console.opening(run.header) + console.closing(run)
        for result in run.cases {
            lines += [console.line(result)] + console.details(result) + console.explanation(result)
            _ = HTMLReport.page(of: result, in: run.header)
        }
        precondition(lines.allSatisfy { !$0.contains("\n") })
        _ = HTMLReport(run).text
        _ = JUnitReport(run).text
        _ = JUnitReport(run).surefireFiles
        for place in SummaryReport.Place.allCases { _ = SummaryReport(run, for: place).text }
        _ = GitHubAnnotations(run).lines
        _ = CodeQualityReport(run, root: "").text
        _ = RunComparison(run, run)
    }

    static func profile(_ bytes: [UInt8]) {
        guard let file = try? ScratchFile(bytes) else { return }
        _ = try? DeviceProfile.load(path: file.path)
    }

    static func known(_ bytes: [UInt8]) {
        guard let file = try? ScratchFile(bytes) else { return }
        _ = try? KnownFailures.load(path: file.path)
    }

    static func catalogue(_ bytes: [UInt8]) {
        guard let file = try? ScratchFile(bytes) else { return }
        let suite = """
            conform: 1
            suite: s
            requirements: [\(file.path)]
            device: {role: sdl.app}
            peers: {hu: {is: sdl.head-unit}}
            cases: [{id: c, checks: [R-1], steps: [{expect: sdl.StartService}]}]
            """
        guard let other = try? ScratchFile(Array(suite.utf8)) else { return }
        _ = try? SuiteLoader(.builtIn).load(path: other.path)
    }

    static func log(_ bytes: [UInt8]) {
        guard let file = try? ScratchFile(bytes) else { return }
        _ = try? LogFormat.load(path: file.path)
    }
}
