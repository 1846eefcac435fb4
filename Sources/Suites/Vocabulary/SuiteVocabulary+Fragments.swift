extension SuiteVocabulary {
    /// The verbs of steps that stand for others.
    static let useVerbs = ["use"]

    /// What a name stands for that is given a value elsewhere.
    private static let declarationKeys = [
        KeyDescription("default", .value, "Its value where none is given."),
        KeyDescription("text", .text, "What it means, for people."),
    ]

    /// One entry of `parameters`.
    static let parameter = MappingDescription(
        "parameter", subject: "parameter",
        summary: "A value that depends on the device; its profile may give another.",
        keys: declarationKeys)

    /// One entry of a fragment's `arguments`.
    static let argument = MappingDescription(
        "argument", subject: "argument", summary: "A value that a use of the fragment gives.",
        keys: declarationKeys)

    /// One entry of `fragments` that is a mapping.
    static let fragment = MappingDescription(
        "fragment", summary: "Steps that cases use by a name.",
        keys: [
            KeyDescription("text", .text, "What the steps do, for people."),
            KeyDescription(
                "arguments", .named(.variable, .any([.mapping(argument), .null])),
                "Values that a use gives, used as ${name}.", allowsVariables: false),
            KeyDescription(
                "steps", fragmentSteps, "The steps.", isRequired: true, allowsVariables: false),
        ])

    /// The steps of a fragment.
    static let fragmentSteps = ValueForm.list(.step, atLeast: 1)

    /// What stands in a step that uses a fragment.
    static let useKeys: [StepKey] = [
        (
            KeyDescription(
                "use", .name(.plain), "The steps of the fragment of that name.",
                isRequired: true),
            useVerbs
        ),
        (
            KeyDescription(
                "with", .named(.variable, .value), "Values of the fragment's arguments."),
            useVerbs
        ),
        (
            KeyDescription(
                "id", .name(.plain),
                "Stands before the ids and saved variables of the fragment: first.app."),
            useVerbs
        ),
    ]
}
