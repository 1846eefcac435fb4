import YAML

extension DescriptionLoader {
    private static let commonKeys: Set<String> = [
        "id", "type", "if", "repeat", "repeat-expr", "repeat-until", "valid", "enum", "doc",
        "doc-ref", "parent",
    ]
    private static let extentKeys: Set<String> = [
        "size", "size-eos", "terminator", "include", "consume", "eos-error", "pad-right",
    ]
    private static let valueKeys: Set<String> = ["value", "if", "enum", "doc", "doc-ref", "valid"]

    /// Reads the fields of all types, including types that are found meanwhile.
    func readFields() {
        var type = 0
        while type < types.count {
            let node = nodes[type]
            readParameters(node["params"], of: type)
            readSequence(node["seq"], of: type)
            for entry in entries(node["instances"], "instances") { readInstance(entry, of: type) }
            if let text = node["to-string"] {
                types[type].text = expression(text, "to-string", in: type, expecting: .string)
            }
            type += 1
        }
        resolvePending()
    }

    private func elements(_ node: YAMLNode?, _ key: String) -> [YAMLNode] {
        guard let node else { return [] }
        guard let elements = node.elements else {
            findings.report(
                "wrong-type", "\"\(key)\" takes a list, this is \(node.kindInWords)",
                at: node.position, advice: "begin each element with \"- \"")
            return []
        }
        return elements
    }

    private func add(_ field: Field, to type: TypeID) {
        if field.isNamed,
            types[type].slots.updateValue(types[type].fields.count, forKey: field.id)
                != nil
        {
            findings.report(
                "duplicate-key", "\"\(field.id)\" is the name of another field already",
                at: field.position)
        }
        types[type].fields.append(field)
    }

    private func readParameters(_ node: YAMLNode?, of type: TypeID) {
        for element in elements(node, "params") where isMapping(element, "a parameter") {
            checkKeys(
                of: element, known: ["id", "type", "enum", "doc", "doc-ref"], subject: "a parameter"
            )
            guard let id = identifier(element["id"], "a parameter") else {
                if element["id"] == nil {
                    findings.report(
                        "missing-key", "a parameter needs an \"id\"", at: element.position)
                }
                continue
            }
            let position = element["id"]?.position ?? element.position
            var field = Field(
                id: id, role: .parameter, position: position, type: .bytes(Extent()))
            if let node = element["type"], let name = text(node, "\"type\"") {
                field.type = parameterType(name, at: node.position, in: type) ?? .any
            }
            readEnumeration(element["enum"], into: &field, of: type)
            types[type].parameterCount += 1
            add(field, to: type)
        }
    }

    private func isMapping(_ node: YAMLNode, _ subject: String) -> Bool {
        if node.entries != nil { return true }
        findings.report(
            "wrong-type", "\(subject) is a mapping, this is \(node.kindInWords)", at: node.position)
        return false
    }

    private func parameterType(
        _ text: String, at position: SourcePosition, in type: TypeID
    ) -> FieldType? {
        guard
            let (name, _) = parsed(
                text, at: position,
                by: { text throws(SyntaxError) in
                    try Parser.type(text)
                })
        else { return nil }
        let element: FieldType?
        switch name.path.count == 1 ? name.path[0] : "" {
        case "bytes": element = .bytes(Extent())
        case "str": element = .string(Extent(), encoding: "UTF-8")
        case "bool": element = .bool
        case "struct": element = .anyObject
        case "io": element = .stream
        case "any": element = .any
        case let single:
            element =
                BuiltInType.number(single) ?? userType(name, [], Extent(), at: position, in: type)
        }
        return name.isArray ? element.map(FieldType.array) : element
    }

    private func readSequence(_ node: YAMLNode?, of type: TypeID) {
        for (index, element) in elements(node, "seq").enumerated()
        where isMapping(element, "an attribute") {
            var field = Field(
                id: "_unnamed\(index)", role: .sequence,
                position: element["id"]?.position ?? element.position, type: .bytes(Extent()))
            if let id = element["id"] {
                guard let name = identifier(id, "an attribute") else { continue }
                field.id = name
            } else {
                field.isNamed = false
            }
            types[type].sequenceCount += 1
            readAttribute(element, into: &field, of: type)
            readChecksum(element, into: &field)
            add(field, to: type)
        }
    }

    private func readInstance(_ entry: YAMLNode.Entry, of type: TypeID) {
        guard checkIdentifier(entry.key, "an instance", at: entry.keyPosition),
            isMapping(entry.value, "an instance")
        else { return }
        let node = entry.value
        guard let value = node["value"] else {
            var field = Field(
                id: entry.key, role: .positioned, position: entry.keyPosition,
                type: .bytes(Extent()))
            readAttribute(node, into: &field, of: type)
            field.place = node["pos"].flatMap {
                expression($0, "pos", in: type, expecting: .integer)
            }
            field.stream = node["io"].flatMap {
                expression($0, "io", in: type, expecting: .stream)
            }
            add(field, to: type)
            return
        }
        checkKeys(of: node, known: Self.valueKeys, subject: "an instance with \"value\"")
        guard let id = expression(value, "value", in: type) else { return }
        var field = Field(
            id: entry.key, role: .computed, position: entry.keyPosition, type: .computed(id))
        field.condition = node["if"].flatMap { expression($0, "if", in: type, expecting: .bool) }
        readEnumeration(node["enum"], into: &field, of: type)
        if let valid = node["valid"] { readValidity(valid, into: &field, of: type) }
        add(field, to: type)
    }

    private func readEnumeration(_ node: YAMLNode?, into field: inout Field, of type: TypeID) {
        guard let node, let name = text(node, "\"enum\"") else { return }
        let isAbsolute = name.hasPrefix("::")
        let path = name.split(separator: ":").map(String.init)
        guard let id = names.enumeration(path, isAbsolute: isAbsolute, from: type) else {
            findings.report(
                "ksy-unknown-enum", "there is no enumeration \"\(name)\"", at: node.position,
                advice: Suggestion.advice(for: name, in: names.enumerationNames(from: type)))
            return
        }
        field.enumeration = id
        if !isNumber(field.type) {
            findings.report(
                "ksy-type", "\"enum\" is for integers", at: node.position)
        }
    }

    private func isNumber(_ type: FieldType) -> Bool {
        switch type {
        case .integer, .bits, .computed, .any: true
        case .array(let element): isNumber(element)
        case .choice(_, let cases, let otherwise):
            cases.allSatisfy { isNumber($0.type) } && (otherwise.map(isNumber) ?? true)
        default: false
        }
    }

    /// Reads the keys that attributes of `seq` and instances have in common.
    private func readAttribute(_ node: YAMLNode, into field: inout Field, of type: TypeID) {
        let slot = types[type].fields.count
        if node["contents"] != nil, node["valid"] != nil {
            findings.report(
                "unknown-key", "\"valid\" and \"contents\" exclude each other",
                at: node["valid"]?.position)
        }
        field.condition = node["if"].flatMap { expression($0, "if", in: type, expecting: .bool) }
        field.repetition = repetition(node, slot: slot, of: type)
        let extent = extent(node, slot: slot, of: type)
        let form = TypeForm(
            extent: extent, encoding: encoding(node, of: type), slot: slot, type: type)
        if let contents = node["contents"] {
            readContents(contents, into: &field, extent: extent, of: type)
        } else if let typeNode = node["type"] {
            field.type = readType(typeNode, form) ?? .any
        } else {
            field.type = .bytes(extent)
            if !extent.isLimited {
                findings.report(
                    "missing-key", "\"\(field.id)\" has no \"type\", and no \"size\" either",
                    at: node.position, advice: "bytes need size, size-eos or terminator")
            }
        }
        checkKeys(
            of: node, known: legalKeys(of: field, node), subject: "this attribute")
        readEnumeration(node["enum"], into: &field, of: type)
        if let parent = node["parent"] {
            field.parent =
                parent.string == "false"
                ? .none
                : expression(parent, "parent", in: type, expecting: .object).map(
                    ParentRule.expression) ?? .none
        }
        if let valid = node["valid"] { readValidity(valid, into: &field, of: type) }
    }

    private func legalKeys(of field: Field, _ node: YAMLNode) -> Set<String> {
        var keys = Self.commonKeys
        if case .positioned = field.role { keys.formUnion(["pos", "io"]) }
        switch field.type {
        case .integer, .float, .bits:
            keys.formUnion(["terminator", "include", "consume", "eos-error"])
        case .string: keys.formUnion(Self.extentKeys.union(["encoding"]))
        case .bytes: keys.formUnion(Self.extentKeys.union(["process", "contents", "encoding"]))
        default: keys.formUnion(Self.extentKeys.union(["process", "encoding"]))
        }
        return keys
    }

    private func repetition(_ node: YAMLNode, slot: Int, of type: TypeID) -> Repetition {
        let kind = node["repeat"]
        for (key, word) in [("repeat-expr", "expr"), ("repeat-until", "until")] {
            guard let entry = node.entries?.first(where: { $0.key == key }), kind?.string != word
            else { continue }
            findings.report(
                "unknown-key", "\"\(key)\" needs \"repeat: \(word)\"", at: entry.keyPosition)
        }
        guard let kind else { return .once }
        switch kind.string {
        case "eos": return .toEnd
        case "expr":
            if let count = node["repeat-expr"].flatMap({
                expression($0, "repeat-expr", in: type, expecting: .integer)
            }) {
                return .count(count)
            }
        case "until":
            if let until = node["repeat-until"].flatMap({
                expression($0, "repeat-until", in: type, item: slot, expecting: .bool)
            }) {
                return .until(until)
            }
        default:
            findings.report(
                "bad-value", "\"repeat\" is eos, expr or until", at: kind.position,
                advice: Suggestion.advice(for: kind.string ?? "", in: ["eos", "expr", "until"]))
            return .once
        }
        let word = kind.string ?? ""
        if node["repeat-\(word)"] == nil {
            findings.report(
                "missing-key", "\"repeat: \(word)\" needs \"repeat-\(word)\"", at: kind.position)
        }
        return .once
    }

    private func extent(_ node: YAMLNode, slot: Int, of type: TypeID) -> Extent {
        var extent = Extent()
        extent.size = node["size"].flatMap {
            expression($0, "size", in: type, expecting: .integer)
        }
        extent.reachesEnd = bool(node["size-eos"], "size-eos") ?? false
        if extent.size != nil, extent.reachesEnd {
            findings.report(
                "unknown-key", "\"size\" and \"size-eos\" exclude each other",
                at: node["size-eos"]?.position)
        }
        if let terminator = byte(node["terminator"], "terminator") {
            extent.terminator = [terminator]
        }
        extent.keepsTerminator = bool(node["include"], "include") ?? false
        extent.consumesTerminator = bool(node["consume"], "consume") ?? true
        extent.needsTerminator = bool(node["eos-error"], "eos-error") ?? true
        extent.padding = byte(node["pad-right"], "pad-right")
        extent.process = node["process"].flatMap { process($0, in: type) }
        return extent
    }

    private func process(_ node: YAMLNode, in type: TypeID) -> Process? {
        guard let text = text(node, "\"process\""),
            let (name, arguments) = parsed(
                text, at: node.position,
                by: {
                    text throws(SyntaxError) in try Parser.process(text)
                })
        else { return nil }
        let needed = ["zlib": 0, "xor": 1, "rol": 1, "ror": 1][name]
        if let needed, needed != arguments.count {
            findings.report(
                "ksy-arguments", "\"\(name)\" takes \(needed) arguments", at: node.position)
            return nil
        }
        let ids = arguments.map {
            add(
                $0, text, at: node.position, in: type,
                expecting: name == "xor" ? .key : needed == 1 ? .integer : .anything)
        }
        switch name {
        case "zlib": return .zlib
        case "xor": return ids.first.map(Process.xor)
        case "rol", "ror": return ids.first.map { .rotate($0, isLeft: name == "rol") }
        default: return .custom(name, ids)
        }
    }

    private func encoding(_ node: YAMLNode, of type: TypeID) -> String? {
        guard let encoding = node["encoding"] else { return types[type].encoding }
        return text(encoding, "\"encoding\"").map { checkedEncoding($0, at: encoding.position) }
    }
}
