import Testing

@testable import HTTP
@testable import Wire

/// Requests that expect 100 (Continue) before they send their body (RFC 9110 10.1.1).
@Suite("Expect: 100-continue")
struct HTTPExpectationTests {
    private typealias Connection = HTTPConnectionTests

    private static let head =
        "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"
    private static let chunkedHead =
        "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n"
    private static let refusal =
        "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n"
    private static let again = "POST /b HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nname=lamp"

    private static let names = ["http.request", "http.response", "http.request", "http.response"]

    @Test(
        "A new request after a final response leaves the former one without a body",
        arguments: [1, 3, 50, .max], [head, chunkedHead])
    func refused(size: Int, head: String) {
        let messages = Connection.decode(
            [
                .client(head), .server(Self.refusal), .client(Self.again),
                .server(Connection.ok),
            ], size: size)
        let requests = messages.filter { $0.side == .first }
        #expect(Connection.values(requests, "http.request.uri") == ["/a", "/b"])
        #expect(Connection.values(requests, "length") == [0, 9])
        #expect(messages.map(\.name).sorted() == Self.names.sorted())
        #expect(messages.allSatisfy { $0.violation == nil })
        let head = UInt64(head.utf8.count)
        #expect(
            requests.map(\.range) == [0..<head, head..<head + UInt64(Self.again.utf8.count)])
        let responses = messages.filter { $0.side == .second }
        #expect(Connection.values(responses, "http.response_for.uri") == ["/a", "/b"])
    }

    @Test(
        "A body that crosses the final response belongs to its request",
        arguments: [1, 4, .max], ["name=lamp", "GET /a HT", "name lamp", "x\n\n\n\n\n\n\n\n"])
    func crossing(size: Int, body: String) {
        let messages = Connection.decode(
            [
                .client(Self.head), .server(Self.refusal), .client(body),
            ], size: size)
        let requests = messages.filter { $0.side == .first }
        #expect(Connection.values(requests, "text") == [.string(body)])
        #expect(messages.count == 2 && messages.allSatisfy { $0.violation == nil })
    }

    @Test("After 100 (Continue) the body follows", arguments: [1, .max])
    func continued(size: Int) {
        let messages = Connection.decode(
            [
                .client(Self.head), .server("HTTP/1.1 100 Continue\r\n\r\n"),
                .server(Self.refusal), .client("GET / HT\n"), .client(Self.again),
                .server(Connection.ok),
            ], size: size)
        let requests = messages.filter { $0.side == .first }
        #expect(Connection.values(requests, "text") == ["GET / HT\n", "name=lamp"])
        #expect(messages.allSatisfy { $0.violation == nil })
    }

    @Test(
        "A client that ends without a body after the final response is not at fault",
        arguments: [StreamEnd.closed, .captureEnded, .abandoned, .cut], ["", "name"])
    func ended(end: StreamEnd, part: String) {
        let messages = Connection.decode(
            [.client(Self.head), .server(Self.refusal), .client(part)], ends: end)
        #expect(
            messages.map(\.name)
                == (part.isEmpty ? ["http.response", "http.request"] : ["http.response"]))
        #expect(messages.allSatisfy { $0.violation == nil })
    }

    @Test("Missing bytes after such a request are searched for the next one")
    func lost() {
        let messages = Connection.decode([
            .client(Self.head), .server(Self.refusal), .lostClient(20),
            .client("Content-Length: 11\r\n\r\nname=lamp\r\n"), .client(Connection.get),
        ])
        #expect(messages.filter { $0.side == .first }.map(\.name) == ["http.request"])
        let unknown = Connection.decode([
            .client(Self.head), .lostServer(Self.refusal.utf8.count), .client(Self.again),
        ])
        #expect(unknown.map(\.name) == ["http.request", "http.request"])
        #expect((messages + unknown).allSatisfy { $0.violation == nil })
    }
}
