extension SuiteVocabulary {
    /// The verbs of steps that do not contain others.
    static let plainVerbs = ["expect", "collect", "send", "do", "wait", "backoff", "lost"]

    /// All verbs of steps.
    static let verbs = plainVerbs + groupVerbs + useVerbs

    /// Returns the description of a step with that verb.
    static func step(_ verb: String) -> MappingDescription {
        MappingDescription(
            "step-\(verb)", subject: "step", summary: summary(of: verb),
            keys: stepKeys.filter { $0.verbs.contains(verb) }.map(\.key))
    }

    /// Returns the keys that have no meaning with that verb, but have one with others.
    static func misplacedKeys(beside verb: String) -> [String] {
        let own = step(verb).keyNames + verbs
        return stepKeys.reduce(into: []) { keys, item in
            let name = item.key.name
            if !own.contains(name), !keys.contains(name) { keys.append(name) }
        }
    }

    private static func summary(of verb: String) -> String {
        stepKeys.first { $0.key.name == verb }?.key.summary ?? ""
    }

    typealias StepKey = (key: KeyDescription, verbs: [String])

    private static let stepKeys: [StepKey] =
        verbKeys + groupKeys + useKeys + describing + fields + wire + window

    private static let verbKeys: [StepKey] = [
        (
            KeyDescription(
                "expect", .message(.expected), "A message must come.", isRequired: true),
            ["expect"]
        ),
        (
            KeyDescription(
                "collect", .list(collectEntry, atLeast: 0),
                "Messages must come that match all of these, in any order and cut; then silence.",
                isRequired: true),
            ["collect"]
        ),
        (
            KeyDescription(
                "send", .any([.message(.sent), .mapping(rawBytes)]),
                "A peer sends its message of that name, or plain bytes.", isRequired: true),
            ["send"]
        ),
        (
            KeyDescription(
                "do", .action, "An action of a peer, or a control of the device.",
                isRequired: true),
            ["do"]
        ),
        (
            KeyDescription(
                "wait", .duration, "A pause; messages that come meanwhile are judged as usual.",
                isRequired: true),
            ["wait"]
        ),
        (
            KeyDescription(
                "backoff", .mapping(backoff), "The attempts of a client, wait by wait.",
                isRequired: true),
            ["backoff"]
        ),
        (
            KeyDescription(
                "lost", .word(["bytes"]), "Bytes that do not decode must come.",
                isRequired: true),
            ["lost"]
        ),
    ]

    private static let describing: [StepKey] = [
        (KeyDescription("id", .name(.plain), "Name by which later steps refer to it."), plainVerbs),
        (KeyDescription("note", .text, "A remark for the report."), verbs),
        (
            KeyDescription("checks", .texts, "The requirements that this step judges."),
            ["expect", "collect", "send", "do", "lost"]
        ),
        (
            KeyDescription(
                "checks", .any([.texts, .mapping(backoffChecks)]),
                "The requirements that this step judges; by the rules of the schedule, or all."),
            ["backoff"]
        ),
    ]

    private static let fields: [StepKey] = [
        (
            KeyDescription("from", .name(.party), "The sender; the device by default."),
            ["expect", "backoff", "lost"]
        ),
        (
            KeyDescription("from", .name(.peer), "The peer that sends."),
            ["send"]
        ),
        (
            KeyDescription("to", .name(.party), "The receiver."),
            ["expect", "send", "backoff", "lost"]
        ),
        (
            KeyDescription("where", .named(.field, .condition), "Conditions on fields."),
            ["expect", "backoff", "lost"]
        ),
        (
            KeyDescription("with", .named(.field, .value), "Fields that are replaced."),
            ["send"]
        ),
        (
            KeyDescription(
                "wrong", .named(.field, .value),
                "Fields that are replaced by values that are wrong on purpose."),
            ["send"]
        ),
        (
            KeyDescription(
                "next", .boolean, "Whether the next message of that name must match."),
            ["expect"]
        ),
        (
            KeyDescription(
                "quiet", .duration, "How long the device is silent after everything has come."),
            ["collect"]
        ),
        (KeyDescription("without", .texts, "Fields that are removed."), ["send"]),
        (
            KeyDescription(
                "save", .named(.variable, saveSource),
                "Variables that take the values of fields for the steps after it."),
            ["expect", "send", "lost"]
        ),
    ]

    /// The keys for times that an exact time excludes.
    static let timesBesideAt = ["within", "after"]

    private static let window: [StepKey] = [
        KeyDescription("within", .duration, "Latest time."),
        KeyDescription("after", .duration, "Earliest time."),
        KeyDescription("at", .duration, "Exact time; used alone.", excludes: timesBesideAt),
        KeyDescription("since", .text, "The earlier step that the times count from."),
        KeyDescription(
            "fixed", .boolean, "Whether its times stay the same at every time scale."),
        KeyDescription("tolerance", .tolerance, "How far off a time may be."),
    ].map { key in
        switch key.name {
        case "tolerance": (key, timed + ["collect", "backoff"])
        case "within", "since": (key, timed + ["collect"])
        case "fixed": (key, ["expect", "lost", "collect"])
        default: (key, timed)
        }
    }

    /// The verbs with a time window.
    private static let timed = ["expect", "send", "do", "lost"]

    private static let saveSource = ValueForm.any([.text, .mapping(savedField)])

    /// The keys of an entry of `save` for a field that may be absent.
    static let savedField = MappingDescription(
        "saved-field", subject: "entry of \"save\"", summary: "A field that may be absent.",
        keys: [
            KeyDescription("field", .text, "Its path.", isRequired: true),
            KeyDescription(
                "default", .value, "The value where the message has no such field.",
                isRequired: true),
        ])

    private static let collectEntry = ValueForm.any([.message(.expected), .mapping(collected)])

    /// The keys of an entry of `collect`.
    static let collected = MappingDescription(
        "collected", subject: "entry of \"collect\"",
        summary: "The condition on one of the messages.",
        keys: [
            KeyDescription("message", .message(.expected), "Its name.", isRequired: true),
            KeyDescription(
                "from", .name(.party), "The sender; the device by default."),
            KeyDescription("where", .named(.field, .condition), "Conditions on its fields."),
            KeyDescription(
                "save", .named(.variable, saveSource),
                "Variables that take the values of fields; of several messages the newest."),
        ])

    /// The matchers of `where`, which are the keys of each mapping of matchers.
    static let matcher = MappingDescription(
        "matcher", summary: "Conditions on one field; all of them must hold.",
        keys: [
            KeyDescription("not", .condition, "The field is present and does not satisfy this."),
            KeyDescription(
                "in", .list(.value, atLeast: 1), "The field has one of these values."),
            KeyDescription(
                "matches", .text, "The regular expression (PCRE2) is found in the text."),
            KeyDescription("min", .number, "The number is at least this."),
            KeyDescription("max", .number, "The number is at most this."),
            KeyDescription(
                "length", .condition, "The number of characters, bytes or elements matches."),
            KeyDescription(
                "contains", .condition, "The text or the bytes have this part, the list an element."
            ),
            KeyDescription("starts", .bytesOfText, "The text or the bytes start with this."),
            KeyDescription("ends", .bytesOfText, "The text or the bytes end with this."),
            KeyDescription("mask", .mapping(mask), "These bits have these values."),
            KeyDescription("slice", .mapping(slice), "A part of the field satisfies this."),
            KeyDescription("some", .condition, "An element of the list satisfies this."),
            KeyDescription("every", .condition, "All elements of the list satisfy this."),
            KeyDescription(
                "where", .named(.field, .condition), "Members of the object satisfy this."),
            KeyDescription("present", .boolean, "Whether the field is present."),
            KeyDescription(
                "type", .any([.word(FieldTypeName.all), .null]), "The value is of this type."),
            KeyDescription("hex", .hexDigits, "The bytes, in hexadecimal digits."),
            KeyDescription("ascii", .text, "The bytes or the text, in characters of ASCII."),
            KeyDescription("text", .text, "The bytes, as UTF-8, or the text."),
            KeyDescription(
                "all", .list(.condition, atLeast: 1), "Every one of these holds."),
            KeyDescription(
                "any", .list(.condition, atLeast: 1), "At least one of these holds."),
        ])
}

extension SuiteVocabulary {
    /// The keys of the matcher `mask`.
    static let mask = MappingDescription(
        "mask", subject: "\"mask\"", summary: "Bits, and their values.",
        keys: [
            KeyDescription(
                "at", .integer(0...Int64(Int32.max)), "The offset of the first byte, from 0."),
            KeyDescription("bits", .bytes, "The bits that count.", isRequired: true),
            KeyDescription("value", .bytes, "Their values.", isRequired: true),
        ])

    /// The keys of the matcher `slice`.
    static let slice = MappingDescription(
        "slice", subject: "\"slice\"", summary: "A part, and the condition on it.",
        keys: [
            KeyDescription(
                "at", .integer(0...Int64(Int32.max)),
                "The first byte, character or element, from 0.", isRequired: true),
            KeyDescription(
                "count", .integer(1...Int64(Int32.max)), "Their number; all by default."),
            KeyDescription("is", .condition, "The condition on the part.", isRequired: true),
        ])
}

/// The type names of the `type` matcher.
enum FieldTypeName {
    /// All names, in the order in which they are shown to people.
    static let all = [
        "string", "integer", "number", "boolean", "bytes", "array", "object", "null",
    ]
}
