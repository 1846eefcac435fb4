import Testing

@testable import HTTP
@testable import Wire

/// HTTP messages as they are sent.
struct HTTPEncoderTests {
    private static func response(_ status: Int, _ fields: [HTTPHead.Field] = []) -> HTTPHead {
        HTTPHead(.response(status: status, reason: "R"), fields: fields)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("Content-Length is written unless the headers already give the body's length")
    func length() {
        let body = Array("hi".utf8)
        #expect(
            Self.text(Self.response(200).message(body))
                == "HTTP/1.1 200 R\r\nContent-Length: 2\r\n\r\nhi")
        #expect(
            Self.text(Self.response(200, [.init("content-length", "9")]).message(body))
                == "HTTP/1.1 200 R\r\ncontent-length: 9\r\n\r\nhi")
        #expect(
            Self.text(Self.response(200).message(body, isChunked: true))
                == "HTTP/1.1 200 R\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n")
        #expect(
            Self.text(Self.response(200).message([], isChunked: true))
                == "HTTP/1.1 200 R\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
    }

    @Test("A response that cannot have a body has none")
    func none() {
        let body = Array("hi".utf8)
        #expect(
            Self.text(Self.response(200).message(body, answering: "HEAD"))
                == "HTTP/1.1 200 R\r\nContent-Length: 2\r\n\r\n")
        for status in [100, 204, 304] {
            #expect(
                Self.text(Self.response(status).message(body)) == "HTTP/1.1 \(status) R\r\n\r\n")
        }
    }

    @Test("A request has Content-Length if it has a body or a method that usually has one")
    func requests() {
        func request(_ method: String, _ body: String) -> String {
            Self.text(
                HTTPHead(.request(method: method, target: "/"), fields: [])
                    .message(Array(body.utf8)))
        }
        #expect(request("GET", "") == "GET / HTTP/1.1\r\n\r\n")
        #expect(request("GET", "a") == "GET / HTTP/1.1\r\nContent-Length: 1\r\n\r\na")
        #expect(request("POST", "") == "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n")
    }

    @Test("An encoded message decodes to the same message", arguments: [false, true])
    func roundTrip(isChunked: Bool) {
        let head = HTTPHead(
            .request(method: "PUT", target: "/a"), fields: [HTTPHead.Field("Host", "h")])
        let bytes = head.message([0, 13, 10, 255], isChunked: isChunked)
        var decoder = HTTP.ConnectionDecoder(of: DissectionStack([]))
        var messages: [StreamMessage] = []
        decoder.consume(bytes.span.bytes, from: .first, at: 0, into: &messages)
        let message = messages.first?.content as? HTTP.Message
        #expect(messages.count == 1)
        #expect(message?.fields["data"] == .bytes([0, 13, 10, 255]))
        #expect(message?.bytes == bytes)
        #expect(message?.violation == nil)
    }
}
