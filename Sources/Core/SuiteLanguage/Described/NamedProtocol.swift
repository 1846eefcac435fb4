import Kaitai
import Wire

/// A protocol that a `.ksy` file and a protocol file describe: its messages have their own names.
public final class NamedProtocol: StreamDescription, Hashable, CustomDebugStringConvertible {
    /// How a transport carries the messages.
    struct Carriage: Sendable, Hashable {
        /// The ports on which the protocol is used.
        var ports: [UInt16] = []
        /// How a stream is cut into messages; `nil` if the description defines where messages end.
        var cutting: StreamCutting?
        /// The number of bytes of each message before the part that the description covers.
        var prefix = 0
    }

    /// A condition that makes a message malformed.
    struct Rule: Sendable {
        var text: String
        var condition: KaitaiExpression
    }

    /// The value of a field that a sender does not set.
    struct FieldDefault: Sendable {
        /// The message, without the protocol's name; `nil` for all messages.
        var message: String?
        var path: FieldPath
        var value: Value
    }

    /// The first component of the names of its messages.
    public let name: String
    /// The path of the protocol file.
    public let path: String
    let described: DescribedProtocol
    let naming: MessageNaming?
    /// Attributes of the top type whose fields count as fields of the message itself.
    let lifted: [String]
    let malformed: [Rule]
    /// The condition that the first message of a connection of this protocol satisfies.
    let recognition: KaitaiExpression?
    let tcp: Carriage?
    let udp: Carriage?
    /// The values of fields that a sender does not set: first those for all messages, then those
    /// for single messages.
    let defaults: [FieldDefault]
    /// Its messages and their fields.
    public let description: ProtocolDescription
    private let source: String

    init(_ parts: NamedProtocolParts, _ described: DescribedProtocol) {
        name = parts.name
        path = parts.path
        source = parts.source
        self.described = described
        naming = parts.naming
        lifted = parts.lifted
        malformed = parts.malformed
        recognition = parts.recognition
        tcp = parts.tcp
        udp = parts.udp
        defaults =
            parts.defaults.filter { $0.message == nil }
            + parts.defaults.filter { $0.message != nil }
        description = parts.protocolDescription(described.description)
    }

    /// The first component of the names of its messages.
    public var protocolName: String? { name }

    /// The TCP ports on which the protocol is used.
    public var streamPorts: [UInt16] { tcp?.ports ?? [] }
    /// The UDP ports on which the protocol is used.
    public var datagramPorts: [UInt16] { udp?.ports ?? [] }

    /// Whether datagrams carry it.
    public var isCarriedByUDP: Bool { udp != nil }

    /// How its streams are cut into messages; `nil` if TCP does not carry it.
    public var stream: StreamCutting? {
        tcp.map { .described(DescribedStream(self, cutBy: $0.cutting, prefix: $0.prefix)) }
    }

    /// The protocol as it is searched for in streams; `nil` if the first bytes do not identify it.
    public var recognised: StreamProtocol? {
        guard let recognition, let stream, let tcp else { return nil }
        return stream.streamProtocol { bytes, _ in self.recognises(bytes, recognition, tcp) }
    }

    /// The source and the description, so that two processes can check that they have read the
    /// same.
    public var debugDescription: String { "\(source); \(described.debugDescription)" }

    /// Whether both are the same instance, loaded once.
    public static func == (left: NamedProtocol, right: NamedProtocol) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// MARK: - Reading

extension NamedProtocol {
    /// Dissects a message into its name and its fields.
    public func dissect(_ bytes: [UInt8], isWhole: Bool) -> StreamDissection {
        switch described.read(bytes) {
        case .other(let outcome): return outcome
        case .complete(var reading):
            let count = reading.bytesTaken
            if let wrong = reading.wrongChecksum() { return .refused(wrong, count: count) }
            for rule in malformed where (try? reading.evaluate(rule.condition)) == .bool(true) {
                return .refused(rule.text, count: count)
            }
            let own = naming?.name(of: &reading) ?? MessageNaming.plain
            let (value, places) = DescribedProtocol.fields(of: reading, under: "")
            return .message(
                DescribedFields(
                    lifted(value), places: lifted(places), name: "\(name).\(own)"),
                count: count)
        }
    }

    /// Returns the value with the fields of the lifted attributes moved to the message itself.
    private func lifted(_ value: Value) -> Value {
        guard !lifted.isEmpty, case .object(let members) = value else { return value }
        return .object(
            members.flatMap { member in
                guard lifted.contains(member.name), let inner = member.value.objectValue else {
                    return [member]
                }
                return inner
            })
    }

    private func lifted(_ places: [DescribedFields.Place]) -> [DescribedFields.Place] {
        guard !lifted.isEmpty else { return places }
        return places.map { place in
            guard let attribute = lifted.first(where: { place.path.hasPrefix($0 + ".") }) else {
                return place
            }
            return .init(String(place.path.dropFirst(attribute.count + 1)), place.range)
        }
    }

    /// Whether the first bytes of a direction are a first message of this protocol; `nil` if there
    /// are too few bytes.
    private func recognises(
        _ bytes: RawSpan, _ condition: KaitaiExpression, _ carriage: Carriage
    ) -> Bool? {
        guard bytes.byteCount > carriage.prefix else { return nil }
        let content = [UInt8](copying: bytes.extracting(carriage.prefix..<bytes.byteCount))
        switch described.read(content) {
        case .complete(var reading): return (try? reading.evaluate(condition)) == .bool(true)
        case .other(.incomplete): return nil
        case .other: return false
        }
    }
}

// MARK: - Writing

extension NamedProtocol {
    /// Returns the bytes of a message.
    ///
    /// - Parameters:
    ///   - message: Its full name.
    ///   - fields: The given values of its fields; `nil` for a field that is removed. `data` alone
    ///     holds all bytes of the message.
    ///   - isDatagram: Whether a datagram carries it.
    ///   - ignoresInstances: Whether values that follow from others are passed over, as an object
    ///     has them that was read and saved.
    /// - Throws: Which field is missing or does not fit.
    public func encode(
        _ message: String, _ fields: [(path: FieldPath, value: Value?)], isDatagram: Bool,
        ignoresInstances: Bool = false
    ) throws(EvaluationError) -> [UInt8] {
        if fields.count == 1, fields[0].path == .answeredData, !hasOwnData,
            let bytes = fields[0].value?.octets
        {
            return bytes
        }
        let own = String(message.dropFirst(name.count + 1))
        var object = Value.object([])
        let known = defaults.isEmpty ? [] : self.fields(of: message)
        for one in defaults where one.message == nil || one.message == own {
            guard known.fieldType(at: one.path) != nil else { continue }
            object = object.putting(one.value, at: unlifted(one.path.components))
        }
        for (path, value) in naming?.fields(of: own, in: described.description) ?? [] {
            guard let value = described.value(value) else { continue }
            object = object.putting(value, at: path.map { .name($0) })
        }
        for field in fields {
            guard let value = field.value else { continue }
            let path = unlifted(field.path.components)
            guard path.allSatisfy({ if case .name = $0 { true } else { false } }) else {
                throw EvaluationError(
                    "\(field.path) cannot be set alone; set the whole list instead")
            }
            object = object.putting(value, at: path)
        }
        let content = try content(object, ignoresInstances)
        return isDatagram ? content : try framed(content)
    }

    /// Returns the bytes that the description covers; a lifted attribute without given values is
    /// still written.
    private func content(
        _ object: Value, _ ignoresInstances: Bool
    ) throws(EvaluationError) -> [UInt8] {
        func encode(_ object: Value) throws(EvaluationError) -> [UInt8] {
            try described.encode(object, ignoresInstances: ignoresInstances)
        }
        let silent = lifted.filter { object[$0] == nil }
        guard !silent.isEmpty else { return try encode(object) }
        func filled(_ value: Value) -> Value {
            silent.reduce(object) { $0.putting(value, at: [.name($1)]) }
        }
        do throws(EvaluationError) {
            return try encode(filled(.object([])))
        } catch {
            // If no case of the attribute's type fits, the attribute is plain bytes, or it is
            // absent.
            for instead in [filled(.bytes([])), object] {
                if let bytes = try? encode(instead) { return bytes }
            }
            throw error
        }
    }

    /// Whether streams are divided by the description alone.
    public var endsMessages: Bool { tcp.map { $0.cutting == nil && $0.prefix == 0 } ?? false }

    /// Reads bytes as a message: its name and its fields.
    public func read(_ bytes: [UInt8], isDatagram: Bool) -> StreamDissection {
        let prefix = isDatagram ? 0 : tcp?.prefix ?? 0
        return dissect(Array(bytes.dropFirst(prefix)), isWhole: true)
    }

    private func fields(of message: String) -> [FieldDescription] {
        description.messages.first { $0.name == message }?.fields ?? []
    }

    /// Whether the description has a field named `data`, which otherwise means all bytes.
    public var hasOwnData: Bool { rootNames.contains("data") }

    var rootNames: [String] { described.description.fieldNames(at: []) ?? [] }

    /// Returns the path in the description of a field of the message.
    private func unlifted(_ path: [FieldPath.Component]) -> [FieldPath.Component] {
        guard case .name(let name)? = path.first, !rootNames.contains(name) else { return path }
        let attribute = lifted.first {
            described.description.fieldNames(at: [$0])?.contains(name) == true
        }
        return attribute.map { [.name($0)] + path } ?? path
    }

    /// Returns a message as a stream carries it: with its prefix, and with its terminator or its
    /// length.
    private func framed(_ content: [UInt8]) throws(EvaluationError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: tcp?.prefix ?? 0) + content
        switch tcp?.cutting {
        case .until(let end)? where !bytes.suffix(end.count).elementsEqual(end): bytes += end
        case .length(let field)? where field.offset + field.size <= bytes.count - content.count:
            let value = bytes.count - field.offset - field.size - field.plus
            guard value >= 0, field.size >= 8 || value < 1 << (field.size * 8) else {
                throw EvaluationError("the length of the message does not fit into its field")
            }
            for index in 0..<field.size {
                let shift = (field.endian == .big ? field.size - 1 - index : index) * 8
                bytes[field.offset + index] = UInt8(truncatingIfNeeded: value >> shift)
            }
        default: break
        }
        return bytes
    }
}

extension Value {
    /// Returns this object with a value at a path of names.
    fileprivate func putting(_ value: Value, at path: [FieldPath.Component]) -> Value {
        guard case .name(let name)? = path.first else { return value }
        var members = objectValue ?? []
        let index = members.firstIndex { $0.name == name }
        let inner = index.map { members[$0].value } ?? .object([])
        let made = inner.putting(value, at: Array(path.dropFirst()))
        if let index { members[index].value = made } else { members.append(.init(name, made)) }
        return .object(members)
    }
}
