import Reporting
import SuiteLanguage
import System

extension Command {
    /// `conform explain`: describes in plain sentences what cases require.
    static let explain = Command(
        name: "explain", operands: "SUITE [CASE ...]",
        summary: "Describes in plain sentences what a case requires, or what an exploration does.",
        example: "explain suite.yaml 'change-*'",
        options: [ParameterOptions.parameter, TimeScaleOption.option, SeedOption.option]
    ) { arguments in
        guard let path = arguments.operands.first else {
            throw UsageError("no suite is named; give a suite file and the id of a case")
        }
        let suite = try SuiteLoader(arguments.protocols).load(
            path: path, searchPath: arguments.searchPath,
            parameters: ParameterOptions.values(arguments))
        _ = try ParameterOptions.overrides(arguments, suites: [suite])
        let ids = try selected(Array(arguments.operands.dropFirst()), of: suite)
        let timeScale = try TimeScaleOption.timeScale(arguments)
        let seed = try SeedOption.seed(arguments) ?? 0
        for (index, id) in ids.enumerated() {
            if index > 0 { StandardOutput.print("") }
            let exploration = suite.explorations.first { $0.id == id }
            let lines =
                try exploration.map {
                    ExplorationInWords.lines(of: $0, in: suite, seed: seed, style: Terminal.style)
                }
                ?? suite.testCase(id).map {
                    CaseInWords.lines(of: $0, in: suite, at: timeScale, style: Terminal.style)
                }
            lines?.forEach { StandardOutput.print($0) }
        }
        return 0
    }

    /// Returns the ids of the cases and explorations that one of the patterns selects, in file
    /// order, then those of the drawn runs that are named; all without a pattern.
    private static func selected(_ patterns: [String], of suite: Suite) throws -> [String] {
        let known = suite.cases.map(\.id) + suite.explorations.map(\.id)
        guard !patterns.isEmpty else { return known }
        var wanted: Set<String> = []
        var drawn: [String] = []
        for pattern in patterns {
            let glob = CasePattern(pattern)
            let ids = known.filter { glob.selects(suite: suite.id, id: $0) }
            if ids.isEmpty, try suite.testCase(pattern) != nil {
                drawn.append(pattern)
            } else if ids.isEmpty {
                throw unknownCase(pattern, among: known, of: suite)
            }
            wanted.formUnion(ids)
        }
        return known.filter(wanted.contains) + drawn
    }

    private static func unknownCase(
        _ pattern: String, among ids: [String], of suite: Suite
    ) -> UsageError {
        let isMatrix = ids.contains { $0.hasPrefix(pattern + "[") }
        let advice =
            isMatrix ? "did you mean \"\(pattern)*\"?" : Suggestion.advice(for: pattern, in: ids)
        return UsageError(
            "\(suite.file) has no case \"\(pattern)\"; "
                + (advice.isEmpty ? "conform list \(suite.file) shows them all" : advice))
    }
}
