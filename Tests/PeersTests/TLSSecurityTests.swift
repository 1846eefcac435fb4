import PeerKit
import TLS
import Testing
import Wire

/// Channels of a client and of a server of one case.
@Suite("The TLS of peers") struct TLSSecurityTests {
    private let security: TLSSecurity

    init() throws { security = try #require(TLSSecurity()) }

    /// What came of a connection.
    private struct Outcome {
        var request: [UInt8] = []
        var hasFailed = false
        /// The bytes that the server has sent.
        var sent = 0
    }

    private static let request: [UInt8] = [1, 2, 3]

    private func channels(_ settings: Value, isServer: Bool) throws -> any SecureChannels {
        try security.channels(settings, isServer: isServer)
    }

    /// Connects once, and sends a request.
    private func connect(
        _ client: any SecureChannels, to server: any SecureChannels
    ) throws -> Outcome {
        let (own, other) = (try #require(client.next()), try #require(server.next()))
        var outcome = Outcome()
        var toServer = own.begin() + (own.send(Self.request) ?? [])
        for _ in 0..<10 where !toServer.isEmpty {
            let (plain, answer) = other.receive(toServer)
            outcome.request += plain
            outcome.sent += answer.count
            toServer = own.receive(answer).output
        }
        outcome.hasFailed = other.hasFailed || own.hasFailed
        return outcome
    }

    @Test("A server that demands a certificate accepts one of its authority only")
    func clientCertificates() throws {
        let server = try channels(["client_certificate": "require"], isServer: true)
        let names: Value = .array([])
        let good: Value = ["certificate": ["names": names, "common_name": "client"]]
        let outcome = try connect(try channels(good, isServer: false), to: server)
        #expect(outcome.request == Self.request)
        #expect(!outcome.hasFailed)
        for wrong: Value in [
            ["versions": ["1.2", "1.3"]], ["certificate": ["names": names, "issuer": "untrusted"]],
            ["certificate": ["names": names, "issuer": "self"]],
            ["certificate": ["names": names, "validity": "expired"]],
            ["certificate": ["names": names, "usage": "server"]],
        ] {
            let outcome = try connect(try channels(wrong, isServer: false), to: server)
            #expect(outcome.request.isEmpty, "\(wrong)")
            #expect(outcome.hasFailed, "\(wrong)")
        }
    }

    @Test("A server that asks for a certificate accepts a client without one")
    func optionalCertificate() throws {
        let outcome = try connect(
            try channels(.object([]), isServer: false),
            to: try channels(["client_certificate": "request"], isServer: true))
        #expect(outcome.request == Self.request)
    }

    @Test(
        "Cipher suites that the decoder decrypts can be negotiated",
        arguments: [
            ("ec", "TLS_AES_128_GCM_SHA256"), ("ec", "TLS_AES_256_GCM_SHA384"),
            ("ec", "TLS_CHACHA20_POLY1305_SHA256"), ("ec", "TLS_AES_128_CCM_SHA256"),
            ("rsa", "TLS_AES_128_CCM_8_SHA256"), ("ec", "TLS_ECDHE_ECDSA_WITH_AES_128_CCM"),
            ("ec", "TLS_ECDHE_ECDSA_WITH_AES_256_CCM_8"),
            ("ec", "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384"),
            ("rsa", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA"),
            ("rsa", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"),
            ("rsa", "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256"),
            ("rsa", "TLS_DHE_RSA_WITH_AES_256_CCM"), ("rsa", "TLS_RSA_WITH_AES_128_CCM"),
            ("rsa", "TLS_RSA_WITH_AES_256_CBC_SHA256"),
            ("rsa", "TLS_RSA_WITH_AES_256_GCM_SHA384"),
        ])
    func suites(key: String, suite: String) throws {
        let outcome = try connect(
            try channels(["suites": [.string(suite)]], isServer: false),
            to: try channels(["certificate": ["key": .string(key)]], isServer: true))
        #expect(outcome.request == Self.request)
        #expect(throws: PeerError.self) {
            try channels(["suites": ["TLS_NO_SUCH_SUITE"]], isServer: false)
        }
    }

    @Test(
        "A client resumes its session if it may, and a server if it may", arguments: ["1.2", "1.3"])
    func resumption(version: String) throws {
        for (resumes, accepts) in [(true, true), (false, true), (true, false)] {
            let client = try channels(
                ["versions": [.string(version)], "resume": .bool(resumes)], isServer: false)
            let server = try channels(["resume": .bool(accepts)], isServer: true)
            let first = try connect(client, to: server)
            let second = try connect(client, to: server)
            #expect(second.request == Self.request)
            // No certificate is sent in a session that is resumed.
            #expect((second.sent < first.sent - 200) == (resumes && accepts))
        }
    }

    @Test("A channel that begins plain goes over to TLS with a ClientHello")
    func upgrade() throws {
        let server = try #require(try channels(["starttls": true], isServer: true).next())
        let client = try #require(try channels(.object([]), isServer: false).next())
        let command = Array("STARTTLS\r\n".utf8)
        #expect(server.receive(command).plain == command)
        #expect(server.send([50]) == [50])
        #expect(server.close().isEmpty)
        let hello = client.begin()
        let (plain, answer) = server.receive(hello)
        #expect(plain.isEmpty)
        let finished = client.receive(answer).output + (client.send([7]) ?? [])
        #expect(server.receive(finished).plain == [7])
        #expect(throws: PeerError.self) { try channels(["starttls": true], isServer: false) }
    }
}
