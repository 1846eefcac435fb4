import Results
import SuiteLanguage

/// A case that needs attention, as a remark at a line of a suite.
struct AnnotatedCase: Sendable {
    /// The severity.
    enum Level: String, Sendable {
        /// The device violated a requirement, or the case ended with an error.
        case error
        /// The case could not be judged, or is flaky.
        case warning
    }

    let level: Level
    let verdict: Verdict
    /// The kind of failure, for programs.
    let kind: String
    /// The case's name.
    let title: String
    /// What is wrong, with the violated requirements.
    let text: String
    let position: SourcePosition
}

extension AnnotatedCase {
    /// Returns every such case in the order of the plan, then a remark if the run as a whole is
    /// incomplete.
    static func all(of run: RunResult) -> [AnnotatedCase] {
        let cases = run.casesInPlanOrder.filter(\.verdict.isAlarming).map(AnnotatedCase.init)
        guard let sentence = IncompleteRun.sentence(run, run.audit) else { return cases }
        let whole = AnnotatedCase(
            level: .error, verdict: .error, kind: "not-run", title: "the run is incomplete",
            text: sentence,
            position: SourcePosition(
                file: run.header.suites.first?.file ?? "", line: 1, column: 1))
        return cases + [whole]
    }

    private init(_ result: CaseResult) {
        let requirements = result.reason?.explanation?.requirements.map(\.id) ?? []
        let broken = requirements.isEmpty ? "" : " [\(requirements.joined(separator: ", "))]"
        self.init(
            level: result.verdict == .fail || result.verdict == .error ? .error : .warning,
            verdict: result.verdict, kind: result.reason?.code.rawValue ?? result.verdict.rawValue,
            title: PlainText.line("\(CaseReference(result))"),
            text: "\(result.verdict.word(result.reason?.code)): "
                + CaseExplanation.sentence(result) + broken,
            position: result.reason?.explanation?.position ?? result.position)
    }

    /// Returns the path of a file relative to the root of the repository.
    static func path(_ file: String, below root: String) -> String {
        var file = file
        while file.hasPrefix("./") { file = String(file.dropFirst(2)) }
        return root.isEmpty || file.hasPrefix("/") ? file : "\(root)/\(file)"
    }
}
