import Wire

extension PeerDeclaration {
    /// Whether its connections are protected by TLS.
    public var usesTLS: Bool { settings[FieldDescription.tls.path] != nil }
}

extension FieldDescription {
    /// The setting of peers on TCP that speak TLS.
    public static let tls = FieldDescription(
        "tls",
        .structure(
            name: "tls",
            fields: own + [
                FieldDescription("later", .structure(name: "tls.later", fields: own))
            ]))

    /// What TLS has on all connections, or on those from the second on.
    private static let own = [
        FieldDescription(
            "certificate",
            .structure(
                name: "tls.own_certificate",
                fields: [
                    FieldDescription("names", .array(of: .string(maxLength: nil), count: nil)),
                    word("issuer", ["trusted", "untrusted", "self"]),
                    word("validity", ["current", "expired", "future"]),
                    word("intermediate", ["sent", "missing"]),
                ])),
        FieldDescription(
            "versions",
            .array(
                of: .enumeration(name: "tls.versions", values: ["1.0", "1.1", "1.2", "1.3"]),
                count: nil)),
        FieldDescription("alpn", .array(of: .string(maxLength: nil), count: nil)),
        FieldDescription("server_name", .string(maxLength: nil)),
        FieldDescription("alert", .string(maxLength: nil)),
        FieldDescription("stall", .boolean), FieldDescription("close_notify", .boolean),
    ]

    private static func word(_ name: String, _ values: [String]) -> FieldDescription {
        FieldDescription(name, .enumeration(name: "tls.\(name)", values: values))
    }
}
