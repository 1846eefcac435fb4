import Wire

extension HTTP {
    /// The body of a message without the content codings of its head (RFC 9110 8.4).
    struct PlainBody: Sendable, Hashable {
        /// The bytes; `nil` if there are too many.
        let bytes: [UInt8]?
        /// The limit that was exceeded; `nil` if the bytes are kept.
        var excess: String?
        /// Whether codings are left that were not undone.
        var isCoded = false
        /// What is wrong with the body.
        var anomaly: Anomaly?

        /// The largest number of codings that are undone in one message; no real sender uses more.
        private static let codingsMax = 4

        /// Creates a body without codings; `nil` for one that is not kept.
        init(_ bytes: [UInt8]?) {
            self.bytes = bytes
            if bytes == nil {
                excess = "the body has more than the \(Limits.body) bytes that are kept"
            }
        }

        /// The bytes, if there are any.
        var content: [UInt8]? { bytes?.isEmpty == false ? bytes : nil }

        /// Undoes the codings of a body, or leaves it unchanged if one of them is unknown.
        init(_ body: [UInt8], of head: HTTPHead, _ allowance: inout InflationAllowance) {
            let codings = head.words(of: "Content-Encoding").filter { $0 != "identity" }
            guard !codings.isEmpty, !body.isEmpty else {
                bytes = body
                return
            }
            guard Self.isWhole(head), codings.count <= Self.codingsMax,
                codings.allSatisfy(Self.isKnown)
            else {
                bytes = body
                isCoded = true
                if codings.count > Self.codingsMax {
                    excess = "the body has more than \(Self.codingsMax) content codings"
                }
                return
            }
            let limit = allowance.limit(for: body.count, atMost: Limits.body)
            var plain = body
            var inflated = 0
            defer { allowance.use(inflated, for: body.count) }
            for coding in codings.reversed() {
                inflated = limit
                let section = coding == "deflate" ? "8.4.1.2" : "8.4.1.3"
                do throws(DecodeError) {
                    let format: Inflation.Format =
                        coding == "deflate" ? Inflation.deflateFormat(of: plain) : .gzip
                    plain = try Inflation.inflate(plain, format, atMost: limit)
                    if format == .raw {
                        anomaly = Self.violation("the body is deflate without zlib", section)
                    }
                } catch  where error.code == .limit {
                    bytes = nil
                    excess =
                        "the \(body.count) bytes of the body become more than the \(limit) that are kept"
                    return
                } catch {
                    bytes = body
                    isCoded = true
                    anomaly = Self.violation("the body is not \(coding): \(error.detail)", section)
                    return
                }
            }
            bytes = plain
            inflated = plain.count
        }

        /// Whether the body is complete and has no transfer coding other than chunked.
        ///
        /// A part of a coded body is not coded by itself (RFC 9110 14.1).
        static func isWhole(_ head: HTTPHead) -> Bool {
            if case .response(206, _) = head.start { return false }
            return head["Content-Range"] == nil
                && head.words(of: "Transfer-Encoding").allSatisfy { $0 == "chunked" }
        }

        private static func isKnown(_ coding: String) -> Bool {
            coding == "gzip" || coding == "x-gzip" || coding == "deflate"
        }

        private static func violation(_ text: String, _ section: String) -> Anomaly {
            Anomaly(.violation, text, specification: "RFC 9110 \(section)")
        }
    }
}

/// Decompression through zlib.
private enum Inflation {
    /// The format around the compressed bytes, as zlib.h numbers it.
    enum Format: Int32 {
        /// RFC 1952, with any number of members.
        case gzip = 31
        /// RFC 1950.
        case zlib = 15
        /// RFC 1951 alone.
        case raw = -15
    }

    /// The format of a body with the coding `deflate`.
    ///
    /// It is a zlib stream, unless the bytes do not begin as one (RFC 1950 2.2, RFC 9110 8.4.1.2).
    static func deflateFormat(of bytes: [UInt8]) -> Format {
        guard bytes.count >= 2 else { return .zlib }
        let isZlib =
            bytes[0] & 0x0F == 8 && (Int(bytes[0]) << 8 | Int(bytes[1])).isMultiple(of: 31)
        return isZlib ? .zlib : .raw
    }

    /// Decompresses all of the bytes.
    ///
    /// - Throws: `.limit` if the result exceeds `limit` bytes; `.truncated`, `.badLength` and
    ///   `.badValue` for invalid input.
    static func inflate(
        _ bytes: [UInt8], _ format: Format, atMost limit: Int
    ) throws(DecodeError) -> [UInt8] {
        guard let inflater = Inflater(windowBits: format.rawValue) else {
            throw failure(.badValue, "zlib cannot be started")
        }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        var used = 0
        while true {
            let (status, produced) = inflater.step(bytes, from: &used, into: &buffer)
            output += buffer[..<produced]
            guard output.count <= limit else { throw failure(.limit, "more than \(limit) bytes") }
            switch status {
            case .ended where used == bytes.count: return output
            case .ended where format == .gzip: inflater.reset()
            case .ended: throw failure(.badLength, "\(bytes.count - used) bytes follow its end")
            case .continues: continue
            case .stuck: throw failure(.truncated, "it ends early")
            case .failed(let reason): throw failure(.badValue, reason)
            }
        }
    }

    private static func failure(_ code: DecodeError.Code, _ what: String) -> DecodeError {
        DecodeError(code, in: "http.content_encoding", at: 0, what)
    }
}
