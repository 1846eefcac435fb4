import Results
import Suites

/// A case that a reader of the suites' files has to look at, as a remark at a line.
struct AnnotatedCase: Sendable {
    /// How grave it is.
    enum Level: String, Sendable {
        /// The device broke a requirement, or the harness broke.
        case error
        /// It could not be judged, or is flaky.
        case warning
    }

    let level: Level
    let verdict: Verdict
    /// The kind of failure, for machines.
    let kind: String
    /// The case's name.
    let title: String
    /// What is wrong, with the requirements that are broken.
    let text: String
    let position: SourcePosition

    /// Every such case in the order of the plan, then what is wrong with the run as a whole.
    static func all(of run: RunResult) -> [AnnotatedCase] {
        let cases = run.casesInPlanOrder.filter(\.verdict.isAlarming).map(AnnotatedCase.init)
        guard let sentence = IncompleteRun.sentence(run, run.audit) else { return cases }
        let whole = AnnotatedCase(
            level: .error, verdict: .error, kind: "not-run", title: "the run is not whole",
            text: sentence,
            position: SourcePosition(
                file: run.header.suites.first?.file ?? "", line: 1, column: 1))
        return cases + [whole]
    }

    private init(
        level: Level, verdict: Verdict, kind: String, title: String, text: String,
        position: SourcePosition
    ) {
        self.level = level
        self.verdict = verdict
        self.kind = kind
        self.title = title
        self.text = text
        self.position = position
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

    /// A file as the repository's top sees it.
    static func path(_ file: String, below root: String) -> String {
        var file = file
        while file.hasPrefix("./") { file = String(file.dropFirst(2)) }
        return root.isEmpty || file.hasPrefix("/") ? file : "\(root)/\(file)"
    }
}
