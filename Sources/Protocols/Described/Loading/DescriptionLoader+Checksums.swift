import Wire
import YAML

extension DescriptionLoader {
    /// A key of conform that other programs ignore: the number is a checksum of other fields.
    private static let checksumKey = "-conform-checksum"
    private static let extents: [String: ChecksumRule.Extent] = [
        "before": .before, "after": .after, "all": .all,
    ]

    /// Reads `-conform-checksum: KIND` or `{kind: KIND, of: before|after|all|[FIELD, ...]}`.
    func readChecksum(_ node: YAMLNode, into field: inout Field) {
        guard let rule = node[Self.checksumKey] else { return }
        if rule.entries != nil {
            for entry in rule.entries ?? [] where !["kind", "of"].contains(entry.key) {
                findings.report(
                    "unknown-key", "unknown key \"\(entry.key)\" in a checksum",
                    at: entry.keyPosition,
                    advice: Suggestion.advice(for: entry.key, in: ["kind", "of"]))
            }
        }
        let name = rule.entries == nil ? rule : rule["kind"]
        guard let name, let text = name.string, let kind = ChecksumKind(rawValue: text) else {
            let kinds = ChecksumKind.allCases.map(\.rawValue)
            findings.report(
                "bad-value", "\"\(Self.checksumKey)\" needs a kind of checksum",
                at: (name ?? rule).position,
                advice: name?.string.map { Suggestion.advice(for: $0, in: kinds) }
                    .flatMap { $0.isEmpty ? nil : $0 }
                    ?? "there are \(kinds.joined(separator: ", "))")
            return
        }
        switch field.type {
        case .integer, .bits: break
        default:
            findings.report(
                "ksy-type", "a checksum is an integer", at: rule.position)
            return
        }
        if case .once = field.repetition {
        } else {
            findings.report("ksy-type", "a checksum does not repeat", at: rule.position)
        }
        guard let (extent, words) = extent(rule["of"]) else { return }
        field.checksum = ChecksumRule(kind: kind, extent: extent, text: words)
    }

    private func extent(_ node: YAMLNode?) -> (ChecksumRule.Extent, String)? {
        guard let node else { return (.before, "the bytes before it") }
        if let word = node.string, let extent = Self.extents[word] {
            return (extent, word == "all" ? "all bytes" : "the bytes \(word) it")
        }
        let names = (node.elements ?? []).map(\.string)
        let paths = names.compactMap { $0?.split(separator: ".").map(String.init) }
        guard !names.isEmpty, paths.count == names.count, !paths.contains(where: \.isEmpty) else {
            findings.report(
                "bad-value", "\"of\" is before, after, all or a list of fields", at: node.position,
                advice: "write of: [header, body]")
            return nil
        }
        return (.fields(paths), paths.map { $0.joined(separator: ".") }.joined(separator: ", "))
    }
}
