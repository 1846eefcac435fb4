extension SuiteVocabulary {
    /// The keys of a draw, which stands for a value.
    static let draw = MappingDescription(
        "draw", summary: "A value that is drawn from a class, or a list of some of its values.",
        oneOf: ["draw", "subset"],
        keys: [
            KeyDescription("draw", classForm, "The class of which one value is drawn."),
            KeyDescription("subset", classForm, "The class of which some values are drawn."),
            KeyDescription("min", .integer(0...62), "The fewest values; 0 by default."),
            KeyDescription("max", .integer(0...62), "The most values; all by default."),
        ])

    /// The form of a class: its name, or its values.
    private static let classForm = ValueForm.any([.name(.plain), classValues])

    /// The form of the values of a class: by their names, or plain ones that name themselves.
    static let classValues = ValueForm.any([
        .named(.any, .value), .list(.value, atLeast: 1, atMost: 62),
    ])

    /// The form of the flags of a model.
    private static let flags = ValueForm.named(.variable, .value)

    /// The keys of a case that an exploration has too.
    static let caseKeysOfExploration = [
        "checks", "tags", "needs", "given", "never", "ignore", "unexpected", "violations", "quiet",
        "timeout",
    ]

    /// The keys of one entry of `explore`.
    static let exploration = MappingDescription(
        "exploration", subject: "exploration",
        summary: "Runs whose initial values and acts are drawn; the rules of the suite judge them.",
        keys: [
            KeyDescription(
                "id", .name(.plain), "Stable name, unique in the suite.", isRequired: true),
            KeyDescription("title", .text, "What is explored."),
            KeyDescription(
                "given", .named(.party, .value),
                "Settings of peers, and what devices are configured with; {draw: CLASS} for a value."
            ),
            KeyDescription(
                "preamble", .list(.step, atLeast: 0),
                "Steps that lead to the first act; a failure there is inconclusive."),
            KeyDescription(
                "acts", .named(.plain, .mapping(explorationAct)),
                "What can be done to the device, by name.", isRequired: true,
                allowsVariables: false),
            KeyDescription("model", flags, "The flags that are not false at the beginning."),
            KeyDescription(
                "length", .any([.integer(1...100), .matching("^[0-9]+\\.\\.[0-9]+$")]),
                "How many acts a run has; 2..8 by default."),
            KeyDescription(
                "settle", .any([.duration, .mapping(draw)]),
                "How long the device must be silent after each act; 1s by default."),
            KeyDescription(
                "settleMax", .duration, "The longest wait for that silence; 10s by default."),
            KeyDescription(
                "quick", .integer(0...10_000), "How many runs belong to conform run; 8 by default."),
        ] + testCase.keys.filter { $0.name != "given" && caseKeysOfExploration.contains($0.name) })

    /// The keys of one entry of `acts`.
    static let explorationAct = MappingDescription(
        "act", summary: "Something that is done to the device.",
        oneOf: ["do", "steps"],
        keys: [
            KeyDescription("do", .value, "An action of a peer, or a control of the device."),
            KeyDescription(
                "steps", .list(.value, atLeast: 1),
                "The steps of the act; {draw: CLASS} for a value."),
            KeyDescription(
                "weight", .integer(1...1_000),
                "How often it is drawn in comparison with the others; 1 by default."),
            KeyDescription(
                "when", flags, "The flags that it needs, each with its value or a list of values."),
            KeyDescription("sets", flags, "The flags that it changes."),
            KeyDescription(
                "settle", .any([.duration, .mapping(draw)]),
                "How long the device must be silent after this act."),
        ])
}
