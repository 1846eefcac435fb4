import SuiteLanguage
import Wire

extension ResultsSchema {
    /// The definitions for suites, plan, audit and coverage.
    static let planning: [(String, Value)] = [
        (
            "suite",
            object(
                "A suite.",
                [
                    ("id", text), ("title", text), ("file", text),
                    ("requirements", list(to("requirement"))),
                ], optional: [("rules", list(to("rule")))])
        ),
        (
            "rule",
            object(
                "A rule of a suite.", [("id", text), ("checks", list(text))],
                optional: [("needs", described("string", "The features that it needs."))])
        ),
        (
            "planned",
            object(
                "One case of the plan.",
                [
                    ("suite", text), ("id", text), ("title", text), ("position", to("position")),
                    ("checks", list(text)), ("steps", to("count")),
                ])
        ),
        (
            "shard",
            object(
                "The shard of a divided plan that this run executes.",
                [
                    ("index", ["type": "integer", "minimum": 1]),
                    ("total", ["type": "integer", "minimum": 1]), ("plan", list(to("planned"))),
                ])
        ),
        (
            "audit",
            object(
                "The comparison of the plan with the judged cases.",
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
                    ("skipped", counts("The number of cases that do not apply, by reason.")),
                    ("notRun", to("count")),
                    (
                        "cases",
                        list(
                            object(
                                "The checks of one case.",
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
                            "The other shards of the plan.",
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
                "The verdict on each requirement.",
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
                                                "The verdict of one case on it.",
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
