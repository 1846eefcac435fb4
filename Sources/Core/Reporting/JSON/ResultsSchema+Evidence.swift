import Results
import Wire

extension ResultsSchema {
    /// The mark of a row of expected and actual.
    static let mark = choice(
        ["match", "missing", "extra", "ignored", "not-reached", "unjudged"], "What the row shows.")

    /// The definitions for reasons and explanations.
    static let evidence: [(String, Value)] = [
        (
            "reason",
            object(
                "Why it is not a pass.", [("code", to("code")), ("summary", text)],
                optional: [("explanation", to("explanation"))])
        ),
        (
            "explanation",
            object(
                "The evidence for a failure.",
                [
                    ("requirements", list(to("requirement"))), ("position", to("position")),
                    ("expected", text), ("actual", text), ("frames", to("frames")),
                    ("alignment", list(to("row"))),
                ],
                optional: [
                    ("step", to("count")),
                    (
                        "nearestMiss",
                        object(
                            "The message that is closest to the expected one.",
                            [
                                ("message", text), ("frames", to("frames")),
                                ("differences", list(text)),
                            ])
                    ),
                ])
        ),
        (
            "row",
            object(
                "One row of expected and actual.",
                [
                    ("mark", mark), ("frames", to("frames")),
                ],
                optional: [("expected", text), ("actual", text), ("seconds", to("seconds"))])
        ),
    ]

    /// The definitions for steps.
    static let steps: [(String, Value)] = [
        (
            "timing",
            object(
                "When a step's message may come and when it came, relative to the evidence's origin.",
                [("since", to("seconds"))],
                optional: [
                    ("earliest", to("seconds")), ("latest", to("seconds")),
                    ("actual", to("seconds")),
                ])
        ),
        (
            "act",
            object(
                "What a step does, and the parties that take part.",
                [
                    (
                        "kind",
                        choice(["expect", "send", "perform", "wait"], "The kind of step.")
                    ), ("name", text),
                ], optional: [("from", text), ("to", text)])
        ),
        (
            "wait",
            object(
                "One wait of a schedule, with its allowed and measured time.",
                [
                    ("index", to("count")), ("wait", to("count")), ("lower", to("seconds")),
                    (
                        "isKept",
                        described("boolean", "Whether the wait is within the allowed time.")
                    ),
                ],
                optional: [
                    ("upper", to("seconds")), ("measured", to("seconds")), ("frame", to("count")),
                    ("broken", list(text)),
                ])
        ),
        (
            "spread",
            object(
                "The result of the test whether the waits are random.",
                [
                    ("waits", to("count")), ("level", to("share")),
                    ("probability", to("share")), ("power", to("share")),
                ])
        ),
    ]

    /// The root of an evidence file.
    static let evidenceRoot = object(
        "The trace of one case.",
        [
            (
                "schema",
                [
                    "description": "The version of this schema.",
                    "const": .integer(Int64(clamping: RunResult.schema)),
                ]
            ),
            ("suite", text), ("id", text), ("evidence", to("evidence")),
        ])

    /// The definitions for evidence files.
    static let trace: [(String, Value)] = [
        ("mark", mark),
        (
            "evidence",
            object(
                "The trace of a case; only the beginning and the end of a long one.",
                [
                    ("origin", to("nanoseconds")), ("parties", list(text)),
                    (
                        "rows",
                        list(
                            object(
                                "Expected and actual, by numbers.", [("mark", to("mark"))],
                                optional: [("step", to("count")), ("message", to("count"))]))
                    ),
                    ("messages", list(to("message"))), ("omittedMessages", to("count")),
                    (
                        "log",
                        list(
                            object(
                                "One line of the device's log.",
                                [("seconds", to("seconds")), ("stream", text), ("text", text)]))
                    ),
                    ("omittedLogLines", to("count")),
                ], optional: [("captureStart", to("nanoseconds")), ("notes", to("notes"))])
        ),
        (
            "notes",
            object(
                "What the page of the case shows besides its trace.",
                [
                    ("demands", list(text)),
                    (
                        "earlier",
                        list(
                            object(
                                "The verdict of an earlier run.",
                                [
                                    ("run", text),
                                    (
                                        "started",
                                        object(
                                            "When the run began.",
                                            [("utc", text), ("nanoseconds", to("nanoseconds"))])
                                    ),
                                    ("verdict", to("verdict")), ("seconds", to("seconds")),
                                ]))
                    ),
                ],
                optional: [
                    (
                        "source",
                        object(
                            "Lines of the suite around the position of the failure.",
                            [
                                ("position", to("position")), ("first", to("count")),
                                ("lines", list(text)),
                            ])
                    )
                ])
        ),
        (
            "message",
            object(
                "One message of the trace.",
                [
                    ("number", to("count")), ("name", text), ("seconds", to("seconds")),
                    ("frames", to("frames")), ("fields", list(to("field"))),
                    ("anomalies", list(text)),
                    ("hex", described("string", "Its first bytes, two digits each.")),
                    ("byteCount", to("count")),
                ], optional: [("from", text), ("to", text), ("flow", to("count"))])
        ),
        (
            "field",
            object(
                "One field of a message.", [("name", text), ("value", text)],
                optional: [("offset", to("count")), ("length", to("count"))])
        ),
    ]
}
