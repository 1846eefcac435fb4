extension SuiteVocabulary {
    /// The models of schedules.
    static let backoffModels = ["fixed", "linear", "exponential", "list"]
    /// The kinds of jitter.
    static let jitters = ["none", "full", "equal", "decorrelated", "plus-minus", "plus"]
    /// The words of `reset`, for rules without a number.
    static let plainResets = ["never", "success"]
    /// The largest factor by which waits may grow.
    static let factorMax = 1000.0
    /// The maximum level of the statistical tests.
    static let levelMax = 0.05

    /// The keys of `backoff`.
    static let backoff = MappingDescription(
        "backoff", subject: "\"backoff\" mapping",
        summary: "When a client may try again: one step takes all of its attempts.",
        oneOf: ["model", "growth"],
        keys: backoffMessages + backoffGrowth + backoffCounting)

    /// The keys of `reset`.
    static let resetRule = MappingDescription(
        "backoff-reset", subject: "\"reset\" mapping",
        summary: "What resets the waits.", oneOf: ["stable", "elapsed"],
        keys: [
            KeyDescription(
                "stable", .duration, "A connection was up longer than this after its success.",
                excludes: ["elapsed"]),
            KeyDescription(
                "elapsed", .number,
                "Two triggers are further apart than this multiple of the next wait."),
        ])

    /// The keys of `attempts`.
    static let attemptCounts = MappingDescription(
        "backoff-attempts", subject: "\"attempts\" mapping",
        summary: "The fewest and the most attempts.",
        keys: [
            KeyDescription("min", .integer(0...roundsMax), "The fewest.", isRequired: true),
            KeyDescription("max", .integer(1...roundsMax), "The most.", isRequired: true),
        ])

    private static let signKeys = [
        KeyDescription("message", .message(.expected), "Its name.", isRequired: true),
        KeyDescription("from", .name(.party), "The sender."),
        KeyDescription("where", .named(.field, .condition), "Conditions on its fields."),
    ]

    /// The keys of an entry of `success` or `failure`.
    static let backoffSign = MappingDescription(
        "backoff-sign", subject: "mapping of a message",
        summary: "A message on the connection of an attempt.", keys: signKeys)

    /// The keys of `hint`.
    static let backoffHint = MappingDescription(
        "backoff-hint", subject: "\"hint\" mapping",
        summary: "A message that gives the length of the next wait.",
        keys: signKeys + [
            KeyDescription(
                "field", .name(.field), "The field with the length.", isRequired: true,
                allowsVariables: false),
            KeyDescription("unit", .word(units), "Its unit, seconds by default."),
        ])

    /// The keys of a range in `base`, `first` or `waits`.
    static let waitRange = MappingDescription(
        "backoff-range", subject: "mapping of a wait", summary: "A random wait.",
        keys: [
            KeyDescription("min", .duration, "The shortest.", isRequired: true),
            KeyDescription("max", .duration, "The longest.", isRequired: true),
        ])

    /// The keys of a `spread` that is not the same on both sides.
    static let unevenSpread = MappingDescription(
        "backoff-spread", subject: "\"spread\" mapping",
        summary: "By how much a wait may be shorter and longer.",
        keys: [
            KeyDescription("minus", .tolerance, "Shorter.", isRequired: true),
            KeyDescription("plus", .tolerance, "Longer.", isRequired: true),
        ])

    /// The keys of `base` if it names a variable.
    static let savedWait = MappingDescription(
        "backoff-saved", subject: "mapping of a saved wait",
        summary: "A wait that an earlier step has saved.",
        keys: [
            KeyDescription(
                "saved", .name(.variable), "The variable.", isRequired: true,
                allowsVariables: false),
            KeyDescription("unit", .word(units), "Its unit, seconds by default."),
        ])

    /// The keys of `budget`.
    static let backoffBudget = MappingDescription(
        "backoff-budget", subject: "\"budget\" mapping",
        summary: "The maximum number of attempts that may begin within any period.",
        keys: [
            KeyDescription("attempts", .integer(1...roundsMax), "The number.", isRequired: true),
            KeyDescription("within", .duration, "Length of the period.", isRequired: true),
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
            "The messages by which an attempt fails or a connection is lost."),
    ]

    private static let backoffGrowth = [
        KeyDescription("model", .word(backoffModels), "How the waits grow.", excludes: ["growth"]),
        KeyDescription(
            "growth", .text,
            "Each wait after base: an expression of n, its number, previous and base."),
        KeyDescription(
            "first", range,
            "The first wait; if base is given, model, cap and jitter do not apply to it."),
        KeyDescription(
            "base", .any([range, .mapping(savedWait)]),
            "Where the model starts; first by default."),
        KeyDescription(
            "step", .duration, "The growth of a linear model: previous + step."),
        KeyDescription(
            "factor", .number,
            "The factor of an exponential model, 2 by default: previous * factor."),
        KeyDescription(
            "waits", .list(range, atLeast: 1), "The waits of a list; the last one is repeated."),
        KeyDescription(
            "cyclic", .boolean, "Whether a list begins again after its last wait instead."),
        KeyDescription("cap", .duration, "The longest wait."),
        KeyDescription("floor", .duration, "The shortest wait, applied after the random part."),
        KeyDescription(
            "capped", .word(BackoffSchedule.CapPlace.allCases.map(\.rawValue)),
            "Whether the cap is applied before the jitter (default), after it or both."),
        KeyDescription("jitter", .word(jitters), "The random part of the waits."),
        KeyDescription(
            "spread", .any([.tolerance, .mapping(unevenSpread)]),
            "The deviation by plus and plus-minus jitter."),
        KeyDescription(
            "distribution", .word(BackoffSchedule.Distribution.allCases.map(\.rawValue)),
            "How random waits are distributed between their bounds: evenly by default."),
        KeyDescription(
            "level", .number,
            "Maximum probability of refusing a client whose waits are distributed evenly."),
    ]

    private static let backoffCounting = [
        KeyDescription(
            "reset", .any([.word(plainResets), .mapping(resetRule)]),
            "What resets the waits."),
        KeyDescription(
            "from", .word(BackoffSchedule.Origin.allCases.map(\.rawValue)),
            "What the wait after a failed attempt counts from; its failure by default."),
        KeyDescription(
            "timeout", .duration, "How long the client waits for an answer to an attempt."),
        KeyDescription(
            "attempts", .any([.integer(1...roundsMax), .mapping(attemptCounts)]),
            "The number of attempts after the first trigger.", isRequired: true),
        KeyDescription(
            "silence", .any([.duration, .word(["end"])]),
            "How long no attempt may follow the last one; end: until the capture ends."),
        KeyDescription(
            "budget", .mapping(backoffBudget), "The maximum number of attempts in a period."),
        KeyDescription(
            "maxElapsed", .duration,
            "No attempt follows a failure that is this much later than the first one."),
        KeyDescription(
            "cut", .boolean,
            "Whether a wait that would end after maxElapsed ends then, with one last attempt."),
        KeyDescription(
            "hint", .mapping(backoffHint),
            "The messages that give the length of the next wait."),
        KeyDescription("early", .tolerance, "How much too early an attempt may come."),
        KeyDescription("late", .tolerance, "How much too late an attempt may come."),
        KeyDescription(
            "immediate", .duration,
            "How much too late an attempt without a wait may come; late by default."),
    ]

    /// The keys of `checks` in a `backoff` step.
    static let backoffChecks = MappingDescription(
        "backoff-checks", subject: "mapping of rules",
        summary: "The requirements that each rule of the schedule judges.",
        keys: BackoffSchedule.Rule.allCases.map { rule in
            KeyDescription(rule.rawValue, .texts, "For the rule: \(rule.sentence).")
        })
}
