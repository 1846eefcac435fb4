import TestSupport
import Testing

@testable import HTTP
@testable import Wire

struct WebSocketHandshakeTests {
    @Test("the key is answered as in the example of RFC 6455 1.3")
    func key() {
        #expect(
            WebSocket.acceptKey(for: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test("the hashes are those of FIPS 180-4, also at block boundaries")
    func hashes() {
        func hash(_ text: String) -> String {
            SHA1.hash(of: Array(text.utf8)).map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }.joined()
        }
        #expect(hash("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
        #expect(hash("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(
            hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
        #expect(
            hash(String(repeating: "a", count: 55)) == "c1c8bbdc22796e28c0e15163d20899b65621d65a")
        #expect(
            hash(String(repeating: "a", count: 64)) == "0098ba824b5c16427bd7a1122a5a442a25ec644d")
    }

    @Test("Base64 follows RFC 4648 10 in both directions, and invalid text is refused")
    func base64() {
        let vectors = [
            "": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==",
            "fooba": "Zm9vYmE=", "foobar": "Zm9vYmFy",
        ]
        for (plain, text) in vectors {
            #expect(Base64.text(of: Array(plain.utf8)) == text)
            #expect(Base64.bytes(of: text) == Array(plain.utf8))
        }
        for wrong in ["Zg=", "Zg", "Zm9v=", "Z===", "Zm$v", "Zh==", "Zm9="] {
            #expect(Base64.bytes(of: wrong) == nil, "\(wrong)")
        }
    }

    @Test("random bytes survive Base64")
    func roundTrip() {
        var random = SeededGenerator(seed: 64)
        for length in 0..<200 {
            let bytes = random.bytes(length)
            #expect(Base64.bytes(of: Base64.text(of: bytes)) == bytes)
        }
    }

    /// Returns the violations of the messages of a connection.
    private static func violations(_ request: String, _ response: String, _ frames: [UInt8] = [])
        -> [String?]
    {
        var decoder = WebSocket.Directions { nil }
        var messages: [StreamMessage] = []
        decoder.consume(request.utf8.span.bytes, from: .first, at: 0, into: &messages)
        let bytes = Array(response.utf8) + frames
        decoder.consume(bytes.span.bytes, from: .second, at: 0, into: &messages)
        return messages.map(\.content.violation)
    }

    @Test("a head of the handshake that its sender may not write is a violation")
    func violations() {
        let ask =
            "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        func accept(_ key: String = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", _ more: String = "") -> String {
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(key)\r\n\(more)\r\n"
        }
        let valid = ask + "\r\n"
        #expect(Self.violations(valid, accept()) == [nil, nil])
        #expect(
            Self.violations(valid, accept("bm90IHRoZSByaWdodCBvbmU=")) == [
                nil,
                "Sec-WebSocket-Accept does not belong to the key of the request (RFC 6455 4.2.2)",
            ])
        let chosen = "Sec-WebSocket-Protocol: b\r\n"
        #expect(
            Self.violations(
                ask + "Sec-WebSocket-Protocol: a, b\r\n\r\n",
                accept(
                    "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", chosen)) == [nil, nil])
        #expect(
            Self.violations(valid, accept("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", chosen)) == [
                nil, "Sec-WebSocket-Protocol \"b\" was not offered (RFC 6455 4.2.2)",
            ])
        #expect(
            Self.violations(valid.replacing("13", with: "8"), accept()) == [
                "Sec-WebSocket-Version is not 13 (RFC 6455 4.1)", nil,
            ])
        #expect(
            Self.violations(valid, accept(), [0x88, 0, 0x81, 1, 0x61]) == [
                nil, nil, nil, "data after a close frame (RFC 6455 5.5.1)",
            ])
        #expect(
            Self.violations(
                ask + "Sec-WebSocket-Protocol: a, b\r\n\r\n",
                accept("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", chosen + chosen)) == [
                    nil, "a response with 2 Sec-WebSocket-Protocol fields (RFC 6455 11.3.4)",
                ])
        // permessage-deflate: the offer, the answer, and whose violation it is.
        let (offer, answer) = ("of the offer", "of the answer")
        for (offered, agreed, wrong) in [
            ("", "", nil), ("; client_max_window_bits", "; client_max_window_bits=10", nil),
            ("; server_max_window_bits=10", "; server_max_window_bits=9", nil),
            ("", "; server_max_window_bits=9; client_no_context_takeover", nil),
            ("; server_no_context_takeover, permessage-deflate", "", nil),
            ("; server_max_window_bits", "", offer), ("; client_max_window_bits=16", "", offer),
            ("; server_no_context_takeover=1", "; server_no_context_takeover", offer),
            ("; x", "", nil), ("; client_max_window_bits; client_max_window_bits", "", offer),
            ("", "; client_max_window_bits=10", answer),
            ("; client_max_window_bits", "; client_max_window_bits", answer),
            ("; server_max_window_bits=10", "; server_max_window_bits=11", answer),
            ("; server_max_window_bits=10", "", answer),
            ("; server_no_context_takeover", "", answer),
        ] as [(String, String, String?)] {
            let found = Self.violations(
                ask + "Sec-WebSocket-Extensions: permessage-deflate\(offered)\r\n\r\n",
                accept(
                    "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
                    "Sec-WebSocket-Extensions: permessage-deflate\(agreed)\r\n"))
            let places = found.map { $0?.hasSuffix("(RFC 7692 7.1)") == true }
            if wrong == offer {
                #expect(places.first == true, "\(offered): \(found)")
            } else {
                #expect(places == [false, wrong == answer], "\(offered), \(agreed): \(found)")
                if wrong == nil { #expect(found == [nil, nil]) }
            }
        }
        // A refusal is an ordinary response.
        #expect(
            Self.violations(valid, "HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n") == [nil, nil])
    }

    private static let request = HTTPHead(
        .request(method: "GET", target: "/diffusion"),
        fields: [
            HTTPHead.Field("Upgrade", "websocket"),
            HTTPHead.Field("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
            HTTPHead.Field("Sec-WebSocket-Version", "13"),
        ])

    @Test("a request is accepted with the hash of its key")
    func acceptance() throws {
        let answer = try WebSocket.acceptance(of: Self.request)
        #expect(answer.isWebSocket)
        #expect(answer["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(answer.start == .response(status: 101, reason: "Switching Protocols"))
    }

    @Test("a request that a server must not accept is refused")
    func refusals() {
        func refusal(_ change: (inout HTTPHead) -> Void) -> WebSocket.HandshakeRefusal? {
            var request = Self.request
            change(&request)
            do throws(WebSocket.HandshakeRefusal) {
                _ = try WebSocket.acceptance(of: request)
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal { $0.start = .request(method: "POST", target: "/") } == .badRequest)
        #expect(refusal { $0.fields.remove(at: 0) } == .badRequest)
        #expect(refusal { $0.fields.remove(at: 1) } == .badRequest)
        #expect(refusal { $0.fields[1].value = "dGhl" } == .badRequest)
        #expect(refusal { $0.fields[2].value = "8" } == .upgradeRequired)
    }
}
