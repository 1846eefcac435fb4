extension TLS {
    /// The protocol versions, as RFC 8446 4.2.1 numbers them.
    enum Version {
        static let tls10: UInt16 = 0x0301
        static let tls11: UInt16 = 0x0302
        static let tls12: UInt16 = 0x0303
        static let tls13: UInt16 = 0x0304

        /// Returns the name of a version, such as `TLS 1.3`.
        static func name(_ number: UInt16) -> String {
            switch number {
            case 0x0300: "SSL 3.0"
            case tls10...tls13: "TLS 1.\(number - tls10)"
            default: number.hexadecimal
            }
        }
    }

    /// The content types of records (RFC 8446 B.1).
    enum ContentType {
        static let changeCipherSpec: UInt8 = 20
        static let alert: UInt8 = 21
        static let handshake: UInt8 = 22
        static let applicationData: UInt8 = 23
        static let heartbeat: UInt8 = 24
        static let all: ClosedRange<UInt8> = 20...24
    }

    /// The types of handshake messages (RFC 8446 B.3) that the decoder reads or names.
    enum HandshakeType: UInt8, CaseIterable {
        case helloRequest = 0
        case clientHello = 1
        case serverHello = 2
        case newSessionTicket = 4
        case endOfEarlyData = 5
        case encryptedExtensions = 8
        case certificate = 11
        case serverKeyExchange = 12
        case certificateRequest = 13
        case serverHelloDone = 14
        case certificateVerify = 15
        case clientKeyExchange = 16
        case finished = 20
        case certificateURL = 21
        case certificateStatus = 22
        case keyUpdate = 24
        case compressedCertificate = 25

        /// The name of its messages, after `tls.`.
        var messageName: String {
            let text = "\(self)"
            return text.prefix(1).uppercased() + text.dropFirst()
        }
    }

    /// The numbers of extensions (RFC 8446 4.2, 6066, 7301, 7366, 7627, 5077).
    enum Extension {
        static let serverName: UInt16 = 0
        static let groups: UInt16 = 10
        static let applicationProtocols: UInt16 = 16
        static let encryptThenMAC: UInt16 = 22
        static let extendedMasterSecret: UInt16 = 23
        static let sessionTicket: UInt16 = 35
        static let preSharedKey: UInt16 = 41
        static let earlyData: UInt16 = 42
        static let supportedVersions: UInt16 = 43
        static let keyShare: UInt16 = 51
    }

    /// Returns the name of a group of a key exchange (RFC 8446 4.2.7).
    static func groupName(_ number: UInt16) -> String {
        groupNames[number] ?? number.hexadecimal
    }

    private static let groupNames: [UInt16: String] = [
        23: "secp256r1", 24: "secp384r1", 25: "secp521r1", 29: "x25519", 30: "x448",
        256: "ffdhe2048", 257: "ffdhe3072", 258: "ffdhe4096", 259: "ffdhe6144", 260: "ffdhe8192",
        0x11EC: "X25519MLKEM768", 0x11EB: "SecP256r1MLKEM768",
    ]

    /// Returns the name of the description of an alert (RFC 8446 6).
    static func alertName(_ number: UInt8) -> String { alertNames[number] ?? "\(number)" }

    /// Returns the number of the alert of that name; `nil` if no alert has it.
    package static func alertNumber(_ name: String) -> UInt8? {
        alertNames.first { $0.value == name }?.key
    }

    /// The names of alerts by their numbers.
    static let alertNames: [UInt8: String] = [
        0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 21: "decryption_failed",
        22: "record_overflow", 30: "decompression_failure", 40: "handshake_failure",
        41: "no_certificate", 42: "bad_certificate", 43: "unsupported_certificate",
        44: "certificate_revoked", 45: "certificate_expired", 46: "certificate_unknown",
        47: "illegal_parameter", 48: "unknown_ca", 49: "access_denied", 50: "decode_error",
        51: "decrypt_error", 60: "export_restriction", 70: "protocol_version",
        71: "insufficient_security", 80: "internal_error", 86: "inappropriate_fallback",
        90: "user_canceled", 100: "no_renegotiation", 109: "missing_extension",
        110: "unsupported_extension", 111: "certificate_unobtainable", 112: "unrecognized_name",
        113: "bad_certificate_status_response", 114: "bad_certificate_hash_value",
        115: "unknown_psk_identity", 116: "certificate_required", 120: "no_application_protocol",
    ]
}

extension UInt16 {
    /// The number with four hexadecimal digits, as the registries of TLS write it.
    var hexadecimal: String {
        let digits = String(self, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
