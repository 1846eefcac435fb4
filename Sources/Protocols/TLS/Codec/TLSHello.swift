import Wire

extension TLS {
    /// A ClientHello or a ServerHello, as far as the connection and suites need it.
    struct Hello: Sendable, Hashable {
        let isOfClient: Bool
        /// The version of the message itself; TLS 1.3 has its own in an extension.
        let legacyVersion: UInt16
        let random: [UInt8]
        let session: [UInt8]
        /// The offered suites, or the chosen one.
        let suites: [UInt16]
        private(set) var extensions = Extensions()

        /// The random of a ServerHello that asks for another ClientHello (RFC 8446 4.1.3).
        private static let retryRandom: [UInt8] = [
            0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65,
            0xB8, 0x91, 0xC2, 0xA2, 0x11, 0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2,
            0xC8, 0xA8, 0x33, 0x9C,
        ]

        /// Parses the body of a handshake message (RFC 8446 4.1.2 and 4.1.3).
        init(_ body: RawSpan, isOfClient: Bool) throws(DecodeError) {
            self.isOfClient = isOfClient
            var reader = ByteReader(body, unit: "tls.handshake")
            legacyVersion = try reader.uint16("version")
            random = try reader.array(32, "random")
            session = try reader.array(Int(try reader.uint8("session_id_length")), "session_id")
            guard session.count <= 32 else {
                throw DecodeError(
                    .badLength, in: "tls.handshake.session_id", at: 34, "more than 32 bytes")
            }
            if isOfClient {
                let list = try reader.span(
                    Int(try reader.uint16("cipher_suites_length")), "ciphersuites")
                guard list.byteCount >= 2, list.byteCount.isMultiple(of: 2) else {
                    throw DecodeError(
                        .badLength, in: "tls.handshake.ciphersuites", at: 35 + session.count,
                        "\(list.byteCount) bytes")
                }
                suites = try Self.numbers(list)
                try reader.skip(Int(try reader.uint8("comp_methods_length")), "comp_methods")
            } else {
                suites = [try reader.uint16("ciphersuite")]
                try reader.skip(1, "comp_method")
            }
            guard reader.remaining > 0 else { return }
            let length = Int(try reader.uint16("extensions_length"))
            extensions = try Extensions(
                try reader.span(length, "extensions"), isOfClient: isOfClient)
            guard reader.remaining == 0 else {
                throw DecodeError(
                    .badLength, in: "tls.handshake.extensions", at: reader.offset,
                    "\(reader.remaining) byte(s) follow")
            }
        }

        /// Whether it asks for another ClientHello.
        var isRetry: Bool { !isOfClient && random == Self.retryRandom }

        /// The version that a server chose.
        var version: UInt16 { extensions.versions.first ?? legacyVersion }

        /// Returns 16-bit numbers, one after the other.
        static func numbers(_ list: RawSpan) throws(DecodeError) -> [UInt16] {
            var reader = ByteReader(list, unit: "tls.handshake")
            var numbers: [UInt16] = []
            while reader.remaining >= 2, numbers.count < Limits.entries {
                numbers.append(try reader.uint16())
            }
            return numbers
        }

        /// The message for suites.
        func message(_ bytes: [UInt8]) -> Message {
            var members = [
                Value.Member("version", .string(Version.name(legacyVersion))),
                Value.Member("random", .bytes(random)), Value.Member("session_id", .bytes(session)),
            ]
            if isOfClient {
                members.append(
                    Value.Member("ciphersuites", Extensions.words(suites, CipherSuite.name)))
            } else {
                members.append(
                    Value.Member("ciphersuite", .string(CipherSuite.name(suites.first ?? 0))))
                members.append(
                    Value.Member("negotiated_version", .string(Version.name(version))))
            }
            members += extensions.members(isOfClient: isOfClient)
            let kind = isOfClient ? "ClientHello" : isRetry ? "HelloRetryRequest" : "ServerHello"
            return Message(kind, [Value.Member("handshake", .object(members))], bytes: bytes)
        }
    }

    /// The extensions of a hello, or of EncryptedExtensions.
    struct Extensions: Sendable, Hashable {
        var types: [UInt16] = []
        var serverName: String?
        var applicationProtocols: [String] = []
        /// The offered versions, or the chosen one.
        var versions: [UInt16] = []
        var groups: [UInt16] = []
        var shareGroup: UInt16?
        var ticketLength: Int?
        /// The number of offered identities, or the chosen one.
        var preSharedKey: Int?
        var hasEarlyData = false
        var isMACOutside = false

        init() {}

        /// Parses a list of extensions (RFC 8446 4.2).
        init(_ list: RawSpan, isOfClient: Bool) throws(DecodeError) {
            var reader = ByteReader(list, unit: "tls.handshake.extension")
            while reader.remaining > 0, types.count < Limits.entries {
                let type = try reader.uint16("type")
                let content = try reader.span(Int(try reader.uint16("len")), "data")
                types.append(type)
                try take(type, content, isOfClient: isOfClient)
            }
        }

        private mutating func take(
            _ type: UInt16, _ content: RawSpan, isOfClient: Bool
        ) throws(DecodeError) {
            var reader = ByteReader(content, unit: "tls.handshake.extension")
            switch type {
            case Extension.serverName where isOfClient && reader.remaining > 0:
                try reader.skip(2, "server_name_list_len")
                guard try reader.uint8("server_name_type") == 0 else { return }
                let name = try reader.array(Int(try reader.uint16("server_name_len")))
                serverName = String(decoding: name, as: UTF8.self)
            case Extension.applicationProtocols:
                try reader.skip(2, "alpn_len")
                while reader.remaining > 0, applicationProtocols.count < Limits.entries {
                    let name = try reader.array(Int(try reader.uint8("alpn_str_len")), "alpn_str")
                    applicationProtocols.append(String(decoding: name, as: UTF8.self))
                }
            case Extension.supportedVersions:
                if isOfClient { try reader.skip(1, "supported_versions_len") }
                versions = try Hello.numbers(reader.rest)
            case Extension.groups where isOfClient:
                try reader.skip(2, "supported_groups_length")
                groups = try Hello.numbers(reader.rest)
            case Extension.keyShare where !isOfClient:
                shareGroup = try reader.uint16("key_share_group")
            case Extension.sessionTicket:
                ticketLength = content.byteCount
            case Extension.preSharedKey:
                preSharedKey =
                    isOfClient
                    ? try Self.identityCount(content)
                    : Int(try reader.uint16("psk_identity"))
            case Extension.earlyData: hasEarlyData = true
            case Extension.encryptThenMAC: isMACOutside = true
            default: break
            }
        }

        private static func identityCount(_ content: RawSpan) throws(DecodeError) -> Int {
            var reader = ByteReader(content, unit: "tls.handshake.extension")
            let length = Int(try reader.uint16("psk_identities_length"))
            var list = ByteReader(try reader.span(length), unit: "tls.handshake.extension")
            var count = 0
            while list.remaining > 0, count < Limits.entries {
                let length = Int(try list.uint16("psk_identity_length"))
                try list.skip(length)
                try list.skip(4, "obfuscated_ticket_age")
                count += 1
            }
            return count
        }

        /// Returns the names of numbers.
        fileprivate static func words(
            _ numbers: [UInt16], _ name: (UInt16) -> String
        ) -> Value { .array(numbers.map { .string(name($0)) }) }

        /// The fields of those that are there.
        func members(isOfClient: Bool) -> [Value.Member] {
            var members = [
                Value.Member("extension_types", .array(types.map { .integer(Int64($0)) }))
            ]
            if let serverName {
                members.append(Value.Member("extensions_server_name", .string(serverName)))
            }
            if !applicationProtocols.isEmpty {
                members.append(
                    Value.Member(
                        "extensions_alpn", .array(applicationProtocols.map(Value.string))))
            }
            if isOfClient, !versions.isEmpty {
                members.append(
                    Value.Member("supported_versions", Self.words(versions, Version.name)))
            }
            if !groups.isEmpty {
                members.append(
                    Value.Member("extensions_supported_groups", Self.words(groups, TLS.groupName)))
            }
            if let shareGroup {
                members.append(
                    Value.Member("key_share_group", .string(TLS.groupName(shareGroup))))
            }
            if let ticketLength {
                members.append(Value.Member("session_ticket", .integer(Int64(ticketLength))))
            }
            if let preSharedKey {
                members.append(
                    Value.Member(
                        isOfClient ? "psk_identities" : "psk_identity",
                        .integer(Int64(preSharedKey))))
            }
            if isOfClient { members.append(Value.Member("early_data", .bool(hasEarlyData))) }
            return members
        }
    }
}
