import Wire

extension PeerDeclaration {
    /// Whether its connections are protected by TLS.
    public var usesTLS: Bool { settings[FieldDescription.tls.path] != nil }

    /// Whether its connections begin without TLS and go over to it.
    public var beginsPlain: Bool {
        settings[FieldDescription.tls.path]?["starttls"] == .bool(true)
    }
}

extension FieldDescription {
    /// The setting of peers on TCP that speak TLS.
    public static let tls = FieldDescription(
        "tls",
        .structure(
            name: "tls",
            fields: own + [
                FieldDescription("starttls", .boolean),
                FieldDescription("later", .structure(name: "tls.later", fields: own)),
            ]))

    /// What TLS has on all connections, or on those from the second on.
    private static let own = [
        FieldDescription(
            "certificate",
            .structure(
                name: "tls.own_certificate",
                fields: [
                    FieldDescription("names", .array(of: .string(maxLength: nil), count: nil)),
                    FieldDescription("common_name", .string(maxLength: 64)),
                    word("issuer", ["trusted", "untrusted", "self"]),
                    word("validity", ["current", "expired", "future"]),
                    word("intermediate", ["none", "sent", "missing", "unauthorised"]),
                    word("usage", ["server", "client", "both"]),
                    word("key", ["ec", "rsa"]),
                ])),
        FieldDescription(
            "versions",
            .array(
                of: .enumeration(name: "tls.versions", values: ["1.0", "1.1", "1.2", "1.3"]),
                count: nil)),
        FieldDescription("suites", .array(of: .string(maxLength: nil), count: nil)),
        word("client_certificate", ["request", "require"]),
        FieldDescription("resume", .boolean),
        FieldDescription("alpn", .array(of: .string(maxLength: nil), count: nil)),
        FieldDescription("server_name", .string(maxLength: nil)),
        FieldDescription("alert", .string(maxLength: nil)),
        FieldDescription("stall", .boolean), FieldDescription("close_notify", .boolean),
    ]

    private static func word(_ name: String, _ values: [String]) -> FieldDescription {
        FieldDescription(name, .enumeration(name: "tls.\(name)", values: values))
    }
}
