import Wire

extension IAP2 {
    /// The messages that suites can name.
    public static let description = ProtocolDescription(
        name: "iap2", firstCode: 496, title: "iAP2 link and control session",
        isTransport: true,
        messages: linkMessages + controlMessages, fields: [])

    private static let linkMessages: [MessageDescription] = [
        message("detection", "Asks whether the other side supports iAP2, or answers that it does."),
        message("SYN", "Opens the link and proposes its parameters.", packet + link),
        message("SYN-ACK", "The answer to a SYN.", packet + link),
        message("ACK", "An acknowledgement with an anomaly.", packet + data),
        message(
            "EAK", "Asks for missing packets by their numbers.",
            packet + [FieldDescription("numbers", .array(of: .integer(0...255), count: nil))]),
        message("RST", "Resets the link.", packet + data),
        message("SLP", "The sender goes to sleep.", packet + data),
        message("packet", "A packet without flags.", packet + data),
        message("retransmission", "A data packet or SYN that has been sent before.", packet),
        message(
            "data", "Data of a link session that is not decoded, such as files.",
            packet + data + [FieldDescription("session_type", .integer(0...255))]),
        message(
            "malformed", "Bytes that are not a unit of iAP2.",
            [FieldDescription("error", .string(maxLength: nil), isMandatory: true)]),
    ]

    private static let controlMessages: [MessageDescription] =
        ControlMessageKind.all.map { kind in
            let parameters = kind.parameters.map {
                FieldDescription("params.\($0.name)", $0.fieldType)
            }
            return message(kind.name, kind.summary, control + parameters)
        } + [message("ControlMessage", "An unknown control message.", control)]

    private static let control = [
        FieldDescription("iap2.session_id", .integer(0...255), isMandatory: true),
        FieldDescription("iap2.message_id", .integer(0...0xFFFF), isMandatory: true),
        FieldDescription(
            "parameters",
            .array(
                of: .structure(
                    name: "iap2.parameter",
                    fields: [
                        FieldDescription("id", .integer(0...0xFFFF), isMandatory: true),
                        FieldDescription("data", .bytes, isMandatory: true),
                    ]), count: nil), isMandatory: true),
    ]

    private static let packet =
        ["syn", "ack", "eak", "reset", "sleep"].map {
            FieldDescription("iap2.flags.\($0)", .boolean, isMandatory: true)
        }
        + ["seq", "ack", "session_id"].map {
            FieldDescription("iap2.\($0)", .integer(0...255), isMandatory: true)
        } + [FieldDescription("iap2.len", .integer(0...0xFFFF), isMandatory: true)]

    private static let data = [FieldDescription("data", .bytes)]

    private static let link =
        [
            "version", "max_outstanding", "max_length", "retransmission_timeout", "ack_timeout",
            "max_retransmissions", "max_acks",
        ].map { FieldDescription("link.\($0)", .integer(0...0xFFFF)) } + [
            FieldDescription(
                "link.sessions",
                .array(
                    of: .structure(
                        name: "iap2.session",
                        fields: ["id", "type", "version"].map {
                            FieldDescription($0, .integer(0...255), isMandatory: true)
                        }), count: nil))
        ]

    private static func message(
        _ name: String, _ summary: String, _ fields: [FieldDescription] = []
    ) -> MessageDescription {
        MessageDescription(
            name: "iap2.\(name)", summary: summary, specification: citation, fields: fields)
    }
}
