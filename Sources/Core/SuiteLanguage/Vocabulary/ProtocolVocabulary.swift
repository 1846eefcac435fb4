import Wire

/// The keys of files that describe a protocol together with a `.ksy` file.
enum ProtocolVocabulary {
    /// The keys of the file.
    static let file = MappingDescription(
        "protocol", subject: "protocol file",
        summary: "A protocol: the .ksy file of its messages, and what Kaitai does not know.",
        oneOf: ["tcp", "udp"],
        keys: [
            KeyDescription(
                "conform-protocol", .version, "Version of the format.", isRequired: true),
            KeyDescription(
                "protocol", .matching(NamedProtocolReader.nameForm),
                "Its name, the first part of the names of its messages.", isRequired: true),
            KeyDescription("title", .text, "What people call it."),
            KeyDescription("specification", .text, "Where it is specified."),
            KeyDescription(
                "ksy", .text, "The file that describes its messages, relative to this file.",
                isRequired: true),
            KeyDescription(
                "message", .text,
                "How a message is named: text with expressions of the description in braces."),
            KeyDescription(
                "top", .texts, "Attributes whose fields are fields of the message itself."),
            KeyDescription("tcp", .mapping(tcp), "How streams carry it."),
            KeyDescription("udp", .mapping(udp), "How datagrams carry it."),
            KeyDescription(
                "recognise", .text,
                "A condition on the first message of a direction that identifies streams on any "
                    + "port."),
            KeyDescription(
                "malformed", .named(.any, .text),
                "Conditions that no message may meet, by what is wrong then."),
            KeyDescription(
                "defaults", .named(.field, .value),
                "Values of fields that a peer sends where a suite does not say them."),
            KeyDescription(
                "correlation", .texts,
                "Fields by which an answer is known to belong to the message that it answers."),
            KeyDescription(
                "messages", .named(.any, .mapping(message)),
                "What is to be known of single messages, by their names."),
        ])

    private static let ports = KeyDescription(
        "ports", .any([.integer(1...65_535), .list(.integer(1...65_535), atLeast: 0)]),
        "The ports on which it is used.")

    /// The keys of `tcp`.
    static let tcp = MappingDescription(
        "protocol-tcp", subject: "\"tcp\" mapping", summary: "How streams carry the messages.",
        keys: [
            ports,
            KeyDescription(
                "stream", .mapping(stream),
                "How a stream is cut; without it the description defines where messages end."),
            KeyDescription(
                "prefix", .integer(1...65_535),
                "How many bytes of each message come before the part that it describes."),
        ])

    /// The keys of `stream`.
    static let stream = MappingDescription(
        "protocol-stream", subject: "\"stream\"", summary: SuiteVocabulary.stream.summary,
        oneOf: SuiteVocabulary.stream.oneOf.filter { $0 != "ksy" },
        keys: SuiteVocabulary.stream.keys.filter { $0.name != "ksy" })

    /// The keys of `udp`.
    static let udp = MappingDescription(
        "protocol-udp", subject: "\"udp\" mapping", summary: "How datagrams carry the messages.",
        keys: [ports])

    /// The keys of one entry of `messages`.
    static let message = MappingDescription(
        "protocol-message", subject: "message", summary: "What is to be known of a message.",
        keys: [
            KeyDescription("text", .text, "What it is, for people."),
            KeyDescription("specification", .text, "Where it is specified."),
            KeyDescription("answer", .text, "The name of the message that answers it."),
            KeyDescription(
                "defaults", .named(.field, .value),
                "Values of its fields that a peer sends where a suite does not say them."),
        ])
}
