import Glibc
import Reporting
import Results
import SuiteLanguage
import System

extension Command {
    private static let format = Option(
        "--format", "text|json|sarif|github",
        "text (default), JSON, SARIF 2.1.0 for code scanning, or workflow commands of GitHub")
    private static let strict = Option("--strict", nil, "treat warnings as errors")

    /// `conform lint`: reports all errors in suites, without running anything.
    static let lint = Command(
        name: "lint", operands: SuiteFiles.operands,
        summary: "Reads suites and lists what is wrong with them.",
        example: "lint Suites/ --strict --format sarif",
        options: [ParameterOptions.parameter, format, strict]
    ) { arguments in
        let word = arguments.value(format.name) ?? "text"
        guard let form = LintReport.Form(rawValue: word) else {
            throw UsageError(
                description: "\(format.name) takes text, json, sarif or github, not \"\(word)\"")
        }
        let parameters = try ParameterOptions.values(arguments)
        var report = LintReport()
        var suites: [Suite] = []
        for path in try SuiteFiles.expand(arguments.operands) {
            do throws(InvalidInput) {
                let suite = try SuiteLoader(arguments.protocols).load(
                    path: path, searchPath: arguments.searchPath,
                    parameters: parameters)
                suites.append(suite)
            } catch {
                report.add(error.diagnostics, of: path)
            }
        }
        for suite in suites.judgedTogether { report.add(suite, at: suite.file) }
        for duplicate in suites.duplicates {
            report.add([duplicate], of: duplicate.position?.file ?? "")
        }
        if report.errors == 0 { _ = try ParameterOptions.overrides(arguments, suites: suites) }
        let text = report.text(as: form, root: ReportOptions.workingFolder)
        if form == .text { StandardOutput.write(text) } else { StandardOutput.document(text) }
        let bad = report.errors + (arguments.has(strict.name) ? report.warnings : 0)
        return bad == 0 ? 0 : ExitStatus.invalid.rawValue
    }
}
