/// The keys of catalogue files.
enum CatalogueVocabulary {
    /// The keys of a catalogue file.
    static let catalogue = MappingDescription(
        "requirements-catalogue", subject: "requirements catalogue",
        summary: "The numbered requirements of one document, and features of devices.",
        keys: [
            KeyDescription(
                "conform-requirements", .version, "Version of the format.", isRequired: true),
            KeyDescription(
                "document", .text, "The document that they are taken from.", isRequired: true),
            KeyDescription(
                "source", .text, "Where the document is found."),
            KeyDescription(
                "features", .named(.plain, .text),
                "Features that devices may have, each with a sentence."),
            KeyDescription(
                "requirements", .named(.plain, .mapping(requirement)),
                "The requirements by their numbers.", isRequired: true),
        ])

    /// The keys of one requirement.
    static let requirement = MappingDescription(
        "requirement", summary: "One numbered sentence of the document.",
        keys: [
            KeyDescription(
                "section", .text, "Where the document says it."),
            KeyDescription(
                "text", .text, "The sentence.", isRequired: true),
            KeyDescription(
                "wire", .text, "How it shows in packets."),
            KeyDescription(
                "quote", .text, "The document's own words that say it.",
                excludes: ["derived", "ours"]),
            KeyDescription(
                "derived", .text, "What it is derived from, where no document says it.",
                excludes: ["ours"]),
            KeyDescription(
                "ours", .text, "Why it is demanded, where it is derived from nothing."),
            KeyDescription(
                "ways", .named(.any, .any([.texts, .list(.text, atLeast: 0)])),
                "The ways to break it, each with the cases that would notice: suite/case."),
        ])
}
