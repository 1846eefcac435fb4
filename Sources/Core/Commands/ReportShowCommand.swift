import Reporting
import Results
import SuiteLanguage
import System

extension Command {
    /// `conform report show`: prints stored cases as the console of a run does.
    static let reportShow = Command(
        name: "report show", operands: "RESULTS [CASE ...]",
        summary: "Prints the explanations of what did not pass, or the cases that are named.",
        example: "report show Reports/ci 'get*'", options: []
    ) { arguments in
        guard let path = arguments.operands.first else {
            throw UsageError("give one run, and patterns of its cases")
        }
        let stored = try StoredRun(path)
        let results = stored.run.casesInPlanOrder
        let patterns = arguments.operands.dropFirst().map(CasePattern.init)
        for pattern in patterns where !results.contains(where: { isSelected($0, [pattern]) }) {
            throw UsageError(
                "\(path) has no case \"\(pattern)\"; "
                    + Suggestion.advice(for: pattern.description, in: results.map(\.id)))
        }
        let report = ConsoleReport(style: Terminal.style, folder: stored.folder)
        for result in results where patterns.isEmpty || isSelected(result, patterns) {
            var lines = report.explanation(result)
            if lines.isEmpty, !patterns.isEmpty {
                lines = [report.line(result)] + report.details(result)
            }
            lines.forEach { StandardOutput.print($0) }
        }
        return 0
    }

    private static func isSelected(_ result: CaseResult, _ patterns: [CasePattern]) -> Bool {
        patterns.contains {
            $0.selects(suite: result.suite, id: result.id)
                || $0.selects(suite: result.suite, id: result.subject?.testCase ?? result.id)
        }
    }
}
