import Wire

/// Reads the condition of `where` on one field: a value, or a mapping of matchers.
struct MatcherReader {
    let values: ValueReader

    private var scope: VariableScope { values.scope }
    private var findings: Findings { values.scope.findings }

    init(scope: VariableScope) {
        self.values = ValueReader(scope: scope, misfit: .impossible)
    }

    /// Reads a matcher; `nil`, after a report, if it cannot be used.
    func matcher(_ node: YAMLNode, type: FieldType?, name: String) -> ValueMatcher? {
        guard let expansion = scope.expand(node) else { return nil }
        guard case .node(let expanded) = expansion, let entries = expanded.entries else {
            return values.expression(node, type: type, name: name).map(ValueMatcher.equals)
        }
        let isMatcher = entries.map { isNameOfMatcher($0.key, of: type) }
        guard isMatcher.contains(true) else {
            if let entry = entries.first, let type, !type.mayBeMapping {
                findings.report(
                    "bad-matcher", "\"\(entry.key)\" is no matcher, and \(name) is \(type.inWords)",
                    at: entry.keyPosition,
                    advice: Suggestion.closest(to: entry.key, in: ValueMatcher.names).map {
                        "did you mean \"\($0)\"?"
                    } ?? "the matchers are \(ValueMatcher.names.sorted().joined(separator: ", "))")
                return nil
            }
            return values.expression(expanded, type: type, name: name).map(ValueMatcher.equals)
        }
        if let index = isMatcher.firstIndex(of: false) {
            let key = entries[index].key
            let closest = Suggestion.closest(to: key, in: ValueMatcher.names)
            let plain = "to compare with a mapping that has such keys write {in: [{...}]}"
            findings.report(
                "bad-matcher", "\"\(key)\" is no matcher, but is next to one",
                at: entries[index].keyPosition,
                advice: closest.map { "did you mean \"\($0)\"?" } ?? plain)
            return nil
        }
        let parts = entries.map { part($0, type: type, name: name) }
        guard !parts.contains(nil) else { return nil }
        let known = parts.compactMap { $0 }
        return known.count == 1 ? known[0] : .all(known)
    }

    /// Whether a key is a matcher; a structure may have a member of the same name.
    private func isNameOfMatcher(_ key: String, of type: FieldType?) -> Bool {
        guard ValueMatcher.names.contains(key) else { return false }
        guard let type, ByteExpression.Notation(rawValue: key) != nil else { return true }
        return type.admits(matcher: key)
            || !(type.element ?? type).memberNames.contains(key)
    }

    private func part(_ entry: YAMLNode.Entry, type: FieldType?, name: String) -> ValueMatcher? {
        if let type, !type.admits(matcher: entry.key) {
            findings.report(
                "impossible-value", "\(name) is \(type.inWords), \"\(entry.key)\" never holds",
                at: entry.keyPosition)
            return nil
        }
        switch entry.key {
        case "not": return matcher(entry.value, type: type, name: name).map(ValueMatcher.not)
        case "length":
            return matcher(entry.value, type: .integer(nil), name: "the length of \(name)")
                .map(ValueMatcher.length)
        case "contains": return contains(entry.value, type: type, name: name)
        case "where": return members(entry, type: type, name: name)
        case "in": return choices(entry, type: type, name: name)
        case "all": return list(entry, type: type, name: name).map(ValueMatcher.all)
        case "any": return list(entry, type: type, name: name).map(ValueMatcher.any)
        case "min": return bound(entry, name: name).map(ValueMatcher.minimum)
        case "max": return bound(entry, name: name).map(ValueMatcher.maximum)
        case "matches": return pattern(entry, type: type)
        case "starts": return bytes(entry.value, plain: .text, entry).map(ValueMatcher.starts)
        case "ends": return bytes(entry.value, plain: .text, entry).map(ValueMatcher.ends)
        case "mask": return mask(entry, type: type)
        case "slice": return slice(entry, type: type, name: name)
        case "some":
            return matcher(entry.value, type: type?.element, name: "an element of \(name)")
                .map(ValueMatcher.some)
        case "every":
            return matcher(entry.value, type: type?.element, name: "an element of \(name)")
                .map(ValueMatcher.every)
        case "present": return present(entry)
        case "type": return typeName(entry, type: type, name: name)
        default: return wholeBytes(entry)
        }
    }

    private func contains(_ node: YAMLNode, type: FieldType?, name: String) -> ValueMatcher? {
        switch type {
        case .array(let element, _)?:
            return matcher(node, type: element, name: "an element of \(name)")
                .map(ValueMatcher.contains)
        case .string?, .enumeration?:
            return values.expression(node, type: .string(maxLength: nil), name: "a part of \(name)")
                .map { .contains(.equals($0)) }
        case .bytes?:
            return ByteNotationReader(scope: scope, code: "bad-matcher")
                .bytes(node, plain: .text, name: "a part of \(name)")
                .map { .contains(.bytes($0)) }
        default:
            return matcher(node, type: nil, name: name).map(ValueMatcher.contains)
        }
    }

    /// Reads conditions on members of an object.
    private func members(_ entry: YAMLNode.Entry, type: FieldType?, name: String) -> ValueMatcher? {
        guard let node = scope.resolve(entry.value) else { return nil }
        guard let entries = node.entries, !entries.isEmpty else {
            report(entry, "takes a mapping of members and conditions", at: node.position)
            return nil
        }
        var conditions: [FieldCondition] = []
        for entry in entries {
            guard let text = scope.resolve(key: entry.key, at: entry.keyPosition) else {
                return nil
            }
            guard let path = FieldPath(text) else {
                findings.report(
                    "bad-path", "\"\(text)\" is no path of a member", at: entry.keyPosition,
                    advice: "write names joined by \".\", with [0] for an element of a list")
                return nil
            }
            let member = type.map { $0.member(at: path) }
            if case .some(.none) = member {
                findings.report(
                    "unknown-field", "\(name) has no member \"\(text)\"", at: entry.keyPosition,
                    advice: Suggestion.advice(for: text, in: type?.memberNames ?? []))
                return nil
            }
            guard
                let inner = matcher(entry.value, type: member ?? nil, name: "\(text) of \(name)")
            else { return nil }
            conditions.append(
                FieldCondition(path: path, matcher: inner, position: entry.keyPosition))
        }
        return .members(conditions)
    }

    private func choices(
        _ entry: YAMLNode.Entry, type: FieldType?, name: String
    ) -> ValueMatcher? {
        guard let elements = elements(of: entry) else { return nil }
        let parts = elements.map { values.expression($0, type: type, name: name) }
        return parts.contains(nil) ? nil : .oneOf(parts.compactMap { $0 })
    }

    private func list(
        _ entry: YAMLNode.Entry, type: FieldType?, name: String
    ) -> [ValueMatcher]? {
        guard let elements = elements(of: entry) else { return nil }
        let parts = elements.map { matcher($0, type: type, name: name) }
        return parts.contains(nil) ? nil : parts.compactMap { $0 }
    }

    private func elements(of entry: YAMLNode.Entry) -> [YAMLNode]? {
        guard let node = scope.resolve(entry.value) else { return nil }
        guard let elements = node.elements, !elements.isEmpty else {
            report(entry, "takes a list that is not empty", at: node.position)
            return nil
        }
        return elements
    }

    private func bound(_ entry: YAMLNode.Entry, name: String) -> ValueExpression? {
        values.expression(entry.value, type: .number, name: "\"\(entry.key)\" of \(name)")
    }

    private func pattern(_ entry: YAMLNode.Entry, type: FieldType?) -> ValueMatcher? {
        guard let node = scope.resolve(entry.value) else { return nil }
        guard let source = node.string else {
            report(entry, "takes a regular expression as text", at: node.position)
            return nil
        }
        do throws(TextPattern.CompileError) {
            let pattern = try TextPattern(source)
            if case .bytes? = type, !pattern.isForBytes {
                findings.report(
                    "bad-pattern", "this pattern is of characters, and the field is bytes",
                    at: node.position, advice: "write a byte as \\xff")
                return nil
            }
            return .matches(pattern)
        } catch {
            findings.report(
                "bad-pattern", "\(error), at character \(error.offset + 1) of the pattern",
                at: node.position, advice: "patterns are written as PCRE2 does")
            return nil
        }
    }

    private func present(_ entry: YAMLNode.Entry) -> ValueMatcher? {
        guard let node = scope.resolve(entry.value) else { return nil }
        guard case .scalar(.bool(let flag)) = node.content else {
            report(entry, "takes true or false", at: node.position)
            return nil
        }
        return .present(flag)
    }

    private func typeName(
        _ entry: YAMLNode.Entry, type: FieldType?, name: String
    ) -> ValueMatcher? {
        guard let node = scope.resolve(entry.value) else { return nil }
        let isNull = node.content == .scalar(.null)
        guard let word = isNull ? "null" : node.string, FieldType.allTypeNames.contains(word) else {
            findings.report(
                "bad-matcher", "\"type\" takes the name of a type", at: node.position,
                advice: Suggestion.advice(
                    for: node.string ?? "", in: FieldType.allTypeNames.sorted()))
            return nil
        }
        guard let type, !type.typeNames.contains(word) else { return .type(word) }
        findings.report(
            "impossible-value", "\(name) is \(type.inWords), never of type \(word)",
            at: node.position)
        return nil
    }

    /// Reads `hex`, `ascii` or `text` with all bytes of the field.
    private func wholeBytes(_ entry: YAMLNode.Entry) -> ValueMatcher? {
        ByteNotationReader(scope: scope, code: "bad-matcher").bytes(
            YAMLNode(.mapping([entry]), at: entry.keyPosition), plain: nil,
            name: "\"\(entry.key)\"", allowsEmpty: true
        ).map(ValueMatcher.bytes)
    }

    private func bytes(
        _ node: YAMLNode, plain: ByteExpression.Notation, _ entry: YAMLNode.Entry
    ) -> ByteExpression? {
        ByteNotationReader(scope: scope, code: "bad-matcher")
            .bytes(node, plain: plain, name: "\"\(entry.key)\"")
    }

    /// Reads `mask: {bits: "f0", value: "40"}`.
    private func mask(_ entry: YAMLNode.Entry, type: FieldType?) -> ValueMatcher? {
        guard var reader = scope.mapping(entry.value, as: SuiteVocabulary.mask) else { return nil }
        reader.require("bits")
        reader.require("value")
        let offset = reader.integer("at", in: 0...Int64(Int32.max))
        let bits = reader.knownBytes("bits", in: scope)
        let value = reader.knownBytes("value", in: scope)
        reader.finish()
        guard let bits, let value else { return nil }
        guard bits.count == value.count else {
            report(
                entry, "has \(bits.count) byte(s) of bits and \(value.count) of their value",
                at: reader.position)
            return nil
        }
        guard zip(bits, value).allSatisfy({ $1 & ~$0 == 0 }) else {
            report(
                entry, "demands a bit that does not count", at: reader.position,
                advice: "\"value\" can have only the bits of \"bits\"")
            return nil
        }
        if case .integer? = type, (offset ?? 0) != 0 || bits.count > 8 {
            report(entry, "of a number has at most 8 bytes, and no \"at\"", at: reader.position)
            return nil
        }
        return .mask(ByteMask(bits: bits, value: value, offset: Int(offset ?? 0)))
    }

    /// Reads `slice: {at: 4, count: 2, is: {hex: "0001"}}`.
    private func slice(
        _ entry: YAMLNode.Entry, type: FieldType?, name: String
    ) -> ValueMatcher? {
        guard var reader = scope.mapping(entry.value, as: SuiteVocabulary.slice) else { return nil }
        reader.require("at")
        reader.require("is")
        let first = reader.integer("at", in: 0...Int64(Int32.max))
        let hasCount = reader.has("count")
        let count = reader.integer("count", in: 1...Int64(Int32.max))
        let demand = reader.entry("is")
        reader.finish()
        guard let first, let demand, count != nil || !hasCount else { return nil }
        return matcher(demand.value, type: type, name: "a part of \(name)").map {
            .slice(first: Int(first), count: count.map { Int($0) }, $0)
        }
    }

    private func report(
        _ entry: YAMLNode.Entry, _ what: String, at position: SourcePosition, advice: String = ""
    ) {
        findings.report("bad-matcher", "\"\(entry.key)\" \(what)", at: position, advice: advice)
    }
}
