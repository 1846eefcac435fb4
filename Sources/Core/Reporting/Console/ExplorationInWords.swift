import SuiteLanguage
import Wire

/// What `conform explain` shows of an exploration: acts, classes, rules, and what runs cover.
public struct ExplorationInWords {
    private let exploration: Exploration
    private let suite: Suite
    private let style: Style

    /// Returns the description of an exploration, line by line.
    ///
    /// - Parameter seed: The seed of the runs whose coverage is shown.
    public static func lines(
        of exploration: Exploration, in suite: Suite, seed: UInt64, style: Style = .plain
    ) -> [String] {
        ExplorationInWords(exploration: exploration, suite: suite, style: style).lines(seed)
    }

    private func lines(_ seed: UInt64) -> [String] {
        let name = PlainText.line("\(suite.id)/\(exploration.id)")
        let place = PlainText.line(exploration.position.description)
        let length = exploration.length
        let count =
            length.count == 1
            ? NumberText.count(length.lowerBound, "act")
            : "\(length.lowerBound) to \(length.upperBound) acts"
        return ["\(style.paint(name, .bold))  \(place)"]
            + text("\(exploration.title): an exploration, whose runs have \(count).", indent: 2)
            + section("Given", exploration.givenDraws.map(draw))
            + section("Acts", exploration.acts.map(act))
            + section("Rules", rules) + section("Covered with seed \(seed)", covered(seed))
    }

    private func section(_ title: String, _ items: [String]) -> [String] {
        items.isEmpty ? [] : ["", "  \(title)"] + items.flatMap { text($0, indent: 4) }
    }

    private func text(_ text: String, indent: Int) -> [String] {
        Columns.wrapped(PlainText.line(text), to: max(30, style.width - indent - 2)).enumerated()
            .map { Columns.blanks($0.offset == 0 ? indent : indent + 2) + $0.element }
    }

    /// `language: one of same, supported, absent`.
    private func draw(_ draw: ExplorationDraw) -> String {
        let names = draw.elements.map(\.name).joined(separator: ", ")
        let kind = draw.subset.map { "\($0.lowerBound) to \($0.upperBound) of" } ?? "one of"
        return "\(draw.label): \(kind) \(names)"
    }

    /// `close (weight 3; when connected: true; sets connected: false)`.
    private func act(_ act: ExplorationAct) -> String {
        func flag(_ name: String, _ values: [Value]) -> String {
            "\(name): " + values.map(\.suiteText).joined(separator: " or ")
        }
        let facts =
            (act.weight == 1 ? [] : ["weight \(act.weight)"])
            + (act.when.isEmpty
                ? []
                : ["when " + act.when.map { flag($0.flag, $0.values) }.joined(separator: ", ")])
            + (act.sets.isEmpty
                ? []
                : ["sets " + act.sets.map { flag($0.flag, [$0.value]) }.joined(separator: ", ")])
        let draws = act.draws.isEmpty ? "" : "; " + act.draws.map(draw).joined(separator: "; ")
        return act.name + (facts.isEmpty ? "" : " (\(facts.joined(separator: "; ")))") + draws
    }

    /// The rules that judge its runs, and its own requirements.
    private var rules: [String] {
        let own = exploration.checks
        return (own.isEmpty ? [] : ["the runs themselves (\(own.joined(separator: ", ")))"])
            + suite.rules.map { "\($0.id) (\($0.checks.joined(separator: ", "))): \($0.title)" }
    }

    /// How many pairs of acts and values the first runs contain, until they contain all.
    private func covered(_ seed: UInt64) -> [String] {
        var lines: [String] = []
        for count in [exploration.quick, 30, 100, 300] where count >= exploration.quick {
            let covered = exploration.coverage(seed: seed, count: count)
            lines.append(
                "\(NumberText.count(count, "run")): \(covered.pairs) of "
                    + "\(NumberText.count(covered.allPairs, "pair")) of acts, \(covered.values) of "
                    + "\(NumberText.count(covered.allValues, "value"))")
            if covered.pairs == covered.allPairs, covered.values == covered.allValues { break }
        }
        return lines
    }
}
