extension FieldDescription {
    /// The setting `answers` of every peer that answers a device by itself.
    ///
    /// `AnswerTable` reads it.
    public static let answers = FieldDescription(
        "answers",
        .array(
            of: .structure(
                name: "answers",
                fields: [
                    FieldDescription("message", .string(maxLength: nil), isMandatory: true),
                    FieldDescription("after", .duration),
                    FieldDescription(
                        "together", .enumeration(name: "together", values: ["ordered", "reversed"])),
                    FieldDescription("send", .string(maxLength: nil)),
                    FieldDescription("with", .any),
                    FieldDescription("silent", .boolean),
                    FieldDescription("times", .integer(1...1_000_000)),
                    FieldDescription(
                        "then", .enumeration(name: "then", values: ["close", "reset"])),
                ]), count: nil))
}

extension PeerKind {
    /// Whether it answers messages of a protocol by itself, so that `answers` can change that.
    ///
    /// A peer with a script has another table under that name.
    public var takesAnswers: Bool { speaks && !isScripted && !runsProgram && air == nil }
}
