import Wire

/// The known messages: those of the program's protocols and those that files describe.
public struct KnownMessages: Sendable {
    /// The protocols of the program.
    public let protocols: ProtocolRegistry
    /// The protocols that files describe.
    public let own: [NamedProtocol]

    /// Combines the protocols of the program with those that files describe.
    public init(_ protocols: ProtocolRegistry, _ own: [NamedProtocol] = []) {
        self.protocols = protocols
        self.own = own
    }

    /// The names of the messages that represent bytes which do not decode.
    var lostBytesNames: [String] {
        protocols.lostBytesNames
            + own.flatMap(\.description.messages).map(\.name).filter(\.standsForLostBytes)
    }

    /// Returns the described protocol that a message belongs to.
    public func family(of name: String) -> NamedProtocol? {
        own.first { name.hasPrefix($0.name + ".") }
    }

    /// Returns the description of a message; `nil` if no message has that name.
    public func message(named name: String) -> MessageDescription? {
        guard let family = family(of: name) else {
            return protocols.message(named: name)
        }
        return family.description.messages.first { $0.name == name }
    }

    /// Returns the fields that every message of its protocol has.
    public func commonFields(ofMessage name: String) -> [FieldDescription] {
        (family(of: name)?.description
            ?? protocols.family(ofMessage: name))?
            .fields ?? []
    }

    /// Returns the fields by which answers of its protocol are distinguished.
    public func correlation(ofMessage name: String) -> [FieldPath] {
        family(of: name)?.description.correlation
            ?? protocols.family(ofMessage: name)?.correlation ?? []
    }

    /// Returns the fields that a message may have: those of its protocol and its own.
    public func fields(ofMessage name: String) -> [FieldDescription] {
        guard let family = family(of: name) else {
            return protocols.fields(ofMessage: name)
        }
        return (message(named: name)?.fields ?? []) + family.description.fields
    }

    /// Returns the type of the field at a path; `nil` if the message has no such field.
    public func fieldType(of path: FieldPath, inMessage name: String) -> FieldType? {
        guard family(of: name) != nil, path != .violation else {
            return protocols.fieldType(of: path, inMessage: name)
        }
        return fields(ofMessage: name).fieldType(at: path)
    }
}
