/// The options of drawn runs.
enum ExploreOptions {
    static let runs = Option(
        "--explore", "N",
        "N drawn runs of each exploration, instead of its quick ones; --seed S draws others")

    static let all = [runs]

    /// Returns how many runs of each exploration are drawn; `nil` for as many as it says itself.
    static func count(_ arguments: Arguments) throws -> Int? {
        try arguments.number(runs.name, minimum: 0)
    }
}
