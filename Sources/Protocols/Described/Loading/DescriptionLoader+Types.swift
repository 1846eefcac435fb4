import YAML

extension DescriptionLoader {
    private static let typeKeys: Set<String> = [
        "meta", "doc", "doc-ref", "to-string", "params", "seq", "types", "instances", "enums",
    ]

    private static let metaKeys: Set<String> = [
        "id", "imports", "endian", "bit-endian", "encoding", "ks-version", "ks-debug",
        "ks-opaque-types", "ks-zero-copy-substream", "title", "application", "file-extension",
        "license", "xref", "tags",
    ]

    /// The newest version of the language that conform reads.
    private static let version = [0, 12, 0]

    /// Adds a type with the types and enumerations inside it; their fields are read later.
    func addType(
        _ name: String, node: YAMLNode, file: Int, enclosing: TypeID?, position: SourcePosition
    ) -> TypeID? {
        guard types.count < KaitaiLimits.types else {
            findings.report("ksy-limit", "more than \(KaitaiLimits.types) types", at: position)
            return nil
        }
        let outer = enclosing.map { types[$0] }
        let id = types.count
        var model = TypeModel(
            name: name, path: (outer?.path ?? []) + [name], file: file, enclosing: enclosing,
            position: position, endian: inherited(outer?.endian), bitOrder: outer?.bitOrder ?? .big,
            encoding: outer?.encoding)
        model.allowsOpaqueTypes = outer?.allowsOpaqueTypes ?? false
        types.append(model)
        nodes.append(node)
        checkKeys(of: node, known: Self.typeKeys, subject: "a type")
        if let meta = node["meta"] { readMeta(meta, of: id) }
        if let varint = node[Self.varintKey] { readVarint(varint, node, of: id) }
        readEnumerations(node["enums"], of: id)
        for entry in entries(node["types"], "types") {
            guard checkIdentifier(entry.key, "a type", at: entry.keyPosition) else { continue }
            guard entry.value.entries != nil else {
                findings.report(
                    "wrong-type", "a type is a mapping, this is \(entry.value.kindInWords)",
                    at: entry.value.position, advice: "an empty one is written {}")
                continue
            }
            types[id].types[entry.key] = addType(
                entry.key, node: entry.value, file: file, enclosing: id,
                position: entry.keyPosition)
        }
        return id
    }

    /// A key of conform that other programs ignore: the type is a number in groups of 7 bits.
    private static let varintKey = "-conform-varint"

    private func readVarint(_ node: YAMLNode, _ type: YAMLNode, of id: TypeID) {
        switch node.string {
        case "little": types[id].varint = .little
        case "big": types[id].varint = .big
        default:
            findings.report(
                "bad-value", "\"\(Self.varintKey)\" is little or big: which group of bits is first",
                at: node.position)
        }
        if type["instances"]?["value"]?["value"] == nil {
            findings.report(
                "missing-key", "a type with \"\(Self.varintKey)\" needs the instance \"value\"",
                at: node.position, advice: "it computes the number when bytes are read")
        }
    }

    private func inherited(_ rule: EndianRule?) -> EndianRule {
        switch rule {
        case nil, .some(.none): .none
        case .fixed(let order): .fixed(order)
        case .computed, .ofCreator: .ofCreator
        }
    }

    /// Returns the entries of a mapping; reports anything else.
    func entries(_ node: YAMLNode?, _ key: String) -> [YAMLNode.Entry] {
        guard let node else { return [] }
        guard let entries = node.entries else {
            findings.report(
                "wrong-type", "\"\(key)\" takes a mapping, this is \(node.kindInWords)",
                at: node.position)
            return []
        }
        return entries
    }

    private func readMeta(_ node: YAMLNode, of type: TypeID) {
        _ = entries(node, "meta")
        checkKeys(of: node, known: Self.metaKeys, subject: "\"meta\"")
        if let order = node["bit-endian"] {
            types[type].bitOrder = byteOrder(order, "bit-endian") ?? types[type].bitOrder
        }
        if let encoding = node["encoding"].flatMap({ text($0, "\"encoding\"") }) {
            types[type].encoding = checkedEncoding(encoding, at: node["encoding"]?.position)
        }
        if let opaque = bool(node["ks-opaque-types"], "ks-opaque-types") {
            types[type].allowsOpaqueTypes = opaque
        }
        if let version = node["ks-version"] { checkVersion(version) }
        if let endian = node["endian"] { readEndian(endian, of: type) }
    }

    private func byteOrder(_ node: YAMLNode, _ key: String) -> ByteOrder? {
        switch node.string {
        case "le": return .little
        case "be": return .big
        default:
            findings.report(
                "bad-value", "\"\(key)\" is le or be", at: node.position)
            return nil
        }
    }

    private func readEndian(_ node: YAMLNode, of type: TypeID) {
        guard node.entries != nil else {
            if let order = byteOrder(node, "endian") { types[type].endian = .fixed(order) }
            return
        }
        checkKeys(of: node, known: ["switch-on", "cases"], subject: "\"endian\"")
        guard let on = node["switch-on"].flatMap({ expression($0, "switch-on", in: type) }) else {
            findings.report(
                "missing-key", "\"endian\" needs \"switch-on\"", at: node.position)
            return
        }
        var cases: [(key: ExpressionID, order: ByteOrder)] = []
        var otherwise: ByteOrder?
        for entry in entries(node["cases"], "cases") {
            guard let order = byteOrder(entry.value, entry.key) else { continue }
            if entry.key == "_" {
                otherwise = order
            } else if let key = expression(
                entry.key, at: entry.keyPosition, in: type, expecting: .caseOf(on))
            {
                cases.append((key, order))
            }
        }
        types[type].endian = .computed(on: on, cases: cases, otherwise: otherwise)
    }

    /// Returns the canonical name of an encoding; warns if the name is unknown or not canonical.
    func checkedEncoding(_ name: String, at position: SourcePosition?) -> String {
        let canonical = Encoding.canonicalName(name)
        if !Encoding.names.contains(canonical) {
            findings.warn(
                "ksy-encoding", "the encoding \"\(name)\" is not known", at: position,
                advice: Suggestion.advice(for: name, in: Encoding.names.sorted()))
        } else if canonical != name {
            findings.warn(
                "ksy-encoding", "the encoding \"\(name)\" is written \"\(canonical)\"",
                at: position)
        }
        return canonical
    }

    private func checkVersion(_ node: YAMLNode) {
        guard let text = text(node, "\"ks-version\"") else { return }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let numbers = parts.compactMap { part in
            part == "0" || !part.hasPrefix("0") && part.allSatisfy(\.isWholeNumber)
                ? Int(part) : nil
        }
        guard (2...3).contains(parts.count), numbers.count == parts.count else {
            findings.report(
                "bad-value", "\"\(text)\" is not a version", at: node.position,
                advice: "a version is two or three numbers, such as 0.9")
            return
        }
        let version = numbers + [0, 0, 0]
        if version.lexicographicallyPrecedes([0, 6, 0]) {
            findings.report(
                "bad-value", "descriptions of version \(text) are not read", at: node.position,
                advice: "the oldest is 0.6")
        } else if Self.version.lexicographicallyPrecedes(version.prefix(3)) {
            findings.report(
                "bad-value", "descriptions of version \(text) are not read", at: node.position,
                advice: "the newest is \(Self.version.map(String.init).joined(separator: "."))")
        }
    }

    private func readEnumerations(_ node: YAMLNode?, of type: TypeID) {
        for entry in entries(node, "enums") {
            guard checkIdentifier(entry.key, "an enumeration", at: entry.keyPosition) else {
                continue
            }
            var enumeration = Enumeration(
                name: entry.key, path: types[type].path + [entry.key], file: types[type].file,
                members: [], numbers: [:], names: [:])
            for member in entries(entry.value, entry.key) {
                readMember(member, of: &enumeration)
            }
            types[type].enumerations[entry.key] = EnumerationID(index: enumerations.count)
            enumerations.append(enumeration)
        }
    }

    private func readMember(_ entry: YAMLNode.Entry, of enumeration: inout Enumeration) {
        guard let number = integer(entry.key) else {
            findings.report(
                "bad-value", "\"\(entry.key)\" is not an integer", at: entry.keyPosition,
                advice: "an enumeration has numbers as keys and names as values")
            return
        }
        let node = entry.value.entries == nil ? entry.value : entry.value["id"]
        if entry.value.entries != nil {
            checkKeys(
                of: entry.value, known: ["id", "doc", "doc-ref", "-orig-id"],
                subject: "a member of an enumeration")
        }
        guard let node else {
            findings.report(
                "missing-key", "this member has no \"id\"", at: entry.value.position)
            return
        }
        guard let name = identifier(node, "a member of an enumeration") else { return }
        guard enumeration.numbers[name] == nil else {
            findings.report(
                "duplicate-key", "\"\(name)\" is the name of another number already",
                at: node.position)
            return
        }
        enumeration.numbers[name] = number
        enumeration.names[number] = name
        enumeration.members.append(Enumeration.Member(number: number, name: name))
    }

    /// Adds the expression in a scalar.
    func expression(
        _ node: YAMLNode, _ key: String, in type: TypeID, item: Int? = nil,
        expecting expectation: ExpressionSource.Expectation = .anything
    ) -> ExpressionID? {
        guard let text = text(node, "\"\(key)\"") else { return nil }
        return expression(
            text, at: node.position, in: type, item: item, expecting: expectation)
    }

    func expression(
        _ text: String, at position: SourcePosition, in type: TypeID, item: Int? = nil,
        expecting expectation: ExpressionSource.Expectation = .anything
    ) -> ExpressionID? {
        guard
            let syntax = parsed(
                text, at: position,
                by: { text throws(SyntaxError) in
                    try Parser.expression(text)
                })
        else { return nil }
        return add(syntax, text, at: position, in: type, item: item, expecting: expectation)
    }

    func add(
        _ syntax: Syntax, _ text: String, at position: SourcePosition, in type: TypeID,
        item: Int? = nil, expecting expectation: ExpressionSource.Expectation
    ) -> ExpressionID {
        sources.append(
            ExpressionSource(
                syntax: syntax, text: text, position: position, scope: type, item: item,
                expectation: expectation))
        return sources.count - 1
    }

    /// Parses a text; reports an error with the position of the character.
    func parsed<Result>(
        _ text: String, at position: SourcePosition,
        by parse: (String) throws(SyntaxError) -> Result
    ) -> Result? {
        do throws(SyntaxError) {
            return try parse(text)
        } catch {
            findings.report(
                "bad-expression",
                "\(error.what) (character \(error.offset + 1) of \"\(text.prefix(60))\")",
                at: position, advice: error.advice)
            return nil
        }
    }
}
