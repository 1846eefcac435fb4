import Devices
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

    /// `conform lint`: reports all errors in suites and device profiles, without running anything.
    static let lint = Command(
        name: "lint", operands: SuiteFiles.operands,
        summary: "Reads suites and lists what is wrong with them.",
        example: "lint Suites/ --strict --format sarif",
        options: [ParameterOptions.parameter, format, strict]
    ) { arguments in
        let word = arguments.value(format.name) ?? "text"
        guard let form = LintReport.Form(rawValue: word) else {
            throw UsageError("\(format.name) takes text, json, sarif or github, not \"\(word)\"")
        }
        let parameters = try ParameterOptions.values(arguments)
        var report = LintReport()
        var suites: [Suite] = []
        for path in try SuiteFiles.expand(arguments.operands) + projectProfile(arguments) {
            do throws(InvalidInput) {
                if let node = try? YAMLNode.load(path: path), FileKind(of: node) == .profile {
                    _ = try DeviceProfile.load(path: path)
                    continue
                }
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
        for way in idleWays(suites) { report.add([way], of: way.position?.file ?? "") }
        if report.errors == 0 { _ = try ParameterOptions.overrides(arguments, suites: suites) }
        let text = report.text(as: form, root: ReportOptions.workingFolder)
        if form == .text { StandardOutput.write(text) } else { StandardOutput.document(text) }
        let bad = report.errors + (arguments.has(strict.name) ? report.warnings : 0)
        return bad == 0 ? 0 : ExitStatus.invalid.rawValue
    }

    /// The profile that the project names, if its suites are read; it is part of what `run` reads.
    private static func projectProfile(_ arguments: Arguments) -> [String] {
        guard let project = arguments.project, let device = project.device,
            arguments.operands == project.suites, !DeviceOption.isWord(device)
        else { return [] }
        return [device]
    }

    /// Ways in catalogues that name cases which do not exist, or which judge something else.
    private static func idleWays(_ suites: [Suite]) -> [Diagnostic] {
        WayCoverage(suites: suites).findings.filter { $0.code == "idle-way" }.map {
            Diagnostic(
                $0.code, $0.what, at: $0.position, advice: $0.advice, severity: .warning)
        }
    }
}
