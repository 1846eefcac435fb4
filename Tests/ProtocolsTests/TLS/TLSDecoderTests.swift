import TestSupport
import Testing
import Wire

@testable import HTTP
@testable import TLS

/// Traffic of two ends of OpenSSL, decoded with and without their key log.
@Suite("TLS")
struct TLSDecoderTests {
    static let tls13 = [
        "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256",
        "TLS_AES_128_CCM_SHA256", "TLS_AES_128_CCM_8_SHA256",
    ]
    static let tls12 = [
        "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
        "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-ECDSA-AES128-CCM", "ECDHE-ECDSA-AES256-CCM8",
        "ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES256-SHA384",
    ]

    @Test("HTTP inside every suite of TLS 1.3 is decoded with the key log", arguments: tls13)
    func version13(suite: String) throws {
        let talk = try #require(TLSTalk(versions: 0x0304...0x0304, suites13: suite))
        let messages = talk.decoded()
        let finished = try #require(messages.first { $0.name == "tls.handshakeFinished" })
        #expect(finished.fields["tls"]?["version"] == "TLS 1.3")
        #expect(finished.fields["tls"]?["ciphersuite"] == .string(suite))
        #expect(finished.fields["tls"]?["resumed"] == false)
        #expect(finished.fields["tls"]?["extensions_server_name"] == "example.com")
        #expect(talk.requestLine(in: messages) == "/inside")
        #expect(messages.contains { $0.name == "http.response" })
        #expect(!messages.contains { $0.name == "tls.encrypted" || $0.name.standsForLostBytes })
        #expect(messages.filter { $0.name == "tls.Alert" }.count == 2)
    }

    @Test("HTTP inside suites of TLS 1.2 is decoded with the key log", arguments: tls12)
    func version12(suite: String) throws {
        let talk = try #require(TLSTalk(versions: 0x0303...0x0303, suites12: suite))
        let messages = talk.decoded()
        let finished = try #require(messages.first { $0.name == "tls.handshakeFinished" })
        #expect(finished.fields["tls"]?["version"] == "TLS 1.2")
        #expect(talk.requestLine(in: messages) == "/inside")
        #expect(messages.filter { $0.name == "tls.Alert" }.count == 2)
        #expect(!messages.contains { $0.name == "tls.encrypted" || $0.name.standsForLostBytes })
    }

    @Test("The old versions are decoded", arguments: [0x0301, 0x0302] as [UInt16])
    func oldVersions(version: UInt16) throws {
        let talk = try #require(
            TLSTalk(versions: version...version, suites12: "ECDHE-ECDSA-AES128-SHA"))
        #expect(talk.requestLine(in: talk.decoded()) == "/inside")
    }

    @Test("Pieces of any size give the same messages")
    func pieces() throws {
        for version in [0x0303, 0x0304] as [UInt16] {
            let talk = try #require(TLSTalk(versions: version...version))
            let whole = talk.decoded().map(\.name)
            for size in [1, 7, 1_000] {
                // The order of messages of both sides may differ, but not that of each side.
                #expect(talk.decoded(piece: size).map(\.name).sorted() == whole.sorted())
            }
        }
    }

    @Test("The certificate of a server is a message with its names and its validity")
    func certificate() throws {
        let talk = try #require(TLSTalk(versions: 0x0304...0x0304))
        let message = try #require(talk.decoded().first { $0.name == "tls.Certificate" })
        let first = try #require(message.fields["tls"]?["certificates"]?.arrayValue?.first)
        #expect(first["subject"] == "CN=example.com")
        #expect(first["issuer"] == "CN=Test CA")
        #expect(first["names"] == ["DNS:example.com", "IP:192.0.2.1"])
        #expect(first["not_after"]?.stringValue?.hasSuffix("Z") == true)
    }

    @Test("Without a key what is carried is not seen, and nothing accuses a side")
    func withoutKey() throws {
        for version in [0x0301, 0x0303, 0x0304] as [UInt16] {
            let talk = try #require(
                TLSTalk(versions: version...version, suites12: "ECDHE-ECDSA-AES128-SHA"))
            let messages = talk.decoded(keys: [])
            #expect(messages.contains { $0.concealment == "no key of the connection is known" })
            #expect(!messages.contains { $0.name.standsForLostBytes })
            #expect(messages.count { $0.name == "tls.handshakeFinished" } == 1)
        }
    }

    @Test("Another connection's secrets do not decrypt, and nothing accuses a side")
    func wrongKey() throws {
        for version in [0x0303, 0x0304] as [UInt16] {
            let talk = try #require(TLSTalk(versions: version...version))
            let damaged = talk.keys.split(separator: 10).flatMap { line in
                // The last digit of each secret is another one.
                line.dropLast() + [line.last == 0x30 ? 0x31 : 0x30, 10]
            }
            let messages = talk.decoded(keys: damaged)
            #expect(messages.contains { $0.concealment == "the known key does not fit" })
            #expect(!messages.contains { $0.name.standsForLostBytes })
        }
    }

    @Test("A byte that is changed behind decrypted records is malformed, and no later one")
    func damage() throws {
        let talk = try #require(TLSTalk(versions: 0x0304...0x0304))
        var flights = talk.flights
        // The close_notify of the client is its second record with these keys.
        let last = try #require(flights.lastIndex { $0.isOfClient })
        flights[last].bytes[10] ^= 1
        let messages = talk.decoded(flights)
        #expect(messages.filter { $0.name.standsForLostBytes }.map(\.name) == ["tls.malformed"])
        #expect(messages.contains { $0.name == "http.request" })
    }

    @Test("Behind a gap nothing is seen and nothing is malformed")
    func gap() throws {
        for version in [0x0303, 0x0304] as [UInt16] {
            let talk = try #require(TLSTalk(versions: version...version))
            for missing in talk.flights.indices {
                let messages = talk.decoded(missing: missing)
                #expect(!messages.contains { $0.name.standsForLostBytes }, "flight \(missing)")
                #expect(
                    !messages.contains { $0.name.hasPrefix("http.") && $0.violation != nil })
            }
        }
    }

    @Test("Any bytes leave the decoder with bounded memory and do not stop it")
    func anyBytes() throws {
        let talk = try #require(TLSTalk(versions: 0x0304...0x0304))
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<300 {
            var flights = talk.flights
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let flight = flights.indices.randomElement(using: &generator) ?? 0
                let place = flights[flight].bytes.indices.randomElement(using: &generator)
                if let place {
                    flights[flight].bytes[place] = .random(in: 0...255, using: &generator)
                }
            }
            let count = flights.reduce(0) { $0 + $1.bytes.count }
            #expect(talk.decoded(flights).count <= 2 * count)
        }
    }

    /// As by RFC 2817, where HTTP goes over to TLS.
    @Test(
        "A connection that goes over to TLS is decoded before and after", arguments: [1, 5, .max])
    func upgrade(piece: Int) throws {
        let talk = try #require(TLSTalk(versions: 0x0304...0x0304))
        let before = [
            TLSTalk.Flight(isOfClient: true, bytes: Array("GET /before HTTP/1.1\r\n\r\n".utf8)),
            TLSTalk.Flight(
                isOfClient: false,
                bytes: Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)),
        ]
        let known = try #require(TLS.streamProtocol.carrying?(HTTP.streamProtocol, true))
        let messages = talk.decoded(before + talk.flights, piece: piece, by: known)
        let requests = messages.filter { $0.name == "http.request" }
        #expect(requests.map { talk.requestLine(in: [$0]) } == ["/before", "/inside"])
        #expect(messages.count { $0.name == "http.response" } == 2)
        #expect(messages.count { $0.name == "tls.handshakeFinished" } == 1)
        #expect(!messages.contains { $0.name == "tls.encrypted" || $0.name.standsForLostBytes })
        // Without TLS it stays as it was.
        let plain = talk.decoded(before, piece: piece, by: known)
        #expect(plain.map(\.name) == ["http.request", "http.response"])
    }

    @Test("A key log with comments, blank lines and broken lines gives its secrets")
    func keyLog() {
        let secrets = DecryptionSecrets()
        let text = """
            # comment
            CLIENT_RANDOM 0a0B ff00\r
            CLIENT_RANDOM 0a0 ff
            CLIENT_RANDOM zz ff

            OTHER 01
            """
        secrets.add(keyLog: Array(text.utf8))
        #expect(secrets.count == 1)
        #expect(secrets.secret("CLIENT_RANDOM", of: [10, 11]) == [255, 0])
    }
}

/// A connection of two ends of OpenSSL: a request, a response, and close_notify of both.
struct TLSTalk {
    struct Flight {
        let isOfClient: Bool
        var bytes: [UInt8]
    }

    private static let request = Array(
        "GET /inside HTTP/1.1\r\nHost: example.com\r\n\r\n".utf8)

    private(set) var flights: [Flight] = []
    private(set) var keys: [UInt8] = []

    init?(
        versions: ClosedRange<UInt16>, suites12: String = "DEFAULT",
        suites13: String = "TLS_AES_128_GCM_SHA256"
    ) {
        guard let authority = TLS.Identity("Test CA", usage: .authority),
            let identity = TLS.Identity(
                "example.com", names: ["DNS:example.com", "IP:192.0.2.1"], issuer: authority),
            let own = TLS.Settings(isServer: true), let other = TLS.Settings(isServer: false),
            own.use(identity),
            [own, other].allSatisfy({
                $0.setVersions(versions) && $0.setSuites(before13: suites12, of13: suites13)
            }), let server = TLS.Endpoint(own),
            let client = TLS.Endpoint(other, serverName: "example.com")
        else { return nil }
        var toServer = client.begin() + (client.send(Self.request) ?? [])
        for _ in 0..<8 where !toServer.isEmpty {
            flights.append(Flight(isOfClient: true, bytes: toServer))
            let (request, answer) = server.receive(toServer)
            var toClient = answer
            if !request.isEmpty {
                toClient +=
                    server.send(
                        Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)) ?? []
                toClient += server.close()
            }
            if !toClient.isEmpty { flights.append(Flight(isOfClient: false, bytes: toClient)) }
            toServer = client.receive(toClient).output
            if client.isOver { toServer += client.close() }
        }
        keys = server.takeKeys()
        guard client.isOver else { return nil }
    }

    /// Returns the messages of the connection, or of flights in its place.
    func decoded(
        _ flights: [Flight]? = nil, keys: [UInt8]? = nil, piece: Int = .max,
        missing: Int? = nil, by known: StreamProtocol = TLS.streamProtocol
    ) -> [any DissectedMessage] {
        let secrets = DecryptionSecrets()
        secrets.add(keyLog: keys ?? self.keys)
        var decoder = known.makeDecoder(
            DissectionStack([TLS.streamProtocol, HTTP.streamProtocol], secrets: secrets))
        var messages: [StreamMessage] = []
        var offsets: [Bool: UInt64] = [:]
        for (index, flight) in (flights ?? self.flights).enumerated() {
            let side: ConnectionSide = flight.isOfClient ? .first : .second
            var rest = flight.bytes[...]
            while !rest.isEmpty {
                let bytes = Array(rest.prefix(piece))
                rest = rest.dropFirst(bytes.count)
                let offset = offsets[flight.isOfClient] ?? 0
                offsets[flight.isOfClient] = offset + UInt64(bytes.count)
                if index == missing {
                    decoder.gap(upTo: offset + UInt64(bytes.count), from: side, into: &messages)
                } else {
                    decoder.consume(bytes.span.bytes, from: side, at: offset, into: &messages)
                }
            }
        }
        for side in ConnectionSide.allCases { decoder.finish(side, .closed, into: &messages) }
        return messages.map(\.content)
    }

    /// The target of the first request.
    func requestLine(in messages: [any DissectedMessage]) -> String? {
        messages.first { $0.name == "http.request" }?
            .field(FieldPath("http.request.uri") ?? .violation)?.stringValue
    }
}
