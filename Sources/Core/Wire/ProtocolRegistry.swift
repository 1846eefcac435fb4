/// A protocol, or a family of protocols, as the rest of the harness uses it.
///
/// Each protocol is a target of its own that offers one such value. The registry consists of these
/// values.
public struct ProtocolModule: Sendable {
    /// Its messages and fields, for suites and documentation.
    public let descriptions: [ProtocolDescription]
    /// How it is recognised in byte streams, in the order of the attempts.
    ///
    /// Each entry lists its carriers.
    public let streamProtocols: [StreamProtocol]
    /// Finds a field that is visible in its message headers.
    ///
    /// It is `nil` if the headers do not contain it.
    public let screenedField: @Sendable (FieldPath) -> ScreenedField?

    /// Creates a module.
    public init(
        _ descriptions: [ProtocolDescription], streamProtocols: [StreamProtocol] = [],
        screenedField: @escaping @Sendable (FieldPath) -> ScreenedField? = { _ in nil }
    ) {
        self.descriptions = descriptions
        self.streamProtocols = streamProtocols
        self.screenedField = screenedField
    }
}

/// The protocols and the kinds of peers that a program supports, with queries across all of them.
///
/// It is a class, because everything that reads traces or suites refers to it.
public final class ProtocolRegistry: Sendable {
    /// The protocols' messages and fields, for suites and documentation.
    public let descriptions: [ProtocolDescription]
    /// The protocols that run on a byte stream, in the order in which they are tried.
    public let streamProtocols: [StreamProtocol]
    /// All message names, sorted.
    public let messageNames: [String]
    /// The names of messages that represent bytes which do not decode.
    public let lostBytesNames: [String]
    /// The protocols that carry other protocols.
    ///
    /// Their own messages are judged only where a case names them.
    public let transports: Set<String>
    /// The kinds of peers, in the order in which they are listed.
    public let peers: [PeerKind]
    private let codes: [String: MessageCode]
    /// The messages by the index of their codes; `nil` at an index that no code has.
    private let messages: [MessageDescription?]
    private let screenedFields: [@Sendable (FieldPath) -> ScreenedField?]

    /// Creates a registry.
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

    /// Returns the kind of peer with that name.
    public func peer(named name: String) -> PeerKind? { peers.first { $0.name == name } }

    /// The kinds of peers that can be recognised by the messages they send.
    public var speakingPeers: [PeerKind] { peers.filter(\.speaks) }

    /// The kinds of devices that its peers are counterparts of, without duplicates.
    public var deviceRoles: [String] {
        peers.compactMap(\.deviceRole).reduce(into: []) { roles, role in
            if !roles.contains(role) { roles.append(role) }
        }
    }

    // MARK: - Messages

    /// Returns the description of a message by its full name.
    public func message(named name: String) -> MessageDescription? {
        codes[name].flatMap { messages[Int($0.index)] }
    }

    /// Returns the code of a message by its full name.
    public func code(ofMessage name: String) -> MessageCode? { codes[name] }

    /// Returns the name of a message by its code.
    public func name(of code: MessageCode) -> String { messages[Int(code.index)]?.name ?? "" }

    /// The number of entries in a table indexed by code.
    public var codeCount: Int { messages.count }

    /// Returns a table indexed by code.
    ///
    /// - Parameters:
    ///   - hole: The entry at an index that no message has.
    ///   - content: Returns the entry of a message, given its name.
    public func table<Content>(
        _ hole: Content, _ content: (String) -> Content
    ) -> [Content] {
        messages.map { $0.map { content($0.name) } ?? hole }
    }

    /// Returns the protocol that a message belongs to, by the first component of its name.
    public func family(ofMessage name: String) -> ProtocolDescription? {
        descriptions.first { name.hasPrefix($0.name + ".") }
    }

    /// Decodes a message from its unit.
    ///
    /// The other messages of the connection are not taken into account.
    ///
    /// - Returns: `nil` if the unit does not decode to exactly one message with the name in its
    ///   header. A message in several frames, for example, does not.
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

    /// Returns the session number of a message if its protocol multiplexes sessions on a
    /// connection.
    ///
    /// The number is 0 if the message does not belong to a session yet.
    public func session(of message: any DissectedMessage) -> Int64? {
        family(ofMessage: message.name)?.session.flatMap { message.field($0)?.integerValue }
    }

    // MARK: - Fields

    /// Returns the fields that a message may have: the protocol's common ones and its own.
    public func fields(ofMessage name: String) -> [FieldDescription] {
        if name == LostBytes.name { return LostBytes.fieldDescriptions }
        return (family(ofMessage: name)?.fields ?? []) + (message(named: name)?.fields ?? [])
    }

    /// Returns the type of the field at a path in a message.
    ///
    /// The result is `nil` if the message has no such field.
    public func fieldType(of path: FieldPath, inMessage name: String) -> FieldType? {
        path == .violation
            ? .string(maxLength: nil) : fields(ofMessage: name).fieldType(at: path)
    }

    /// Returns whether any message may have a field at that path.
    public func hasField(_ path: FieldPath) -> Bool {
        path == .violation
            || descriptions.contains { family in
                family.fields.fieldType(at: path) != nil
                    || family.messages.contains { $0.fields.fieldType(at: path) != nil }
            }
    }

    /// Returns a field that is visible in message headers.
    ///
    /// The result is `nil` if no protocol's headers contain it.
    public func screenedField(_ path: FieldPath) -> ScreenedField? {
        for find in screenedFields {
            if let field = find(path) { return field }
        }
        return nil
    }
}

extension ProtocolModule {
    /// The harness's own messages: events of devices, and the messages that suites cut from
    /// streams.
    public static let harness = ProtocolModule([DeviceEvent.description, StreamUnit.description])
}
