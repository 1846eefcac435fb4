/// The entries of the RPC tables, each parsed on access.
///
/// A suite that uses few messages should not cost the parsing of all.
struct RPCEntries: Sendable {
    /// The shared instance, in which the entries are found but not parsed.
    static let shared = RPCEntries()

    /// The reader, which contains the enumerations.
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

    /// Returns the words of an enumeration; `nil` if there is none of that name.
    func words(ofEnumeration name: String) -> [String]? {
        reader.enumerations[name].map(RPCTableReader.words)
    }

    /// Returns the members of a structure; `nil` if there is none of that name.
    func members(ofStructure name: String) -> [RPCSpecification.Parameter]? {
        structures[name].map(parameters)
    }

    /// Returns the parameters of a message; `nil` if it is not described.
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
