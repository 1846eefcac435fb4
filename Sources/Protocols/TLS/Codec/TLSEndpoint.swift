import COpenSSL
import Glibc

extension TLS {
    /// One end of a connection, which OpenSSL plays; it exchanges bytes with its user only.
    package final class Endpoint {
        private let state: OpaquePointer
        private let settings: Settings
        private var scratch = [UInt8](repeating: 0, count: 32 << 10)
        /// Plain bytes that wait for the end of the handshake.
        private var waiting: [UInt8] = []
        /// Whether the handshake has finished.
        package private(set) var isFinished = false
        /// Whether it has failed, or the other end has closed the connection.
        package private(set) var isOver = false
        /// Whether plain bytes wait for the end of the handshake.
        package var isWaiting: Bool { !waiting.isEmpty }

        /// Creates an end.
        ///
        /// - Parameters:
        ///   - settings: What it offers.
        ///   - serverName: The name that a client asks for; empty for none.
        package init?(_ settings: Settings, serverName: String = "") {
            guard let state = conform_tls_new(settings.state, serverName) else { return nil }
            self.state = state
            self.settings = settings
        }

        deinit { conform_tls_free(state) }

        /// Begins the handshake of a client; returns the bytes for the other end.
        package func begin() -> [UInt8] {
            proceed()
            return takeOutput()
        }

        /// Takes bytes of the other end.
        ///
        /// - Returns: The decrypted bytes, and bytes for the other end.
        package func receive(_ bytes: [UInt8]) -> (plain: [UInt8], output: [UInt8]) {
            // Nothing reads further bytes, so that OpenSSL would keep all of them.
            guard !isOver else { return ([], []) }
            var rest = bytes[...]
            while !rest.isEmpty {
                let taken = rest.withUnsafeBufferPointer {
                    conform_tls_receive(state, $0.baseAddress, $0.count)
                }
                guard taken > 0 else { break }
                rest = rest.dropFirst(taken)
            }
            if !isFinished { proceed() }
            var plain: [UInt8] = []
            while isFinished, !isOver {
                let count = conform_tls_read(state, &scratch, scratch.count)
                guard count > 0 else {
                    if count < 0 { isOver = true }
                    break
                }
                plain += scratch.prefix(count)
            }
            return (plain, takeOutput())
        }

        /// Encrypts bytes, as soon as the handshake has finished.
        ///
        /// - Returns: Bytes for the other end; `nil` if it can no longer send.
        package func send(_ bytes: [UInt8]) -> [UInt8]? {
            guard isFinished else {
                if isOver { return nil }
                waiting += bytes
                return []
            }
            guard bytes.isEmpty || conform_tls_write(state, bytes, bytes.count) == 1 else {
                return nil
            }
            return takeOutput()
        }

        /// Ends what it sends; returns bytes for the other end.
        package func close() -> [UInt8] {
            conform_tls_close(state)
            return takeOutput()
        }

        /// Takes the lines that it has added to its key log.
        package func takeKeys() -> [UInt8] {
            drain { conform_tls_keys(state, $0, $1) }
        }

        private func proceed() {
            switch conform_tls_proceed(state) {
            case 1:
                isFinished = true
                if !waiting.isEmpty, conform_tls_write(state, waiting, waiting.count) != 1 {
                    isOver = true
                }
                waiting = []
            case 0: break
            default: isOver = true
            }
        }

        private func takeOutput() -> [UInt8] {
            drain { conform_tls_output(state, $0, $1) }
        }

        private func drain(
            _ take: (UnsafeMutablePointer<UInt8>, Int) -> Int
        ) -> [UInt8] {
            var bytes: [UInt8] = []
            while true {
                let count = scratch.withUnsafeMutableBufferPointer { buffer in
                    buffer.baseAddress.map { take($0, buffer.count) } ?? 0
                }
                guard count > 0 else { return bytes }
                bytes += scratch.prefix(count)
            }
        }
    }

    /// What the ends of connections offer.
    package final class Settings {
        fileprivate let state: OpaquePointer

        /// Creates settings that offer what OpenSSL offers; `nil` without memory.
        package init?(isServer: Bool) {
            guard let state = conform_tls_settings_new(isServer ? 1 : 0) else { return nil }
            self.state = state
        }

        deinit { conform_tls_settings_free(state) }

        /// Limits the versions to those of a range, such as `0x0303...0x0304`.
        package func setVersions(_ range: ClosedRange<UInt16>) -> Bool {
            conform_tls_settings_versions(
                state, Int32(range.lowerBound), Int32(range.upperBound)) == 1
        }

        /// Limits the cipher suites, in OpenSSL's words.
        package func setSuites(before13: String, of13: String) -> Bool {
            conform_tls_settings_suites(state, before13, of13) == 1
        }

        /// Makes a server ask for a certificate of an authority, and accept no other one.
        package func ask(for authority: Identity, isRequired: Bool) -> Bool {
            conform_tls_settings_ask(state, authority.state, isRequired ? 1 : 0) == 1
        }

        /// Makes a server resume no session.
        package func refuseResumption() -> Bool { conform_tls_settings_no_tickets(state) == 1 }

        /// Makes a client resume its latest session.
        package func resume() { conform_tls_settings_resume(state) }

        /// Offers application protocols, the best first.
        package func setProtocols(_ names: [String]) -> Bool {
            guard names.allSatisfy({ (1...255).contains($0.utf8.count) }) else { return false }
            let list = names.flatMap { [UInt8(clamping: $0.utf8.count)] + $0.utf8 }
            return conform_tls_settings_protocols(state, list, list.count) == 1
        }

        /// Uses a certificate, with those that lead to its issuer.
        package func use(_ identity: Identity, chain: [Identity] = []) -> Bool {
            conform_tls_settings_certificate(state, identity.state) == 1
                && chain.allSatisfy { conform_tls_settings_chain(state, $0.state) == 1 }
        }
    }

    /// Returns OpenSSL's name of a cipher suite with a registered name; `nil` if it has none.
    package static func ownName(ofSuite name: String) -> String? {
        guard let text = conform_tls_suite(name) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// A certificate with its key.
    package final class Identity {
        /// What the key of a certificate may be used for.
        package enum Usage: String {
            case server
            case client
            case both
            /// It may sign other certificates.
            case authority

            /// The extended key usages, in OpenSSL's words.
            fileprivate var extended: String {
                switch self {
                case .server: "serverAuth"
                case .client: "clientAuth"
                case .both: "serverAuth,clientAuth"
                case .authority: ""
                }
            }
        }

        fileprivate let state: OpaquePointer

        /// Creates a certificate; `nil` if OpenSSL refuses the names.
        ///
        /// - Parameters:
        ///   - commonName: The name of the subject.
        ///   - names: Its alternative names, as `DNS:example.com` or `IP:192.0.2.1`.
        ///   - validity: The seconds from now at which it begins and ends.
        ///   - issuer: The authority that signs it; `nil` if it signs itself.
        ///   - usage: What its key may be used for.
        ///   - isRSA: Whether its key is an RSA key; otherwise it is one of the curve P-256.
        package init?(
            _ commonName: String, names: [String] = [],
            validity: ClosedRange<Int64> = -86_400...86_400, issuer: Identity? = nil,
            usage: Usage = .both, isRSA: Bool = false
        ) {
            guard
                let state = conform_identity_new(
                    issuer?.state, commonName, names.joined(separator: ","), validity.lowerBound,
                    validity.upperBound, usage.extended, isRSA ? 1 : 0)
            else { return nil }
            self.state = state
        }

        deinit { conform_identity_free(state) }

        /// The certificate as PEM.
        package var pem: [UInt8] { pem(withKey: false) }

        /// Returns the certificate as PEM, with its key if that is wanted.
        package func pem(withKey: Bool) -> [UInt8] {
            var count = 0
            guard let text = conform_identity_pem(state, withKey ? 1 : 0, &count) else { return [] }
            defer { free(text) }
            return Array(UnsafeRawBufferPointer(start: text, count: count))
        }
    }
}
