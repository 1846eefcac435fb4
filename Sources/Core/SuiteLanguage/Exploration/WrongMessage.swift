import Wire

/// One way in which a message is not what its description allows, or only just is.
public struct WrongMessage: Sendable {
    /// What is done to the message that a peer usually sends.
    enum Change: Sendable {
        case set(FieldPath, Value)
        case remove(FieldPath)
        case header(String, Int64)
        case truncate(Int)
        case append([UInt8])
        case segments(Int)
    }

    /// What is changed.
    enum Place: String, CaseIterable {
        /// A value of one of its fields.
        case values
        /// Its frame's header, or its bytes.
        case bytes
    }

    /// The full name of the message.
    public let message: String
    /// The stable name of the way: the field, if it is about one, and what is wrong.
    public let id: String
    /// What is wrong, such as `params.cmdID is 2000000001, one above its maximum`.
    public let sentence: String
    /// Whether the description allows it: it is a limit that a receiver must accept.
    public let isAllowed: Bool
    let change: Change
    /// What the fields have that are not changed; empty if the peer has values for them.
    var others: [(path: FieldPath, value: Value)] = []

    /// What is changed.
    var place: Place {
        switch change {
        case .set, .remove: .values
        case .header, .truncate, .append, .segments: .bytes
        }
    }

    /// What is wrong, whatever the field: the last part of the id.
    var kind: Substring { id.split(separator: ".").last ?? "" }

    /// The entries of a `send` step that change the message in this way.
    func entries(at position: SourcePosition) -> [YAMLNode.Entry] {
        func entry(_ key: String, _ value: YAMLNode) -> YAMLNode.Entry {
            YAMLNode.Entry(key: key, keyPosition: position, value: value)
        }
        func mapping(_ key: String, _ value: YAMLNode) -> YAMLNode {
            YAMLNode(.mapping([entry(key, value)]), at: position)
        }
        func number(_ number: Int64) -> YAMLNode {
            YAMLNode(.scalar(.integer(number)), at: position)
        }
        let values = others.map {
            entry($0.path.description, YAMLNode($0.value, at: position))
        }
        let with = values.isEmpty ? [] : [entry("with", YAMLNode(.mapping(values), at: position))]
        return with + own(entry, mapping, number, at: position)
    }

    /// The entries for what is changed.
    private func own(
        _ entry: (String, YAMLNode) -> YAMLNode.Entry, _ mapping: (String, YAMLNode) -> YAMLNode,
        _ number: (Int64) -> YAMLNode, at position: SourcePosition
    ) -> [YAMLNode.Entry] {
        switch change {
        case .set(let path, let value):
            return [entry("wrong", mapping(path.description, YAMLNode(value, at: position)))]
        case .remove(let path):
            let name = YAMLNode(.scalar(.string(path.description)), at: position)
            return [entry("without", YAMLNode(.sequence([name]), at: position))]
        case .header(let path, let value):
            return [entry("corrupt", mapping("header", mapping(path, number(value))))]
        case .truncate(let count):
            return [entry("corrupt", mapping("truncate", number(Int64(count))))]
        case .append(let bytes):
            let value = YAMLNode(.scalar(.string(bytes.hexText)), at: position)
            return [entry("corrupt", mapping("append", mapping("hex", value)))]
        case .segments(let size): return [entry("segments", number(Int64(size)))]
        }
    }
}

extension KnownMessages {
    /// Returns the ways in which a message can be wrong, or at a limit, by its description.
    ///
    /// They are those of each of its fields, of each field of its frame's header, and of its
    /// bytes, in that order; always the same for the same description.
    public func wrongMessages(_ name: String) -> [WrongMessage] {
        guard let message = message(named: name) else { return [] }
        let family = protocols.family(ofMessage: name)
        let described = self.family(of: name)
        let open = described == nil ? family?.openFields.map { $0 + "." } : nil
        var wrong = WrongFields(message: name, isOpen: open != nil)
        for field in message.fields where field.path.hasPrefix(open ?? "") { wrong.add(field) }
        var found = wrong.found
        var plain: [(path: FieldPath, value: Value)] = []
        if let described {
            plain = described.plainFields(of: message)
            found = found.compactMap { described.sendable($0, beside: plain) }
        }
        for field in family?.frameFields ?? [] {
            for number in Set([0, 1, field.range.upperBound - 1, field.range.upperBound]).sorted() {
                found.append(
                    WrongMessage(
                        message: name, id: "\(field.path).\(number)",
                        sentence: "\(field.path) of its header is \(number)", isAllowed: false,
                        change: .header(field.path, number)))
            }
        }
        return found
            + bytes(of: name, header: family?.frameFields ?? []).map {
                var way = $0
                way.others = plain
                return way
            }
    }

    /// The ways in which its bytes are cut, joined with others, or divided.
    private func bytes(of name: String, header: [FrameField]) -> [WrongMessage] {
        func wrong(
            _ id: String, _ sentence: String, _ change: WrongMessage.Change, isAllowed: Bool = false
        ) -> WrongMessage {
            WrongMessage(
                message: name, id: id, sentence: sentence, isAllowed: isAllowed, change: change)
        }
        let borders = Set(header.map(\.bits.bytes.upperBound) + [1]).sorted()
        return borders.map {
            wrong("first-\($0)", "only its first \($0) byte(s) are sent", .truncate($0))
        } + [
            wrong("without-last", "its last byte is not sent", .truncate(-1)),
            wrong("trailing-0", "a byte 0 follows it", .append([0])),
            wrong(
                "trailing-ff", "16 bytes of ff follow it",
                .append([UInt8](repeating: 0xFF, count: 16))),
            wrong(
                "bytewise", "it is sent in segments of one byte", .segments(1), isAllowed: true),
        ]
    }
}

extension NamedProtocol {
    /// Returns plain values of the fields without which the message cannot be encoded; empty if it
    /// cannot be encoded with any.
    fileprivate func plainFields(
        of message: MessageDescription
    ) -> [(path: FieldPath, value: Value)] {
        func isEncoded(_ fields: [(path: FieldPath, value: Value)]) -> Bool {
            let given = fields.map { (path: $0.path, value: Value?.some($0.value)) }
            guard let bytes = try? encode(message.name, given, isDatagram: false),
                case .message(let decoded, _) = read(bytes, isDatagram: false)
            else { return false }
            return decoded.name == message.name
        }
        var plain = message.fields.compactMap { field in
            FieldPath(field.path).map { (path: $0, value: WrongFields.plain(field.type)) }
        }
        var index = 0
        // Fields that determine the name, and lengths, are filled in if they are not given.
        while index < plain.count, !isEncoded([]) {
            var fewer = plain
            fewer.remove(at: index)
            if isEncoded(fewer) || !isEncoded(plain) {
                plain = fewer
            } else {
                index += 1
            }
        }
        return isEncoded(plain) && !isEncoded([]) ? plain : []
    }

    /// Returns the way with values of the other fields; `nil` if the message cannot be encoded
    /// then, or is another message.
    fileprivate func sendable(
        _ wrong: WrongMessage, beside plain: [(path: FieldPath, value: Value)]
    ) -> WrongMessage? {
        var way = wrong
        let changed: (path: FieldPath, value: Value?)
        switch wrong.change {
        case .set(let path, let value): changed = (path, value)
        case .remove(let path): changed = (path, nil)
        case .header, .truncate, .append, .segments: return way
        }
        way.others = plain.filter { $0.path != changed.path }
        let fields = way.others.map { (path: $0.path, value: Value?.some($0.value)) } + [changed]
        guard let bytes = try? encode(wrong.message, fields, isDatagram: false) else { return nil }
        if case .message(let decoded, _) = read(bytes, isDatagram: false),
            decoded.name != wrong.message
        {
            return nil
        }
        return way
    }
}
