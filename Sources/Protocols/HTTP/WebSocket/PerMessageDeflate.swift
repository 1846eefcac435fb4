import Wire

extension WebSocket {
    /// The parameters of message compression that a handshake has agreed on (RFC 7692 7.1).
    struct PerMessageDeflate: Sendable, Hashable {
        /// The parameters for the messages that one side sends.
        struct Side: Sendable, Hashable {
            /// The base-2 logarithm of the window size in bytes, 8 to 15.
            var windowBits = 15
            /// Whether a message may refer back to earlier ones.
            var keepsContext = true
        }

        /// The parameters of the client's messages.
        var client = Side()
        /// The parameters of the server's messages.
        var server = Side()

        static let name = "permessage-deflate"

        private static let names = [
            "server_no_context_takeover", "client_no_context_takeover", "server_max_window_bits",
            "client_max_window_bits",
        ]

        private init() {}

        /// Reads the parameters in a server's response; `nil` if it does not have this extension.
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
                    throw Self.failure("\(parameter.name) twice")
                }
                try consume(parameter)
            }
        }

        private mutating func consume(_ parameter: HTTPHead.Field) throws(DecodeError) {
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

        /// Reads a number from 8 to 15 without a leading zero (RFC 7692 7.1.2).
        private static func windowBits(_ parameter: HTTPHead.Field) throws(DecodeError) -> Int {
            guard let bits = Int(parameter.value), (8...15).contains(bits),
                parameter.value == String(bits)
            else { throw failure("\(parameter.name)=\(parameter.value)") }
            return bits
        }

        /// Why no client may make such an offer; `nil` if it may (RFC 7692 7.1).
        ///
        /// A server declines parameters that it does not know, so that others may be defined.
        static func flaw(ofOffer parameters: [HTTPHead.Field]) -> String? {
            var seen: Set<String> = []
            for parameter in parameters.dropFirst() {
                guard seen.insert(parameter.name).inserted else { return "\(parameter.name) twice" }
                guard names.contains(parameter.name) else { continue }
                if parameter.name == "client_max_window_bits", parameter.value.isEmpty { continue }
                var deflate = PerMessageDeflate()
                guard (try? deflate.consume(parameter)) != nil else {
                    return parameter.name
                        + (parameter.value.isEmpty ? "" : "=\(parameter.value)")
                }
            }
            return nil
        }

        /// Whether a response accepts an offer (RFC 7692 7.1.1.1, 7.1.2.1 and 7.1.2.2).
        static func accepts(_ offer: [HTTPHead.Field], _ response: [HTTPHead.Field]) -> Bool {
            func value(_ name: String, _ parameters: [HTTPHead.Field]) -> String? {
                parameters.dropFirst().first { $0.name == name }?.value
            }
            let (takeover, bits) = ("server_no_context_takeover", "server_max_window_bits")
            if value(takeover, offer) != nil, value(takeover, response) == nil { return false }
            if let most = value(bits, offer) {
                guard let own = value(bits, response), (Int(own) ?? 0) <= (Int(most) ?? 15) else {
                    return false
                }
            }
            return value("client_max_window_bits", response) == nil
                || value("client_max_window_bits", offer) != nil
        }

        private static func failure(_ what: String) -> DecodeError {
            DecodeError(.badValue, in: name, at: 0, "the server agreed to \(what)")
        }
    }

    /// The state of the agreement on the extensions of a connection.
    enum Agreement: Sendable, Hashable {
        /// The server's response was not seen, or agreed to an unknown extension.
        case unknown
        /// The connection has no extensions.
        case none
        case deflate(PerMessageDeflate)
        /// The server's response is invalid.
        case unreadable(String)

        /// Creates an agreement from a server's response.
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
    /// The extensions in its `Sec-WebSocket-Extensions` fields (RFC 6455 9.1).
    ///
    /// Each is a list of its name and its parameters. A parameter without a value has an empty one.
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
