import Glibc
import Reporting
import Results
import System

/// The options for the amount of console output, and for reports for particular readers.
enum ReportOptions {
    static let junit = Option(
        "--junit", "FILE", "a second copy of the JUnit report")
    /// Only for a stored run.
    static let dialect = Option(
        "--junit-dialect", "common|surefire",
        "one JUnit file that all common readers take (default), or one for each suite that is "
            + "valid by Surefire's schema")
    static let annotations = Option(
        "--annotations", annotationWords.joined(separator: "|"),
        "remarks at the suites' lines: workflow commands on the standard output, or "
            + NamedReport.all.map(\.summary).joined(separator: ", "), repeats: true)
    private static let annotationWords = ["github"] + NamedReport.all.map { "\($0.word)=FILE" }
    private static let quiet = Option(
        "--quiet", nil, "print only what did not pass, and the end", short: "-q")
    private static let verbose = Option(
        "--verbose", nil, "also print starts, steps and remarks", short: "-v")

    static let all = [annotations, quiet, verbose]

    /// Returns how much is printed.
    static func level(_ arguments: Arguments) throws(UsageError) -> LiveConsole.Level {
        switch (arguments.has(quiet.name), arguments.has(verbose.name)) {
        case (true, true):
            throw UsageError("\(quiet.name) and \(verbose.name) exclude each other; give one")
        case (true, false): return .quiet
        case (false, true): return .verbose
        case (false, false): return .normal
        }
    }

    /// Returns the reports in addition to the report folder's own files.
    static func further(_ arguments: Arguments) throws(UsageError) -> RequestedReports {
        var named: [String: String] = [:]
        for text in arguments.all(annotations.name) where text != "github" {
            let report = NamedReport.all.first { text.hasPrefix("\($0.word)=") }
            let path = text.dropFirst((report?.word.count ?? 0) + 1)
            guard let report, !path.isEmpty else {
                let words = annotationWords.joined(separator: " or ")
                throw UsageError("\(annotations.name) takes \(words), not \"\(text)\"")
            }
            guard named.updateValue(String(path), forKey: report.word) == nil else {
                throw UsageError(
                    "\(annotations.name) \(report.word)=FILE is given twice; give it once")
            }
        }
        return RequestedReports(
            junit: arguments.value(junit.name), named: named, root: workingFolder)
    }

    static func junitDialect(_ arguments: Arguments) throws(UsageError) -> JUnitDialect {
        let word = arguments.value(dialect.name) ?? JUnitDialect.common.rawValue
        guard let chosen = JUnitDialect(rawValue: word) else {
            throw UsageError("\(dialect.name) takes common or surefire, not \"\(word)\"")
        }
        return chosen
    }

    /// Prints workflow commands of GitHub if they were requested.
    static func annotate(_ run: RunResult, _ arguments: Arguments) {
        guard arguments.all(annotations.name).contains("github") else { return }
        GitHubAnnotations(run, root: workingFolder).lines.forEach { StandardOutput.command($0) }
    }

    /// The path from the top of the CI engine's checkout to the working directory; empty outside.
    static var workingFolder: String {
        let tops = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"].compactMap(Terminal.variable)
        guard let top = tops.first(where: { !$0.isEmpty }), let here = FilePath.resolved("."),
            let root = FilePath.resolved(top), here.hasPrefix(root + "/")
        else { return "" }
        return String(here.dropFirst(root.count + 1))
    }

    /// Returns whether a file exists at a path.
    static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
