import Wire

extension HTTP.HeaderCheck {
    /// The fields that a message has at most once, although others may be repeated (RFC 9110 5.3).
    private static let singletons = [
        "age", "authorization", "content-length", "content-location", "content-range",
        "content-type", "date", "etag", "expires", "from", "if-modified-since", "if-range",
        "if-unmodified-since", "last-modified", "location", "max-forwards", "proxy-authorization",
        "range", "referer", "retry-after", "user-agent",
    ]

    /// The fields without which a response of a status must not be sent.
    private static let ofStatus: [Int: (name: String, section: String)] = [
        101: ("Upgrade", "9110 15.2.2"), 401: ("WWW-Authenticate", "9110 15.5.2"),
        405: ("Allow", "9110 15.5.6"), 407: ("Proxy-Authenticate", "9110 15.5.8"),
        426: ("Upgrade", "9110 15.5.22"),
    ]

    /// The characters that must not be in a head or in trailer fields on the wire.
    static func characters(of bytes: [UInt8]) -> [Anomaly] {
        var found: [Anomaly] = []
        let isBareCR = bytes.indices.contains {
            bytes[$0] == 13 && ($0 + 1 == bytes.count || bytes[$0 + 1] != 10)
        }
        if isBareCR {
            found.append(Anomaly(.violation, "a CR without LF", specification: "RFC 9112 2.2"))
        }
        let controls = bytes.filter { ($0 < 32 && ![9, 10, 13].contains($0)) || $0 == 127 }
        if let control = controls.first {
            let text = "the control character 0x" + String(control, radix: 16)
            found.append(Anomaly(.violation, text, specification: "RFC 9110 5.5"))
        }
        return found
    }

    /// What is wrong with the trailer fields; `bytes` are their lines, each with only its LF.
    static func anomalies(ofTrailers fields: [HTTPHead.Field], _ bytes: [UInt8]) -> [Anomaly] {
        var found = characters(of: bytes)
        if let field = fields.first(where: { !isToken($0.name) }) {
            let text = "\"\(field.name)\" is not a field name"
            found.append(Anomaly(.violation, text, specification: "RFC 9112 5.1"))
        }
        let barred = ["transfer-encoding", "content-length", "host", "trailer", "content-type"]
        if let field = fields.first(where: { barred.contains($0.name.lowercased()) }) {
            let text = "\(field.name) as a trailer field"
            found.append(Anomaly(.violation, text, specification: "RFC 9110 6.5.1"))
        }
        return found
    }

    /// What is wrong with the transfer codings.
    var codings: [Anomaly] {
        let codings = head.words(of: "Transfer-Encoding")
        guard !codings.isEmpty else { return [] }
        var found: [Anomaly] = []
        if head.minorVersion == 0 {
            found.append(violation("Transfer-Encoding in HTTP/1.0", "9112 6.1"))
        }
        if codings.count(where: { $0 == "chunked" }) > 1 {
            found.append(violation("chunked more than once", "9112 6.1"))
        }
        let names = codings.map { $0.prefix { $0 != ";" } }.map {
            String($0.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        }
        if let wrong = names.first(where: { !Self.isToken($0) }) {
            found.append(violation("\"\(wrong)\" is not a transfer coding", "9112 7"))
        }
        return found
    }

    /// What the method, the status or one field demands of the others.
    var demands: [Anomaly] {
        var found: [Anomaly] = []
        for name in Self.singletons where head.values(of: name).count > 1 {
            found.append(violation("several fields \(name)", "9110 5.3"))
        }
        let options = head.words(of: "Connection")
        for name in ["upgrade", "te"]
        where !head.values(of: name).isEmpty && !options.contains(name) {
            found.append(
                violation(
                    "\(name) is not an option of Connection",
                    name == "te" ? "9110 10.1.4" : "9110 7.8"))
        }
        switch head.start {
        case .request(let method, let target): found += demands(method, target)
        case .response(let status, _): found += demands(status)
        }
        return found
    }

    /// Whether the head announces a body of at least one byte.
    private var hasContent: Bool {
        head.values(of: "Content-Length").contains { $0.contains { $0 != "0" } }
            || !head.values(of: "Transfer-Encoding").isEmpty
    }

    private func demands(_ method: String, _ target: String) -> [Anomaly] {
        var found: [Anomaly] = []
        if !target.utf8.allSatisfy({ (33...126).contains($0) && $0 != UInt8(ascii: "#") }) {
            found.append(violation("a target that is not a URI reference", "9112 3.2"))
        }
        if target == "*" {
            if method != "OPTIONS" {
                found.append(violation("the target * of \(method)", "9112 3.2.4"))
            }
        } else if method == "CONNECT" {
            if !Self.isHost(target, withPort: true) {
                found.append(
                    violation("the target of CONNECT is not a host and port", "9112 3.2.3"))
            }
        } else if !Self.isPathOrURI(target) {
            found.append(
                violation("the target of \(method) is neither a path nor a URI", "9112 3.2"))
        }
        if method == "TRACE", hasContent {
            found.append(violation("TRACE with content", "9110 9.3.8"))
        }
        if head.words(of: "Expect").contains("100-continue"), !hasContent {
            found.append(violation("100-continue without content", "9110 10.1.1"))
        }
        return found
    }

    private func demands(_ status: Int) -> [Anomaly] {
        var found: [Anomaly] = []
        if let (name, section) = Self.ofStatus[status], head.values(of: name).isEmpty {
            found.append(violation("\(status) without \(name)", section))
        }
        if status == 205, head.values(of: "Content-Length").contains(where: { $0 != "0" }) {
            found.append(violation("205 with content", "9110 15.3.6"))
        }
        if status == 206, head.values(of: "Content-Range").isEmpty,
            head["Content-Type"]?.lowercased().hasPrefix("multipart/byteranges") != true
        {
            found.append(violation("206 without Content-Range", "9110 15.3.7"))
        }
        return found
    }

    /// What is wrong with a response to this request.
    func demands(answering request: HTTP.Message.Request) -> [Anomaly] {
        guard case .response(let status, _) = head.start else { return [] }
        var found: [Anomaly] = []
        let isCoded = !head.values(of: "Transfer-Encoding").isEmpty
        if request.minorVersion == 0 {
            if isCoded, head.minorVersion > 0 {
                found.append(violation("Transfer-Encoding to a client of HTTP/1.0", "9112 6.1"))
            }
            if status < 200 {
                found.append(violation("\(status) to a client of HTTP/1.0", "9110 15.2"))
            }
        }
        if request.method == "CONNECT", (200...299).contains(status),
            isCoded || !head.values(of: "Content-Length").isEmpty
        {
            found.append(violation("\(status) to CONNECT with a length of content", "9110 9.3.6"))
        }
        return found
    }
}
