import Results

/// What a drawn run was shrunk to, in words.
enum ShrunkText {
    /// `7 acts to 2: reset; other-head-unit (vehicle: second); 31 runs in 14.2 s`.
    static func sentence(_ shrunk: ShrunkRun) -> String {
        let acts = NumberText.count(shrunk.drawnActs, "act")
        let left = shrunk.acts.isEmpty ? "none" : "\(shrunk.acts.count)"
        let list = shrunk.acts.isEmpty ? "" : ": " + shrunk.acts.joined(separator: "; ")
        let work =
            "\(NumberText.count(shrunk.runs, "run")) in \(NumberText.seconds(shrunk.seconds)) s"
        let end = shrunk.isMinimal ? "" : ", then the time was over"
        return "\(acts) to \(left)\(list); \(work)\(end)" + rates(shrunk)
    }

    /// How often the runs failed, if they did not always.
    private static func rates(_ shrunk: ShrunkRun) -> String {
        guard shrunk.rate.isPartial || shrunk.drawnRate.isPartial else { return "" }
        return "; it fails only sometimes: the drawn run in \(text(shrunk.drawnRate)), "
            + "the shrunk run in \(text(shrunk.rate))"
    }

    private static func text(_ rate: ShrunkRun.Rate) -> String {
        "\(rate.failed) of \(NumberText.count(rate.judged, "execution"))"
    }

    /// The lines of the case that can be put into a suite.
    static func suiteLines(_ shrunk: ShrunkRun) -> [String] {
        shrunk.suiteText.split(separator: "\n").map { PlainText.line(String($0)) }
    }
}
