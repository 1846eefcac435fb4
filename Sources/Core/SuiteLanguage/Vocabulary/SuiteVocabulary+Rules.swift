extension SuiteVocabulary {
    /// The keys for state and rules, which suites and included files may have.
    static let ruleParts = [
        KeyDescription(
            "state", .named(.variable, .mapping(state)),
            "What the trace has said so far, by name: folds over messages, used as ${name}.",
            allowsVariables: false),
        KeyDescription(
            "rules", .list(.mapping(rule), atLeast: 0),
            "What must hold over every trace, whatever is done to the device.",
            allowsVariables: false),
    ]

    private static let scope = KeyDescription(
        "per", .word(RuleScope.allCases.map(\.rawValue)),
        "The part of the trace that it is about: trace (the default), session, connection, device."
    )

    /// The keys of one entry of `state`.
    static let state = MappingDescription(
        "state", subject: "state", summary: "A value that messages change.",
        keys: [
            scope,
            KeyDescription(
                "starts", .value,
                "The value at the beginning; ${device} and ${PEER} are what is given to them."),
            KeyDescription(
                "on",
                .any([.mapping(stateUpdate), .list(.mapping(stateUpdate), atLeast: 0)]),
                "The messages that change it, in order.", isRequired: true),
        ])

    /// The keys of one update of a state.
    static let stateUpdate = MappingDescription(
        "state-update", subject: "update of a state",
        summary: "What a message does to a state; ${message} and ${request} are their fields.",
        keys: ruleKeys + [
            KeyDescription("set", .value, "The new value."),
            KeyDescription("merge", .value, "Members that replace those of the same name."),
            KeyDescription("insert", .value, "A value that is added to a list that lacks it."),
            KeyDescription("remove", .value, "A value, or the name of a member, to be removed."),
            KeyDescription("count", .value, "A number to be added."),
        ])

    private static let conditions = ValueForm.named(.any, .condition)
    private static let event = ValueForm.any([.message(.pattern), .mapping(ignoreRule)])

    /// The keys of one entry of `rules`.
    static let rule = MappingDescription(
        "rule", summary: "What must hold over every trace.",
        keys: [
            KeyDescription(
                "id", .name(.plain), "Stable name, unique in the suite.", isRequired: true),
            KeyDescription("title", .text, "What the rule says."),
            KeyDescription("checks", .texts, "The requirements that the rule judges."),
            KeyDescription(
                "needs", .text, "Features that the device must have, with and, or, not, brackets."),
            scope,
            KeyDescription(
                "whenever", .any([.word(["beginning"]), event]),
                "The message that starts an instance, or the beginning of the scope.",
                isRequired: true),
            KeyDescription(
                "if", conditions,
                "Conditions on state and on ${trigger}; keys are expressions without ${}."),
            KeyDescription(
                "holds", conditions,
                "What the trigger must fulfil, by the state before it; keys as in \"if\"."),
            KeyDescription(
                "then", .list(.step, atLeast: 0), "Steps that are judged from the trigger on."),
            KeyDescription(
                "never", .list(neverEntry, atLeast: 0),
                "What must not come until the instance ends."),
            KeyDescription(
                "until", .list(event, atLeast: 0),
                "Messages that end the instance; what is owed is owed no longer."),
            KeyDescription(
                "atRest", conditions,
                "What must hold whenever nothing is owed and all have been silent for \"quiet\"."),
            KeyDescription("quiet", .duration, "How long they must be silent; 1s by default."),
        ])
}
