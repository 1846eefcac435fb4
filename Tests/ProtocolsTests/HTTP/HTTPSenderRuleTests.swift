import Testing

@testable import HTTP
@testable import Wire

@Suite("What a sender of HTTP may not write in hosts, targets and chunks")
struct HTTPSenderRuleTests {
    private static func violations(_ pieces: HTTPConnectionTests.Piece...) -> [String?] {
        HTTPConnectionTests.decode(pieces).map(\.violation)
    }

    @Test(
        "Host is a host with an optional port",
        arguments: [
            ("", true), ("a", true), ("a-b_c.example:8080", true), ("127.0.0.1:80", true),
            ("[::1]", true), ("[fe80::1%25eth0]:80", true), ("a:", true), ("x%20y", true),
            ("a b", false), ("a/b", false), ("u@a", false), ("a:b", false), ("::1", false),
            ("[::1", false), ("[]", false), ("http://a", false), ("a:80:80", false),
            ("\u{E9}", false),
        ])
    func host(text: String, isRight: Bool) {
        let found = Self.violations(.client("GET / HTTP/1.1\r\nHost: \(text)\r\n\r\n"))
        let words = "\"\(text)\" is not a host with an optional port (RFC 9112 3.2)"
        #expect(found == [isRight ? nil : words])
    }

    @Test(
        "A target has the form of its method",
        arguments: [
            ("GET", "/", true), ("GET", "//a:80", true), ("GET", "http://a:80/b?c", true),
            ("GET", "urn:x:y", true), ("GET", "localhost:80", true), ("GET", "/a:80", true),
            ("GET", "example.com:80", false), ("GET", "127.0.0.1:80", false),
            ("GET", "[::1]:80", false), ("GET", "index.html", false), ("GET", "?a", false),
            ("OPTIONS", "*", true), ("OPTIONS", "/", true), ("CONNECT", "a:443", true),
            ("CONNECT", "[::1]:443", true), ("CONNECT", "a", false), ("CONNECT", "/", false),
            ("CONNECT", "a:", false), ("CONNECT", ":443", false), ("CONNECT", "u@a:443", false),
            ("CONNECT", "http://a:443", false),
        ])
    func target(method: String, target: String, isRight: Bool) {
        let found = Self.violations(.client("\(method) \(target) HTTP/1.1\r\nHost: a\r\n\r\n"))
        #expect(found.count == 1)
        #expect(found.first.flatMap { $0 }?.contains("RFC 9112 3.2") == (isRight ? nil : true))
    }

    @Test(
        "What follows the size of a chunk is a list of extensions",
        arguments: [
            ("", true), (";a", true), (";a=b;c", true), (";a=\"b c\\\";\";d", true),
            (";a=\"\u{E9}\"", true), (" ;a", false), (";", false), (";;", false), (";a=", false),
            (";a=\"b", false), (";a=\"", false), (";a b", false), (";a=\u{1}", false), (" ", false),
            (";a=\"b\"c", false), (";a=\"\u{1}\"", false),
        ])
    func chunk(extension text: String, isRight: Bool) {
        let found = Self.violations(
            .client(HTTPConnectionTests.get),
            .server(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "1\(text)\r\nx\r\n0\(text)\r\n\r\n"))
        let words = "what follows the size of a chunk is not an extension (RFC 9112 7.1.1)"
        #expect(found == [nil, isRight ? nil : words])
    }
}
