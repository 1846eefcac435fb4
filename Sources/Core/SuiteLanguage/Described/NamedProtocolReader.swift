import Kaitai
import Wire

/// Reads a file that describes a protocol together with a `.ksy` file.
struct NamedProtocolReader {
    let protocols: DescribedProtocols

    private var files: SuiteFileReader { protocols.files }
    private var findings: Findings { files.findings }

    /// The pattern of valid protocol names.
    static let nameForm = "^[a-z][a-z0-9_-]*$"

    /// Returns the names that are taken by messages of other protocols or by fields of the trace.
    static func takenNames(_ protocols: ProtocolRegistry) -> Set<String> {
        Set(protocols.descriptions.map(\.name))
            .union(["device", "log", "lost", "message", "frame", "ip", "eth", "violation"])
    }

    /// Reads the root of the file; `nil`, after a report, if it cannot be used.
    func read(_ root: YAMLNode, path: String) -> NamedProtocol? {
        let errors = findings.errorCount
        guard findings.accepts(root, as: .protocolFile),
            var reader = YAMLMappingReader(root, as: ProtocolVocabulary.file, findings: findings),
            FileVersion.check(&reader, key: "conform-protocol")
        else { return nil }
        for key in ["protocol", "ksy"] { reader.require(key) }
        var parts = NamedProtocolParts(name: name(in: &reader) ?? "", path: path)
        parts.source = root.value.jsonText()
        parts.title = reader.text("title") ?? ""
        parts.specification = reader.text("specification") ?? ""
        let described = reader.text("ksy").flatMap { name in
            reader.node("ksy").flatMap { protocols.named(name, at: $0.position) }
        }
        parts.tcp = tcp(&reader, described)
        parts.udp = reader.reader("udp", as: ProtocolVocabulary.udp).map { inner in
            var inner = inner
            defer { inner.finish() }
            return NamedProtocol.Carriage(ports: ports(&inner))
        }
        if !reader.has("tcp"), !reader.has("udp") {
            findings.report(
                "missing-key", "this protocol file does not say what carries the messages",
                at: reader.position,
                advice: "add \"tcp: {ports: [...]}\" or \"udp: {ports: [...]}\"")
        }
        let message = reader.entry("message")
        let rules = ["top", "recognise", "malformed", "messages", "defaults"].map {
            reader.entry($0)
        }
        if let described {
            let description = described.description
            if let message { parts.naming = naming(message.value, parts.name, description) }
            parts.lifted = lifted(&reader, description)
            if let rule = rules[1] { parts.recognition = condition(rule.value, description) }
            for entry in reader.mapping("malformed") ?? [] {
                guard let condition = condition(entry.value, description) else { continue }
                parts.malformed.append(.init(text: entry.key, condition: condition))
            }
        }
        let isNamed = message == nil || parts.naming != nil
        for entry in reader.mapping("messages") ?? [] where isNamed {
            if let described { read(entry, described, into: &parts) }
        }
        if let described, isNamed {
            defaults(of: nil, &reader, described, into: &parts)
            correlation(&reader, described, into: &parts)
        }
        reader.finish()
        guard findings.errorCount == errors, let described else { return nil }
        return NamedProtocol(parts, described)
    }

    /// Reads the values of fields that are sent where nothing else is set.
    private func defaults(
        of message: String?, _ reader: inout YAMLMappingReader, _ described: DescribedProtocol,
        into parts: inout NamedProtocolParts
    ) {
        let values = ValueReader(
            scope: VariableScope(findings: findings, protocols: protocols.protocols),
            misfit: .refused, allowsSaved: false)
        let known = parts.protocolDescription(described.description).messages
            .filter { message == nil || $0.name == "\(parts.name).\(message ?? "")" }
            .flatMap(\.fields)
        for entry in reader.mapping("defaults") ?? [] {
            guard let path = FieldPath(entry.key),
                let type = known.fieldType(at: path)
            else {
                findings.report(
                    "unknown-field",
                    (message.map { "\($0) has no field " } ?? "no message has a field ")
                        + "\"\(entry.key)\"", at: entry.keyPosition,
                    advice: Suggestion.advice(for: entry.key, in: known.map(\.path)))
                continue
            }
            guard let value = values.value(entry.value, type: type, name: entry.key) else {
                continue
            }
            parts.defaults.append(
                NamedProtocol.FieldDefault(message: message, path: path, value: value))
        }
    }

    /// Reads the fields by which an answer is matched to a message: both have them, or neither has.
    private func correlation(
        _ reader: inout YAMLMappingReader, _ described: DescribedProtocol,
        into parts: inout NamedProtocolParts
    ) {
        let known = parts.protocolDescription(described.description).messages
        let pairs = known.compactMap { message in
            known.first { $0.name == message.response }.map { (message, $0) }
        }
        for item in reader.texts("correlation") ?? [] {
            func has(_ message: MessageDescription) -> Bool {
                FieldPath(item.text).flatMap {
                    message.fields.fieldType(at: $0)
                } != nil
            }
            guard let path = FieldPath(item.text), pairs.contains(where: { has($0) || has($1) })
            else {
                let names = pairs.flatMap { $0.0.fields + $0.1.fields }.map(\.path)
                findings.report(
                    "unknown-field",
                    pairs.isEmpty
                        ? "\"correlation\", but no message has an \"answer\""
                        : "no message with an answer has a field \"\(item.text)\"",
                    at: item.position,
                    advice: pairs.isEmpty
                        ? "say what answers what under \"messages\""
                        : Suggestion.advice(for: item.text, in: names))
                continue
            }
            if let (message, answer) = pairs.first(where: { has($0) != has($1) }) {
                let (one, other) = has(message) ? (answer, message) : (message, answer)
                findings.report(
                    "unknown-field",
                    "\(one.name) has no field \"\(item.text)\", and \(other.name) has one",
                    at: item.position, advice: "take a field that both have")
            }
            parts.correlation.append(path)
        }
    }

    private func name(in reader: inout YAMLMappingReader) -> String? {
        guard let name = reader.text("protocol"), let node = reader.node("protocol") else {
            return nil
        }
        let rest = name.unicodeScalars.dropFirst()
        guard let first = name.unicodeScalars.first, ("a"..."z").contains(first),
            rest.allSatisfy({
                ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "_" || $0 == "-"
            })
        else {
            findings.report(
                "bad-name", "\"\(name)\" cannot be the name of a protocol", at: node.position,
                advice: "use lower-case letters, digits, \"-\" and \"_\", a letter first")
            return nil
        }
        guard !Self.takenNames(protocols.protocols).contains(name) else {
            findings.report(
                "bad-name", "conform has messages \"\(name).\" of its own", at: node.position,
                advice: "choose another name, such as \"my-\(name)\"")
            return nil
        }
        return name
    }

    // MARK: transport

    private func tcp(
        _ reader: inout YAMLMappingReader, _ described: DescribedProtocol?
    ) -> NamedProtocol.Carriage? {
        guard var inner = reader.reader("tcp", as: ProtocolVocabulary.tcp) else { return nil }
        var carriage = NamedProtocol.Carriage(ports: ports(&inner))
        let stream = inner.entry("stream")
        if let stream {
            carriage.cutting = StreamCuttingReader(
                scope: VariableScope(findings: findings, protocols: protocols.protocols),
                vocabulary: ProtocolVocabulary.stream
            ).value(stream.value).flatMap(StreamCutting.init(setting:))
        } else if let reason = described?.description.endlessness {
            findings.report(
                "ksy-endless", "the description does not say where a message ends: \(reason)",
                at: inner.position,
                advice: "add \"stream\" with length, until, fixed or idle to \"tcp\"")
        }
        carriage.prefix = inner.integer("prefix", in: 1...65_535).map { Int($0) } ?? 0
        if carriage.prefix > 0, stream == nil {
            findings.report(
                "missing-key", "\"prefix\" without \"stream\"", at: inner.position,
                advice: "say how the stream is cut: stream: {length: {at: 0, size: 2}}")
        }
        inner.finish()
        return carriage
    }

    private func ports(_ reader: inout YAMLMappingReader) -> [UInt16] {
        guard let node = reader.node("ports") else { return [] }
        return (node.elements ?? [node]).compactMap { element in
            guard case .scalar(.integer(let number)) = element.content,
                let port = UInt16(exactly: number), port > 0
            else {
                findings.report(
                    "bad-value", "\"ports\" takes numbers from 1 to 65535", at: element.position)
                return nil
            }
            return port
        }
    }

    // MARK: expressions and fields of the description

    private func expression(
        _ text: String, at position: SourcePosition, _ description: KaitaiDescription
    ) -> KaitaiExpression? {
        do throws(InvalidInput) {
            return try description.expression(text, at: position)
        } catch {
            findings.add(error)
            return nil
        }
    }

    private func condition(
        _ node: YAMLNode, _ description: KaitaiDescription
    ) -> KaitaiExpression? {
        guard let text = node.string ?? node.value.boolValue.map({ $0 ? "true" : "false" }) else {
            findings.report(
                "wrong-type", "a condition is text, this is \(node.kindInWords)",
                at: node.position)
            return nil
        }
        guard let made = expression(text, at: node.position, description) else { return nil }
        guard made.isCondition else {
            findings.report(
                "bad-expression", "\"\(text)\" is no condition", at: node.position,
                advice: "compare it with something, such as \"\(text) != 0\"")
            return nil
        }
        return made
    }

    private func naming(
        _ node: YAMLNode, _ name: String, _ description: KaitaiDescription
    ) -> MessageNaming? {
        guard var text = node.string else {
            findings.report(
                "wrong-type", "\"message\" is text, this is \(node.kindInWords)",
                at: node.position, advice: "put it in quotes: \"\(name).{type}\"")
            return nil
        }
        if text.hasPrefix(name + ".") { text.removeFirst(name.count + 1) }
        var parts: [MessageNaming.Part] = []
        for (index, piece) in text.split(separator: "{", omittingEmptySubsequences: false)
            .enumerated()
        {
            guard index > 0 else {
                if !piece.isEmpty { parts.append(.text(String(piece))) }
                continue
            }
            guard let end = piece.lastIndex(of: "}") else {
                findings.report(
                    "bad-template", "a brace in \"message\" is not closed", at: node.position)
                return nil
            }
            let written = String(piece[..<end])
            guard let made = expression(written, at: node.position, description) else {
                return nil
            }
            guard let texts = description.texts(of: made) else {
                findings.report(
                    "bad-value", "it is not known which names \"\(written)\" may give",
                    at: node.position,
                    advice: "take a field with an \"enum\", or write {condition ? \"a\" : \"b\"}")
                return nil
            }
            parts.append(.expression(made, texts: texts))
            let rest = piece[piece.index(after: end)...]
            if !rest.isEmpty { parts.append(.text(String(rest))) }
        }
        return checked(MessageNaming(parts, of: description), at: node.position)
    }

    private func checked(_ naming: MessageNaming?, at position: SourcePosition) -> MessageNaming? {
        guard let naming else {
            findings.report(
                "bad-value", "\"message\" gives more than \(MessageNaming.namesMax) names",
                at: position)
            return nil
        }
        let reserved = [MessageNaming.malformed]
        if let wrong = naming.names.first(where: {
            !PlainName.isValid($0.name) || reserved.contains($0.name)
        }) {
            findings.report(
                "bad-name", "\"\(wrong.name)\" cannot be the name of a message", at: position,
                advice: PlainName.advice)
            return nil
        }
        return naming
    }

    private func lifted(
        _ reader: inout YAMLMappingReader, _ description: KaitaiDescription
    ) -> [String] {
        var lifted: [String] = []
        var taken = description.fieldNames(at: []) ?? []
        for item in reader.texts("top") ?? [] {
            let known = description.fieldNames(at: []) ?? []
            guard known.contains(item.text) else {
                findings.report(
                    "unknown-field", "the description has no field \"\(item.text)\"",
                    at: item.position, advice: Suggestion.advice(for: item.text, in: known))
                continue
            }
            let inner = Set(description.fieldNames(at: [item.text]) ?? [])
            if inner.isEmpty {
                findings.report(
                    "wrong-type", "\"\(item.text)\" has no fields", at: item.position)
            }
            if let both = inner.sorted().first(where: taken.contains) {
                findings.report(
                    "duplicate-id",
                    "\"\(both)\" would be a field of the message twice, \"\(item.text)\" has it too",
                    at: item.position,
                    advice: "leave \"\(item.text)\" out of \"top\" and write \(item.text).\(both)")
            }
            taken += inner
            lifted.append(item.text)
        }
        return lifted
    }

    private func read(
        _ entry: YAMLNode.Entry, _ described: DescribedProtocol,
        into parts: inout NamedProtocolParts
    ) {
        func check(_ name: String, _ position: SourcePosition) -> Bool {
            if parts.names.contains(name) { return true }
            findings.report(
                "unknown-message", "\(parts.name) has no message \"\(name)\"", at: position,
                advice: Suggestion.advice(for: name, in: parts.names))
            return false
        }
        guard check(entry.key, entry.keyPosition),
            var reader = YAMLMappingReader(
                entry.value, as: ProtocolVocabulary.message, findings: findings)
        else { return }
        var message = NamedProtocolParts.Message()
        message.text = reader.text("text")
        message.specification = reader.text("specification")
        if let answer = reader.text("answer"), let node = reader.node("answer"),
            check(answer, node.position)
        {
            message.answer = answer
        }
        defaults(of: entry.key, &reader, described, into: &parts)
        reader.finish()
        parts.messages[entry.key] = message
    }
}
