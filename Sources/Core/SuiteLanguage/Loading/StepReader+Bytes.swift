import Wire

/// Reading of bytes that are sent as they are, and of changes to the bytes of messages.
extension StepReader {
    /// Reads `send: {bytes: ...}`; `nil`, after a report, if it cannot be used.
    mutating func sendBytes(
        _ step: inout Step, _ reader: inout YAMLMappingReader
    ) -> Step.Verb? {
        reader.refuse(
            ["with", "wrong", "without", "save", "to", "corrupt"], code: "misplaced-key",
            because: "has no meaning where plain bytes are sent")
        let sender = sender(in: &reader)
        if let sender, sender.isDatagram {
            findings.report(
                "not-sendable", "\(sender.kind) sends datagrams, not bytes of a stream",
                at: reader.node("send")?.position,
                advice: "write {send: udp.datagram, with: {data: {hex: ...}}}")
        }
        segments(&step, &reader)
        guard var inner = reader.reader("send", as: SuiteVocabulary.rawBytes) else { return nil }
        let bytes = bytesSent(&inner, sender?.described)
        inner.finish()
        guard let sender, let bytes else { return nil }
        step.from = sender.name
        return .sendBytes(bytes)
    }

    /// Reads the bytes under the only key of the mapping: `bytes`, or a notation.
    private func bytesSent(
        _ reader: inout YAMLMappingReader, _ described: DescribedProtocol?
    ) -> ByteExpression? {
        let keys = SuiteVocabulary.rawBytes.keyNames
        let found = keys.compactMap { reader.entry($0) }
        guard found.count == 1, let entry = found.first else {
            if found.isEmpty { reader.require("bytes") }
            for entry in found.dropFirst() {
                findings.report(
                    "misplaced-key", "\"\(entry.key)\" with \"\(found[0].key)\"",
                    at: entry.keyPosition, advice: "send them in two steps")
            }
            return nil
        }
        let notation = ByteExpression.Notation(rawValue: entry.key)
        let isMapping =
            notation != nil && entry.value.entries != nil || entry.key == ByteExpression.fieldsKey
        let node = isMapping ? YAMLNode(.mapping([entry]), at: entry.keyPosition) : entry.value
        var bytes = ByteNotationReader(scope: scope)
        bytes.described = described
        return bytes.bytes(
            node, plain: notation ?? .hex, name: "\"\(entry.key)\"")
    }

    /// Reads `segments`.
    func segments(_ step: inout Step, _ reader: inout YAMLMappingReader) {
        step.segmentSize = reader.integer("segments", in: 1...65_535).map { Int($0) }
    }

    /// Reads `corrupt`.
    func corruption(of message: String, _ reader: inout YAMLMappingReader) -> Corruption? {
        guard var inner = reader.reader("corrupt", as: SuiteVocabulary.corruption) else {
            return nil
        }
        var corruption = Corruption()
        corruption.header = headerValues(of: message, &inner)
        corruption.overwritings = changes(
            "overwrite", as: SuiteVocabulary.overwriting, in: &inner, overwriting)
        let limit = Int64(Int32.max)
        corruption.truncation = inner.integer("truncate", in: -limit...limit).map { Int($0) }
        corruption.replacements = changes(
            "replace", as: SuiteVocabulary.replacement, in: &inner, replacement)
        if let bytes = inner.knownBytes("append", in: scope) { corruption.appended = bytes }
        corruption.repetition = inner.integer("again", in: -limit...limit).map { Int($0) }
        let isEmpty = !SuiteVocabulary.corruption.keyNames.contains { inner.has($0) }
        inner.finish()
        if isEmpty {
            findings.report(
                "missing-key", "this \"corrupt\" changes nothing", at: inner.position,
                advice: "set header, overwrite, replace, truncate, append or again")
        }
        return corruption
    }

    private func headerValues(
        of message: String, _ reader: inout YAMLMappingReader
    ) -> [Corruption.HeaderValue] {
        guard var fields = reader.reader("header", subject: "\"header\" mapping") else { return [] }
        let known = scope.protocols.family(ofMessage: message)?.frameFields ?? []
        return fields.entries.compactMap { entry in
            guard let field = known.first(where: { $0.path == entry.key }) else {
                findings.report(
                    "unknown-field", "the frames of \(message) have no field \"\(entry.key)\"",
                    at: entry.keyPosition,
                    advice: Suggestion.advice(for: entry.key, in: known.map(\.path)))
                return nil
            }
            return fields.integer(entry.key, in: field.range).map {
                Corruption.HeaderValue(field: field, number: $0)
            }
        }
    }

    /// Reads one change of bytes or a list of them, each as a mapping.
    private func changes<Change>(
        _ key: String, as description: MappingDescription, in reader: inout YAMLMappingReader,
        _ change: (inout YAMLMappingReader) -> Change?
    ) -> [Change] {
        guard let node = reader.node(key) else { return [] }
        return (node.elements ?? [node]).compactMap { element in
            guard let element = scope.resolve(element),
                var inner = scope.mapping(element, as: description)
            else { return nil }
            return change(&inner)
        }
    }

    private func overwriting(_ reader: inout YAMLMappingReader) -> Corruption.Overwriting? {
        reader.require("at")
        reader.require("bytes")
        let limit = Int64(Int32.max)
        let offset = reader.integer("at", in: -limit...limit)
        let bytes = reader.knownBytes("bytes", in: scope)
        reader.finish()
        guard let offset, let bytes else { return nil }
        return Corruption.Overwriting(offset: Int(offset), bytes: bytes)
    }

    private func replacement(_ reader: inout YAMLMappingReader) -> Corruption.Replacement? {
        reader.require("bytes")
        reader.require("by")
        let bytes = reader.knownBytes("bytes", in: scope)
        let replacement = reader.knownBytes("by", in: scope)
        reader.finish()
        guard let bytes, let replacement else { return nil }
        guard !bytes.isEmpty, bytes.count == replacement.count else {
            findings.report(
                "bad-value",
                "\(bytes.count) bytes cannot be replaced by \(replacement.count) bytes",
                at: reader.position, advice: "write as many bytes as are replaced")
            return nil
        }
        return Corruption.Replacement(bytes: bytes, replacement: replacement)
    }
}
