/// The functions of the RPC specification by name and id, as needed to distinguish messages.
///
/// Only the headers of the tables' entries are parsed for it.
struct RPCFunctions: Sendable {
    /// The shared instance, with the headers parsed.
    static let shared = RPCFunctions()

    /// The names by id.
    let names: [UInt32: String]
    /// The ids by name.
    let ids: [String: UInt32]
    /// The messages that are described, by function and type.
    let messages: [RPCSpecification.MessageKey]
    /// The parameter texts of their entries, by the code of the key.
    let bodies: [UInt32: RPCTableReader.Slice]
    /// The headers that could not be parsed; empty, as a test verifies.
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

    /// The functions that have an id but no further description.
    private static let namesOnly = """
        SyncPData 65537:
        OnSyncPData 98305:
        """
}
