/// The functions of the RPC specification by name and id: what telling messages apart needs.
///
/// Of the tables only the heads of entries are read for it.
struct RPCFunctions: Sendable {
    /// The tables' heads, read.
    static let shared = RPCFunctions()

    /// Names by id.
    let names: [UInt32: String]
    /// Ids by name.
    let ids: [String: UInt32]
    /// The messages that are described, by function and type.
    let messages: [RPCSpecification.MessageKey]
    /// What their entries say of parameters, by the code of the key.
    let bodies: [UInt32: RPCTableReader.Slice]
    /// FrameHeaderReader that could not be read; empty, as a test holds.
    let problems: [String]

    private init() {
        var reader = RPCTableReader()
        let tables: [(table: String, type: SDL.RPCType)] = [
            (RPCSpecification.requests, .request), (RPCSpecification.responses, .response),
            (RPCSpecification.notifications, .notification),
        ]
        var names: [UInt32: String] = [:]
        var messages: [RPCSpecification.MessageKey] = []
        var bodies: [UInt32: RPCTableReader.Slice] = [:]
        for (table, type) in tables {
            for entry in reader.entries(of: table) {
                guard let (name, id) = reader.function(entry.head) else { continue }
                let key = RPCSpecification.MessageKey(id, type)
                names[id] = name
                messages.append(key)
                bodies[key.code] = entry.body
            }
        }
        for entry in reader.entries(of: Self.namesOnly) {
            if let (name, id) = reader.function(entry.head) { names[id] = name }
        }
        self.names = names
        self.bodies = bodies
        ids = Dictionary(
            names.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
        self.messages = messages.sorted { $0.code < $1.code }
        problems = reader.problems
    }

    /// Functions that have an id and no further description.
    private static let namesOnly = """
        SyncPData 65537:
        OnSyncPData 98305:
        """
}
