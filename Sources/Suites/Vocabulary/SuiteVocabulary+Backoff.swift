extension SuiteVocabulary {
    /// The models of schedules.
    static let backoffModels = ["fixed", "linear", "exponential", "list"]
    /// What chance may do to waits.
    static let jitters = ["none", "full", "equal", "decorrelated", "plus-minus"]
    /// Rules of resetting that take no number.
    static let plainResets = ["never", "success"]
    /// The largest factor by which waits may grow.
    static let factorMax = 1000.0

    /// The value of `backoff`.
    static let backoff = MappingDescription(
        "backoff", subject: "\"backoff\" mapping",
        summary: "When a client may try again: one step takes all of its attempts.",
        keys: backoffMessages + backoffGrowth + backoffCounting)

    /// The value of `reset` that is a mapping.
    static let resetRule = MappingDescription(
        "backoff-reset", subject: "\"reset\" mapping",
        summary: "What makes the waits begin anew.", oneOf: ["stable", "elapsed"],
        keys: [
            KeyDescription(
                "stable", .duration, "A connection stood longer than this after its success.",
                excludes: ["elapsed"]),
            KeyDescription(
                "elapsed", .number,
                "Two triggers are further apart than this multiple of the wait that is next."),
        ])

    /// The value of `attempts` that is a mapping.
    static let attemptCounts = MappingDescription(
        "backoff-attempts", subject: "\"attempts\" mapping",
        summary: "The fewest and the most attempts.",
        keys: [
            KeyDescription("min", .integer(1...roundsMax), "The fewest.", isRequired: true),
            KeyDescription("max", .integer(1...roundsMax), "The most.", isRequired: true),
        ])

    private static let backoffMessages = [
        KeyDescription("attempt", .message(.expected), "The message that starts an attempt."),
        KeyDescription("success", .message(.expected), "The message by which one succeeds."),
        KeyDescription(
            "failure",
            .any([.message(.expected), .list(.message(.expected), atLeast: 1)]),
            "The messages by which an attempt fails or a connection falls."),
    ]

    private static let backoffGrowth = [
        KeyDescription("model", .word(backoffModels), "How the waits grow.", isRequired: true),
        KeyDescription(
            "first", .duration,
            "The first wait; beside base it stands outside of the model, its cap and jitter."),
        KeyDescription("base", .duration, "Where the model starts; first if it is not said."),
        KeyDescription("step", .duration, "By how much a linear model grows."),
        KeyDescription(
            "factor", .number, "By what an exponential model grows, 2 if it is not said."),
        KeyDescription(
            "waits", .list(.duration, atLeast: 1), "The waits of a list; the last one goes on."),
        KeyDescription("cap", .duration, "The longest wait."),
        KeyDescription(
            "capped", .word(BackoffSchedule.CapPlace.allCases.map(\.rawValue)),
            "Whether the cap is worked in before the jitter (default) or after it."),
        KeyDescription("jitter", .word(jitters), "What chance does to the waits."),
        KeyDescription("spread", .tolerance, "How far off plus-minus jitter puts a wait."),
    ]

    private static let backoffCounting = [
        KeyDescription(
            "reset", .any([.word(plainResets), .mapping(resetRule)]),
            "What makes the waits begin anew."),
        KeyDescription(
            "from", .word(BackoffSchedule.Origin.allCases.map(\.rawValue)),
            "What the wait after a failed attempt counts from; its failure if it is not said."),
        KeyDescription(
            "timeout", .duration, "How long the client waits for an answer to an attempt."),
        KeyDescription(
            "attempts", .any([.integer(1...roundsMax), .mapping(attemptCounts)]),
            "How many attempts there are behind the first trigger.", isRequired: true),
        KeyDescription(
            "silence", .duration, "How long no attempt may follow the last one."),
        KeyDescription("early", .tolerance, "How much too early an attempt may come."),
        KeyDescription("late", .tolerance, "How much too late an attempt may come."),
        KeyDescription(
            "immediate", .duration,
            "How much too late an attempt may come that has nothing to wait for; late without it."),
    ]

    /// The value of `checks` beside `backoff` that is a mapping.
    static let backoffChecks = MappingDescription(
        "backoff-checks", subject: "mapping of rules",
        summary: "The requirements that each rule of the schedule stands for.",
        keys: BackoffSchedule.Rule.allCases.map { rule in
            KeyDescription(rule.rawValue, .texts, "For the rule: \(rule.sentence).")
        })
}
