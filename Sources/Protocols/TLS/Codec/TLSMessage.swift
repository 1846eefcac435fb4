import Wire

extension TLS {
    /// A message of a TLS connection: of the handshake, an alert, or data that is not decoded.
    public struct Message: DissectedMessage, Hashable {
        /// The full name, such as `tls.ClientHello`.
        public let name: String
        /// The fields, under `tls` with the names of Wireshark where it has them.
        public let fields: Value
        /// The bytes as they were sent, or as they were decrypted.
        public let bytes: [UInt8]
        /// The anomalies of the message.
        public let anomalies: [Anomaly]
        /// Why its content was not seen.
        public let concealment: String?

        /// Creates a message.
        ///
        /// - Parameters:
        ///   - kind: Its name after `tls.`.
        ///   - members: Its fields below `tls`.
        ///   - others: Its fields beside `tls`.
        ///   - bytes: Its bytes.
        ///   - anomalies: Its anomalies.
        ///   - concealment: Why its content was not seen.
        init(
            _ kind: String, _ members: [Value.Member] = [], beside others: [Value.Member] = [],
            bytes: [UInt8], anomalies: [Anomaly] = [], concealment: String? = nil
        ) {
            name = "\(TLS.name).\(kind)"
            let own = members.isEmpty ? [] : [Value.Member(TLS.name, .object(members))]
            fields = .object(own + others)
            self.bytes = bytes
            self.anomalies = anomalies
            self.concealment = concealment
        }

        /// Creates the message for bytes that break the protocol.
        static func malformed(_ bytes: some Collection<UInt8>, _ error: String) -> Message {
            Message(
                "malformed", beside: [Value.Member("error", .string(error))],
                bytes: Array(bytes.prefix(Limits.sample)))
        }

        /// Creates the message for bytes that were not decrypted.
        static func encrypted(_ bytes: [UInt8], type: UInt8?, _ reason: String) -> Message {
            Message(
                "encrypted",
                (type.map { [Value.Member("record", ["content_type": .integer(Int64($0))])] } ?? [])
                    + [Value.Member("length", .integer(Int64(bytes.count)))],
                beside: [Value.Member("reason", .string(reason))], bytes: bytes,
                concealment: reason)
        }

        /// Creates the message for an alert (RFC 8446 6).
        static func alert(_ bytes: [UInt8]) -> Message {
            guard bytes.count == 2, (1...2).contains(bytes[0]) else {
                return malformed(bytes, "an alert has a level of 1 or 2 and a description")
            }
            let members: [Value.Member] = [
                Value.Member("level", .string(bytes[0] == 2 ? "fatal" : "warning")),
                Value.Member("desc", .string(TLS.alertName(bytes[1]))),
                Value.Member("number", .integer(Int64(bytes[1]))),
            ]
            return Message(
                "Alert", [Value.Member("alert_message", .object(members))], bytes: bytes)
        }

        /// Creates the message for decrypted data that no protocol accepts.
        static func data(_ bytes: [UInt8]) -> Message {
            Message("data", beside: [Value.Member("data", .bytes(bytes))], bytes: bytes)
        }
    }

    /// The messages and fields that suites can name.
    static let description = ProtocolDescription(
        name: name, firstCode: 1_072, title: "TLS", isTransport: true,
        messages: [
            message(
                "ClientHello", "The first message of a client: what it offers.", "RFC 8446 4.1.2",
                helloFields + [
                    FieldDescription("tls.handshake.ciphersuites", words, isMandatory: true),
                    FieldDescription(
                        "tls.handshake.extensions_server_name", .string(maxLength: nil)),
                    FieldDescription("tls.handshake.supported_versions", words),
                    FieldDescription("tls.handshake.extensions_supported_groups", words),
                    FieldDescription("tls.handshake.psk_identities", .integer(0...0xFFFF)),
                    FieldDescription("tls.handshake.early_data", .boolean, isMandatory: true),
                ]),
            message(
                "ServerHello", "The choice of the server.", "RFC 8446 4.1.3", chosenFields),
            message(
                "HelloRetryRequest", "The server asks for another ClientHello.", "RFC 8446 4.1.4",
                chosenFields),
            message(
                "EncryptedExtensions", "The extensions of the server in TLS 1.3.", "RFC 8446 4.3.1",
                [
                    FieldDescription("tls.handshake.extensions_alpn", words),
                    FieldDescription("tls.handshake.early_data", .boolean, isMandatory: true),
                ]),
            message(
                "Certificate", "The certificates of a side, its own first.", "RFC 8446 4.4.2",
                [
                    FieldDescription(
                        "tls.certificates",
                        .array(
                            of: .structure(
                                name: "tls.certificate", fields: Certificate.descriptions),
                            count: nil), isMandatory: true)
                ]),
            message("CertificateRequest", "The server asks for a certificate.", "RFC 8446 4.3.2"),
            message("CertificateVerify", "Proves the key of the certificate.", "RFC 8446 4.4.3"),
            message("CertificateStatus", "A stapled OCSP response.", "RFC 6066 8"),
            message("CertificateURL", "Where certificates are.", "RFC 6066 5"),
            message("CompressedCertificate", "Compressed certificates.", "RFC 8879 4"),
            message("ServerKeyExchange", "The server's part of a key exchange.", "RFC 5246 7.4.3"),
            message("ServerHelloDone", "The end of the server's hello.", "RFC 5246 7.4.5"),
            message("ClientKeyExchange", "The client's part of a key exchange.", "RFC 5246 7.4.7"),
            message("HelloRequest", "The server asks for a new handshake.", "RFC 5246 7.4.1.1"),
            message("NewSessionTicket", "A ticket to resume the session.", "RFC 8446 4.6.1"),
            message("EndOfEarlyData", "The end of early data.", "RFC 8446 4.5"),
            message("Finished", "The end of a side's handshake.", "RFC 8446 4.4.4"),
            message("KeyUpdate", "The sender changes its keys.", "RFC 8446 4.6.3"),
            message("handshake", "A handshake message of another type.", "RFC 8446 4"),
            message(
                "ChangeCipherSpec", "The sender encrypts from now on (up to TLS 1.2).",
                "RFC 5246 7.1"),
            message(
                "handshakeFinished", "Both sides have finished the handshake.", "RFC 8446 2",
                [
                    FieldDescription("tls.version", .string(maxLength: nil), isMandatory: true),
                    FieldDescription("tls.ciphersuite", .string(maxLength: nil), isMandatory: true),
                    FieldDescription("tls.resumed", .boolean, isMandatory: true),
                    FieldDescription("tls.extensions_server_name", .string(maxLength: nil)),
                    FieldDescription("tls.extensions_alpn", .string(maxLength: nil)),
                ]),
            message(
                "Alert", "An error, or the end of what the sender sends.", "RFC 8446 6",
                [
                    FieldDescription(
                        "tls.alert_message.level",
                        .enumeration(name: "tls.alert.level", values: ["warning", "fatal"]),
                        isMandatory: true),
                    FieldDescription(
                        "tls.alert_message.desc", .string(maxLength: nil), isMandatory: true),
                    FieldDescription(
                        "tls.alert_message.number", .integer(0...255), isMandatory: true),
                ]),
            message("heartbeat", "A heartbeat.", "RFC 6520 4"),
            message(
                "data", "Decrypted data in which no protocol was recognised.", "RFC 8446 5.1",
                [FieldDescription("data", .bytes, isMandatory: true)]),
            message(
                "encrypted", "Bytes that were not decrypted: what they carry is not seen.",
                "RFC 8446 5.2",
                [
                    FieldDescription("tls.record.content_type", .integer(0...255)),
                    FieldDescription("tls.length", .integer(0...Int64.max), isMandatory: true),
                    FieldDescription("reason", .string(maxLength: nil), isMandatory: true),
                ]),
            message(
                "malformed", "Bytes that are not TLS.", "RFC 8446 5",
                [FieldDescription("error", .string(maxLength: nil), isMandatory: true)]),
        ], fields: [])

    private static let words = FieldType.array(of: .string(maxLength: nil), count: nil)

    private static let helloFields = [
        FieldDescription("tls.handshake.version", .string(maxLength: nil), isMandatory: true),
        FieldDescription("tls.handshake.random", .bytes, isMandatory: true),
        FieldDescription("tls.handshake.session_id", .bytes, isMandatory: true),
        FieldDescription(
            "tls.handshake.extension_types", .array(of: .integer(0...0xFFFF), count: nil)),
        FieldDescription("tls.handshake.extensions_alpn", words),
        FieldDescription("tls.handshake.session_ticket", .integer(0...0xFFFF)),
    ]

    private static let chosenFields =
        helloFields + [
            FieldDescription(
                "tls.handshake.ciphersuite", .string(maxLength: nil), isMandatory: true),
            FieldDescription(
                "tls.handshake.negotiated_version", .string(maxLength: nil), isMandatory: true),
            FieldDescription("tls.handshake.key_share_group", .string(maxLength: nil)),
            FieldDescription("tls.handshake.psk_identity", .integer(0...0xFFFF)),
        ]

    private static func message(
        _ kind: String, _ summary: @autoclosure @escaping @Sendable () -> String,
        _ specification: @autoclosure @escaping @Sendable () -> String,
        _ fields: @autoclosure @escaping @Sendable () -> [FieldDescription] = []
    ) -> MessageDescription {
        MessageDescription(
            name: "\(name).\(kind)", summary: summary(), specification: specification(),
            fields: fields())
    }
}
