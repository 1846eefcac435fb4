extension KaitaiDescription {
    /// Returns the names of the fields at a path from the top object; `nil` for no such path.
    ///
    /// If several types are possible, the result has the fields of each of them.
    public func fieldNames(at path: [String]) -> [String]? {
        guard let shapes = shapes(at: path) else { return nil }
        return shapes.flatMap { type in
            types[type].fields.filter { $0.isNamed && $0.role != .parameter }.map(\.id)
        }
    }

    /// Whether the field at a path holds bytes or text.
    public func holdsBytes(at path: [String]) -> Bool {
        guard let name = path.last, let shapes = shapes(at: Array(path.dropLast())) else {
            return false
        }
        return shapes.contains { type in
            guard let slot = types[type].slots[name] else { return false }
            return Self.holdsBytes(types[type].fields[slot].type)
        }
    }

    private static func holdsBytes(_ type: FieldType) -> Bool {
        switch type {
        case .bytes, .string: true
        case .choice(_, let cases, let otherwise):
            cases.contains { holdsBytes($0.type) } || otherwise.map(holdsBytes) ?? false
        default: false
        }
    }

    /// Returns the types that the object at a path may have; empty if it is not an object.
    private func shapes(at path: [String]) -> [TypeID]? {
        var shapes = [top]
        for name in path {
            var next: [TypeID] = []
            var isThere = false
            for type in shapes {
                guard let slot = types[type].slots[name] else { continue }
                isThere = true
                for inner in objects(in: types[type].fields[slot].type, type, slot)
                where !next.contains(inner) {
                    next.append(inner)
                }
            }
            guard isThere else { return nil }
            shapes = next
        }
        return shapes
    }

    private func objects(in field: FieldType, _ type: TypeID, _ slot: Int) -> [TypeID] {
        switch field {
        case .object(let inner, _, _): return [inner]
        case .choice(_, let cases, let otherwise):
            return (cases.map(\.type) + (otherwise.map { [$0] } ?? [])).flatMap {
                objects(in: $0, type, slot)
            }
        case .computed:
            var found = fieldTypes[type][slot]
            while case .array(let element) = found { found = element }
            if case .object(let inner) = found { return [inner] }
            return []
        default: return []
        }
    }
}

extension KaitaiDescription {
    /// Why bytes after a message could change it; `nil` if the description says where it ends.
    ///
    /// Messages can be read one after the other from a growing stream only if this is `nil`.
    public var endlessness: String? {
        for type in reachable() {
            for slot in types[type].sequence {
                if let reason = endlessness(of: types[type].fields[slot]) {
                    return
                        "\(types[type].path.joined(separator: "::")).\(types[type].fields[slot].id) \(reason)"
                }
            }
        }
        for (id, expression) in expressions.enumerated() where asksForEnd(expression) {
            return "\"\(sources[id].text)\" depends on where the stream ends"
        }
        return nil
    }

    /// Returns the types whose fields are in the same stream as the top type's.
    private func reachable() -> [TypeID] {
        var found: [TypeID] = []
        var pending = [top]
        while let type = pending.popLast() {
            guard !found.contains(type) else { continue }
            found.append(type)
            for slot in types[type].sequence {
                pending += Self.inStream(types[type].fields[slot].type)
            }
        }
        return found
    }

    private static func inStream(_ type: FieldType) -> [TypeID] {
        switch type {
        case .object(let inner, _, let extent): extent.isLimited ? [] : [inner]
        case .choice(_, let cases, let otherwise):
            (cases.map(\.type) + (otherwise.map { [$0] } ?? [])).flatMap(inStream)
        default: []
        }
    }

    private func endlessness(of field: Field) -> String? {
        if case .toEnd = field.repetition { return "repeats up to the end of the stream" }
        return Self.endlessness(of: field.type)
    }

    private static func endlessness(of type: FieldType) -> String? {
        switch type {
        case .bytes(let extent), .string(let extent, _), .object(_, _, let extent):
            if extent.reachesEnd { return "reaches to the end of the stream" }
            let isOpen = extent.size == nil && !extent.terminator.isEmpty && !extent.needsTerminator
            return isOpen ? "may end with the stream" : nil
        case .choice(_, let cases, let otherwise):
            return (cases.map(\.type) + (otherwise.map { [$0] } ?? [])).compactMap(endlessness)
                .first
        default: return nil
        }
    }

    /// Whether an expression uses the size or the end of a stream.
    private func asksForEnd(_ expression: Expression) -> Bool {
        switch expression {
        case .method(let method, let base, let arguments):
            if case .stream = base, method == .size || method == .isAtEnd { return true }
            return asksForEnd(base) || arguments.contains(where: asksForEnd)
        case .field(let base, _, _, _), .parent(let base), .root(let base), .stream(let base),
            .unary(_, let base):
            return asksForEnd(base)
        case .format(let parts), .list(let parts), .byteList(let parts):
            return parts.contains(where: asksForEnd)
        case .binary(_, let left, let right), .element(let left, let right):
            return asksForEnd(left) || asksForEnd(right)
        case .conditional(let condition, let first, let second):
            return asksForEnd(condition) || asksForEnd(first) || asksForEnd(second)
        default: return false
        }
    }
}

extension KaitaiDescription {
    /// A required feature that cannot be read; `nil` if there is none.
    public var unsupported: String? {
        if types[top].parameterCount > 0 { return "\(name) takes parameters" }
        for type in types {
            for field in type.fields {
                if let reason = Self.unsupported(field.type) {
                    return "\(type.path.joined(separator: "::")).\(field.id) \(reason)"
                }
            }
        }
        return nil
    }

    private static func unsupported(_ type: FieldType) -> String? {
        switch type {
        case .bytes(let extent), .object(_, _, let extent): return unsupported(extent)
        case .string(let extent, let encoding):
            if !Encoding.names.contains(encoding) { return "has the encoding \(encoding)" }
            return unsupported(extent)
        case .opaque(let name): return "is of type \(name), which no file describes"
        case .choice(_, let cases, let otherwise):
            return (cases.map(\.type) + (otherwise.map { [$0] } ?? [])).compactMap(unsupported)
                .first
        default: return nil
        }
    }

    private static func unsupported(_ extent: Extent) -> String? {
        if case .custom(let name, _)? = extent.process { "is processed by \(name)" } else { nil }
    }
}
