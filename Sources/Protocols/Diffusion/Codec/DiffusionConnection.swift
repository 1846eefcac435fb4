import HTTP
import Wire

extension Diffusion {
    /// A client's request for a session: the request of the WebSocket handshake.
    ///
    /// Its parameters are in the query, or in header fields of the same names.
    public struct Connect: DissectedMessage, Hashable {
        /// The names of the known parameters.
        public static let parameterNames = [
            "v", "ty", "ca", "r", "username", "password", "sp", "c", "cs", "ss",
        ]

        /// The request.
        public let head: HTTPHead
        /// The request on the wire.
        public let bytes: [UInt8]

        /// What is wrong with the handshake.
        public let anomalies: [Anomaly]

        /// Creates a message from a request.
        public init(head: HTTPHead, bytes: [UInt8], anomalies: [Anomaly] = []) {
            self.head = head
            self.bytes = bytes
            self.anomalies = anomalies
        }

        /// `diffusion.connect`, or `diffusion.reconnect` with a session token.
        public var name: String {
            parameters.contains { $0.name == "c" } ? "diffusion.reconnect" : "diffusion.connect"
        }

        /// The parameters, in the order of `parameterNames`.
        public var parameters: [HTTPHead.Field] {
            let query = head.query
            let given = Self.isCarrier(query) ? query : head.fields
            return Self.parameterNames.compactMap { name in
                given.first { $0.name.lowercased() == name }.map {
                    HTTPHead.Field(name, $0.value)
                }
            }
        }

        private static func isCarrier(_ query: [HTTPHead.Field]) -> Bool {
            query.contains { $0.name == "v" || $0.name == "ty" }
        }

        /// The request, the location of its parameters, and the parameters.
        ///
        /// Numeric parameters are numbers. The password is omitted.
        public var fields: Value {
            guard case .object(let members) = head.value else { return head.value }
            let parameters = parameters.filter { $0.name != "password" }.map {
                Value.Member($0.name, Int64($0.value).map(Value.integer) ?? .string($0.value))
            }
            let shown = members.filter { $0.name != "headers" }
            return .object(
                shown + [
                    Value.Member(
                        "carrier", .string(Self.isCarrier(head.query) ? "query" : "header")),
                    Value.Member("parameters", .object(parameters)),
                ])
        }
    }

    /// The server's response: a session, or why there is none.
    public struct ConnectResponse: DissectedMessage, Hashable {
        /// The session in a response.
        public struct Session: Sendable, Hashable {
            /// The server's part of the session's id.
            public var server: UInt64
            /// The number's part of the session's id.
            public var value: UInt64
            /// The token that a client sends to resume it, 24 characters.
            public var token: [UInt8]
            /// The period of the server's pings in milliseconds; `nil` in old versions.
            public var pingPeriod: Int64?
            /// The largest message in bytes, or with code 105 the recovery sequence; `nil` in old
            /// versions.
            public var last: UInt32?

            /// Creates a session; the token has 24 bytes.
            public init(
                server: UInt64, value: UInt64, token: [UInt8], pingPeriod: Int64? = nil,
                last: UInt32? = nil
            ) {
                self.server = server
                self.value = value
                self.token = token
                self.pingPeriod = pingPeriod
                self.last = last
            }

            /// The id as clients print it: `6c600e92e7b2bff0-0000000300000001`.
            public var id: String {
                [server, value].map { part in
                    let digits = String(part, radix: 16)
                    return String(repeating: "0", count: 16 - digits.count) + digits
                }.joined(separator: "-")
            }
        }

        /// The first byte of every response: `#`.
        static let mark: UInt8 = 0x23
        private static let tokenLength = 24

        /// The version of the protocol.
        public let version: UInt8
        /// The code.
        public let code: UInt8
        /// The session; `nil` if there is none.
        public let session: Session?
        /// The frame on the wire.
        public let bytes: [UInt8]
        /// The anomalies of the frame.
        public let anomalies: [Anomaly]

        /// Reads a response.
        ///
        /// - Throws: `.truncated` if it ends within a part; `.badValue` if it is not a response.
        init(
            parsing payload: [UInt8], bytes: [UInt8], anomalies: [Anomaly] = []
        ) throws(DecodeError) {
            var reader = ByteReader(payload.span.bytes, unit: "diffusion.response")
            guard try reader.uint8("mark") == Self.mark else {
                throw DecodeError(.badValue, in: "diffusion.response", at: 0, "no # before it")
            }
            version = try reader.uint8("version")
            code = try reader.uint8("code")
            var session: Session?
            if reader.remaining > 0 {
                let server = try reader.uint64("session")
                let value = try reader.uint64("session")
                let token = try reader.array(Self.tokenLength, "token")
                let period =
                    reader.remaining > 0 ? Int64(bitPattern: try reader.uint64("ping")) : nil
                let last = reader.remaining > 0 ? try reader.uint32("last") : nil
                session = Session(
                    server: server, value: value, token: token, pingPeriod: period, last: last)
            }
            var found = anomalies
            if ResponseCode(rawValue: code)?.isSuccess == true, session == nil {
                found.append(
                    Anomaly(
                        .violation, "code \(code) without a session",
                        specification: "Diffusion clients"))
            }
            self.session = session
            self.bytes = bytes
            self.anomalies = found
        }

        /// Returns the payload of a response.
        public static func payload(
            version: UInt8, code: UInt8, session: Session? = nil
        ) -> [UInt8] {
            var bytes = [mark, version, code]
            guard let session else { return bytes }
            bytes.append(bigEndian: session.server)
            bytes.append(bigEndian: session.value)
            bytes += session.token
            if let period = session.pingPeriod { bytes.append(bigEndian: period) }
            if let last = session.last { bytes.append(bigEndian: last) }
            return bytes
        }

        /// `diffusion.response`.
        public var name: String { "diffusion.response" }

        /// The version, the code, and the session if there is one.
        public var fields: Value {
            var members: [Value.Member] = [
                Value.Member("version", .integer(Int64(version))),
                Value.Member("code", .integer(Int64(code))),
            ]
            guard let session else { return .object(members) }
            members.append(Value.Member("sessionId", .string(session.id)))
            members.append(
                Value.Member("token", .string(String(decoding: session.token, as: UTF8.self))))
            if let period = session.pingPeriod {
                members.append(Value.Member("pingPeriod", .integer(period)))
            }
            if let last = session.last {
                let isResumed = code == ResponseCode.reconnected.rawValue
                members.append(
                    Value.Member(
                        isResumed ? "recoverySequence" : "maxMessageSize", .integer(Int64(last))))
            }
            return .object(members)
        }
    }
}
