import Wire

extension HTTP {
    /// How the body of a message is delimited (RFC 9112 6.3).
    enum Framing: Sendable, Hashable {
        case none
        case sized(Int)
        case chunked
        case untilClose
        /// No more HTTP messages follow in either direction.
        case tunnel

        /// Derives the framing from a head.
        ///
        /// - Parameters:
        ///   - head: The head.
        ///   - method: For a response, the method of the request that it answers; `nil` if that is
        ///     unknown.
        ///   - bytes: The head on the wire.
        /// - Throws: `.badValue` or `.badLength` for headers that do not delimit a body.
        init(
            of head: HTTPHead, answering method: String?, in bytes: [UInt8]
        ) throws(DecodeError) {
            let isResponse: Bool
            switch head.start {
            case .request: isResponse = false
            case .response(let status, _):
                isResponse = true
                if status == 101 || method == "CONNECT" && (200...299).contains(status) {
                    self = .tunnel
                    return
                }
                if method == "HEAD" || status < 200 || status == 204 || status == 304 {
                    self = .none
                    return
                }
            }
            if let last = head.words(of: "Transfer-Encoding").last {
                guard last == "chunked" || isResponse else {
                    throw DecodeError(
                        .badValue, in: "http.transfer_encoding",
                        at: Self.offset(of: "transfer-encoding", in: bytes),
                        "the last transfer coding of a request is chunked, not \(last) "
                            + "(RFC 9112 6.3)")
                }
                self = last == "chunked" ? .chunked : .untilClose
            } else if let length = try Self.contentLength(of: head, in: bytes) {
                self = length == 0 ? .none : .sized(length)
            } else {
                self = isResponse ? .untilClose : .none
            }
        }

        /// The number in Content-Length, at most the largest `Int`; `nil` if there is none.
        ///
        /// - Throws: `.badLength` for a value that is not a number, or several that differ.
        private static func contentLength(
            of head: HTTPHead, in bytes: [UInt8]
        ) throws(DecodeError) -> Int? {
            let values = head.values(of: "Content-Length")
            if values.isEmpty { return nil }
            let lengths = Set(head.words(of: "Content-Length").map(length))
            guard lengths.count == 1, let length = lengths.first, let length else {
                throw DecodeError(
                    .badLength, in: "http.content_length",
                    at: offset(of: "content-length", in: bytes),
                    "\(values.joined(separator: ", ")) is not a length (RFC 9112 6.3)")
            }
            return length
        }

        /// The number that any count of digits means, at most the largest `Int`; `nil` for another
        /// text.
        private static func length(_ word: String) -> Int? {
            guard !word.isEmpty, word.utf8.allSatisfy({ (48...57).contains($0) }) else {
                return nil
            }
            return Int(word) ?? .max
        }

        /// The offset of the first field of that name in a head on the wire; 0 if there is none.
        private static func offset(of name: String, in bytes: [UInt8]) -> Int {
            var start = 0
            for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
                let word = line.prefix { $0 != UInt8(ascii: ":") }
                if String(decoding: word, as: UTF8.self).lowercased() == name { return start }
                start += line.count + 1
            }
            return 0
        }
    }

    /// A check of a head for what no sender may write.
    package struct HeaderCheck {
        let head: HTTPHead
        /// The head on the wire.
        let bytes: [UInt8]

        /// The violations; empty for a valid head.
        package var anomalies: [Anomaly] { lines + fields + framing + demands }

        func violation(_ text: String, _ section: String) -> Anomaly {
            Anomaly(.violation, text, specification: "RFC \(section)")
        }

        private var lines: [Anomaly] {
            var found: [Anomaly] = []
            let ends = bytes.indices.filter { bytes[$0] == 10 }
            if ends.contains(where: { $0 == 0 || bytes[$0 - 1] != 13 }) {
                found.append(violation("a line ends without CR", "9112 2.2"))
            }
            let isFolded = ends.contains {
                $0 + 1 < bytes.count && (bytes[$0 + 1] == 32 || bytes[$0 + 1] == 9)
            }
            if isFolded {
                found.append(violation("a field continues in the next line", "9112 5.2"))
            }
            if case .response = head.start,
                bytes.prefix(while: { $0 != 10 && $0 != 13 }).count == "HTTP/1.1 200".utf8.count
            {
                found.append(violation("no space after the status code", "9112 4"))
            }
            return found + Self.characters(of: bytes)
        }

        private var fields: [Anomaly] {
            var found: [Anomaly] = []
            if let field = head.fields.first(where: { !Self.isToken($0.name) }) {
                found.append(violation("\"\(field.name)\" is not a field name", "9112 5.1"))
            }
            if case .request = head.start, head.minorVersion >= 1 {
                let hosts = head.values(of: "Host").count
                if hosts != 1 {
                    found.append(
                        violation(
                            hosts == 0
                                ? "a request without Host" : "a request with \(hosts) Host fields",
                            "9112 3.2"))
                }
            }
            if case .request = head.start,
                let host = head.values(of: "Host").first(where: { !Self.isHost($0) })
            {
                found.append(
                    violation("\"\(host)\" is not a host with an optional port", "9112 3.2"))
            }
            return found
        }

        private var framing: [Anomaly] {
            let hasLength = !head.values(of: "Content-Length").isEmpty
            let isCoded = !head.values(of: "Transfer-Encoding").isEmpty
            var found = codings
            if head.values(of: "Content-Length").contains(where: { $0.contains(",") }) {
                found.append(violation("several values of Content-Length", "9110 8.6"))
            }
            if hasLength, isCoded {
                found.append(violation("Content-Length with Transfer-Encoding", "9112 6.2"))
            }
            if case .response(let status, _) = head.start, status < 200 || status == 204 {
                if hasLength {
                    found.append(violation("\(status) with Content-Length", "9110 8.6"))
                }
                if isCoded {
                    found.append(violation("\(status) with Transfer-Encoding", "9112 6.1"))
                }
            }
            return found
        }

        /// Whether the text is a token (RFC 9110 5.6.2).
        static func isToken(_ text: String) -> Bool {
            !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
        }

        /// Whether a token may contain the byte.
        static func isTokenByte(_ byte: UInt8) -> Bool {
            switch byte {
            case 48...57, 65...90, 97...122: true
            default: marks.contains(byte)
            }
        }

        private static let marks = Array("!#$%&'*+-.^_`|~".utf8)
    }
}
