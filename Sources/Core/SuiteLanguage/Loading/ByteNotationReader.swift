import Wire

/// Reads bytes as suites write them: `"0a ff"`, `{hex: "0a ff"}`, `{ascii: PING}`, `{text: "ä\r\n"}`.
///
/// This is the only reader of bytes: for `send`, for settings and fields of bytes, and for the
/// matchers.
struct ByteNotationReader {
    let scope: VariableScope
    /// Whether values of earlier steps are allowed here.
    var allowsSaved = true
    /// The diagnostic code for faulty bytes.
    var code = "bad-value"
    /// The protocol that `fields` refers to; `nil` where there is no such notation.
    var described: DescribedProtocol?
    /// The protocol that `message` refers to; `nil` where there is no such key.
    var named: NamedProtocol?
    /// Whether a datagram carries the bytes.
    var isDatagram = false

    private var findings: Findings { scope.findings }

    /// The advice in diagnostics.
    static let advice = "write {hex: \"0a ff\"}, {ascii: ...} or {text: ...}"

    /// Reads bytes; `nil`, after a report, if they cannot be used.
    ///
    /// - Parameters:
    ///   - node: The bytes as they are in the file, before variables are replaced.
    ///   - plain: The notation of a plain scalar; `nil` if a notation must be given.
    ///   - name: The name of the bytes in diagnostics.
    ///   - allowsEmpty: Whether no bytes at all are allowed.
    func bytes(
        _ node: YAMLNode, plain: ByteExpression.Notation?, name: String, allowsEmpty: Bool = false
    ) -> ByteExpression? {
        guard let read = unchecked(node, plain: plain, name: name) else { return nil }
        if read.literalBytes == [], !allowsEmpty {
            return report("\(name) needs at least one byte", at: node.position)
        }
        return read
    }

    /// Reads bytes that must be known when the suite is loaded.
    func known(
        _ node: YAMLNode, plain: ByteExpression.Notation?, name: String
    ) -> [UInt8]? {
        var reader = self
        reader.allowsSaved = false
        return reader.bytes(node, plain: plain, name: name)?.literalBytes
    }

    private func unchecked(
        _ node: YAMLNode, plain: ByteExpression.Notation?, name: String
    ) -> ByteExpression? {
        if let entries = node.entries {
            if let entry = entries.first(where: { $0.key == "message" }) {
                return message(node, entry, name: name)
            }
            if entries.count == 1, entries[0].key == ByteExpression.fieldsKey {
                return fields(entries[0], name: name)
            }
            guard entries.count == 1, let entry = entries.first,
                let notation = ByteExpression.Notation(rawValue: entry.key)
            else {
                return report(
                    "\(name) is bytes in one notation", at: node.position, advice: Self.advice)
            }
            return written(entry.value, notation, name: name)
        }
        return written(node, plain, name: name)
    }

    /// Reads `{fields: {...}}`: a message by its description.
    private func fields(_ entry: YAMLNode.Entry, name: String) -> ByteExpression? {
        guard let described else {
            return report(
                "\(name) has \"fields\", but no description says what they are",
                at: entry.keyPosition, advice: "name one: stream: {ksy: ...} of the peer that sends"
            )
        }
        let values = ValueReader(scope: scope, misfit: .refused, allowsSaved: allowsSaved)
        guard let value = values.expression(entry.value, type: nil, name: "\"fields\"") else {
            return nil
        }
        do throws(EvaluationError) {
            return try ByteExpression(value, by: described)
        } catch {
            return report(
                "\(name) cannot be written: \(error.description)", at: entry.value.position)
        }
    }

    /// Reads `{message: ..., with: {...}}`: a message of the protocol that the peer speaks.
    private func message(
        _ node: YAMLNode, _ entry: YAMLNode.Entry, name: String
    ) -> ByteExpression? {
        guard let named else {
            return report(
                "\(name) has \"message\", but it is not said what the peer speaks",
                at: entry.keyPosition, advice: "add \"speaks\" to the peer")
        }
        guard var reader = scope.mapping(node, as: SuiteVocabulary.sentMessage) else { return nil }
        let message = reader.text("message")
        let place = reader.node("message")?.position ?? node.position
        let with = reader.entry("with")
        reader.finish()
        let vocabulary = MessageVocabulary(scope)
        guard let message, vocabulary.check(message: message, at: place) else { return nil }
        guard vocabulary.family(of: message) == named else {
            return report(
                "the peer speaks \(named.name), it cannot send \(message)", at: place)
        }
        let patterns = PatternReader(scope: scope, peers: [])
        let fields = with.map { patterns.assignments($0, of: message) }
        let sent = ByteExpression.NamedMessage(
            name: message, fields: fields ?? [], protocol: named, isDatagram: isDatagram)
        do throws(EvaluationError) {
            return try ByteExpression(sent)
        } catch {
            return report("\(message) cannot be written: \(error.description)", at: place)
        }
    }

    private func written(
        _ node: YAMLNode, _ notation: ByteExpression.Notation?, name: String
    ) -> ByteExpression? {
        if case .scalar(.bytes(let bytes)) = node.content { return ByteExpression(bytes) }
        guard let text = node.string else {
            return report(
                "\(name) is bytes, this is \(node.kindInWords)", at: node.position,
                advice: notation == .hex
                    ? "write pairs of digits in quotes, such as \"0a ff\"" : "put it in quotes")
        }
        guard let parts = parts(of: text, at: node.position) else { return nil }
        if parts.count == 1, case .expression(let expression)? = parts.first,
            let value = expression.literal
        {
            if let whole = whole(value, notation, at: node.position) { return whole }
        }
        guard let notation else {
            if parts.count == 1, case .expression? = parts.first {
                return expression(parts, .hex, name: name, at: node.position)
            }
            return report(
                "\(name) is bytes, not \(Value.string(text).suiteText)", at: node.position,
                advice: Self.advice)
        }
        return expression(parts, notation, name: name, at: node.position)
    }

    private func expression(
        _ parts: [ValueExpression.TemplatePart], _ notation: ByteExpression.Notation,
        name: String, at position: SourcePosition
    ) -> ByteExpression? {
        do throws(EvaluationError) {
            let read = try ByteExpression(parts, notation)
            if read.literalBytes == nil, !allowsSaved {
                scope.reportLate(parts, at: position)
                return nil
            }
            return read
        } catch {
            let digits = "write pairs of digits in quotes, such as \"0a ff\""
            return report(
                "\(name) is bytes: \(error.description)", at: position,
                advice: notation == .hex ? digits : "write other bytes as {hex: ...}")
        }
    }

    /// Reads a variable whose value is bytes, or a mapping with a notation.
    private func whole(
        _ value: Value, _ notation: ByteExpression.Notation?, at position: SourcePosition
    ) -> ByteExpression? {
        switch value {
        case .bytes(let bytes): return ByteExpression(bytes)
        case .object(let members):
            guard members.count == 1, let member = members.first,
                let written = ByteExpression.Notation(rawValue: member.name),
                let text = member.value.stringValue
            else { return nil }
            return expression([.text(text)], written, name: "the value", at: position)
        default: return nil
        }
    }

    /// Returns the parts of a text, with all known variables replaced by their values.
    private func parts(
        of text: String, at position: SourcePosition
    ) -> [ValueExpression.TemplatePart]? {
        do throws(Template.SyntaxError) {
            var parts: [ValueExpression.TemplatePart] = []
            for part in try Template(text).parts {
                guard case .expression(let expression) = part else {
                    parts.append(part)
                    continue
                }
                guard let filled = scope.fill(expression, at: position) else { return nil }
                parts.append(.expression(filled))
            }
            return parts
        } catch {
            findings.report(
                "bad-template", error.what, at: position,
                advice: "write ${name}, or $${ for the characters themselves")
            return nil
        }
    }

    private func report<Result>(
        _ what: String, at position: SourcePosition, advice: String = ""
    ) -> Result? {
        findings.report(code, what, at: position, advice: advice)
        return nil
    }
}

extension YAMLMappingReader {
    /// Reads bytes under a key that must be known when the suite is loaded.
    mutating func knownBytes(_ key: String, in scope: VariableScope) -> [UInt8]? {
        guard let entry = entry(key) else { return nil }
        return ByteNotationReader(scope: scope).known(entry.value, plain: .hex, name: "\"\(key)\"")
    }
}
