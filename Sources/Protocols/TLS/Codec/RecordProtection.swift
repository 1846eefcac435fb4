import COpenSSL
import Wire

extension TLS {
    /// The keys of one direction, with which records are decrypted and authenticated.
    ///
    /// The cipher is a class because OpenSSL owns its state. It has no memory of earlier records:
    /// copies of a decoder may share it.
    struct RecordProtection: Sendable {
        /// A cipher of OpenSSL with its key.
        private final class Cipher: @unchecked Sendable {
            let state: OpaquePointer

            init?(_ suite: CipherSuite, key: [UInt8], ivLength: Int) {
                var tagLength = 0
                if case .authenticated(let length) = suite.mode { tagLength = length }
                guard
                    let state = conform_cipher_new(
                        suite.cipher, key, key.count, ivLength, tagLength)
                else { return nil }
                self.state = state
            }

            deinit { conform_cipher_free(state) }
        }

        /// The result for a record.
        enum Opened: Sendable, Hashable {
            case plain([UInt8])
            /// The tag or the padding is wrong.
            case refused
        }

        let suite: CipherSuite
        let version: UInt16
        /// The traffic secret of TLS 1.3; empty before it.
        let secret: [UInt8]
        private let cipher: Cipher
        /// The static part of nonces, or the first initialization vector.
        private var iv: [UInt8]
        private let macKey: [UInt8]
        private let isMACOutside: Bool
        /// The number of records that were decrypted.
        private(set) var sequence: UInt64 = 0

        /// Creates the keys of TLS 1.3 from a traffic secret (RFC 8446 7.3).
        init?(secret: [UInt8], suite: CipherSuite) {
            guard secret.count == suite.digestLength, case .authenticated = suite.mode,
                let key = KeyDerivation.expand(
                    secret, "key", suite.keyLength, digest: suite.digest),
                let iv = KeyDerivation.expand(secret, "iv", 12, digest: suite.digest),
                let cipher = Cipher(suite, key: key, ivLength: 12)
            else { return nil }
            self.suite = suite
            self.secret = secret
            self.cipher = cipher
            self.iv = iv
            version = Version.tls13
            macKey = []
            isMACOutside = false
        }

        /// Creates the keys of a direction up to TLS 1.2 from the master secret (RFC 5246 6.3).
        init?(
            master: [UInt8], _ parameters: Parameters, suite: CipherSuite, isOfClient: Bool
        ) {
            var (macLength, ivLength) = (0, suite.isChaCha ? 12 : 4)
            if case .blocks(_, let size) = suite.mode {
                (macLength, ivLength) = (
                    size, parameters.version > Version.tls10 ? 0 : suite.blockLength
                )
            } else if parameters.version < Version.tls12 {
                return nil
            }
            let length = 2 * (macLength + suite.keyLength + ivLength)
            guard
                let block = KeyDerivation.keyBlock(
                    master, parameters, length,
                    digest: parameters.version < Version.tls12 ? "MD5-SHA1" : suite.digest)
            else { return nil }
            let own = isOfClient ? 0 : 1
            func part(_ from: Int, _ count: Int) -> [UInt8] {
                Array(block[(from + own * count)..<(from + (own + 1) * count)])
            }
            macKey = part(0, macLength)
            let key = part(2 * macLength, suite.keyLength)
            iv = part(2 * (macLength + suite.keyLength), ivLength)
            let isChained = macLength > 0
            guard
                let cipher = Cipher(
                    suite, key: key, ivLength: isChained ? suite.blockLength : 12)
            else { return nil }
            self.cipher = cipher
            self.suite = suite
            version = parameters.version
            isMACOutside = isChained && parameters.isMACOutside
            secret = []
        }

        /// Returns the keys after a KeyUpdate (RFC 8446 7.2).
        var updated: RecordProtection? {
            KeyDerivation.expand(
                secret, "traffic upd", suite.digestLength, digest: suite.digest
            ).flatMap { RecordProtection(secret: $0, suite: suite) }
        }

        /// Decrypts a record and checks it.
        ///
        /// - Parameters:
        ///   - header: The five bytes of its header.
        ///   - payload: Its encrypted content.
        mutating func open(_ header: [UInt8], _ payload: ArraySlice<UInt8>) -> Opened {
            let opened: [UInt8]?
            switch suite.mode {
            case .authenticated(let tagLength):
                opened = openAuthenticated(header, payload, tagLength)
            case .blocks(let digest, let size):
                opened = openBlocks(header, payload, digest, size)
            }
            guard let opened else { return .refused }
            sequence += 1
            return .plain(opened)
        }

        private func openAuthenticated(
            _ header: [UInt8], _ payload: ArraySlice<UInt8>, _ tagLength: Int
        ) -> [UInt8]? {
            let isExplicit = version < Version.tls13 && !suite.isChaCha
            guard payload.count >= tagLength + (isExplicit ? 8 : 0) else { return nil }
            var number: [UInt8] = []
            number.append(bigEndian: sequence)
            var (nonce, sealed) = (iv, payload)
            if isExplicit {
                nonce += payload.prefix(8)
                sealed = payload.dropFirst(8)
            } else {
                for index in 0..<8 { nonce[4 + index] ^= number[index] }
            }
            let length = sealed.count - tagLength
            var additional = header
            if version < Version.tls13 {
                additional = number + header.prefix(3)
                additional.append(bigEndian: UInt16(truncatingIfNeeded: length))
            }
            // OpenSSL gets an address even if the content is empty.
            var plain = [UInt8](repeating: 0, count: max(length, 1))
            let isRight = sealed.withUnsafeBufferPointer { input in
                plain.withUnsafeMutableBufferPointer { output in
                    conform_cipher_open(
                        cipher.state, nonce, additional, additional.count, input.baseAddress,
                        length, output.baseAddress)
                }
            }
            guard isRight == 1 else { return nil }
            plain.removeLast(plain.count - length)
            return plain
        }

        /// Decrypts a record in CBC mode (RFC 5246 6.2.3.2, RFC 7366 for the MAC outside).
        private mutating func openBlocks(
            _ header: [UInt8], _ payload: ArraySlice<UInt8>, _ digest: String, _ macLength: Int
        ) -> [UInt8]? {
            var sealed = payload
            if isMACOutside {
                guard sealed.count >= macLength else { return nil }
                let mac = sealed.suffix(macLength)
                sealed = sealed.dropLast(macLength)
                guard isMAC(mac, of: sealed, header, digest) else { return nil }
            }
            let size = suite.blockLength
            guard sealed.count >= size, sealed.count.isMultiple(of: size) else { return nil }
            var vector = iv
            if version > Version.tls10 {
                vector = Array(sealed.prefix(size))
                sealed = sealed.dropFirst(size)
            } else {
                iv = Array(sealed.suffix(size))
            }
            var plain = [UInt8](repeating: 0, count: max(sealed.count, 1))
            let isDone = sealed.withUnsafeBufferPointer { input in
                plain.withUnsafeMutableBufferPointer { output in
                    conform_cipher_decrypt_blocks(
                        cipher.state, vector, input.baseAddress, sealed.count, output.baseAddress)
                }
            }
            guard isDone == 1, !sealed.isEmpty, let padding = plain.last.map(Int.init),
                padding + 1 + (isMACOutside ? 0 : macLength) <= plain.count,
                plain.suffix(padding + 1).allSatisfy({ Int($0) == padding })
            else { return nil }
            plain.removeLast(padding + 1)
            guard !isMACOutside else { return plain }
            let mac = plain.suffix(macLength)
            let content = plain.dropLast(macLength)
            return isMAC(mac, of: content, header, digest) ? Array(content) : nil
        }

        private func isMAC(
            _ mac: ArraySlice<UInt8>, of content: ArraySlice<UInt8>, _ header: [UInt8],
            _ digest: String
        ) -> Bool {
            var input: [UInt8] = []
            input.append(bigEndian: sequence)
            input += header.prefix(3)
            input.append(bigEndian: UInt16(truncatingIfNeeded: content.count))
            input += content
            guard let own = KeyDerivation.mac(input, key: macKey, digest: digest),
                own.count == mac.count
            else { return false }
            return mac.withUnsafeBufferPointer { other in
                other.baseAddress.map { conform_equal(own, $0, own.count) == 1 } ?? false
            }
        }
    }

    /// What both sides have agreed on, as far as keys up to TLS 1.2 depend on it.
    struct Parameters: Sendable, Hashable {
        var version: UInt16
        var clientRandom: [UInt8]
        var serverRandom: [UInt8]
        /// Whether the MAC is computed over the encrypted content (RFC 7366).
        var isMACOutside = false
    }

    /// The functions that derive keys, as OpenSSL computes them.
    enum KeyDerivation {
        /// Expands a secret with a label (RFC 8446 7.1, HKDF-Expand-Label with an empty context).
        static func expand(
            _ secret: [UInt8], _ label: String, _ length: Int, digest: String
        ) -> [UInt8]? {
            let label = Array("tls13 \(label)".utf8)
            var info: [UInt8] = []
            info.append(bigEndian: UInt16(truncatingIfNeeded: length))
            info.append(UInt8(truncatingIfNeeded: label.count))
            info += label + [0]
            var output = [UInt8](repeating: 0, count: length)
            return conform_hkdf_expand(
                digest, secret, secret.count, info, info.count, &output, length) == 1
                ? output : nil
        }

        /// Returns the key block of a connection up to TLS 1.2 (RFC 5246 6.3).
        static func keyBlock(
            _ master: [UInt8], _ parameters: Parameters, _ length: Int, digest: String
        ) -> [UInt8]? {
            let seed =
                Array("key expansion".utf8) + parameters.serverRandom + parameters.clientRandom
            var output = [UInt8](repeating: 0, count: length)
            return conform_tls_prf(
                digest, master, master.count, seed, seed.count, &output, length) == 1
                ? output : nil
        }

        /// Returns the HMAC of a text; `nil` if OpenSSL does not have the digest.
        static func mac(_ input: [UInt8], key: [UInt8], digest: String) -> [UInt8]? {
            var output = [UInt8](repeating: 0, count: 64)
            let count = conform_hmac(digest, key, key.count, input, input.count, &output)
            return count > 0 ? Array(output.prefix(count)) : nil
        }
    }
}
