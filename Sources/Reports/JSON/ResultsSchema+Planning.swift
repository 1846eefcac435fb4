import Suites
import Wire

extension ResultsSchema {
    /// The parts that say what a run is about: suites, plan, audit, host.
    static let planning: [(String, Value)] = [
        (
            "suite",
            object(
                "A suite.",
                [
                    ("id", text), ("title", text), ("file", text),
                    ("requirements", list(to("requirement"))),
                ])
        ),
        (
            "planned",
            object(
                "One line of the plan.",
                [
                    ("suite", text), ("id", text), ("title", text), ("position", to("position")),
                    ("checks", list(text)), ("steps", to("count")),
                ])
        ),
        (
            "shard",
            object(
                "Which part of a divided plan this run is.",
                [
                    ("index", ["type": "integer", "minimum": 1]),
                    ("total", ["type": "integer", "minimum": 1]), ("plan", list(to("planned"))),
                ])
        ),
        (
            "audit",
            object(
                "What was planned against what was judged.",
                [
                    ("planned", to("count")),
                    (
                        "judged",
                        object(
                            "Cases by verdict.",
                            ["pass", "fail", "inconclusive", "error", "known", "flaky"].map {
                                ($0, to("count"))
                            })
                    ),
                    ("skipped", counts("Cases that do not apply, by the reason.")),
                    ("notRun", to("count")),
                    (
                        "cases",
                        list(
                            object(
                                "What one case checked.",
                                [
                                    ("suite", text), ("id", text), ("verdict", to("verdict")),
                                    ("checks", to("count")), ("steps", to("count")),
                                ]))
                    ),
                    ("discrepancies", list(text)),
                ],
                optional: [
                    (
                        "shard",
                        object(
                            "What the other parts have.",
                            [
                                ("index", to("count")), ("total", to("count")),
                                ("elsewhere", to("count")),
                            ])
                    )
                ])
        ),
        (
            "coverage",
            object(
                "What is said of each requirement.",
                [
                    (
                        "rows",
                        list(
                            object(
                                "One requirement.",
                                [
                                    ("requirement", text), ("text", text),
                                    ("verdict", to("verdict")),
                                    (
                                        "cases",
                                        list(
                                            object(
                                                "What one case says of it.",
                                                [
                                                    ("reference", to("reference")),
                                                    ("verdict", to("verdict")),
                                                ]))
                                    ),
                                ]))
                    )
                ])
        ),
    ]
}
