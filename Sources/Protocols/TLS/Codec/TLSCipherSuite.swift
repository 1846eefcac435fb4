extension TLS {
    /// A cipher suite that the decoder knows, by the parts of its registered name.
    struct CipherSuite: Sendable, Hashable {
        /// The protection of a record.
        enum Mode: Sendable, Hashable {
            /// Authenticated encryption with a tag of this length.
            case authenticated(tagLength: Int)
            /// Cipher block chaining with a MAC of this digest.
            case blocks(digest: String, size: Int)
        }

        /// The name of the cipher in OpenSSL.
        let cipher: String
        let keyLength: Int
        let mode: Mode
        /// The digest of the key derivation from TLS 1.2 on.
        let digest: String
        let isChaCha: Bool

        /// The length of that digest, which is also that of a traffic secret.
        var digestLength: Int { digest == "SHA384" ? 48 : 32 }

        /// Creates the suite with a number; `nil` if the decoder cannot decrypt it.
        init?(_ number: UInt16) {
            guard let name = Self.names[number] else { return nil }
            let parts = (name.split(separator: "_WITH_").last ?? "").dropPrefix("TLS_")
            digest = parts.hasSuffix("SHA384") ? "SHA384" : "SHA256"
            isChaCha = parts.hasPrefix("CHACHA20")
            let bits = parts.hasPrefix("AES_256") ? 256 : 128
            if isChaCha {
                (cipher, keyLength, mode) = (
                    "ChaCha20-Poly1305", 32, .authenticated(tagLength: 16)
                )
            } else if parts.hasPrefix("AES"), parts.contains("GCM") {
                (cipher, keyLength) = ("AES-\(bits)-GCM", bits / 8)
                mode = .authenticated(tagLength: 16)
            } else if parts.hasPrefix("AES"), parts.contains("CCM") {
                (cipher, keyLength) = ("AES-\(bits)-CCM", bits / 8)
                mode = .authenticated(tagLength: parts.contains("CCM_8") ? 8 : 16)
            } else if parts.contains("CBC"), let mac = parts.split(separator: "_").last {
                let isTriple = parts.hasPrefix("3DES")
                cipher = isTriple ? "DES-EDE3-CBC" : "AES-\(bits)-CBC"
                keyLength = isTriple ? 24 : bits / 8
                let isSHA1 = mac == "SHA"
                mode = .blocks(
                    digest: isSHA1 ? "SHA1" : String(mac),
                    size: isSHA1 ? 20 : mac == "SHA384" ? 48 : 32)
            } else {
                return nil
            }
        }

        /// The length of a block in CBC mode.
        var blockLength: Int { keyLength == 24 ? 8 : 16 }

        /// Returns the registered name of a suite, or its number.
        static func name(_ number: UInt16) -> String { names[number] ?? number.hexadecimal }

        /// The registered names (IANA, TLS Cipher Suites).
        private static let names: [UInt16: String] = [
            0x000A: "TLS_RSA_WITH_3DES_EDE_CBC_SHA",
            0x0016: "TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA",
            0x002F: "TLS_RSA_WITH_AES_128_CBC_SHA",
            0x0033: "TLS_DHE_RSA_WITH_AES_128_CBC_SHA",
            0x0035: "TLS_RSA_WITH_AES_256_CBC_SHA",
            0x0039: "TLS_DHE_RSA_WITH_AES_256_CBC_SHA",
            0x003C: "TLS_RSA_WITH_AES_128_CBC_SHA256",
            0x003D: "TLS_RSA_WITH_AES_256_CBC_SHA256",
            0x0067: "TLS_DHE_RSA_WITH_AES_128_CBC_SHA256",
            0x006B: "TLS_DHE_RSA_WITH_AES_256_CBC_SHA256",
            0x008C: "TLS_PSK_WITH_AES_128_CBC_SHA",
            0x008D: "TLS_PSK_WITH_AES_256_CBC_SHA",
            0x009C: "TLS_RSA_WITH_AES_128_GCM_SHA256",
            0x009D: "TLS_RSA_WITH_AES_256_GCM_SHA384",
            0x009E: "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256",
            0x009F: "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384",
            0x00A8: "TLS_PSK_WITH_AES_128_GCM_SHA256",
            0x00A9: "TLS_PSK_WITH_AES_256_GCM_SHA384",
            0x00AE: "TLS_PSK_WITH_AES_128_CBC_SHA256",
            0x00AF: "TLS_PSK_WITH_AES_256_CBC_SHA384",
            0x00FF: "TLS_EMPTY_RENEGOTIATION_INFO_SCSV",
            0x1301: "TLS_AES_128_GCM_SHA256",
            0x1302: "TLS_AES_256_GCM_SHA384",
            0x1303: "TLS_CHACHA20_POLY1305_SHA256",
            0x1304: "TLS_AES_128_CCM_SHA256",
            0x1305: "TLS_AES_128_CCM_8_SHA256",
            0x5600: "TLS_FALLBACK_SCSV",
            0xC008: "TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA",
            0xC009: "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
            0xC00A: "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
            0xC012: "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA",
            0xC013: "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
            0xC014: "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
            0xC023: "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
            0xC024: "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384",
            0xC027: "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
            0xC028: "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384",
            0xC02B: "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            0xC02C: "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            0xC02F: "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            0xC030: "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            0xC035: "TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA",
            0xC036: "TLS_ECDHE_PSK_WITH_AES_256_CBC_SHA",
            0xC037: "TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA256",
            0xC038: "TLS_ECDHE_PSK_WITH_AES_256_CBC_SHA384",
            0xC09C: "TLS_RSA_WITH_AES_128_CCM",
            0xC09D: "TLS_RSA_WITH_AES_256_CCM",
            0xC09E: "TLS_DHE_RSA_WITH_AES_128_CCM",
            0xC09F: "TLS_DHE_RSA_WITH_AES_256_CCM",
            0xC0A0: "TLS_RSA_WITH_AES_128_CCM_8",
            0xC0A1: "TLS_RSA_WITH_AES_256_CCM_8",
            0xC0A2: "TLS_DHE_RSA_WITH_AES_128_CCM_8",
            0xC0A3: "TLS_DHE_RSA_WITH_AES_256_CCM_8",
            0xC0A4: "TLS_PSK_WITH_AES_128_CCM",
            0xC0A5: "TLS_PSK_WITH_AES_256_CCM",
            0xC0A8: "TLS_PSK_WITH_AES_128_CCM_8",
            0xC0A9: "TLS_PSK_WITH_AES_256_CCM_8",
            0xC0AC: "TLS_ECDHE_ECDSA_WITH_AES_128_CCM",
            0xC0AD: "TLS_ECDHE_ECDSA_WITH_AES_256_CCM",
            0xC0AE: "TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8",
            0xC0AF: "TLS_ECDHE_ECDSA_WITH_AES_256_CCM_8",
            0xCCA8: "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
            0xCCA9: "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            0xCCAA: "TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
            0xCCAB: "TLS_PSK_WITH_CHACHA20_POLY1305_SHA256",
            0xCCAC: "TLS_ECDHE_PSK_WITH_CHACHA20_POLY1305_SHA256",
        ]
    }
}

extension Substring {
    /// Returns the text without a prefix, if it begins with it.
    fileprivate func dropPrefix(_ prefix: String) -> Substring {
        hasPrefix(prefix) ? dropFirst(prefix.count) : self
    }
}
