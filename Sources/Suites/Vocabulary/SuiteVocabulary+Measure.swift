extension SuiteVocabulary {
    /// An entry of `measure`.
    static let measure = MappingDescription(
        "measure", subject: "entry of \"measure\"",
        summary: "Something that is measured and reported, and not judged.",
        keys: [
            KeyDescription("name", .text, "What people call it.", isRequired: true),
            KeyDescription(
                "count", .message(.expected),
                "Counts the messages of that name that steps take, in place of the time."),
            KeyDescription("from", .text, "The step at which it begins."),
            KeyDescription("to", .text, "The step at which it ends.", isRequired: true),
        ])
}
