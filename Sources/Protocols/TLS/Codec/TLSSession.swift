import Wire

extension TLS {
    /// What both sides of a connection have agreed on, as far as their hellos show it.
    struct Session: Sendable {
        /// The side that sent the ClientHello.
        private(set) var client: ConnectionSide?
        private var clientHello: Hello?
        private var serverHello: Hello?
        private var applicationProtocol: String?
        private var hasCertificate = false
        /// Whether the client has sent ClientKeyExchange: the session is not resumed.
        var hasKeyExchange = false

        /// Whether the server has asked for another ClientHello.
        var isRetried = false

        /// Whether a side encrypts after a ChangeCipherSpec.
        ///
        /// In TLS 1.3 the message has no meaning. It comes before the ServerHello only if the server
        /// has asked for another ClientHello; otherwise the ServerHello was not captured.
        var endsPlainText: Bool { serverHello == nil ? !isRetried : !isVersion13 }

        /// Whether TLS 1.3, or a later version, was chosen.
        var isVersion13: Bool { serverHello.map { $0.version >= Version.tls13 } ?? false }

        mutating func takeClientHello(_ hello: Hello, from side: ConnectionSide) {
            client = side
            clientHello = hello
        }

        mutating func takeServerHello(_ hello: Hello, from side: ConnectionSide) {
            client = client ?? side.other
            serverHello = hello
            hasCertificate = false
            hasKeyExchange = false
            applicationProtocol = hello.extensions.applicationProtocols.first
        }

        /// Records a certificate of the server: the session is not resumed.
        mutating func noteCertificate(_ side: ConnectionSide) {
            if side != client { hasCertificate = true }
        }

        /// Takes EncryptedExtensions, and returns them for suites.
        mutating func takeExtensions(
            _ body: RawSpan, _ bytes: [UInt8]
        ) throws(DecodeError) -> Message {
            var reader = ByteReader(body, unit: "tls.handshake")
            let list = try reader.span(
                Int(try reader.uint16("extensions_length")), "extensions")
            let extensions = try Extensions(list, isOfClient: false)
            applicationProtocol = extensions.applicationProtocols.first
            var members = extensions.members(isOfClient: false)
            members.append(Value.Member("early_data", .bool(extensions.hasEarlyData)))
            return Message(
                "EncryptedExtensions", [Value.Member("handshake", .object(members))], bytes: bytes)
        }

        /// The message for the end of the handshake.
        var finished: Message {
            let version = serverHello?.version ?? 0
            let isResumed =
                isVersion13
                ? serverHello?.extensions.preSharedKey != nil
                : !hasCertificate && !hasKeyExchange
            var members = [
                Value.Member("version", .string(Version.name(version))),
                Value.Member(
                    "ciphersuite", .string(CipherSuite.name(serverHello?.suites.first ?? 0))),
                Value.Member("resumed", .bool(isResumed)),
            ]
            if let name = clientHello?.extensions.serverName {
                members.append(Value.Member("extensions_server_name", .string(name)))
            }
            if let applicationProtocol {
                members.append(Value.Member("extensions_alpn", .string(applicationProtocol)))
            }
            return Message("handshakeFinished", members, bytes: [])
        }

        // MARK: - Keys

        /// Returns the possible keys of an epoch of a side, or why there are none.
        ///
        /// There are several only for early data, whose cipher suite is that of an earlier
        /// connection.
        func protections(
            _ epoch: Side.Epoch, of side: ConnectionSide, _ secrets: DecryptionSecrets
        ) -> (protections: [RecordProtection], reason: String) {
            guard let clientHello else { return ([], Reason.hello) }
            let isOfClient = side == client
            guard epoch != .early else {
                guard let secret = secrets.secret(Self.early, of: clientHello.random)
                else { return ([], Reason.noKey) }
                return (
                    clientHello.suites.filter { $0 >> 8 == 0x13 }.prefix(8)
                        .compactMap(CipherSuite.init).compactMap {
                            RecordProtection(secret: secret, suite: $0)
                        }, Reason.wrongKey
                )
            }
            guard let serverHello else { return ([], Reason.hello) }
            guard let suite = serverHello.suites.first.flatMap(CipherSuite.init) else {
                return ([], Reason.suite)
            }
            let label = Self.label(epoch, isOfClient: isOfClient)
            guard let secret = secrets.secret(label, of: clientHello.random) else {
                return ([], Reason.noKey)
            }
            let protection: RecordProtection?
            if epoch == .changed {
                protection = RecordProtection(
                    master: secret,
                    Parameters(
                        version: serverHello.version, clientRandom: clientHello.random,
                        serverRandom: serverHello.random,
                        isMACOutside: serverHello.extensions.isMACOutside),
                    suite: suite, isOfClient: isOfClient)
            } else {
                protection = RecordProtection(secret: secret, suite: suite)
            }
            return (protection.map { [$0] } ?? [], Reason.wrongKey)
        }

        private static let early = "CLIENT_EARLY_TRAFFIC_SECRET"

        /// The labels of key logs (draft-ietf-tls-keylogfile 2).
        private static func label(_ epoch: Side.Epoch, isOfClient: Bool) -> String {
            switch epoch {
            case .handshake:
                isOfClient ? "CLIENT_HANDSHAKE_TRAFFIC_SECRET" : "SERVER_HANDSHAKE_TRAFFIC_SECRET"
            case .application:
                isOfClient ? "CLIENT_TRAFFIC_SECRET_0" : "SERVER_TRAFFIC_SECRET_0"
            case .plain, .early, .changed: "CLIENT_RANDOM"
            }
        }
    }

    /// Returns the message for a list of certificates (RFC 8446 4.4.2, RFC 5246 7.4.2).
    static func certificates(
        _ body: RawSpan, isNew: Bool, _ bytes: [UInt8]
    ) throws(DecodeError) -> Message {
        var reader = ByteReader(body, unit: "tls.handshake")
        if isNew { try reader.skip(Int(try reader.uint8("request_context_length"))) }
        var list = ByteReader(try reader.long(), unit: "tls.handshake")
        var values: [Value] = []
        while list.remaining > 0, values.count < Limits.certificates {
            let der = [UInt8](copying: try list.long())
            if isNew { try list.skip(Int(try list.uint16("extensions_length"))) }
            values.append(
                Certificate(der[...])?.value ?? ["error": .string("it is not a certificate")])
        }
        return Message(
            "Certificate", [Value.Member("certificates", .array(values))], bytes: bytes)
    }
}

extension ByteReader {
    /// Consumes bytes that a length of three bytes precedes.
    @_lifetime(copy self)
    @_lifetime(self: copy self)
    fileprivate mutating func long() throws(DecodeError) -> RawSpan {
        let high = Int(try uint8("certificate_length"))
        return try span(high << 16 | Int(try uint16("certificate_length")), "certificate")
    }
}
