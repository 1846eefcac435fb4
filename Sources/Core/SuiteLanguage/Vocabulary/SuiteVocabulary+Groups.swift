extension SuiteVocabulary {
    /// The verbs of steps that contain others.
    static let groupVerbs = ["anyOrder", "either", "optional", "repeat"]

    /// The maximum number of rounds of a `repeat`.
    static let roundsMax: Int64 = 10_000

    /// The keys of `repeat`.
    static let repetition = MappingDescription(
        "repeat", subject: "\"repeat\" mapping",
        summary: "Steps, and their repetition: times, max and optionally min, or until a message.",
        oneOf: ["times", "max", "until"],
        keys: [
            KeyDescription(
                "times", .integer(1...roundsMax), "Number of rounds; used alone.",
                excludes: ["min", "max"]),
            KeyDescription(
                "min", .integer(0...roundsMax), "The fewest rounds; 0 by default."),
            KeyDescription("max", .integer(1...roundsMax), "The most rounds."),
            KeyDescription(
                "until", .any([.message(.expected), .step]),
                "The message that ends the rounds: its name, or a step that matches it.",
                excludes: ["times", "min"]),
            KeyDescription("steps", steps, "The steps of one round.", isRequired: true),
        ])

    /// The verbs with the forms of their values.
    static let groupKeys: [StepKey] = [
        ("optional", steps, "All of these steps in their order, or none."),
        (
            "either", .list(element, atLeast: 2),
            "All steps of exactly one of these elements."
        ),
        (
            "anyOrder", .list(element, atLeast: 1, atMost: StepSequence.groupSizeMax),
            "All of these elements in any order, each done before the next begins."
        ),
        ("repeat", .mapping(repetition), "Repeated steps."),
    ].map { (KeyDescription($0.0, $0.1, $0.2, isRequired: true), [$0.0]) }

    private static let steps = ValueForm.list(.step, atLeast: 1)

    /// The form of an element: one step, or several that belong together.
    private static let element = ValueForm.any([.step, steps])
}
