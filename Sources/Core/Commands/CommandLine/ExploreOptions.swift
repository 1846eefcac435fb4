import SuiteLanguage

/// The options of drawn runs.
enum ExploreOptions {
    static let runs = Option(
        "--explore", "N",
        "N drawn runs of each exploration, instead of its quick ones; --seed S draws others")

    /// Only for `conform run`: the other commands execute no cases.
    static let time = Option(
        "--explore-time", "TIME",
        "drawn runs, one after the other, until so much time is over (10m), or the N of --explore "
            + "have ended")

    static let all = [runs]

    /// Returns how long drawn runs are begun; `nil` for no limit.
    static func duration(_ arguments: Arguments) throws(UsageError) -> Duration? {
        guard let text = arguments.value(time.name) else { return nil }
        guard let duration = Duration(suiteText: text), duration > .zero else {
            throw UsageError("\(time.name) takes a time such as 10m, not \"\(text)\"")
        }
        return duration
    }

    /// Returns how many runs of each exploration are drawn; `nil` for as many as it says itself.
    static func count(_ arguments: Arguments) throws -> Int? {
        try arguments.number(runs.name, minimum: 0)
    }
}
