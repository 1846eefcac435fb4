extension SuiteVocabulary {
    /// The form of what a peer sends: bytes or a message, or several that are sent one after the
    /// other.
    private static let sends = ValueForm.any([
        .bytesSent, .mapping(httpMessage), .mapping(sentMessage),
        .list(.any([.bytesSent, .mapping(httpMessage), .mapping(sentMessage)]), atLeast: 0),
    ])

    /// The keys of a message of the protocol that the peer speaks.
    static let sentMessage = MappingDescription(
        "sent-message", subject: "message that is sent",
        summary: "A message of the protocol that the peer speaks.",
        keys: [
            KeyDescription("message", .message(.expected), "Its name.", isRequired: true),
            KeyDescription("with", .named(.field, .value), "Its fields."),
        ])

    /// The keys of an HTTP message that a peer sends.
    static let httpMessage = MappingDescription(
        "http-message", subject: "message of HTTP", summary: "An HTTP message that a peer sends.",
        keys: [
            KeyDescription("method", .text, "Of a request; GET without it."),
            KeyDescription("uri", .text, "Of a request; / without it."),
            KeyDescription("status", .integer(100...999), "Of a response; 200 without it."),
            KeyDescription("reason", .text, "Of a response; that of the status without it."),
            KeyDescription("headers", .named(.any, .bytesOfText), "The header fields."),
            KeyDescription("body", .bytesOfText, "The body.", excludes: ["json"]),
            KeyDescription("json", .value, "The body, as JSON."),
            KeyDescription(
                "chunked", .boolean, "Whether the body is sent in a chunk, not with its length."),
        ])

    /// The keys of the declaration of a peer without its own protocol.
    static let script: [KeyDescription] = [
        KeyDescription(
            "greeting", sends, "What it sends as soon as a connection is established."),
        KeyDescription(
            "answers", .list(.mapping(answer), atLeast: 0),
            "What it answers: the first entry that matches."),
        KeyDescription(
            "keepAlive", .mapping(keepAlive), "What it sends again and again."),
    ]

    /// The keys of one entry of `answers`.
    static let answer = MappingDescription(
        "answer", subject: "answer", summary: "What is answered, and by what.",
        keys: [
            KeyDescription(
                "to", .any([.bytesOfText, .condition]),
                "Condition on the bytes that it answers; any by default.", excludes: ["message"]),
            KeyDescription("message", .message(.expected), "The message that it answers."),
            KeyDescription("where", .named(.field, .condition), "Conditions on its fields."),
            KeyDescription(
                "save", .named(.variable, .text), "Variables that take the values of fields."),
            KeyDescription("send", sends, "What it sends; nothing without it."),
            KeyDescription("after", .duration, "The delay."),
            KeyDescription(
                "times", .integer(1...1_000_000),
                "How often it answers on a connection; then the entries below it do."),
            KeyDescription(
                "then", .word(PeerScript.Answer.End.allCases.map(\.rawValue)),
                "How it ends the connection after that."),
        ])

    /// The keys of `keepAlive`.
    static let keepAlive = MappingDescription(
        "keep-alive", subject: "\"keepAlive\"", summary: "What is sent, and how often.",
        keys: [
            KeyDescription("every", .duration, "The interval.", isRequired: true),
            KeyDescription("send", sends, "What is sent.", isRequired: true),
        ])
}
