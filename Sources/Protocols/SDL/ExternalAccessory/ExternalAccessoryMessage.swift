import Wire

extension ExternalAccessory {
    /// A message between an app and an accessory, whichever carrier is used.
    public struct Message: DissectedMessage, Hashable {
        /// The kind and content of a message.
        public enum Content: Sendable, Hashable {
            /// A phone asks for announcements of accessories (on the bus: opens its control
            /// connection).
            case control
            /// An accessory that was connected before the phone asked.
            case accessory(Accessory)
            /// All accessories that were connected before have been announced.
            case ready
            /// An accessory has been connected.
            case connected(Accessory)
            /// An accessory has been disconnected.
            case disconnected(id: UInt32)
            /// An app asks for a session.
            case open(Session)
            /// The accessory has opened it.
            case opened(Session)
            /// The accessory does not open it.
            case refused(Session, reason: String)
            /// Bytes of a session in which no other protocol was recognised.
            case data(Session, [UInt8])
            /// A side ends a session, or gives up one that never opened.
            case close(Session)
            /// Bytes that are not a unit of the carrier.
            case malformed(String)
        }

        /// What the message contains.
        public let content: Content
        /// The anomalies of the message on the wire.
        public let anomalies: [Anomaly]
        /// The bytes on the wire; a sample of malformed ones.
        public let bytes: [UInt8]

        /// Creates a message.
        public init(_ content: Content, bytes: [UInt8] = [], anomalies: [Anomaly] = []) {
            self.content = content
            self.bytes = bytes
            self.anomalies = anomalies
        }

        /// `ea.` and the kind of message.
        public var name: String {
            switch content {
            case .control: "ea.control"
            case .accessory: "ea.accessory"
            case .ready: "ea.ready"
            case .connected: "ea.connected"
            case .disconnected: "ea.disconnected"
            case .open: "ea.open"
            case .opened: "ea.opened"
            case .refused: "ea.refused"
            case .data: "ea.data"
            case .close: "ea.close"
            case .malformed: "ea.malformed"
            }
        }

        /// The known parts, under `ea`; `error` for malformed bytes.
        public var fields: Value {
            switch content {
            case .control, .ready: .object([])
            case .accessory(let accessory), .connected(let accessory):
                ["ea": .object(accessory.members)]
            case .disconnected(let id): ["ea": ["accessory_id": .integer(Int64(id))]]
            case .open(let session), .opened(let session), .close(let session):
                ["ea": .object(session.members)]
            case .refused(let session, let reason):
                ["ea": .object(session.members + [.init("reason", .string(reason))])]
            case .data(let session, let data):
                ["ea": .object(session.members + Self.members(of: data))]
            case .malformed(let what): ["error": .string(what)]
            }
        }

        /// The members for data: a single byte may be an index that a hub reports.
        private static func members(of data: [UInt8]) -> [Value.Member] {
            let index = data.count == 1 ? data.first : nil
            return [.init("data", .bytes(data))]
                + (index.map { [.init("index", .integer(Int64($0)))] } ?? [])
        }
    }
}

extension ExternalAccessory.Accessory {
    fileprivate var members: [Value.Member] {
        var members: [Value.Member] = [
            .init("accessory_id", .integer(Int64(id))), .init("accessory_name", .string(name)),
        ]
        if !manufacturer.isEmpty { members.append(.init("manufacturer", .string(manufacturer))) }
        if !model.isEmpty { members.append(.init("model", .string(model))) }
        return members + [.init("protocols", .array(protocols.map { .string($0) }))]
    }
}

extension ExternalAccessory.Session {
    fileprivate var members: [Value.Member] {
        var members: [Value.Member] = []
        if let accessoryID {
            members.append(.init("accessory_id", .integer(Int64(accessoryID))))
        }
        if let protocolString { members.append(.init("protocol", .string(protocolString))) }
        if let id { members.append(.init("session_id", .integer(Int64(id)))) }
        return members
    }
}
