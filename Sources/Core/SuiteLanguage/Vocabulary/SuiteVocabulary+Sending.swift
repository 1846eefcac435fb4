import Wire

extension SuiteVocabulary {
    /// The keys of `send` if it is not a message.
    static let rawBytes = MappingDescription(
        "raw-bytes", subject: "\"send\" mapping", summary: "Bytes that a peer sends as they are.",
        oneOf: ["bytes"] + ByteExpression.Notation.allCases.map(\.rawValue) + ["fields"],
        keys: [
            KeyDescription("bytes", .bytes, "The bytes, in hexadecimal digits or a notation.")
        ] + byteNotation.keys + [describedFields])

    /// The key of a message that is given by its fields.
    private static let describedFields = KeyDescription(
        "fields", .value, "The fields of a message as the peer's `stream: {ksy: ...}` describes it."
    )

    /// The keys of bytes in one notation, or of a message that is given by its fields.
    static let sentNotation = MappingDescription(
        "sent-bytes", subject: "bytes",
        summary: "Bytes in one notation, or a message by its fields.",
        oneOf: byteNotation.keyNames + ["fields"], keys: byteNotation.keys + [describedFields])

    /// The keys of bytes in one notation.
    static let byteNotation = MappingDescription(
        "bytes", subject: "bytes", summary: "Bytes in one notation.",
        oneOf: ByteExpression.Notation.allCases.map(\.rawValue),
        keys: [
            KeyDescription("hex", .hexDigits, "In hexadecimal digits."),
            KeyDescription("ascii", .text, "In characters of ASCII."),
            KeyDescription("text", .text, "As text, which becomes UTF-8."),
        ])

    /// The keys of `stream`, which define how a peer's streams are cut into messages.
    static let stream = MappingDescription(
        "stream", subject: "\"stream\"", summary: "How a stream is cut into messages.",
        oneOf: ["until", "length", "fixed", "idle", "ksy"], example: #"{until: "\n"}"#,
        keys: [
            KeyDescription("until", .bytesOfText, "The bytes that end each message."),
            KeyDescription(
                "length", .mapping(lengthField), "Where each message holds its length."),
            KeyDescription(
                "fixed", .integer(1...Int64(StreamCutting.messageBytesMax)),
                "The number of bytes of each message."),
            KeyDescription(
                "idle", .duration, "How long nothing comes after each message, 1ms to 1m."),
            KeyDescription(
                "ksy", .text,
                "A file that describes the messages; alone, it also defines where they end."),
        ])

    /// The keys of `length`, the field with the length of a message.
    static let lengthField = MappingDescription(
        "length-field", subject: "\"length\" mapping",
        summary: "The number of bytes that follow it.",
        keys: [
            KeyDescription(
                "at", .integer(0...Int64(StreamCutting.messageBytesMax)),
                "Its first byte, from 0.", isRequired: true),
            KeyDescription("size", .integer(1...8), "How many bytes it has.", isRequired: true),
            KeyDescription(
                "endian", .word(StreamCutting.LengthField.Endian.allCases.map(\.rawValue)),
                "The order of its bytes; big by default."),
            KeyDescription(
                "plus",
                .integer(
                    -Int64(StreamCutting.messageBytesMax)...Int64(StreamCutting.messageBytesMax)),
                "What is added to it to get the number of bytes after it."),
        ])

    /// The keys of `corrupt`.
    static let corruption = MappingDescription(
        "corrupt", subject: "\"corrupt\" mapping",
        summary: "What is done to the bytes of a message, in the order of these keys.",
        oneOf: ["header", "overwrite", "replace", "truncate", "append", "again"],
        keys: [
            KeyDescription(
                "header", .named(.field, .integer(0...Int64(UInt32.max))),
                "Numbers that are put into fields of the first frame's header."),
            KeyDescription(
                "overwrite",
                .any([.mapping(overwriting), .list(.mapping(overwriting), atLeast: 1)]),
                "Bytes that replace others."),
            KeyDescription(
                "replace",
                .any([.mapping(replacement), .list(.mapping(replacement), atLeast: 1)]),
                "Bytes that others replace wherever they are."),
            KeyDescription(
                "truncate", .integer(-Int64(Int32.max)...Int64(Int32.max)),
                "How many bytes are sent; if it is negative, how many at the end are not."),
            KeyDescription("append", .bytes, "Bytes that are appended."),
            KeyDescription(
                "again", .integer(-Int64(Int32.max)...Int64(Int32.max)),
                "The offset at which the whole message is put in once more; 0 sends it twice."),
        ])

    /// The keys of one entry of `replace`.
    static let replacement = MappingDescription(
        "replacement", subject: "\"replace\" mapping",
        summary: "Bytes of the message, and as many that are put in their place.",
        keys: [
            KeyDescription("bytes", .bytes, "The bytes that are replaced.", isRequired: true),
            KeyDescription("by", .bytes, "The bytes in their place.", isRequired: true),
        ])

    /// The keys of one entry of `overwrite`.
    static let overwriting = MappingDescription(
        "overwrite", subject: "\"overwrite\" mapping", summary: "Bytes, and where they are put.",
        keys: [
            KeyDescription(
                "at", .integer(-Int64(Int32.max)...Int64(Int32.max)),
                "The offset of the first byte, from 0; from the end if it is negative.",
                isRequired: true),
            KeyDescription("bytes", .bytes, "The bytes.", isRequired: true),
        ])

    /// The keys of steps for bytes and connections.
    static let wire: [StepKey] = [
        (
            KeyDescription(
                "corrupt", .mapping(corruption),
                "What is done to the bytes of the message before they are sent."), ["send"]
        ),
        (
            KeyDescription(
                "segments", .integer(1...65_535),
                "The bytes are sent in TCP segments of that size."), ["send"]
        ),
        (
            KeyDescription("on", .text, "The earlier step on whose connection the message goes."),
            ["expect", "lost", "send"]
        ),
    ]
}
