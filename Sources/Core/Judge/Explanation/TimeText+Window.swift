import Results
import SuiteLanguage

extension TimeText {
    /// Returns the window of a step in the words of the suite: `within 1s of registered`.
    static func window(of step: Step) -> String {
        let since = step.since.map { " of \($0)" } ?? ""
        if let at = step.at {
            return "at \(at.suiteText) ± \(step.tolerance.bound(for: at).suiteText)\(since)"
        }
        let early = step.after.map { "not before \($0.suiteText) and " } ?? ""
        return "\(early)within \(step.within.suiteText)\(since)"
    }
}
