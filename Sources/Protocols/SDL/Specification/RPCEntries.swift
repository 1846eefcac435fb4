/// The entries of the RPC tables, each read when it is asked for: what suites say of few messages
/// shall not cost the reading of all.
struct RPCEntries: Sendable {
    /// The entries, found.
    static let shared = RPCEntries()

    /// Knows the enumerations.
    let reader: RPCTableReader
    /// The bodies of structures.
    let structures: [String: RPCTableReader.Slice]

    private init() {
        var reader = RPCTableReader()
        reader.enumerations = reader.named(RPCSpecification.enumerations1)
        reader.enumerations.merge(reader.named(RPCSpecification.enumerations2)) { $1 }
        structures = reader.named(RPCSpecification.structures1)
            .merging(reader.named(RPCSpecification.structures2)) { $1 }
        self.reader = reader
    }

    /// The words of an enumeration; `nil` if there is none of that name.
    func words(ofEnumeration name: String) -> [String]? {
        reader.enumerations[name].map(RPCTableReader.words)
    }

    /// The members of a structure; `nil` if there is none of that name.
    func members(ofStructure name: String) -> [RPCSpecification.Parameter]? {
        structures[name].map(parameters)
    }

    /// The parameters of a message; `nil` if it is not described.
    func parameters(
        of key: RPCSpecification.MessageKey
    ) -> [RPCSpecification.Parameter]? {
        RPCFunctions.shared.bodies[key.code].map(parameters)
    }

    private func parameters(
        of body: RPCTableReader.Slice
    ) -> [RPCSpecification.Parameter] {
        var reader = reader
        return reader.parameters(of: body)
    }
}
