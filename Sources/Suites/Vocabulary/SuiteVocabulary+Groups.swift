extension SuiteVocabulary {
    /// The verbs of steps that are made of others.
    static let groupVerbs = ["anyOrder", "either", "optional", "repeat"]

    /// How often a `repeat` may go round, at most.
    static let roundsMax: Int64 = 10_000

    /// The value of `repeat`.
    static let repetition = MappingDescription(
        "repeat", subject: "\"repeat\" mapping",
        summary: "Steps, and how often they come: times, max and perhaps min, or until a message.",
        oneOf: ["times", "max", "until"],
        keys: [
            KeyDescription(
                "times", .integer(1...roundsMax), "How many rounds; stands alone.",
                excludes: ["min", "max"]),
            KeyDescription(
                "min", .integer(0...roundsMax), "The fewest rounds; none if it is not said."),
            KeyDescription("max", .integer(1...roundsMax), "The most rounds."),
            KeyDescription(
                "until", .any([.message(.expected), .step]),
                "The message that ends the rounds: its name, or a step that takes it.",
                excludes: ["times", "min"]),
            KeyDescription("steps", steps, "The steps of one round.", isRequired: true),
        ])

    /// The verbs with what they take.
    static let groupKeys: [StepKey] = [
        ("optional", steps, "All of these steps in their order, or none."),
        (
            "either", .list(element, atLeast: 2),
            "All steps of exactly one of these elements."
        ),
        (
            "anyOrder", .list(element, atLeast: 1, atMost: StepSequence.groupSizeMax),
            "All of these elements in whatever order, each done before the next begins."
        ),
        ("repeat", .mapping(repetition), "The steps over and over."),
    ].map { (KeyDescription($0.0, $0.1, $0.2, isRequired: true), [$0.0]) }

    private static let steps = ValueForm.list(.step, atLeast: 1)

    /// One step, or several that belong together.
    private static let element = ValueForm.any([.step, steps])
}
