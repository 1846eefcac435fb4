/// The keys of the suite language, mapping by mapping.
enum SuiteVocabulary {
    /// A suite file.
    static let suite = MappingDescription(
        "suite", summary: "What devices of one kind must do on the wire.",
        laterKeys: ["matrix"],
        keys: [
            KeyDescription(
                "conform", .version, "Version of the language.", isRequired: true,
                allowsVariables: false),
            KeyDescription("suite", .name(.plain), "Stable name of the suite.", isRequired: true),
            KeyDescription("title", .text, "What the suite is about, for people."),
            KeyDescription(
                "requirements", .texts, "Catalogue files, relative to this file.",
                isRequired: true),
            KeyDescription(
                "judges", .texts, "Those of the catalogues' requirements that the suite is about."),
            KeyDescription(
                "device", .mapping(device), "The kind of device that the suite is for.",
                isRequired: true),
        ] + shared + [
            KeyDescription(
                "cases", .list(.mapping(testCase), atLeast: 1),
                "The cases, at least one.", isRequired: true)
        ])

    /// A file that suites include.
    static let included = MappingDescription(
        "included-file", subject: "included file", summary: "What several suites share.",
        laterKeys: suite.laterKeys,
        keys: [
            KeyDescription(
                "conform", .version, "Version of the language.", allowsVariables: false)
        ] + shared)

    /// The keys of a suite that have no place in an included file.
    static let ownKeys = suite.keyNames.filter { !included.keyNames.contains($0) }

    /// What a suite and the files that it includes may both say.
    private static let shared = [
        KeyDescription(
            "include", .texts, "Files with shared parts, beside this file or on the search path.",
            allowsVariables: false),
        KeyDescription(
            "protocols", .texts,
            "Files that describe protocols, beside this file or on the search path.",
            allowsVariables: false),
        KeyDescription(
            "peers", .named(.peer, .peer(isDeclared: true)),
            "The counterparts that conform plays, by name.", allowsVariables: false),
        KeyDescription(
            "roles", .named(.plain, .any([.mapping(role), .null])),
            "Kinds of devices that conform does not know, by name.", allowsVariables: false),
        KeyDescription(
            "variables", .named(.variable, .value), "Values by name, used as ${name}.",
            allowsVariables: false),
        KeyDescription(
            "parameters", .named(.variable, .any([.mapping(parameter), .null])),
            "Values that depend on the device, used as ${name}.", allowsVariables: false),
        KeyDescription(
            "fragments", .named(.plain, .any([.mapping(fragment), fragmentSteps])),
            "Steps by name, for \"use\".", allowsVariables: false),
        KeyDescription(
            "defaults", .mapping(defaults), "What holds where a step or case does not say.",
            allowsVariables: false),
        KeyDescription(
            "ignore", .list(ignoreEntry, atLeast: 0),
            "Harmless messages: counted and shown, never a failure.", allowsVariables: false),
    ]

    /// What a case may say of further devices.
    private static let devices = KeyDescription(
        "devices", .named(.peer, .mapping(device)),
        "Devices beside the one that every case has, of the same kind, by name.",
        allowsVariables: false)

    /// What a case is given; where it has no further devices, these are peers.
    private static let given = KeyDescription(
        "given", .named(.party, .value),
        "Settings of peers for this case, and what devices are configured with.",
        stricter: (.named(.party, .peer(isDeclared: false)), unless: "devices"))

    /// The value of a suite's `device`.
    static let device = MappingDescription(
        "device", subject: "\"device\" mapping", summary: "The kind of device.",
        keys: [KeyDescription("role", .text, "The role, such as sdl.app.", isRequired: true)])

    /// A kind of device under `roles`.
    static let role = MappingDescription(
        "role", subject: "role", summary: "A kind of device.",
        keys: [
            KeyDescription("text", .text, "What it is, for people.", allowsVariables: false),
            KeyDescription(
                "features", .named(.plain, .text), "What such devices may have, for \"needs\".",
                allowsVariables: false),
        ])

    /// The value of `defaults`.
    static let defaults = MappingDescription(
        "defaults", subject: "\"defaults\" mapping",
        summary: "What holds where a step or case does not say.",
        keys: [
            KeyDescription("within", .duration, "Latest time of a step; 5s without it."),
            KeyDescription(
                "tolerance", .tolerance, "How far off a time may be; 50ms without it."),
        ] + limits)

    /// What `defaults` and a case may both say.
    private static let limits = [
        KeyDescription(
            "unexpected", .word(UnexpectedPolicy.allCases.map(\.rawValue)),
            "What a message of the device means that no step, rule or ignore takes."),
        KeyDescription(
            "violations", .word(ViolationPolicy.allCases.map(\.rawValue)),
            "What a message of the device means that breaks its protocol's specification."),
        KeyDescription(
            "quiet", .any([.duration, .word(["end"])]),
            "Length of the closing window; end for everything until the capture ends."),
        KeyDescription("timeout", .duration, "Longest that the whole case may take."),
    ]

    /// One entry of `cases`.
    static let testCase = MappingDescription(
        "case", summary: "One test purpose.",
        laterKeys: ["matrix", "use", "repeat"],
        keys: [
            KeyDescription(
                "id", .name(.plain), "Stable name, unique in the suite.", isRequired: true),
            KeyDescription("title", .text, "What the case shows."),
            KeyDescription("checks", .texts, "The requirements that the case judges as a whole."),
            KeyDescription("tags", .texts, "Words for selection."),
            KeyDescription(
                "needs", .text, "Features that the device must have, with and, or, not, brackets."),
            KeyDescription(
                "each", .named(.variable, .list(.value, atLeast: 1)),
                "One case for every combination of the values."),
            KeyDescription(
                "exclude", .list(.named(.variable, .value), atLeast: 1),
                "Combinations of \"each\" that are left out, each by some of its values."),
            devices,
            given,
            KeyDescription(
                "preamble", .list(.step, atLeast: 0),
                "Steps that lead to the starting point; what goes wrong there is inconclusive."),
            KeyDescription(
                "steps", .list(.step, atLeast: 1),
                "The body, the only part that can fail.", isRequired: true),
            KeyDescription(
                "never", .list(neverEntry, atLeast: 0),
                "What must not come in the body and the closing window."),
            KeyDescription(
                "ignore", .list(ignoreEntry, atLeast: 0),
                "Harmless messages, beside those of the suite."),
            KeyDescription(
                "withoutReports", .boolean,
                "Whether a capture without reports of the app is judged by what else there is."),
            KeyDescription(
                "measure", .list(.mapping(measure), atLeast: 1),
                "What is measured and reported, and not judged."),
        ] + limits)

    private static let ignoreEntry = ValueForm.any([.message(.pattern), .mapping(ignoreRule)])
    private static let neverEntry = ValueForm.any([.message(.pattern), .mapping(neverRule)])

    private static let ruleKeys = [
        KeyDescription(
            "message", .message(.pattern), "Its name; .* at the end stands for any rest.",
            isRequired: true),
        KeyDescription("from", .name(.party), "Who sends it."),
        KeyDescription("where", .named(.field, .condition), "Conditions on its fields."),
    ]

    /// An entry of `ignore` that is a mapping.
    static let ignoreRule = MappingDescription(
        "ignore-rule", subject: "rule of \"ignore\"", summary: "A harmless message.",
        keys: ruleKeys)

    /// An entry of `never` that is a mapping.
    static let neverRule = MappingDescription(
        "never-rule", subject: "rule of \"never\"", summary: "A message that must not come.",
        keys: ruleKeys + [
            KeyDescription(
                "on", .text,
                "The step on whose connection it must not come once that step is done."),
            KeyDescription("checks", .texts, "The requirements that such a message would break."),
        ])
}
