import COpenSSL

/// The client's end of a TLS connection; it exchanges bytes with its user only.
public final class TLSClient {
    /// How a client authenticates the server.
    struct Trust: Sendable, Hashable {
        /// The file with the certificates of the authorities, in PEM.
        var authorities: String
        /// The name of the server.
        var name: String
        /// What it does not check.
        var leniencies: Int32 = 0
        /// Whether it negotiates TLS 1.0 and 1.1.
        var acceptsOldVersions = false
        /// Whether it ends connections with close_notify.
        var endsProperly = true
    }

    private static let versions: (oldest: Int32, usual: Int32, latest: Int32) = (
        0x0301, 0x0303, 0x0304
    )

    private let settings: OpaquePointer
    private let state: OpaquePointer
    private let trust: Trust
    private var scratch = [UInt8](repeating: 0, count: 16 << 10)
    /// Whether the handshake has finished.
    private(set) var isFinished = false
    /// Whether it has failed, or the server has ended the connection.
    private(set) var isOver = false

    /// Creates an end; `nil` if OpenSSL refuses something.
    init?(_ trust: Trust) {
        guard let settings = conform_tls_settings_new(0) else { return nil }
        let oldest = trust.acceptsOldVersions ? Self.versions.oldest : Self.versions.usual
        guard conform_tls_settings_versions(settings, oldest, Self.versions.latest) == 1,
            let state = conform_tls_new(settings, trust.name)
        else {
            conform_tls_settings_free(settings)
            return nil
        }
        (self.settings, self.state, self.trust) = (settings, state, trust)
        guard
            conform_tls_authenticate(state, trust.authorities, trust.name, trust.leniencies) == 1
        else { return nil }
    }

    deinit {
        conform_tls_free(state)
        conform_tls_settings_free(settings)
    }

    /// Begins the handshake; returns the bytes for the server.
    func begin() -> [UInt8] {
        proceed()
        return takeOutput()
    }

    /// Takes bytes of the server; returns the decrypted bytes, and bytes for the server.
    func receive(_ bytes: [UInt8]) -> (plain: [UInt8], output: [UInt8]) {
        guard !isOver else { return ([], []) }
        _ = conform_tls_receive(state, bytes, bytes.count)
        if !isFinished { proceed() }
        var plain: [UInt8] = []
        while isFinished, !isOver {
            let count = conform_tls_read(state, &scratch, scratch.count)
            if count < 0 { isOver = true }
            guard count > 0 else { break }
            plain += scratch.prefix(count)
        }
        return (plain, takeOutput())
    }

    /// Encrypts bytes; returns bytes for the server.
    func send(_ bytes: [UInt8]) -> [UInt8] {
        _ = conform_tls_write(state, bytes, bytes.count)
        return takeOutput()
    }

    /// Ends what it sends; returns bytes for the server.
    func close() -> [UInt8] {
        guard trust.endsProperly else { return [] }
        conform_tls_close(state)
        return takeOutput()
    }

    private func proceed() {
        switch conform_tls_proceed(state) {
        case 1: isFinished = true
        case 0: break
        default: isOver = true
        }
    }

    private func takeOutput() -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let count = conform_tls_output(state, &scratch, scratch.count)
            guard count > 0 else { return bytes }
            bytes += scratch.prefix(count)
        }
    }
}
