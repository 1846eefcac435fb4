import COpenSSL
import Glibc
import Wire

extension TLS {
    /// An X.509 certificate as OpenSSL reads it (RFC 5280).
    struct Certificate: Sendable, Hashable {
        let subject: String
        let issuer: String
        let serial: String
        /// The validity, as `2026-11-27T20:00:00Z`.
        let (notBefore, notAfter): (String, String)
        /// The alternative names of the subject, as `DNS:example.com` or `IP:192.0.2.1`.
        let names: [String]

        /// Reads a certificate; `nil` if the bytes are not one.
        init?(_ der: ArraySlice<UInt8>) {
            var length = 0
            guard
                let texts = der.withUnsafeBufferPointer({ bytes in
                    bytes.baseAddress.flatMap {
                        conform_certificate_texts($0, bytes.count, &length)
                    }
                })
            else { return nil }
            defer { free(texts) }
            let bytes = UnsafeRawBufferPointer(start: texts, count: length)
            let parts = bytes.split(separator: 0, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            guard parts.count > 5 else { return nil }
            (subject, issuer, serial) = (parts[0], parts[1], parts[2])
            (notBefore, notAfter) = (parts[3], parts[4])
            names = Array(parts.dropFirst(5).dropLast())
        }

        /// The fields, as suites name them.
        var value: Value {
            [
                "subject": .string(subject), "issuer": .string(issuer),
                "serial": .string(serial), "not_before": .string(notBefore),
                "not_after": .string(notAfter), "names": .array(names.map(Value.string)),
            ]
        }

        /// The descriptions of the fields.
        static let descriptions = [
            FieldDescription("subject", .string(maxLength: nil)),
            FieldDescription("issuer", .string(maxLength: nil)),
            FieldDescription("serial", .string(maxLength: nil)),
            FieldDescription("not_before", .string(maxLength: nil)),
            FieldDescription("not_after", .string(maxLength: nil)),
            FieldDescription("names", .array(of: .string(maxLength: nil), count: nil)),
            FieldDescription("error", .string(maxLength: nil)),
        ]
    }
}
