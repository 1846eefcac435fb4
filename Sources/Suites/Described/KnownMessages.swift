import Wire

/// What is known of messages: those of the program's protocols, and those that files describe.
public struct KnownMessages: Sendable {
    /// The protocols of the program.
    public let protocols: ProtocolRegistry
    /// The protocols that files describe.
    public let own: [NamedProtocol]

    /// Knows both.
    public init(_ protocols: ProtocolRegistry, _ own: [NamedProtocol] = []) {
        self.protocols = protocols
        self.own = own
    }

    /// The messages that stand for bytes which do not decode.
    var lostBytesNames: [String] {
        protocols.lostBytesNames
            + own.flatMap(\.description.messages).map(\.name).filter(\.standsForLostBytes)
    }

    /// The described protocol that a message belongs to.
    public func family(of name: String) -> NamedProtocol? {
        own.first { name.hasPrefix($0.name + ".") }
    }

    /// What is known of a message; `nil` if nothing has that name.
    public func message(named name: String) -> MessageDescription? {
        guard let family = family(of: name) else {
            return protocols.message(named: name)
        }
        return family.description.messages.first { $0.name == name }
    }

    /// The fields that every message of its protocol has.
    public func commonFields(ofMessage name: String) -> [FieldDescription] {
        (family(of: name)?.description
            ?? protocols.family(ofMessage: name))?
            .fields ?? []
    }

    /// The fields by which answers of its protocol are distinguished.
    public func correlation(ofMessage name: String) -> [FieldPath] {
        family(of: name)?.description.correlation
            ?? protocols.family(ofMessage: name)?.correlation ?? []
    }

    /// The fields that a message may have: those of its protocol and its own.
    public func fields(ofMessage name: String) -> [FieldDescription] {
        guard let family = family(of: name) else {
            return protocols.fields(ofMessage: name)
        }
        return (message(named: name)?.fields ?? []) + family.description.fields
    }

    /// What a path denotes in a message; `nil` if the message has no such field.
    public func fieldType(of path: FieldPath, inMessage name: String) -> FieldType? {
        guard family(of: name) != nil, path != .violation else {
            return protocols.fieldType(of: path, inMessage: name)
        }
        return fields(ofMessage: name).fieldType(at: path)
    }
}
