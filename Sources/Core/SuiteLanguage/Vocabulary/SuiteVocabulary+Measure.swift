extension SuiteVocabulary {
    /// The keys of an entry of `measure`.
    static let measure = MappingDescription(
        "measure", subject: "entry of \"measure\"",
        summary: "Something that is measured and reported, but not judged.",
        keys: [
            KeyDescription("name", .text, "The name for people.", isRequired: true),
            KeyDescription(
                "count", .message(.expected),
                "Counts the messages of that name that steps match, instead of the time."),
            KeyDescription("from", .text, "The step at which it begins."),
            KeyDescription("to", .text, "The step at which it ends.", isRequired: true),
        ])
}
