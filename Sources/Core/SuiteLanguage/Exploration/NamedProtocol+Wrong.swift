import Wire

/// What the description of a message of a named protocol forbids.
extension NamedProtocol {
    /// A field and its value.
    typealias FieldValue = (path: FieldPath, value: Value)

    /// Returns the ways that can be encoded, with plain values of the other fields that it needs.
    func wrongMessages(
        _ message: MessageDescription, with given: [FieldValue]
    ) -> [WrongMessage] {
        guard let plain = plainFields(of: message, with: given),
            case .message(let decoded, let count)? = encodedAndRead(given + plain, as: message)
        else { return [] }
        let prefix = tcp?.prefix ?? 0
        let places = decoded.places.flatMap { [$0.range.lowerBound, $0.range.upperBound] }
        let borders = Set(places.map { $0 + prefix } + [1]).filter {
            (1..<max(count + prefix, 2)).contains($0)
        }
        var wrong = WrongFields(message: message.name, isOpen: false, showsTexts: true)
        for field in message.fields { wrong.add(field) }
        let lies = lies(about: decoded.value, of: message, given: given, plain: plain)
        let bytes = WrongMessage.bytes(of: message.name, borders: borders.sorted())
        var ways = (wrong.found + lies + bytes).compactMap {
            way($0, of: message, given: given, plain: plain)
        }
        if tcp != nil {
            ways.append(
                WrongMessage(
                    message: message.name, id: "first-of-its-connection",
                    sentence: "it is the first message of a new connection", isAllowed: false,
                    change: .first, others: plain))
        }
        return ways
    }

    /// Returns the ways in which lengths and counts, which follow from other fields, are one less or
    /// one more.
    private func lies(
        about decoded: Value, of message: MessageDescription, given: [FieldValue],
        plain: [FieldValue]
    ) -> [WrongMessage] {
        Self.integers(in: decoded).filter { leaf in
            // A number that nothing determines is 0.
            guard leaf.number != 0, !defaults.contains(where: { $0.path == leaf.path }),
                !given.contains(where: { $0.path == leaf.path }),
                case .message(let rest, _)? = encodedAndRead(
                    (given + plain).compactMap { Self.without(leaf.path, $0) }, as: message)
            else { return false }
            return rest.name == message.name && rest.value[leaf.path] == .integer(leaf.number)
        }.flatMap { leaf in
            [("less", leaf.number - 1), ("more", leaf.number + 1)].map { kind, number in
                WrongMessage(
                    message: message.name, id: "\(leaf.path).\(kind)",
                    sentence: "\(leaf.path) is \(number), one \(kind) than the other fields demand",
                    isAllowed: false, change: .set(leaf.path, .integer(number)))
            }
        }
    }

    /// Returns the integers in the members of an object, and in those of their members.
    private static func integers(in value: Value) -> [(path: FieldPath, number: Int64)] {
        (value.objectValue ?? []).flatMap { member -> [(path: FieldPath, number: Int64)] in
            let name = FieldPath.Component.name(member.name)
            if case .integer(let number) = member.value {
                return [(FieldPath(components: [name]), number)]
            }
            return integers(in: member.value).map {
                (FieldPath(components: [name] + $0.path.components), $0.number)
            }
        }
    }

    /// Returns a field without a value that it has or contains; `nil` if nothing is left.
    private static func without(_ path: FieldPath, _ field: FieldValue) -> FieldValue? {
        guard path.components.starts(with: field.path.components) else { return field }
        let rest = path.components.dropFirst(field.path.components.count)
        guard !rest.isEmpty else { return nil }
        return (field.path, field.value.removing(FieldPath(components: Array(rest))))
    }

    /// Returns a way with plain values of the other fields, if it can be encoded.
    private func way(
        _ way: WrongMessage, of message: MessageDescription, given: [FieldValue],
        plain: [FieldValue]
    ) -> WrongMessage? {
        var way = way
        way.others = plain
        let changed: (path: FieldPath, value: Value?)
        var corruption = Corruption()
        switch way.change {
        case .set(let path, let value): changed = (path, value)
        case .remove(let path): changed = (path, nil)
        case .replace(let path, let value, let replacements):
            changed = (path, value)
            corruption.replacements = replacements
        case .header, .truncate, .append, .overwrite, .again, .segments, .first: return way
        }
        way.others.removeAll { $0.path == changed.path }
        let all = (given.filter { $0.path != changed.path } + way.others).map {
            (path: $0.path, value: Value?.some($0.value))
        }
        guard let bytes = try? encode(message.name, all + [changed], isDatagram: false) else {
            return nil
        }
        guard corruption.isEmpty else { return corruption.applied(to: bytes) == nil ? nil : way }
        switch read(bytes, isDatagram: false) {
        case .message(let decoded, let count):
            guard decoded.name == message.name else { return nil }
            let isWhole = count + (tcp?.prefix ?? 0) == bytes.count
            way.isAllowed = way.isAllowed && (isWhole || tcp?.cutting != nil)
        case .incomplete, .refused, .malformed: way.isAllowed = false
        }
        return way
    }

    /// Returns plain values of the fields without which the message cannot be encoded; `nil` if it
    /// cannot be encoded with any.
    ///
    /// A field is needed if the encoder reports another fault with it than without it.
    private func plainFields(
        of message: MessageDescription, with given: [FieldValue]
    ) -> [FieldValue]? {
        let unset = message.fields.filter { field in
            !given.contains { $0.path.description == field.path }
        }
        // Those of the message itself, before lengths and what determines its name.
        let root = Set(rootNames)
        let free =
            unset.filter { !root.contains($0.path) } + unset.filter { root.contains($0.path) }
        for isUnset in [true, false] {
            var plain: [FieldValue] = []
            while let fault = fault(message.name, given + plain) {
                let needed = free.lazy.compactMap { field -> FieldValue? in
                    guard let path = FieldPath(field.path),
                        !plain.contains(where: { $0.path == path })
                    else { return nil }
                    let value =
                        if case .boolean = field.type, isUnset {
                            Value.bool(false)
                        } else {
                            WrongFields.plain(field.type)
                        }
                    return (path, value)
                }.first { self.fault(message.name, given + plain + [$0]) != fault }
                guard let needed else { break }
                plain.append(needed)
            }
            if fault(message.name, given + plain) == nil { return plain }
        }
        return nil
    }

    /// Returns why fields are not encoded as the message; `nil` if they are.
    private func fault(_ message: String, _ fields: [FieldValue]) -> String? {
        let all = fields.map { (path: $0.path, value: Value?.some($0.value)) }
        do throws(EvaluationError) {
            let bytes = try encode(message, all, isDatagram: false)
            if case .message(let decoded, _) = read(bytes, isDatagram: false),
                decoded.name == message
            {
                return nil
            }
            return "another message"
        } catch {
            return error.description
        }
    }

    private func encodedAndRead(
        _ fields: [FieldValue], as message: MessageDescription
    ) -> StreamDissection? {
        let all = fields.map { (path: $0.path, value: Value?.some($0.value)) }
        guard let bytes = try? encode(message.name, all, isDatagram: false) else { return nil }
        return read(bytes, isDatagram: false)
    }
}
