import Wire

/// Reads `stream`: how a peer's streams are cut into messages.
struct StreamCuttingReader {
    let scope: VariableScope
    /// The keys that the mapping may have.
    var vocabulary = SuiteVocabulary.stream

    private var findings: Findings { scope.findings }

    /// Reads the mapping and returns it as the setting's value; `nil`, after a report, if it cannot
    /// be used.
    func value(_ node: YAMLNode) -> Value? {
        guard var reader = scope.mapping(node, as: vocabulary) else { return nil }
        let kinds = vocabulary.keyNames.filter { $0 != Self.descriptionKey }
        let found = kinds.compactMap { reader.entry($0) }
        if reader.has(Self.descriptionKey), found.isEmpty {
            _ = reader.text(Self.descriptionKey)
            reader.finish()
            return .object([])
        }
        _ = reader.entry(Self.descriptionKey)
        guard let first = found.first, found.count == 1 else {
            reader.finish()
            if found.isEmpty {
                findings.report(
                    "missing-key", "this \"stream\" does not say how it is cut",
                    at: reader.position,
                    advice: "set \(vocabulary.keyNames.joined(separator: ", "))")
            }
            for entry in found.dropFirst() {
                findings.report(
                    "misplaced-key", "\"\(entry.key)\" with \"\(found[0].key)\"",
                    at: entry.keyPosition, advice: "a stream is cut in one way")
            }
            return nil
        }
        let value: Value?
        switch first.key {
        case "until":
            value = ByteNotationReader(scope: scope)
                .known(first.value, plain: .text, name: "\"until\"").map(Value.bytes)
        case "length": value = lengthField(&reader)
        case "fixed":
            value = reader.integer("fixed", in: 1...Int64(StreamCutting.messageBytesMax))
                .map(Value.integer)
        default:
            value = reader.duration("idle").flatMap { pause($0, at: first.value.position) }
        }
        reader.finish()
        return value.map { .object([Value.Member(first.key, $0)]) }
    }

    /// The key that names a description.
    static let descriptionKey = "ksy"

    /// Returns the protocol that `ksy` names; `nil` if there is no such key, or, after a report, if
    /// it cannot be used.
    func description(_ node: YAMLNode) -> DescribedProtocol? {
        guard let node = scope.resolve(node),
            let written = node.entries?.first(where: { $0.key == Self.descriptionKey }),
            let value = scope.resolve(written.value), let name = value.string,
            let found = scope.described?.named(name, at: value.position)
        else { return nil }
        let isCut = (node.entries?.count ?? 0) > 1
        if !isCut, let reason = found.description.endlessness {
            findings.report(
                "ksy-endless", "the description does not say where a message ends: \(reason)",
                at: value.position,
                advice: "also set length, until, fixed or idle next to \"ksy\"")
        }
        return found
    }

    private func lengthField(_ reader: inout YAMLMappingReader) -> Value? {
        guard var inner = reader.reader("length", as: SuiteVocabulary.lengthField) else {
            return nil
        }
        inner.require("at")
        inner.require("size")
        let most = Int64(StreamCutting.messageBytesMax)
        let offset = inner.integer("at", in: 0...most)
        let size = inner.integer("size", in: 1...8)
        let orders = StreamCutting.LengthField.Endian.allCases.map(\.rawValue)
        let endian = inner.word("endian", of: orders) ?? orders[0]
        let plus = inner.integer("plus", in: -most...most) ?? 0
        inner.finish()
        guard let offset, let size else { return nil }
        return [
            "at": .integer(offset), "size": .integer(size), "endian": .string(endian),
            "plus": .integer(plus),
        ]
    }

    private func pause(_ duration: Duration, at position: SourcePosition) -> Value? {
        guard duration >= .milliseconds(1), duration <= .seconds(60) else {
            findings.report(
                "bad-value", "\"idle\" is between 1ms and 1m, not \(duration.suiteText)",
                at: position)
            return nil
        }
        return .string(duration.suiteText)
    }
}

extension PeerDeclaration {
    /// The setting that defines how its streams are cut.
    package static let streamSetting = "stream"
    /// The setting that names the protocol that it speaks.
    package static let protocolSetting = "speaks"

    /// How its streams are cut into messages; `nil` if they are not cut.
    public var stream: StreamCutting? {
        if let named { return isDatagram ? nil : named.stream }
        guard let described else { return plainStream }
        return .described(DescribedStream(described, cutBy: plainStream))
    }

    /// How its streams are cut without a description.
    private var plainStream: StreamCutting? {
        settings[Self.streamSetting].flatMap(StreamCutting.init(setting:))
    }

    /// The protocol whose messages identify a connection of this peer.
    package var shownProtocol: String {
        if let named { return named.name }
        return stream == nil
            ? kind.protocolName : StreamUnit.protocolName
    }
}

extension StreamCutting {
    /// Creates the cutting from the `stream` setting; `nil` if a description defines it.
    init?(setting: Value) {
        guard let rule = setting.objectValue?.first else { return nil }
        switch (rule.name, rule.value) {
        case ("until", .bytes(let end)): self = .until(end)
        case ("fixed", .integer(let count)): self = .fixed(Int(count))
        case ("idle", .string(let text)):
            guard let pause = Duration(suiteText: text) else { return nil }
            self = .idle(pause)
        case ("length", let field):
            guard let offset = field["at"]?.integerValue, let size = field["size"]?.integerValue,
                let endian = field["endian"]?.stringValue.flatMap(
                    StreamCutting.LengthField.Endian.init(rawValue:)),
                let plus = field["plus"]?.integerValue
            else { return nil }
            self = .length(
                StreamCutting.LengthField(
                    offset: Int(offset), size: Int(size), endian: endian, plus: Int(plus)))
        default: return nil
        }
    }
}
