import Offline
import SuiteLanguage
import System

/// Checks whether the options that select cases select any.
struct SelectionCheck {
    let suites: [Suite]

    /// Rejects a pattern or tag that selects nothing while another selects something.
    ///
    /// Otherwise less than requested would be run. If nothing at all is selected, it only prints
    /// that.
    func check(_ arguments: Arguments) throws(UsageError) {
        let cases = suites.flatMap { suite in suite.cases.map { (suite: suite.id, value: $0) } }
        let option = CommonOptions.caseFilter.name
        let ids = cases.map(\.value.id)
        let names = arguments.all(option).contains { $0.contains("/") }
        let whole = names ? cases.map { "\($0.suite)/\($0.value.id)" } : []
        try check(option, arguments.all(option), candidates: ids + whole) { text in
            let pattern = CasePattern(text)
            return cases.contains { pattern.selects(suite: $0.suite, id: $0.value.id) }
        }
        let tags = Set(cases.flatMap(\.value.tags))
        let tag = CommonOptions.tag.name
        let filters = arguments.all(tag).map(TagFilter.init)
        // It is no mistake if no case has an excluded tag, unless the tag looks misspelt.
        for filter in filters where filter.isExclusion && !tags.contains(filter.tag) {
            guard let meant = Suggestion.closest(to: filter.tag, in: tags.sorted()) else {
                continue
            }
            throw UsageError("no case has the tag \(filter.tag); did you mean !\(meant)?")
        }
        try check(
            tag, filters.filter { !$0.isExclusion }.map(\.tag), candidates: tags.sorted(),
            selects: tags.contains)
        let requirements = Set(cases.flatMap(\.value.allChecks))
        let checks = CommonOptions.checks.name
        try check(checks, CommonOptions.requirements(arguments), candidates: requirements.sorted())
        { text in
            requirements.contains(where: CasePattern(text).matches)
        }
    }

    private func check(
        _ option: String, _ given: [String], candidates: [String], selects: (String) -> Bool
    ) throws(UsageError) {
        let idle = given.filter { !selects($0) }
        guard let first = idle.first else { return }
        let advice =
            Suggestion.closest(to: first, in: candidates).map { "did you mean \($0)?" }
            ?? "conform list shows the cases"
        let text = "no case matches \(option) \(first); \(advice)"
        guard idle.count == given.count else { throw UsageError(text) }
        StandardError.print("conform: \(text)")
    }
}
