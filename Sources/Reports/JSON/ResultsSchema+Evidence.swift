import Results
import Wire

extension ResultsSchema {
    /// The mark of a line of expected beside actual.
    static let mark = choice(
        ["match", "missing", "extra", "ignored", "not-reached", "unjudged"], "What the line shows.")

    /// What is known of steps.
    static let steps: [(String, Value)] = [
        (
            "timing",
            object(
                "When a step's message may come and when it came, from the evidence's origin.",
                [("since", to("seconds"))],
                optional: [
                    ("earliest", to("seconds")), ("latest", to("seconds")),
                    ("actual", to("seconds")),
                ])
        ),
        (
            "act",
            object(
                "Who does what in a step.",
                [
                    (
                        "kind",
                        choice(["expect", "send", "perform", "wait"], "What kind of step it is.")
                    ), ("name", text),
                ], optional: [("from", text), ("to", text)])
        ),
        (
            "wait",
            object(
                "One wait of a schedule: what was allowed, and what was measured.",
                [
                    ("index", to("count")), ("wait", to("count")), ("lower", to("seconds")),
                    ("isKept", told("boolean", "Whether it is within what was allowed.")),
                ],
                optional: [
                    ("upper", to("seconds")), ("measured", to("seconds")), ("frame", to("count")),
                    ("broken", list(text)),
                ])
        ),
        (
            "spread",
            object(
                "What the waits show that chance should draw.",
                [
                    ("waits", to("count")), ("level", to("share")),
                    ("probability", to("share")), ("power", to("share")),
                ])
        ),
    ]

    /// What a file of evidence is.
    static let evidenceRoot = object(
        "What the trace of one case showed.",
        [
            (
                "schema",
                [
                    "description": "The version of this form.",
                    "const": .integer(Int64(clamping: RunResult.schema)),
                ]
            ),
            ("suite", text), ("id", text), ("evidence", to("evidence")),
        ])

    /// What files of evidence are made of.
    static let trace: [(String, Value)] = [
        ("mark", mark),
        (
            "evidence",
            object(
                "What the trace of a case showed; of a long one the beginning and the end.",
                [
                    ("origin", to("nanoseconds")), ("parties", list(text)),
                    (
                        "rows",
                        list(
                            object(
                                "Expected beside actual, by numbers.", [("mark", to("mark"))],
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
                ], optional: [("captureStart", to("nanoseconds"))])
        ),
        (
            "message",
            object(
                "One message of the trace.",
                [
                    ("number", to("count")), ("name", text), ("seconds", to("seconds")),
                    ("frames", to("frames")), ("fields", list(to("field"))),
                    ("anomalies", list(text)),
                    ("hex", told("string", "Its first bytes, two digits each.")),
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
