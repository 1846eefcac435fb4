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
        /// Sends the whole message once more at this offset, in segments of this size if there is
        /// one.
        case again(Int, segments: Int? = nil)
        case segments(Int)
        /// Sends it as the first message of a new connection.
        case first
        /// A text of a field, in whose place the message has bytes that no value can have.
        case replace(FieldPath, Value, [Corruption.Replacement])
    }

    /// What is changed.
    enum Place: String, CaseIterable {
        /// A value of one of its fields.
        case values
        /// Its frame's header, or its bytes.
        case bytes
        /// What the sender has sent before it.
        case state
    }

    /// The full name of the message.
    public let message: String
    /// The stable name of the way: the field, if it is about one, and what is wrong.
    public let id: String
    /// What is wrong, such as `params.cmdID is 2000000001, one above its maximum`.
    public let sentence: String
    /// Whether the description allows it: it is a limit that a receiver must accept.
    public internal(set) var isAllowed: Bool
    let change: Change
    /// What the fields have that are not changed; empty if the peer has values for them.
    var others: [(path: FieldPath, value: Value)] = []

    /// What is changed.
    var place: Place {
        switch change {
        case .set, .remove: .values
        case .header, .truncate, .append, .overwrite, .again, .segments, .replace: .bytes
        case .first: .state
        }
    }

    /// Whether it has no meaning for a datagram.
    var needsStream: Bool {
        switch change {
        case .segments, .first: true
        case .again(_, let size): size != nil
        case .set, .remove, .replace, .header, .truncate, .append, .overwrite: false
        }
    }

    /// What is wrong, whatever the field: the last part of the id.
    ///
    /// Places at which the message is divided are of one kind.
    var kind: Substring {
        let last = id.split(separator: ".").last ?? ""
        return Self.divisions.first { last.hasPrefix($0) }.map { $0.dropLast() } ?? last
    }

    /// The beginnings of ids that have a number of bytes at their end.
    private static let divisions = ["segments-", "joined-", "within-itself-"]

    /// The path of the field that is changed.
    private var changedPath: FieldPath? {
        switch change {
        case .set(let path, _), .remove(let path), .replace(let path, _, _): path
        case .header, .truncate, .append, .overwrite, .again, .segments, .first: nil
        }
    }

    /// The entries of a `send` step that change the message in this way.
    ///
    /// - Parameter given: The entries of the `with` of the step.
    func entries(with given: [YAMLNode.Entry] = [], at position: SourcePosition) -> [YAMLNode.Entry]
    {
        let kept = given.filter { $0.key != changedPath?.description }
        let with =
            kept
            + others.map { other in
                YAMLNode.Entry(
                    key: other.path.description, keyPosition: position,
                    value: YAMLNode(other.value, at: position))
            }
        let fields =
            with.isEmpty
            ? []
            : [
                YAMLNode.Entry(
                    key: "with", keyPosition: position,
                    value: YAMLNode(.mapping(with), at: position))
            ]
        return fields + (YAMLNode(.object(changes), at: position).entries ?? [])
    }

    /// The keys of a `send` step that change the message, with their values.
    private var changes: [Value.Member] {
        var members: [Value.Member] = []
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
        case .again(let offset, let size):
            members.append(Value.Member("corrupt", ["again": .integer(Int64(offset))]))
            if let size { members.append(Value.Member("segments", .integer(Int64(size)))) }
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
        case .first: break
        }
        return members
    }
}

extension KnownMessages {
    /// Returns the ways in which a message can be wrong, or at a limit, by its description.
    ///
    /// They are those of each of its fields, of each field of its frame's header, of its bytes, and
    /// of what was sent before it, in that order; always the same for the same description.
    ///
    /// - Parameters:
    ///   - name: The full name of the message.
    ///   - given: The values that a step gives to other fields of a message of a described protocol.
    public func wrongMessages(
        _ name: String, with given: [(path: FieldPath, value: Value)] = []
    ) -> [WrongMessage] {
        guard let message = message(named: name) else { return [] }
        if let described = family(of: name) {
            return described.wrongMessages(message, with: given)
        }
        let family = protocols.family(ofMessage: name)
        let open = family?.openFields.map { $0 + "." }
        var wrong = WrongFields(
            message: name, isOpen: open != nil, showsTexts: open != nil)
        for field in message.fields where field.path.hasPrefix(open ?? "") { wrong.add(field) }
        var found = wrong.found
        let header = family?.frameFields ?? []
        for field in header {
            for number in Set([0, 1, field.range.upperBound - 1, field.range.upperBound]).sorted() {
                found.append(
                    WrongMessage(
                        message: name, id: "\(field.path).\(number)",
                        sentence: "\(field.path) of its header is \(number)", isAllowed: false,
                        change: .header(field.path, number)))
            }
        }
        let borders = Set(header.map(\.bits.bytes.upperBound) + [1]).sorted()
        return found + WrongMessage.bytes(of: name, borders: borders)
    }
}

extension WrongMessage {
    /// The sizes of the segments into which messages are divided, beside those of one byte.
    private static let segmentSizes = 2...8
    /// The same for a message that is sent twice.
    private static let joinedSizes = [3, 7]

    /// The ways in which its bytes are cut, joined with others, or divided.
    ///
    /// - Parameter borders: The numbers of bytes that end with a part of the message.
    static func bytes(of name: String, borders: [Int]) -> [WrongMessage] {
        func wrong(
            _ id: String, _ sentence: String, _ change: Change, isAllowed: Bool = false
        ) -> WrongMessage {
            WrongMessage(
                message: name, id: id, sentence: sentence, isAllowed: isAllowed, change: change)
        }
        let cut = borders.map {
            wrong("first-\($0)", "only its first \($0) byte(s) are sent", .truncate($0))
        }
        let changed = [
            wrong("without-last", "its last byte is not sent", .truncate(-1)),
            wrong("trailing-0", "a byte 0 follows it", .append([0])),
            wrong(
                "trailing-ff", "16 bytes of ff follow it",
                .append([UInt8](repeating: 0xFF, count: 16))),
            wrong("ff-first", "its first byte is ff", .overwrite(at: 0, [0xFF])),
            wrong("ff-last", "its last byte is ff", .overwrite(at: -1, [0xFF])),
            wrong("twice", "it is sent twice", .again(0)),
        ]
        let divided =
            [
                wrong(
                    "bytewise", "it is sent in segments of one byte", .segments(1), isAllowed: true)
            ]
            + segmentSizes.map {
                wrong(
                    "segments-\($0)", "it is sent in segments of \($0) bytes", .segments($0),
                    isAllowed: true)
            }
        let joined = joinedSizes.map {
            wrong(
                "joined-\($0)", "it is sent twice, in segments of \($0) bytes",
                .again(0, segments: $0))
        }
        let within = borders.map {
            wrong(
                "within-itself-\($0)", "the whole is sent after its first \($0) byte(s)", .again($0)
            )
        }
        return cut + changed + divided + joined + within
    }
}
