import YAML

/// The information from the keys next to `type`.
struct TypeForm {
    var extent: Extent
    var encoding: String?
    var slot: Int
    var type: TypeID
}

extension DescriptionLoader {
    func readType(_ node: YAMLNode, _ form: TypeForm) -> FieldType? {
        if node.entries != nil { return choice(node, form) }
        guard node.elements == nil else {
            findings.report(
                "wrong-type", "\"type\" takes text or a mapping, this is \(node.kindInWords)",
                at: node.position)
            return nil
        }
        guard let text = text(node, "\"type\"") else { return nil }
        return fieldType(text, at: node.position, form)
    }

    private func fieldType(
        _ text: String, at position: SourcePosition, _ form: TypeForm
    ) -> FieldType? {
        guard
            let (name, arguments) = parsed(
                text, at: position,
                by: { text throws(SyntaxError) in
                    try Parser.type(text)
                })
        else { return nil }
        if name.path.count == 1, !name.isAbsolute, arguments.isEmpty {
            if let number = BuiltInType.number(name.path[0]) {
                return checkedOrder(of: number, text, at: position, in: form.type)
            }
            if ["str", "strz"].contains(name.path[0]) {
                return string(isTerminated: name.path[0] == "strz", at: position, form)
            }
            if name.path[0] == "bytes" { return .bytes(form.extent) }
        }
        return userType(name, arguments, form.extent, at: position, in: form.type, text: text)
    }

    /// Reports a number of several bytes whose byte order is not given.
    private func checkedOrder(
        of number: FieldType, _ text: String, at position: SourcePosition, in type: TypeID
    ) -> FieldType {
        var needsOrder = false
        switch number {
        case .integer(let width, _, .inherited): needsOrder = width > 1
        case .float(_, .inherited): needsOrder = true
        case .bits(let count, .inherited): return .bits(count, types[type].bitOrder)
        default: break
        }
        if needsOrder, case .none = types[type].endian {
            findings.report(
                "ksy-endian", "the byte order of \"\(text)\" is not given",
                at: position, advice: "write \(text)le or \(text)be, or meta/endian")
        }
        return number
    }

    private func string(
        isTerminated: Bool, at position: SourcePosition, _ form: TypeForm
    ) -> FieldType? {
        guard let encoding = form.encoding else {
            findings.report(
                "ksy-encoding", "the encoding of this text is not given", at: position,
                advice: "write \"encoding\" here or in meta")
            return nil
        }
        var extent = form.extent
        let unit = Encoding.unit(of: encoding)
        if isTerminated, extent.terminator.isEmpty {
            extent.terminator = Array(repeating: 0, count: unit)
        }
        if !extent.isLimited {
            findings.report(
                "missing-key", "the end of this text is not given", at: position,
                advice: "write size, size-eos or terminator")
        }
        return .string(extent, encoding: encoding)
    }

    /// Returns the field type for a named type of the description, with its arguments.
    func userType(
        _ name: TypeReference, _ arguments: [Syntax], _ extent: Extent,
        at position: SourcePosition, in scope: TypeID, text: String? = nil
    ) -> FieldType? {
        var found = names.type(name.path, isAbsolute: name.isAbsolute, from: scope)
        if found == nil, types[scope].allowsOpaqueTypes {
            found = name.path.count == 1 ? opaqueType(name.path[0], from: scope) : nil
            if found == nil { return .opaque(name.text) }
        }
        guard let found else {
            let builtIn = ["u1", "u2", "u4", "u8", "s1", "s2", "s4", "s8", "str", "strz"]
            findings.report(
                "ksy-unknown-type", "there is no type \"\(name.text)\"", at: position,
                advice: Suggestion.advice(
                    for: name.path.last ?? "", in: names.typeNames(from: scope) + builtIn))
            return nil
        }
        let ids = arguments.enumerated().map { index, argument in
            add(
                argument, text ?? "", at: position, in: scope,
                expecting: .argument(found, slot: index))
        }
        pending.append(
            PendingCall(
                type: found, count: ids.count, position: position, isParameter: text == nil))
        return .object(found, arguments: ids, extent)
    }

    /// Checks calls that could not be checked before all parameters were read.
    func resolvePending() {
        for call in pending where types[call.type].parameterCount != call.count {
            // The type of a parameter is named without arguments.
            if call.count == 0, call.isParameter { continue }
            findings.report(
                "ksy-arguments",
                "\(types[call.type].name) takes \(types[call.type].parameterCount) arguments, not \(call.count)",
                at: call.position)
        }
    }

    private func choice(_ node: YAMLNode, _ form: TypeForm) -> FieldType? {
        checkKeys(of: node, known: ["switch-on", "cases"], subject: "this \"type\"")
        for key in ["switch-on", "cases"] where node[key] == nil {
            findings.report(
                "missing-key", "a \"type\" that switches needs \"\(key)\"", at: node.position)
        }
        guard let onNode = node["switch-on"], let casesNode = node["cases"],
            let on = expression(onNode, "switch-on", in: form.type)
        else { return nil }
        var cases: [(key: ExpressionID, type: FieldType)] = []
        var otherwise: FieldType?
        for entry in entries(casesNode, "cases") {
            guard let text = text(entry.value, "a case"),
                let type = fieldType(text, at: entry.value.position, form)
            else { continue }
            if entry.key == "_" {
                otherwise = type
            } else if let key = expression(
                entry.key, at: entry.keyPosition, in: form.type, expecting: .caseOf(on))
            {
                cases.append((key, type))
            }
        }
        if otherwise == nil, form.extent.size != nil || form.extent.reachesEnd {
            otherwise = .bytes(form.extent)
        }
        return .choice(on: on, cases: cases, otherwise: otherwise)
    }

    /// Reads `contents`: bytes that are always the same.
    func readContents(
        _ node: YAMLNode, into field: inout Field, extent: Extent, of type: TypeID
    ) {
        var bytes: [UInt8] = []
        if let text = node.string {
            bytes = Array(text.utf8)
        } else if let elements = node.elements {
            for element in elements {
                guard let text = text(element, "\"contents\"") else { continue }
                if let number = integer(text) {
                    bytes.append(byte(element, "contents") ?? 0)
                    _ = number
                } else {
                    bytes += Array(text.utf8)
                }
            }
        } else {
            _ = text(node, "\"contents\"")
        }
        var extent = extent
        let size = add(
            .integer(Int128(bytes.count)), "contents", at: node.position, in: type,
            expecting: .integer)
        extent.size = extent.size ?? size
        field.type = .bytes(extent)
        let elements = bytes.map { Syntax.integer(Int128($0)) }
        let literal: Syntax =
            bytes.isEmpty
            ? .cast(.list([]), TypeReference(path: ["bytes"])) : .list(elements)
        field.validity = .equal(
            add(
                literal, "contents", at: node.position, in: type,
                expecting: .comparable(type, slot: types[type].fields.count, isOrdered: false)))
    }

    func readValidity(_ node: YAMLNode, into field: inout Field, of type: TypeID) {
        let slot = types[type].fields.count
        func value(_ node: YAMLNode, _ key: String, isOrdered: Bool = false) -> ExpressionID? {
            expression(
                node, key, in: type, item: slot,
                expecting: .comparable(type, slot: slot, isOrdered: isOrdered))
        }
        guard node.entries != nil else {
            field.validity = value(node, "valid").map(Validity.equal)
            return
        }
        let known = ["eq", "min", "max", "any-of", "in-enum", "expr"]
        checkKeys(of: node, known: Set(known), subject: "\"valid\"")
        if let equal = node["eq"] {
            field.validity = value(equal, "eq").map(Validity.equal)
        } else if node["min"] != nil || node["max"] != nil {
            field.validity = .range(
                least: node["min"].flatMap { value($0, "min", isOrdered: true) },
                most: node["max"].flatMap { value($0, "max", isOrdered: true) })
        } else if let any = node["any-of"] {
            guard let elements = any.elements else {
                findings.report("wrong-type", "\"any-of\" takes a list", at: any.position)
                return
            }
            field.validity = .anyOf(elements.compactMap { value($0, "any-of") })
        } else if let inEnum = node["in-enum"] {
            if bool(inEnum, "in-enum") != true || field.enumeration == nil {
                findings.report(
                    "bad-value", "\"in-enum\" must be true, and needs the key \"enum\"",
                    at: inEnum.position)
            }
            field.validity = .inEnum
        } else if let condition = node["expr"] {
            field.validity = expression(
                condition, "expr", in: type, item: slot, expecting: .bool
            ).map(Validity.expression)
        } else {
            findings.report(
                "missing-key", "\"valid\" has no condition", at: node.position,
                advice: "there are: \(known.joined(separator: ", "))")
        }
    }
}

/// A type with arguments, recorded before the number of its parameters is known.
struct PendingCall {
    var type: TypeID
    var count: Int
    var position: SourcePosition
    /// Whether this is the type of a parameter, which is named without arguments.
    var isParameter = false
}
