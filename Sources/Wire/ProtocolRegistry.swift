/// One protocol, or a family of them, as the rest of the harness uses it.
///
/// A protocol is a target of its own that offers one such value; the registry is made of them.
public struct ProtocolModule: Sendable {
    /// Its messages and fields, for suites and documentation.
    public let descriptions: [ProtocolDescription]
    /// How it is found in byte streams, in the order in which it is tried; each says what may carry it.
    public let streamProtocols: [StreamProtocol]
    /// Finds a field that the heads of its messages show; `nil` if they do not.
    public let screenedField: @Sendable (FieldPath) -> ScreenedField?

    /// Makes a module.
    public init(
        _ descriptions: [ProtocolDescription], streamProtocols: [StreamProtocol] = [],
        screenedField: @escaping @Sendable (FieldPath) -> ScreenedField? = { _ in nil }
    ) {
        self.descriptions = descriptions
        self.streamProtocols = streamProtocols
        self.screenedField = screenedField
    }
}

/// The protocols and the kinds of peers that a program knows, and what can be asked of all of them.
///
/// It is one object, because everything that reads traces or suites names it.
public final class ProtocolRegistry: Sendable {
    /// The protocols' messages and fields, for suites and documentation.
    public let descriptions: [ProtocolDescription]
    /// The protocols that ride on a byte stream, in the order in which they are tried.
    public let streamProtocols: [StreamProtocol]
    /// All message names, sorted.
    public let messageNames: [String]
    /// The messages that stand for bytes which do not decode.
    public let lostBytesNames: [String]
    /// The protocols that carry messages of others; their own are judged only where a case names them.
    public let transports: Set<String>
    /// The kinds of peers, in the order in which they are listed.
    public let peers: [PeerKind]
    private let codes: [String: MessageCode]
    /// The messages by the index of their codes; `nil` where no code has the index.
    private let messages: [MessageDescription?]
    private let screenedFields: [@Sendable (FieldPath) -> ScreenedField?]

    /// Makes a registry.
    ///
    /// - Parameters:
    ///   - modules: The protocols; streams are tried in their order. No two may have messages of the
    ///     same name or the same code (`ProtocolDescription.firstCode`).
    ///   - peers: The kinds of peers; no two may have the same name.
    public init(_ modules: [ProtocolModule], peers: [PeerKind] = []) {
        let names = Set(peers.map(\.name))
        precondition(names.count == peers.count, "two kinds of peers have the same name")
        self.peers = peers
        descriptions = modules.flatMap(\.descriptions)
        streamProtocols = modules.flatMap(\.streamProtocols)
        screenedFields = modules.map(\.screenedField)
        var codes: [String: MessageCode] = [:]
        let end = descriptions.flatMap(\.codes).map(\.index).max().map { Int($0) + 1 } ?? 0
        var messages = [MessageDescription?](repeating: nil, count: end)
        for family in descriptions {
            for (message, code) in zip(family.messages, family.codes) {
                let former = codes.updateValue(code, forKey: message.name)
                precondition(former == nil, "two messages have the name \(message.name)")
                let other = messages[Int(code.index)]?.name
                precondition(
                    other == nil, "\(message.name) has the code of \(other ?? "another message")")
                messages[Int(code.index)] = message
            }
        }
        self.codes = codes
        self.messages = messages
        messageNames = codes.keys.sorted()
        lostBytesNames = messageNames.filter(\.standsForLostBytes)
        transports = Set(descriptions.filter(\.isTransport).map(\.name))
    }

    // MARK: - Peers

    /// The kind of peer of that name.
    public func peer(named name: String) -> PeerKind? { peers.first { $0.name == name } }

    /// The kinds that can be recognised by what they say.
    public var speakingPeers: [PeerKind] { peers.filter(\.speaks) }

    /// The kinds of devices that its peers are counterparts of, each once.
    public var deviceRoles: [String] {
        peers.compactMap(\.deviceRole).reduce(into: []) { roles, role in
            if !roles.contains(role) { roles.append(role) }
        }
    }

    // MARK: - Messages

    /// The description of a message by its full name.
    public func message(named name: String) -> MessageDescription? {
        codes[name].flatMap { messages[Int($0.index)] }
    }

    /// The code of a message by its full name.
    public func code(ofMessage name: String) -> MessageCode? { codes[name] }

    /// The name of a message by its code.
    public func name(of code: MessageCode) -> String { messages[Int(code.index)]?.name ?? "" }

    /// How many entries a table by the index of codes has.
    public var codeCount: Int { messages.count }

    /// A table by the index of codes.
    ///
    /// - Parameters:
    ///   - hole: What is at an index that is no message's.
    ///   - content: What is said of a message, by its name.
    public func table<Content>(
        _ hole: Content, _ content: (String) -> Content
    ) -> [Content] {
        messages.map { $0.map { content($0.name) } ?? hole }
    }

    /// The protocol that a message belongs to, by the first component of its name.
    public func family(ofMessage name: String) -> ProtocolDescription? {
        descriptions.first { name.hasPrefix($0.name + ".") }
    }

    /// Decodes a message from its unit.
    ///
    /// What other messages of the connection have to do with it is left out.
    ///
    /// - Returns: `nil` if the unit does not give one message of the name that its head says, as that of
    ///   a message in several frames does not.
    public func message(of head: MessageHeader, in unit: RawSpan) -> (any DissectedMessage)? {
        let name = name(of: head.code)
        let family = name.prefix { $0 != "." }
        guard let known = streamProtocols.first(where: { $0.name == family }) else { return nil }
        var decoder = known.makeDecoder(DissectionStack([]))
        var messages: [StreamMessage] = []
        decoder.consume(unit, from: .first, at: 0, into: &messages)
        guard messages.count == 1, let message = messages.first?.content, message.name == name
        else { return nil }
        return message
    }

    /// The number of the session that a message belongs to, if its protocol has several on one
    /// connection; 0 if it belongs to none yet.
    public func session(of message: any DissectedMessage) -> Int64? {
        family(ofMessage: message.name)?.session.flatMap { message.field($0)?.integerValue }
    }

    // MARK: - Fields

    /// The fields that a message may have: the protocol's common ones and its own.
    public func fields(ofMessage name: String) -> [FieldDescription] {
        if name == LostBytes.name { return LostBytes.fieldDescriptions }
        return (family(ofMessage: name)?.fields ?? []) + (message(named: name)?.fields ?? [])
    }

    /// What a path denotes in a message; `nil` if the message has no such field.
    public func fieldType(of path: FieldPath, inMessage name: String) -> FieldType? {
        path == .violation
            ? .string(maxLength: nil) : fields(ofMessage: name).fieldType(at: path)
    }

    /// Whether any message may have a field at that path.
    public func hasField(_ path: FieldPath) -> Bool {
        path == .violation
            || descriptions.contains { family in
                family.fields.fieldType(at: path) != nil
                    || family.messages.contains { $0.fields.fieldType(at: path) != nil }
            }
    }

    /// A field that the heads of messages show; `nil` if those of no protocol do.
    public func screenedField(_ path: FieldPath) -> ScreenedField? {
        for find in screenedFields {
            if let field = find(path) { return field }
        }
        return nil
    }
}

extension ProtocolModule {
    /// What the harness itself says: events of devices, and the messages that suites cut from streams.
    public static let harness = ProtocolModule([DeviceEvent.description, StreamUnit.description])
}
