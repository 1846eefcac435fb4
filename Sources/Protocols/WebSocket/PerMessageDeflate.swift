import HTTP
import Wire

extension WebSocket {
    /// How messages are packed by DEFLATE, as a handshake has agreed on it (RFC 7692 7.1).
    struct PerMessageDeflate: Sendable, Hashable {
        /// What one of the two sides does to what it sends.
        struct Side: Sendable, Hashable {
            /// The window is two to the power of it in bytes, 8 to 15.
            var windowBits = 15
            /// Whether a message may refer back to those before it.
            var keepsContext = true
        }

        /// What the client sends.
        var client = Side()
        /// What the server sends.
        var server = Side()

        static let name = "permessage-deflate"

        /// Reads what a server has agreed to; `nil` if this extension is not among it.
        ///
        /// - Throws: `.badValue` for a parameter that a response must not have, or a wrong value.
        init?(agreedIn head: HTTPHead) throws(DecodeError) {
            guard
                let parameters = head.webSocketExtensions.first(where: {
                    $0.first?.name == Self.name
                })
            else { return nil }
            var seen: Set<String> = []
            for parameter in parameters.dropFirst() {
                guard seen.insert(parameter.name).inserted else {
                    throw Self.failure("\(parameter.name) stands twice")
                }
                try take(parameter)
            }
        }

        private mutating func take(_ parameter: HTTPHead.Field) throws(DecodeError) {
            switch parameter.name {
            case "server_no_context_takeover" where parameter.value.isEmpty:
                server.keepsContext = false
            case "client_no_context_takeover" where parameter.value.isEmpty:
                client.keepsContext = false
            case "server_max_window_bits":
                server.windowBits = try Self.windowBits(parameter)
            case "client_max_window_bits":
                client.windowBits = try Self.windowBits(parameter)
            default:
                let value = parameter.value.isEmpty ? "" : "=\(parameter.value)"
                throw Self.failure("a parameter \(parameter.name)\(value)")
            }
        }

        /// 8 to 15 without a zero before it (RFC 7692 7.1.2).
        private static func windowBits(_ parameter: HTTPHead.Field) throws(DecodeError) -> Int {
            guard let bits = Int(parameter.value), (8...15).contains(bits),
                parameter.value == String(bits)
            else { throw failure("\(parameter.name)=\(parameter.value)") }
            return bits
        }

        private static func failure(_ what: String) -> DecodeError {
            DecodeError(.badValue, in: name, at: 0, "the server agreed to \(what)")
        }
    }

    /// What is known of the extensions of a connection.
    enum Agreement: Sendable, Hashable {
        /// The server's answer was not seen, or agreed to an extension that is not known.
        case unknown
        /// There are none.
        case none
        case deflate(PerMessageDeflate)
        /// The server's answer makes no sense.
        case unreadable(String)

        /// What a server's answer says.
        init(_ head: HTTPHead) {
            do throws(DecodeError) {
                if let deflate = try PerMessageDeflate(agreedIn: head) {
                    self = .deflate(deflate)
                } else {
                    self = head.webSocketExtensions.isEmpty ? .none : .unknown
                }
            } catch {
                self = .unreadable("\(error)")
            }
        }
    }
}

extension HTTPHead {
    /// The extensions of its `Sec-WebSocket-Extensions` fields: each a list of its name and its
    /// parameters, a parameter without a value with an empty one (RFC 6455 9.1).
    var webSocketExtensions: [[Field]] {
        fields.filter { $0.name.lowercased() == "sec-websocket-extensions" }
            .flatMap { $0.value.split(separator: ",") }
            .map { entry in entry.split(separator: ";").map(Self.parameter) }
            .filter { $0.first?.name.isEmpty == false }
    }

    private static func parameter(_ text: Substring) -> Field {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
        return Field(parts[0].lowercased(), parts.count > 1 ? parts[1] : "")
    }
}
