extension SuiteVocabulary {
    /// The verbs of steps that are replaced by others.
    static let useVerbs = ["use"]

    /// The keys of a declaration whose value is given elsewhere.
    private static let declarationKeys = [
        KeyDescription("default", .value, "The default value."),
        KeyDescription("text", .text, "What it means, for people."),
    ]

    /// The keys of one entry of `parameters`.
    static let parameter = MappingDescription(
        "parameter", subject: "parameter",
        summary: "A value that depends on the device; its profile may give another.",
        keys: declarationKeys)

    /// The keys of one entry of a fragment's `arguments`.
    static let argument = MappingDescription(
        "argument", subject: "argument", summary: "A value that a use of the fragment gives.",
        keys: declarationKeys)

    /// The keys of one entry of `fragments`.
    static let fragment = MappingDescription(
        "fragment", summary: "Named steps that cases reuse.",
        keys: [
            KeyDescription("text", .text, "What the steps do, for people."),
            KeyDescription(
                "arguments", .named(.variable, .any([.mapping(argument), .null])),
                "Values that a use gives, used as ${name}.", allowsVariables: false),
            KeyDescription(
                "steps", fragmentSteps, "The steps.", isRequired: true, allowsVariables: false),
        ])

    /// The form of the steps of a fragment.
    static let fragmentSteps = ValueForm.list(.step, atLeast: 1)

    /// The keys of a step that uses a fragment.
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
                "Prefix of the ids and saved variables of the fragment: first.app."),
            useVerbs
        ),
    ]
}
