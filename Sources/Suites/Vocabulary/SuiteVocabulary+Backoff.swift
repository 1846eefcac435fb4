extension SuiteVocabulary {
    /// The models of schedules.
    static let backoffModels = [
        "fixed", "linear", "exponential", "list", "fibonacci", "polynomial",
    ]
    /// What chance may do to waits.
    static let jitters = ["none", "full", "equal", "decorrelated", "plus-minus", "plus"]
    /// Rules of resetting that take no number.
    static let plainResets = ["never", "success"]
    /// The largest factor by which waits may grow.
    static let factorMax = 1000.0
    /// The largest level of the tests of chance.
    static let levelMax = 0.05

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

    private static let signKeys = [
        KeyDescription("message", .message(.expected), "Its name.", isRequired: true),
        KeyDescription("from", .name(.party), "Who sends it."),
        KeyDescription("where", .named(.field, .condition), "Conditions on its fields."),
    ]

    /// A value of `success` or `failure` that is a mapping.
    static let backoffSign = MappingDescription(
        "backoff-sign", subject: "mapping of a message",
        summary: "A message on the connection of an attempt.", keys: signKeys)

    /// The value of `hint`.
    static let backoffHint = MappingDescription(
        "backoff-hint", subject: "\"hint\" mapping",
        summary: "A message that says how long the wait that is next takes.",
        keys: signKeys + [
            KeyDescription(
                "field", .name(.field), "The field that says how long.", isRequired: true,
                allowsVariables: false),
            KeyDescription("unit", .word(units), "What it counts, seconds if it is not said."),
        ])

    /// The value of `base` or `first` that is a mapping, and an entry of `waits`.
    static let waitRange = MappingDescription(
        "backoff-range", subject: "mapping of a wait", summary: "A wait that chance draws.",
        keys: [
            KeyDescription("min", .duration, "The shortest.", isRequired: true),
            KeyDescription("max", .duration, "The longest.", isRequired: true),
        ])

    /// The value of `base` that names a variable.
    static let savedWait = MappingDescription(
        "backoff-saved", subject: "mapping of a saved wait",
        summary: "A wait that an earlier step has saved.",
        keys: [
            KeyDescription(
                "saved", .name(.variable), "The variable.", isRequired: true,
                allowsVariables: false),
            KeyDescription("unit", .word(units), "What it counts, seconds if it is not said."),
        ])

    /// The value of `budget`.
    static let backoffBudget = MappingDescription(
        "backoff-budget", subject: "\"budget\" mapping",
        summary: "How many attempts may begin within any such time.",
        keys: [
            KeyDescription("attempts", .integer(1...roundsMax), "How many.", isRequired: true),
            KeyDescription("within", .duration, "In which time.", isRequired: true),
        ])

    private static let units = BackoffSchedule.Unit.allCases.map(\.rawValue)

    private static let sign = ValueForm.any([.message(.expected), .mapping(backoffSign)])
    private static let range = ValueForm.any([.duration, .mapping(waitRange)])

    private static let backoffMessages = [
        KeyDescription("attempt", .message(.expected), "The message that starts an attempt."),
        KeyDescription(
            "success", .any([sign, .word([BackoffSchedule.handshake])]),
            "The message by which one succeeds."),
        KeyDescription(
            "failure", .any([sign, .list(sign, atLeast: 1)]),
            "The messages by which an attempt fails or a connection falls."),
    ]

    private static let backoffGrowth = [
        KeyDescription("model", .word(backoffModels), "How the waits grow.", isRequired: true),
        KeyDescription(
            "first", range,
            "The first wait; beside base it is not one of the model, its cap and jitter."),
        KeyDescription(
            "base", .any([range, .mapping(savedWait)]),
            "Where the model starts; first if it is not said."),
        KeyDescription(
            "step", .duration,
            "By how much a linear model grows; the second wait of a fibonacci model."),
        KeyDescription(
            "factor", .number, "By what an exponential model grows, 2 if it is not said."),
        KeyDescription(
            "power", .number, "To which power a polynomial model takes the number of a wait."),
        KeyDescription(
            "waits", .list(range, atLeast: 1), "The waits of a list; the last one goes on."),
        KeyDescription("cap", .duration, "The longest wait."),
        KeyDescription("floor", .duration, "The shortest wait, whatever chance has drawn."),
        KeyDescription(
            "capped", .word(BackoffSchedule.CapPlace.allCases.map(\.rawValue)),
            "Whether the cap is worked in before the jitter (default), after it or both."),
        KeyDescription("jitter", .word(jitters), "What chance does to the waits."),
        KeyDescription(
            "spread", .tolerance, "How far off plus and plus-minus jitter put a wait."),
        KeyDescription(
            "distribution", .word(BackoffSchedule.Distribution.allCases.map(\.rawValue)),
            "How chance spreads the waits over their bounds: evenly if it is not said."),
        KeyDescription(
            "level", .number,
            "With what probability at most a client whose waits are spread evenly is refused."),
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
            "silence", .any([.duration, .word(["end"])]),
            "How long no attempt may follow the last one; end: until the capture ends."),
        KeyDescription(
            "budget", .mapping(backoffBudget), "How many attempts there may be in a time."),
        KeyDescription(
            "maxElapsed", .duration,
            "After a failure that is so much later than the first one no attempt follows."),
        KeyDescription(
            "hint", .mapping(backoffHint),
            "The messages that say how long the wait that is next takes."),
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
