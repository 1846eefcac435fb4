extension SuiteVocabulary {
    /// Bytes or a message, or several that are sent one after the other.
    private static let sends = ValueForm.any([
        .bytesSent, .mapping(httpMessage), .mapping(sentMessage),
        .list(.any([.bytesSent, .mapping(httpMessage), .mapping(sentMessage)]), atLeast: 0),
    ])

    /// A message of the protocol that the peer speaks.
    static let sentMessage = MappingDescription(
        "sent-message", subject: "message that is sent",
        summary: "A message of the protocol that the peer speaks.",
        keys: [
            KeyDescription("message", .message(.expected), "Its name.", isRequired: true),
            KeyDescription("with", .named(.field, .value), "Its fields."),
        ])

    /// A message of HTTP that a peer sends.
    static let httpMessage = MappingDescription(
        "http-message", subject: "message of HTTP", summary: "A message that a peer of HTTP sends.",
        keys: [
            KeyDescription("method", .text, "Of a request; GET without it."),
            KeyDescription("uri", .text, "Of a request; / without it."),
            KeyDescription("status", .integer(100...999), "Of a response; 200 without it."),
            KeyDescription("reason", .text, "Of a response; that of the status without it."),
            KeyDescription("headers", .named(.any, .bytesOfText), "The header fields."),
            KeyDescription("body", .bytesOfText, "The body.", excludes: ["json"]),
            KeyDescription("json", .value, "The body, as JSON."),
            KeyDescription(
                "chunked", .boolean, "Whether the body goes out in a chunk, not with its length."),
        ])

    /// What the declaration of a peer says that has no protocol of its own.
    static let script: [KeyDescription] = [
        KeyDescription(
            "greeting", sends, "What it sends as soon as a connection is established."),
        KeyDescription(
            "answers", .list(.mapping(answer), atLeast: 0),
            "What it answers: the first entry that fits."),
        KeyDescription(
            "keepAlive", .mapping(keepAlive), "What it sends again and again."),
    ]

    /// One entry of `answers`.
    static let answer = MappingDescription(
        "answer", subject: "answer", summary: "What is answered, and by what.",
        keys: [
            KeyDescription(
                "to", .any([.bytesOfText, .condition]),
                "What the bytes are like that it answers; any without it.", excludes: ["message"]),
            KeyDescription("message", .message(.expected), "The message that it answers."),
            KeyDescription("where", .named(.field, .condition), "Fields of the message are so."),
            KeyDescription(
                "save", .named(.variable, .text), "Variables that take the values of fields."),
            KeyDescription("send", sends, "What it sends; nothing without it."),
            KeyDescription("after", .duration, "How much later."),
            KeyDescription(
                "times", .integer(1...1_000_000),
                "How often on a connection; then the entries below it answer."),
            KeyDescription(
                "then", .word(PeerScript.Answer.End.allCases.map(\.rawValue)),
                "How it ends the connection after that."),
        ])

    /// The value of `keepAlive`.
    static let keepAlive = MappingDescription(
        "keep-alive", subject: "\"keepAlive\"", summary: "What is sent how often.",
        keys: [
            KeyDescription("every", .duration, "The time between two.", isRequired: true),
            KeyDescription("send", sends, "What is sent.", isRequired: true),
        ])
}
