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
        case overwrite(at: Int, [UInt8])
        /// Sends the whole message once more at this offset.
        case again(Int)
        case segments(Int)
        /// A text of a field, in whose place the message has bytes that no value can have.
        case replace(FieldPath, Value, [Corruption.Replacement])
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
        case .header, .truncate, .append, .overwrite, .again, .segments, .replace: .bytes
        }
    }

    /// Whether it has no meaning for a datagram.
    var needsStream: Bool { if case .segments = change { true } else { false } }

    /// What is wrong, whatever the field: the last part of the id.
    var kind: Substring { id.split(separator: ".").last ?? "" }

    /// The entries of a `send` step that change the message in this way.
    func entries(at position: SourcePosition) -> [YAMLNode.Entry] {
        let given = others.map { Value.Member($0.path.description, $0.value) }
        var members = given.isEmpty ? [] : [Value.Member("with", .object(given))]
        switch change {
        case .set(let path, let value):
            members.append(Value.Member("wrong", .object([.init(path.description, value)])))
        case .remove(let path):
            members.append(Value.Member("without", [.string(path.description)]))
        case .header(let path, let number):
            let header = Value.object([.init(path, .integer(number))])
            members.append(Value.Member("corrupt", ["header": header]))
        case .truncate(let count):
            members.append(Value.Member("corrupt", ["truncate": .integer(Int64(count))]))
        case .append(let bytes):
            let hex = Value.string(bytes.hexText)
            members.append(Value.Member("corrupt", ["append": ["hex": hex]]))
        case .overwrite(let offset, let bytes):
            let piece: Value = [
                "at": .integer(Int64(offset)), "bytes": ["hex": .string(bytes.hexText)],
            ]
            members.append(Value.Member("corrupt", ["overwrite": piece]))
        case .again(let offset):
            members.append(Value.Member("corrupt", ["again": .integer(Int64(offset))]))
        case .replace(let path, let value, let replacements):
            members.append(Value.Member("wrong", .object([.init(path.description, value)])))
            let pieces = replacements.map { piece -> Value in
                [
                    "bytes": ["hex": .string(piece.bytes.hexText)],
                    "by": ["hex": .string(piece.replacement.hexText)],
                ]
            }
            members.append(Value.Member("corrupt", ["replace": .array(pieces)]))
        case .segments(let size):
            members.append(Value.Member("segments", .integer(Int64(size))))
        }
        return YAMLNode(.object(members), at: position).entries ?? []
    }
}

extension KnownMessages {
    /// Returns the ways in which a message can be wrong, or at a limit, by its description.
    ///
    /// They are those of each of its fields, of each field of its frame's header, and of its
    /// bytes, in that order; always the same for the same description.
    public func wrongMessages(_ name: String) -> [WrongMessage] {
        guard let message = message(named: name) else { return [] }
        if let described = family(of: name) { return described.wrongMessages(message) }
        let family = protocols.family(ofMessage: name)
        let open = family?.openFields.map { $0 + "." }
        var wrong = WrongFields(
            message: name, isOpen: open != nil, showsTexts: open != nil)
        for field in message.fields where field.path.hasPrefix(open ?? "") { wrong.add(field) }
        var found = wrong.found
        for field in family?.frameFields ?? [] {
            for number in Set([0, 1, field.range.upperBound - 1, field.range.upperBound]).sorted() {
                found.append(
                    WrongMessage(
                        message: name, id: "\(field.path).\(number)",
                        sentence: "\(field.path) of its header is \(number)", isAllowed: false,
                        change: .header(field.path, number)))
            }
        }
        return found + WrongMessage.bytes(of: name, header: family?.frameFields ?? [])
    }
}

extension WrongMessage {
    /// The ways in which its bytes are cut, joined with others, or divided.
    fileprivate static func bytes(of name: String, header: [FrameField]) -> [WrongMessage] {
        func wrong(
            _ id: String, _ sentence: String, _ change: Change, isAllowed: Bool = false
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
            wrong("ff-first", "its first byte is ff", .overwrite(at: 0, [0xFF])),
            wrong("ff-last", "its last byte is ff", .overwrite(at: -1, [0xFF])),
            wrong("twice", "it is sent twice", .again(0)),
            wrong(
                "within-itself", "the whole is sent after its first \(borders.last ?? 1) byte(s)",
                .again(borders.last ?? 1)),
        ]
    }
}

extension NamedProtocol {
    /// Returns the ways that can be encoded, with plain values of the other fields that it needs.
    fileprivate func wrongMessages(_ message: MessageDescription) -> [WrongMessage] {
        guard let plain = plainFields(of: message) else { return [] }
        var wrong = WrongFields(message: message.name, isOpen: false, showsTexts: true)
        for field in message.fields { wrong.add(field) }
        return (wrong.found + WrongMessage.bytes(of: message.name, header: [])).compactMap { way in
            var way = way
            way.others = plain
            let changed: (path: FieldPath, value: Value?)
            switch way.change {
            case .set(let path, let value): changed = (path, value)
            case .remove(let path): changed = (path, nil)
            case .replace(let path, let value, let replacements):
                var corruption = Corruption()
                corruption.replacements = replacements
                way.others.removeAll { $0.path == path }
                let all = way.others.map { (path: $0.path, value: Value?.some($0.value)) }
                guard
                    let bytes = try? encode(
                        message.name, all + [(path, value)], isDatagram: false),
                    corruption.applied(to: bytes) != nil
                else { return nil }
                return way
            case .header, .truncate, .append, .overwrite, .again, .segments: return way
            }
            way.others.removeAll { $0.path == changed.path }
            switch encodedAndRead(way.others + [changed], as: message) {
            case nil: return nil
            case .message(let decoded, _)?: return decoded.name == message.name ? way : nil
            case .incomplete?, .refused?, .malformed?: return way
            }
        }
    }

    /// Returns plain values of the fields without which the message cannot be encoded; `nil` if it
    /// cannot be encoded with any.
    private func plainFields(
        of message: MessageDescription
    ) -> [(path: FieldPath, value: Value)]? {
        func isEncoded(_ fields: [(path: FieldPath, value: Value)]) -> Bool {
            if case .message(let decoded, _)? = encodedAndRead(fields, as: message) {
                decoded.name == message.name
            } else {
                false
            }
        }
        guard !isEncoded([]) else { return [] }
        var plain = message.fields.compactMap { field in
            FieldPath(field.path).map { (path: $0, value: WrongFields.plain(field.type)) }
        }
        // Fields that determine the name, and lengths, are filled in if they are not given.
        for field in plain {
            let fewer = plain.filter { $0.path != field.path }
            if !isEncoded(plain) || isEncoded(fewer) { plain = fewer }
        }
        return isEncoded(plain) ? plain : nil
    }

    private func encodedAndRead(
        _ fields: [(path: FieldPath, value: Value?)], as message: MessageDescription
    ) -> StreamDissection? {
        guard let bytes = try? encode(message.name, fields, isDatagram: false) else { return nil }
        return read(bytes, isDatagram: false)
    }
}
