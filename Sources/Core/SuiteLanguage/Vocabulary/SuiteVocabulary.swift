/// The keys of the suite language, mapping by mapping.
enum SuiteVocabulary {
    /// The keys of a suite file.
    static let suite = MappingDescription(
        "suite", summary: "What devices of one kind must do on the wire.",
        laterKeys: ["matrix": eachInstead], oneOf: ["cases", "explore"],
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
                "The cases, at least one."),
            KeyDescription(
                "explore", .list(.mapping(exploration), atLeast: 1),
                "Runs that are drawn from acts and classes of values.", allowsVariables: false),
        ])

    /// What to write in place of a matrix.
    private static let eachInstead = "a case has \"each\": each: {NAME: [VALUE, VALUE]}"

    /// The keys of a file that suites include.
    static let included = MappingDescription(
        "included-file", subject: "included file", summary: "Parts that several suites share.",
        laterKeys: suite.laterKeys,
        keys: [
            KeyDescription(
                "conform", .version, "Version of the language.", allowsVariables: false)
        ] + shared)

    /// The keys of a suite that are not allowed in an included file.
    static let ownKeys = suite.keyNames.filter { !included.keyNames.contains($0) }

    /// The keys that both a suite and its included files may have.
    private static let shared =
        [
            KeyDescription(
                "include", .texts,
                "Files with shared parts, next to this file or on the search path.",
                allowsVariables: false),
            KeyDescription(
                "protocols", .texts,
                "Files that describe protocols, next to this file or on the search path.",
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
                "defaults", .mapping(defaults), "Defaults for steps and cases.",
                allowsVariables: false),
            KeyDescription(
                "classes", .named(.plain, classValues),
                "Classes of values to draw from, by name.", allowsVariables: false),
            KeyDescription(
                "ignore", .list(ignoreEntry, atLeast: 0),
                "Harmless messages: counted and shown, never a failure.", allowsVariables: false),
        ] + ruleParts

    /// The key of a case for further devices.
    private static let devices = KeyDescription(
        "devices", .named(.peer, .mapping(device)),
        "Devices in addition to the one that every case has, of the same kind, by name.",
        allowsVariables: false)

    /// The key for what a case is given.
    ///
    /// If the case has no further devices, the names are those of peers.
    private static let given = KeyDescription(
        "given", .named(.party, .value),
        "Settings of peers for this case, and what devices are configured with.",
        stricter: (.named(.party, .peer(isDeclared: false)), unless: "devices"))

    /// The keys of a suite's `device`.
    static let device = MappingDescription(
        "device", subject: "\"device\" mapping", summary: "The kind of device.",
        example: "{role: sdl.app}",
        keys: [KeyDescription("role", .text, "The role, such as sdl.app.", isRequired: true)])

    /// The keys of one entry of `roles`.
    static let role = MappingDescription(
        "role", subject: "role", summary: "A kind of device.",
        keys: [
            KeyDescription("text", .text, "What it is, for people.", allowsVariables: false),
            KeyDescription(
                "features", .named(.plain, .text), "What such devices may have, for \"needs\".",
                allowsVariables: false),
        ])

    /// The keys of `defaults`.
    static let defaults = MappingDescription(
        "defaults", subject: "\"defaults\" mapping",
        summary: "Defaults for steps and cases.",
        keys: [
            KeyDescription("within", .duration, "Latest time of a step; 5s by default."),
            KeyDescription(
                "tolerance", .tolerance, "How far off a time may be; 50ms by default."),
        ] + limits)

    /// The keys that both `defaults` and a case may have.
    private static let limits = [
        KeyDescription(
            "unexpected", .word(UnexpectedPolicy.allCases.map(\.rawValue)),
            "How to judge a message of the device that no step, rule or ignore matches."),
        KeyDescription(
            "violations", .word(ViolationPolicy.allCases.map(\.rawValue)),
            "How to judge a message of the device that breaks its protocol's specification."),
        KeyDescription(
            "quiet", .any([.duration, .word(["end"])]),
            "Length of the closing window; end for everything until the capture ends."),
        KeyDescription("timeout", .duration, "Maximum duration of the whole case."),
    ]

    /// The keys of one entry of `cases`.
    static let testCase = MappingDescription(
        "case", summary: "One test purpose.",
        laterKeys: [
            "matrix": eachInstead, "use": "write it as a step of \"steps\": - use: NAME",
            "repeat": "write it as a step of \"steps\": - repeat: {times: 3, steps: [...]}",
        ],
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
                "combine", .word(["all", "pairs", "triples"]),
                "Which combinations of \"each\" there are: all, or so few that each pair or triple of "
                    + "values is in one of them."),
            KeyDescription(
                "exclude", .list(.named(.variable, .value), atLeast: 1),
                "Combinations of \"each\" that are left out, each by some of its values."),
            devices,
            given,
            KeyDescription(
                "preamble", .list(.step, atLeast: 0),
                "Steps that lead to the starting point; a failure there is inconclusive."),
            KeyDescription(
                "steps", .list(.step, atLeast: 1),
                "The body, the only part that can fail.", isRequired: true),
            KeyDescription(
                "never", .list(neverEntry, atLeast: 0),
                "What must not come in the body and the closing window."),
            KeyDescription(
                "ignore", .list(ignoreEntry, atLeast: 0),
                "Harmless messages, in addition to those of the suite."),
            KeyDescription(
                "withoutReports", .boolean,
                "Whether a capture without reports of the app is judged by its other messages."),
            KeyDescription(
                "measure", .list(.mapping(measure), atLeast: 1),
                "What is measured and reported, but not judged."),
        ] + limits)

    private static let ignoreEntry = ValueForm.any([.message(.pattern), .mapping(ignoreRule)])
    static let neverEntry = ValueForm.any([.message(.pattern), .mapping(neverRule)])

    static let ruleKeys = [
        KeyDescription(
            "message", .message(.pattern), "Its name; .* at the end matches any rest.",
            isRequired: true),
        KeyDescription("from", .name(.party), "The sender."),
        KeyDescription("where", .named(.field, .condition), "Conditions on its fields."),
    ]

    /// The keys of an entry of `ignore`.
    static let ignoreRule = MappingDescription(
        "ignore-rule", subject: "rule of \"ignore\"", summary: "A harmless message.",
        keys: ruleKeys)

    /// The keys of an entry of `never`.
    static let neverRule = MappingDescription(
        "never-rule", subject: "rule of \"never\"", summary: "A message that must not come.",
        keys: ruleKeys + [
            KeyDescription(
                "on", .text,
                "The step on whose connection it must not come once that step is done."),
            KeyDescription(
                "moreThan", .integer(1...roundsMax),
                "How many such messages may come within any period as long as \"within\"."),
            KeyDescription("within", .duration, "The length of the period of \"moreThan\"."),
            KeyDescription("checks", .texts, "The requirements that such a message would break."),
            KeyDescription(
                "since", .text,
                "The step from which it must not come; the beginning of the body by default."),
            KeyDescription(
                "after", .duration,
                "How long after that it may still come: the time that a party has to react."),
        ])
}
