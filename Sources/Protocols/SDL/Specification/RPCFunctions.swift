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
    /// Heads that could not be read; empty, as a test holds.
    let problems: [String]

    private init() {
        var reader = RPCTableReader()
        let tables: [(table: String, type: SDL.RPCType)] = [
            (RPCSpecification.requests, .request), (RPCSpecification.responses, .response),
            (RPCSpecification.notifications, .notification),
        ]
        var messages: [RPCSpecification.MessageKey] = []
        for (table, type) in tables {
            messages += reader.readNames(table).map { RPCSpecification.MessageKey($0, type) }
        }
        _ = reader.readNames(Self.namesOnly)
        names = reader.functionNames
        ids = Dictionary(
            reader.functionNames.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first }
        )
        self.messages = messages.sorted {
            ($0.functionID, $0.type.rawValue) < ($1.functionID, $1.type.rawValue)
        }
        problems = reader.problems
    }

    /// Functions that have an id and no further description.
    private static let namesOnly = """
        SyncPData 65537:
        OnSyncPData 98305:
        """
}
