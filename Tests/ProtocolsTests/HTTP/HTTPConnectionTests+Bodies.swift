import Testing

@testable import HTTP
@testable import Wire

/// The bodies of messages.
extension HTTPConnectionTests {
    @Test("A body is readable as bytes, as text and as JSON, independent of what is displayed")
    func bodies() throws {
        var message = HTTP.Message(
            .head(
                HTTPHead(
                    .response(status: 200, reason: "OK"),
                    fields: [HTTPHead.Field("Content-Type", "application/problem+json")])),
            bytes: [])
        var allowance = InflationAllowance()
        message.setBody(Array("[1]".utf8), of: 3, &allowance)
        #expect(message.field(try #require(FieldPath("data"))) == .bytes(Array("[1]".utf8)))
        #expect(message.field(try #require(FieldPath("text"))) == "[1]")
        #expect(message.field(try #require(FieldPath("json[0]"))) == 1)
        #expect(message.violation == nil)
        message.setBody(Array("[1".utf8), of: 2, &allowance)
        #expect(message.violation == "the body is not JSON (RFC 8259 2)")
        message.setBody(nil, of: HTTP.Limits.body + 1, &allowance)
        #expect(message.field(try #require(FieldPath("data"))) == nil)
        #expect(message.anomalies.map(\.severity) == [.warning])
    }

    @Test("A body of a JSON type is JSON, unless it is a part or has a transfer coding")
    func jsonBodies() throws {
        func message(_ body: String, _ fields: [HTTPHead.Field] = [], status: Int = 200)
            -> HTTP.Message
        {
            var message = HTTP.Message(
                .head(
                    HTTPHead(
                        .response(status: status, reason: "OK"),
                        fields: [HTTPHead.Field("Content-Type", "application/json")] + fields)),
                bytes: [])
            var allowance = InflationAllowance()
            message.setBody(Array(body.utf8), of: body.utf8.count, &allowance)
            return message
        }
        let large = message(#"{"name":"lamp","id":12345678901234567890,"x":[1e400,"\ud800"]}"#)
        #expect(large.violation == nil)
        #expect(large.fields["json"]?["name"] == "lamp")
        #expect(large.fields["json"]?["id"] == "12345678901234567890")
        let range = HTTPHead.Field("Content-Range", "bytes 0-2/9")
        for part in [
            message("[1,", [range], status: 206), message("[1,", [range]),
            message("[1,", [HTTPHead.Field("Transfer-Encoding", "gzip, chunked")]),
        ] {
            #expect(part.violation == nil)
            #expect(part.fields["json"] == nil)
            #expect(part.fields["text"] == "[1,")
        }
        #expect(message("[1,").violation == "the body is not JSON (RFC 8259 2)")
        let deep = message(
            String(repeating: "[", count: 200) + String(repeating: "]", count: 200))
        #expect(deep.violation == nil)
        #expect(deep.unread?.fields == ["json"])
    }

    @Test("A chunked body is joined, and its trailers are fields")
    func chunks() throws {
        let response =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "3;a=b\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 9\r\n\r\n"
        for size in [1, 2, 5, .max] {
            let messages = Self.decode([.client(Self.get), .server(response)], size: size)
            let answer = try #require(messages.last)
            #expect(answer.fields["text"] == "abcde")
            #expect(answer.fields["trailers"] == ["x-sum": "9"])
            #expect(answer.bytes == Array(response.utf8))
            #expect(answer.range == 0..<UInt64(response.utf8.count))
        }
    }

    @Test("The size of a chunk may begin with any number of zeros")
    func chunkZeros() {
        let zeros = String(repeating: "0", count: 30)
        let response =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "\(zeros)3\r\nabc\r\n\(zeros)\r\n\r\n"
        let messages = Self.decode([.client(Self.get), .server(response)])
        #expect(messages.map(\.name) == ["http.request", "http.response"])
        #expect(messages.last?.fields["text"] == "abc")
        #expect(HTTP.ChunkLine(Array("100000000000".utf8)) == nil)
    }

    @Test("A body without a length ends with the stream, not with the end of the capture")
    func untilClose() {
        let pieces: [Piece] = [.client(Self.get), .server("HTTP/1.0 200 OK\r\n\r\nabc")]
        #expect(Self.decode(pieces).map { $0.fields["text"] } == [nil, "abc"])
        #expect(Self.decode(pieces, ends: .captureEnded).map(\.name) == ["http.request"])
        #expect(Self.decode(pieces, ends: .cut).map(\.name) == ["http.request"])
    }

    @Test(
        "A request may stop after its final response, or after the server has ended",
        arguments: ["Content-Length: 9\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n9\r\na"])
    func stoppedRequest(_ rest: String) {
        let post = "POST /a HTTP/1.1\r\nHost: h\r\n" + rest
        let final = "HTTP/1.1 413 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        #expect(Self.decode([.client(post), .server(final)]).map(\.name) == ["http.response"])
        let interim = Self.decode([.client(post), .server("HTTP/1.1 100 Continue\r\n\r\n")])
        #expect(interim.map(\.name) == ["http.response", "http.malformed"])
        for first in ConnectionSide.allCases {
            var decoder = HTTP.ConnectionDecoder(of: DissectionStack([]))
            var messages: [StreamMessage] = []
            decoder.consume(post.utf8.span.bytes, from: .first, at: 0, into: &messages)
            decoder.finish(first, .closed, into: &messages)
            decoder.finish(first.other, .closed, into: &messages)
            #expect(
                messages.map(\.content.name) == (first == .first ? ["http.malformed"] : []))
        }
    }
}
