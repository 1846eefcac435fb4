import Wire

/// The head of an HTTP/1.1 request or response: start line and header fields (RFC 9112).
public struct HTTPHead: Sendable, Hashable {
    /// The first line.
    public enum Start: Sendable, Hashable {
        /// `GET /path HTTP/1.1`.
        case request(method: String, target: String)
        /// `HTTP/1.1 101 Switching Protocols`.
        case response(status: Int, reason: String)
    }

    /// One header field.
    public struct Field: Sendable, Hashable {
        /// Its name as it was written.
        public var name: String
        /// Its value without the blanks around it.
        public var value: String

        /// Creates a field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The first line.
    public var start: Start
    /// The minor version: the number after `HTTP/1.` in the first line.
    public var minorVersion: Int
    /// The header fields in their order.
    public var fields: [Field]

    /// Creates a head.
    public init(_ start: Start, fields: [Field], minorVersion: Int = 1) {
        self.start = start
        self.minorVersion = minorVersion
        self.fields = fields
    }

    /// The longest head that is read, in bytes: twice what common servers accept.
    public static let bytesMax = 16_384

    /// Returns the length of the head at the start of `bytes` with the empty line after it.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - known: How many of them are known not to contain the beginning of that line.
    /// - Returns: The length; `nil` while the empty line is missing.
    public static func length(in bytes: some RandomAccessCollection<UInt8>, behind known: Int = 0)
        -> Int?
    {
        let found = bytes.withContiguousStorageIfAvailable { bytes -> Int? in
            var index = known
            while index + 4 <= bytes.count {
                if bytes[index] == 13, bytes[index + 1] == 10, bytes[index + 2] == 13,
                    bytes[index + 3] == 10
                {
                    return index + 4
                }
                index += 1
            }
            return nil
        }
        return found ?? length(in: Array(bytes), behind: known)
    }

    /// Reads a head that ends with its empty line.
    ///
    /// A line may end without CR, and a value may continue in the next line after a blank. Both are
    /// accepted (RFC 9112 2.2 and 5.2), although no sender may write them.
    ///
    /// - Throws: `.badValue` for a first line that is neither of a request nor of a response, or a
    ///   header line without a colon.
    public init(parsing bytes: some Collection<UInt8>) throws(DecodeError) {
        var lines = Array(bytes).split(separator: 10, omittingEmptySubsequences: false).map {
            $0.last == 13 ? $0.dropLast() : $0
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        guard let first = lines.first else {
            throw DecodeError(.badValue, in: "http", at: 0, "an empty head")
        }
        (start, minorVersion) = try Self.start(String(decoding: first, as: UTF8.self)[...])
        fields = try Self.fields(lines.dropFirst())
    }

    /// Reads header or trailer fields from lines.
    ///
    /// - Throws: `.badValue` for a line without a colon.
    static func fields(
        _ lines: some Sequence<ArraySlice<UInt8>>
    ) throws(DecodeError) -> [Field] {
        var fields: [Field] = []
        for bytes in lines {
            let line = String(decoding: bytes, as: UTF8.self)
            if bytes.first == 32 || bytes.first == 9, let last = fields.indices.last {
                fields[last].value += " " + trimmed(line[...])
                continue
            }
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
                throw DecodeError(.badValue, in: "http.header", at: 0, "a line without a name")
            }
            fields.append(
                Field(String(line[..<colon]), trimmed(line[line.index(after: colon)...])))
        }
        return fields
    }

    /// Reads a first line; also returns the number after `HTTP/1.`.
    static func start(_ line: Substring) throws(DecodeError) -> (Start, Int) {
        let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        if words.count >= 2, let minor = minorVersion(words[0]), words[1].count == 3,
            let status = Int(words[1]), status >= 100
        {
            return (
                .response(status: status, reason: words.count > 2 ? String(words[2]) : ""), minor
            )
        }
        guard words.count == 3, let minor = minorVersion(words[2]), !words[1].isEmpty,
            HTTP.HeaderCheck.isToken(String(words[0]))
        else {
            throw DecodeError(
                .badValue, in: "http.request.line", at: 0, "neither a request nor a response")
        }
        return (.request(method: String(words[0]), target: String(words[1])), minor)
    }

    private static func minorVersion(_ word: Substring) -> Int? {
        guard word.utf8.count == 8, word.hasPrefix("HTTP/1."), let digit = word.last else {
            return nil
        }
        return digit.isASCII ? digit.wholeNumberValue : nil
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }

    /// The value of the first field with the given name, ignoring case.
    public subscript(name: String) -> String? {
        let wanted = name.lowercased()
        return fields.first { $0.name.lowercased() == wanted }?.value
    }

    /// Returns all values of the fields with the given name, ignoring case, in their order.
    public func values(of name: String) -> [String] {
        let wanted = name.lowercased()
        return fields.filter { $0.name.lowercased() == wanted }.map(\.value)
    }

    /// Returns the list elements of the fields with the given name in lower case (RFC 9110 5.6.1).
    func words(of name: String) -> [String] {
        values(of: name).flatMap { $0.split(separator: ",") }
            .map { Self.trimmed($0).lowercased() }.filter { !$0.isEmpty }
    }

    /// Whether the sender ends the connection after the message (RFC 9112 9.3).
    public var endsConnection: Bool {
        let words = words(of: "Connection")
        return words.contains("close") || minorVersion == 0 && !words.contains("keep-alive")
    }

    /// `HTTP/1.1`.
    var version: String { "HTTP/1.\(minorVersion)" }

    /// The head on the wire, including its empty line.
    public var bytes: [UInt8] {
        let first: String =
            switch start {
            case .request(let method, let target): "\(method) \(target) \(version)"
            case .response(let status, let reason): "\(version) \(status) \(reason)"
            }
        let lines = [first] + fields.map { "\($0.name): \($0.value)" } + ["", ""]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    /// Whether it requests or accepts a WebSocket (RFC 6455 4.1 and 4.2.2).
    public var isWebSocket: Bool {
        if case .response(let status, _) = start, status != 101 { return false }
        return words(of: "Upgrade").contains(Self.webSocket)
    }

    /// The name of WebSocket in `Upgrade`, and the protocol's name here (RFC 6455 11.2).
    static let webSocket = "websocket"

    /// The path of a request's target, without its query.
    public var path: String? {
        guard case .request(_, let target) = start else { return nil }
        return String(target.prefix { $0 != "?" })
    }

    /// The parameters of a request's query in their order, with percent signs and `+` decoded.
    public var query: [Field] {
        guard case .request(_, let target) = start, let mark = target.firstIndex(of: "?") else {
            return []
        }
        return target[target.index(after: mark)...].split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Field(
                Self.unescaped(parts[0]), parts.count > 1 ? Self.unescaped(parts[1]) : "")
        }
    }

    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+") {
                bytes.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
