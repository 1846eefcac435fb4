import Processes
import Reporting
import SuiteLanguage

extension Command {
    /// `conform explain`: describes in plain sentences what cases require.
    static let explain = Command(
        name: "explain", operands: "SUITE [CASE ...]",
        summary: "Describes in plain sentences what a case requires.",
        options: [
            CommonOptions.searchPath, ParameterOptions.parameter, TimeScaleOption.option,
        ]
    ) { arguments in
        guard let path = arguments.operands.first else {
            throw UsageError("no suite is named; give a suite file and the id of a case")
        }
        let suite = try SuiteLoader(arguments.protocols).load(
            path: path, searchPath: arguments.all(CommonOptions.searchPath.name),
            parameters: ParameterOptions.values(arguments))
        _ = try ParameterOptions.overrides(arguments, suites: [suite])
        let cases = try selected(Array(arguments.operands.dropFirst()), of: suite)
        let timeScale = try TimeScaleOption.timeScale(arguments)
        for (index, testCase) in cases.enumerated() {
            if index > 0 { StandardOutput.print("") }
            CaseInWords.lines(of: testCase, in: suite, at: timeScale, style: Terminal.style)
                .forEach { StandardOutput.print($0) }
        }
        return 0
    }

    /// Returns the cases that one of the patterns selects, in file order; all without a pattern.
    private static func selected(
        _ patterns: [String], of suite: Suite
    ) throws(UsageError) -> [TestCase] {
        guard !patterns.isEmpty else { return suite.cases }
        var wanted: Set<String> = []
        for pattern in patterns {
            let glob = CasePattern(pattern)
            let ids = suite.cases.map(\.id).filter { glob.selects(suite: suite.id, id: $0) }
            guard !ids.isEmpty else { throw unknownCase(pattern, of: suite) }
            wanted.formUnion(ids)
        }
        return suite.cases.filter { wanted.contains($0.id) }
    }

    private static func unknownCase(_ pattern: String, of suite: Suite) -> UsageError {
        let ids = suite.cases.map(\.id)
        let isMatrix = ids.contains { $0.hasPrefix(pattern + "[") }
        let advice =
            isMatrix ? "did you mean \"\(pattern)*\"?" : Suggestion.advice(for: pattern, in: ids)
        return UsageError(
            "\(suite.file) has no case \"\(pattern)\"; "
                + (advice.isEmpty ? "conform list \(suite.file) shows them all" : advice))
    }
}
