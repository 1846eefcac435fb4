import Live
import SuiteLanguage

/// The options of drawn runs.
enum ExploreOptions {
    static let runs = Option(
        "--explore", "N[,shrink=TIME]",
        "N drawn runs of each exploration, instead of its quick ones; --seed S draws others; "
            + "shrink=TIME: look for the shortest runs that fail for so long (60s; 0s: not at all)")

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
        try words(arguments)?.count
    }

    /// Returns for how long failures are shrunk at most.
    static func shrinkTime(_ arguments: Arguments) throws -> Duration {
        try words(arguments)?.shrinkTime ?? RunSession.Options.defaultShrinkTime
    }

    private static func words(
        _ arguments: Arguments
    ) throws(UsageError) -> (count: Int, shrinkTime: Duration?)? {
        guard let text = arguments.value(runs.name) else { return nil }
        let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        guard let count = Int(parts[0]), count >= 0 else {
            throw UsageError("\(runs.name) takes a whole number of at least 0, not \"\(parts[0])\"")
        }
        guard let limit = parts.dropFirst().first else { return (count, nil) }
        guard limit.hasPrefix(shrinking),
            let time = Duration(suiteText: String(limit.dropFirst(shrinking.count)))
        else {
            throw UsageError(
                "\(runs.name) takes N,\(shrinking)TIME with a time such as 10s, not \"\(text)\""
            )
        }
        return (count, time)
    }

    private static let shrinking = "shrink="
}
