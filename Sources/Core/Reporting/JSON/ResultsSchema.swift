import Results
import SuiteLanguage
import Wire

/// The JSON Schemas (draft 2020-12) of `results.json` and of the files in `evidence/`.
///
/// They describe every member that this version writes. A later version with the same `schema`
/// number may add members, so readers should ignore members that they do not know.
public enum ResultsSchema {
    /// The schema of `results.json`.
    public static var document: Value {
        schema(
            "results", "the results of a run", root,
            shared + parts + planning + judging + evidence + steps)
    }

    private static func schema(
        _ name: String, _ title: String, _ root: Value, _ definitions: [(String, Value)]
    ) -> Value {
        let head: [Value.Member] = [
            .init("$schema", "https://json-schema.org/draft/2020-12/schema"),
            .init("$id", .string("urn:conform:schema:\(name):1")),
            .init("title", .string("conform: \(title)")),
        ]
        let definitions = Value.object(
            definitions.sorted { $0.0 < $1.0 }.map { .init($0.0, $0.1) })
        return .object(head + (root.objectValue ?? []) + [.init("$defs", definitions)])
    }

    /// The schema of a file in `evidence/`.
    public static var evidenceFile: Value {
        let used = ["count", "share", "seconds", "nanoseconds", "frames", "position", "verdict"]
        return schema(
            "evidence", "the trace of a case", evidenceRoot,
            shared.filter { used.contains($0.0) } + trace)
    }

    // MARK: pieces

    static func object(
        _ summary: String, _ required: [(String, Value)], optional: [(String, Value)] = []
    ) -> Value {
        [
            "description": .string(summary), "type": "object",
            "properties": .object((required + optional).map { .init($0.0, $0.1) }),
            "required": .array(required.map { .string($0.0) }),
            "additionalProperties": false,
        ]
    }

    static func to(_ name: String) -> Value { ["$ref": .string("#/$defs/\(name)")] }

    static func list(_ items: Value) -> Value { ["type": "array", "items": items] }

    static func described(_ type: String, _ summary: String) -> Value {
        ["description": .string(summary), "type": .string(type)]
    }

    static func choice(_ words: [String], _ summary: String) -> Value {
        ["description": .string(summary), "enum": .array(words.map(Value.string))]
    }

    static func counts(_ summary: String) -> Value {
        [
            "description": .string(summary), "type": "object",
            "additionalProperties": to("count"),
        ]
    }

    static let text: Value = ["type": "string"]
    private static let path = described(
        "string", "A path relative to the report folder, or an absolute path.")

    // MARK: definitions

    private static let shared: [(String, Value)] = [
        ("count", ["type": "integer", "minimum": 0]),
        ("share", ["type": "number", "minimum": 0, "maximum": 1]),
        (
            "seconds",
            [
                "description": "Seconds; a text for values that JSON numbers cannot express.",
                "anyOf": [
                    ["type": "number"], ["enum": ["infinite", "-infinite", "not a number"]],
                ],
            ]
        ),
        ("verdict", choice(Verdict.allCases.map(\.rawValue), "The verdict.")),
        ("code", choice(ReasonCode.allCases.map(\.rawValue), "Why it is not a pass.")),
        ("nanoseconds", described("integer", "Nanoseconds since 1970-01-01T00:00:00Z.")),
        ("frames", list(["type": "integer", "minimum": 1])),
        ("sha256", ["type": "string", "pattern": "^[0-9a-f]{64}$"]),
        (
            "position",
            object(
                "A place in a file.",
                [("file", text), ("line", to("count")), ("column", to("count"))])
        ),
        (
            "reference",
            object("The two names that identify a case.", [("suite", text), ("id", text)])
        ),
        (
            "requirement",
            object(
                "A numbered sentence of a source document.",
                [
                    ("id", text), ("text", text), ("source", text), ("wire", text),
                    ("position", to("position")),
                ],
                optional: [
                    (
                        "basis",
                        object(
                            "The basis of the requirement.",
                            [
                                (
                                    "kind",
                                    choice(
                                        RequirementBasis.Kind.allCases.map(\.rawValue),
                                        "The origin of the demand.")
                                ),
                                ("text", text),
                            ])
                    )
                ])
        ),
    ]

    private static let root = object(
        "All information about one run; all reports are generated from it.",
        [
            (
                "schema",
                [
                    "description": "The version of this schema.",
                    "const": .integer(Int64(clamping: RunResult.schema)),
                ]
            ),
            ("run", to("run")), ("seconds", to("seconds")),
            (
                "outcome",
                choice(
                    ExitStatus.allCases.map(\.word) + ["unfinished"], "The outcome, in words.")
            ),
            ("audit", to("audit")), ("coverage", to("coverage")), ("cases", list(to("case"))),
        ],
        optional: [
            (
                "exitCode",
                [
                    "description": "The exit code; absent or null while the run goes on.",
                    "enum": .array(
                        // Fits: the codes are defined here.
                        ExitStatus.allCases.map { .integer(Int64($0.rawValue)) } + [.null]),
                ]
            ),
            (
                "files",
                [
                    "description":
                        "The SHA-256 of evidence, logs and journal, by their paths in the folder.",
                    "type": "object", "additionalProperties": to("sha256"),
                ]
            ),
        ])

    private static let parts: [(String, Value)] = [
        (
            "run",
            object(
                "The information before the first case.",
                [
                    ("version", described("string", "The version of conform.")), ("id", text),
                    (
                        "folder",
                        described("string", "The report folder, from the working directory.")
                    ),
                    (
                        "started",
                        object(
                            "A point in time, for people and for machines.",
                            [("utc", text), ("nanoseconds", to("nanoseconds"))])
                    ),
                    ("command", list(text)), ("seed", ["type": "integer", "minimum": 0]),
                    (
                        "minimum",
                        described("integer", "The minimum number of cases that must pass.")
                    ),
                    ("strict", described("boolean", "Whether a flaky case fails the run.")),
                    ("device", to("device")), ("environment", to("environment")),
                    ("suites", list(to("suite"))), ("planned", list(to("planned"))),
                ],
                optional: [
                    ("knownFindings", list(text)), ("shard", to("shard")), ("job", to("job")),
                    ("parameters", list(to("parameter"))), ("digests", list(to("digest"))),
                    (
                        "timeScale",
                        [
                            "description":
                                "How many times faster than its specification the device ran.",
                            "type": "number", "minimum": 1, "maximum": 100,
                        ]
                    ),
                ])
        ),
        (
            "digest",
            object(
                "The digest of a file on which the verdicts depend.",
                [
                    ("kind", choice(RunDigest.Kind.allCases.map(\.rawValue), "The kind of file.")),
                    ("path", text), ("sha256", to("sha256")),
                ])
        ),
        (
            "parameter",
            object(
                "The value of a suite's parameter.",
                [
                    ("suite", text), ("name", text),
                    ("value", described("string", "The value in suite syntax.")),
                    (
                        "origin",
                        choice(
                            RunParameter.Origin.allCases.map(\.rawValue), "What set the value.")
                    ),
                ])
        ),
        (
            "device",
            object(
                "The device under test.", [("name", text), ("version", text), ("role", text)],
                optional: [("mutant", text)])
        ),
        (
            "environment",
            object(
                "The machine that runs the test.",
                [
                    ("host", text), ("system", text), ("kernel", text), ("isolation", text),
                    ("cores", to("count")),
                ])
        ),
        (
            "job",
            object(
                "The CI job.", [("page", text)],
                optional: [
                    ("artifacts", described("string", "The base address of artifacts.")),
                    ("source", described("string", "The address of {file} and {line}.")),
                ])
        ),
    ]

    private static let judging: [(String, Value)] = [
        (
            "case",
            object(
                "One case after it has been judged.",
                [
                    ("suite", text), ("id", text), ("title", text), ("position", to("position")),
                    ("verdict", to("verdict")), ("checks", list(to("check"))),
                    ("steps", list(to("step"))), ("ignored", counts("Ignored messages by name.")),
                    ("counts", to("traffic")), ("seconds", to("seconds")), ("remarks", list(text)),
                ],
                optional: [
                    ("reason", to("reason")), ("started", to("nanoseconds")), ("capture", path),
                    ("captureDigest", to("sha256")), ("log", path),
                    ("reproduce", described("string", "The command that runs the case again.")),
                    ("executions", list(to("execution"))), ("evidenceFile", path),
                    ("subject", to("subject")),
                    ("measurements", list(to("measurement"))),
                    ("violations", list(to("violation"))),
                    ("rules", list(to("ruleResult"))), ("shrunk", to("shrunk")),
                ])
        ),
        (
            "shrunk",
            object(
                "The shortest and plainest run found that fails as the drawn run does.",
                [
                    ("id", described("string", "The id of its case.")), ("acts", list(text)),
                    ("drawnActs", to("count")), ("execution", to("execution")),
                    ("requirements", list(text)), ("rate", to("rate")), ("drawnRate", to("rate")),
                    ("runs", to("count")), ("seconds", to("seconds")),
                    (
                        "isMinimal",
                        described("boolean", "Whether nothing shorter was left to try.")
                    ),
                    ("suiteText", described("string", "The case in the suite language.")),
                ],
                optional: [("reproduce", described("string", "The command that runs it again."))])
        ),
        (
            "rate",
            object(
                "How many executions of a run failed in the same way.",
                [("failed", to("count")), ("judged", to("count"))])
        ),
        (
            "ruleResult",
            object(
                "How a rule of the suite was exercised in the case.",
                [
                    ("rule", text), ("checks", list(text)), ("verdict", to("verdict")),
                    ("exercised", described("integer", "How many instances have a result.")),
                    ("failed", described("integer", "How many of them failed.")),
                    ("open", described("integer", "How many ended before all was done.")),
                ])
        ),
        (
            "subject",
            object(
                "The capture on which a case of `conform check` was judged.",
                [("testCase", text), ("capture", text)],
                optional: [("connection", described("string", "The part of the capture."))])
        ),
        (
            "violation",
            object(
                "Messages of one party that violate the specification of their protocol in the same way.",
                [
                    ("party", text), ("isOfDevice", ["type": "boolean"]), ("message", text),
                    ("text", text), ("count", to("count")), ("frames", to("frames")),
                ])
        ),
        (
            "measurement",
            object(
                "Something that a case has measured: a time, or a number of messages.",
                [("name", text), ("frames", to("frames"))],
                optional: [("seconds", to("seconds")), ("count", to("count"))])
        ),
        (
            "check",
            object(
                "The verdict on one requirement in a case.",
                [("requirement", text), ("verdict", to("verdict"))])
        ),
        (
            "step",
            object(
                "The outcome of one step.",
                [
                    ("part", choice(["preamble", "body"], "The part of the case.")),
                    ("text", text), ("position", to("position")),
                    ("outcome", choice(["done", "failed", "not-reached"], "How the step ended.")),
                    ("frames", to("frames")),
                ],
                optional: [
                    ("seconds", to("seconds")), ("timing", to("timing")), ("act", to("act")),
                    ("schedule", list(to("wait"))), ("spread", to("spread")),
                    ("drawnAct", described("string", "The act of a drawn run.")),
                ])
        ),
        (
            "traffic",
            object(
                "The number of packets and messages.",
                ["packets", "dropped", "messages", "taken"].map { ($0, to("count")) })
        ),
        (
            "execution",
            object(
                "One execution of a case that was executed more than once.",
                [("verdict", to("verdict")), ("seconds", to("seconds"))],
                optional: [
                    ("summary", text), ("capture", path), ("captureDigest", to("sha256")),
                    ("log", path),
                ])
        ),
    ]
}
