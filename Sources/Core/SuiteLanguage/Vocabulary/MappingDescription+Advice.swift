extension MappingDescription {
    /// How many keys are listed at most.
    private static let listedMax = 12

    /// What to write in place of something that is not such a mapping.
    var advice: String {
        let written = (example ?? sample).map { "write \($0)" }
        let list = keys.count > 1 ? keysInWords : nil
        return [written, list].compactMap(\.self).joined(separator: "; ")
    }

    /// The first of its keys.
    var keysInWords: String {
        let more = keys.count - Self.listedMax
        return "its keys are \(keyNames.prefix(Self.listedMax).joined(separator: ", "))"
            + (more > 0 ? " and \(more) more" : "")
    }

    /// The keys that such a mapping cannot lack; `nil` if their values do not fit on a line.
    private var sample: String? {
        let required = keys.filter { $0.isRequired || $0.name == oneOf.first }
        let shown = required.isEmpty ? Array(keys.prefix(1)) : required
        let entries = shown.compactMap { key in
            key.form.plainSample.map { "\(key.name): \($0)" }
        }
        return entries.count == shown.count ? "{\(entries.joined(separator: ", "))}" : nil
    }

    /// Returns the mappings that have a key which this one lacks: in it, or elsewhere in a suite.
    ///
    /// - Returns: A phrase; `nil` if no mapping has that key.
    func place(of key: String) -> String? {
        let inSuite = SuiteVocabulary.suite.descendants
        let isOfSuite = (inSuite + [SuiteVocabulary.included]).contains { $0.name == name }
        var places = (descendants + (isOfSuite ? inSuite : []))
            .filter { $0.name != name && $0.keyNames.contains(key) }
            .map { YAMLMappingReader.named($0.subject) }
        if isOfSuite, ValueForm.peerSettings.contains(key) {
            places.insert("the settings of a peer", at: 0)
        }
        let named = places.reduce(into: [String]()) { all, place in
            if !all.contains(place) { all.append(place) }
        }
        guard let last = named.prefix(3).last else { return nil }
        let others = named.prefix(3).dropLast().joined(separator: ", ")
        return "\"\(key)\" belongs in \(others.isEmpty ? last : "\(others) or \(last)")"
    }

    /// This description and those of all mappings below it, the nearest first.
    private var descendants: [MappingDescription] {
        var all = [self]
        var index = 0
        while index < all.count {
            for inner in all[index].keys.flatMap(\.form.mappings)
            where !all.contains(where: { $0.name == inner.name }) {
                all.append(inner)
            }
            index += 1
        }
        return all
    }
}

extension ValueForm {
    /// The most frequent settings of peers, whose kinds have further ones.
    fileprivate static let peerSettings = [
        "is", "port", "listens", "stream", "speaks", "answers", "tls",
    ]

    /// The descriptions of the mappings that a value may be.
    fileprivate var mappings: [MappingDescription] {
        switch self {
        case .mapping(let description): [description]
        case .named(_, let form), .list(let form, _, _): form.mappings
        case .any(let forms): forms.flatMap(\.mappings)
        case .step: SuiteVocabulary.verbs.map(SuiteVocabulary.step)
        default: []
        }
    }

    /// A value of this form, with words in capitals in place of what a person chooses; `nil` if none
    /// is short.
    var sample: String? {
        switch self {
        case .named(let name, let form): "{\(name.sample): \(form.sample ?? "...")}"
        case .mapping(let description): description.example
        case .any(let forms): forms.lazy.compactMap(\.sample).first
        default: plainSample
        }
    }

    /// The same for a value without keys.
    fileprivate var plainSample: String? {
        switch self {
        case .version: "1"
        case .text, .texts, .bytesOfText: "TEXT"
        case .name: "NAME"
        case .word(let words): words.first
        case .boolean: "true"
        case .number: "1"
        case .integer(let range): "\(max(range.lowerBound, min(1, range.upperBound)))"
        case .duration: "5s"
        case .tolerance: "50ms"
        case .hexDigits, .bytes: "0d0a"
        case .message: "MESSAGE"
        case .condition, .value: "VALUE"
        case .peer(let isDeclared): isDeclared ? "{is: KIND}" : "{SETTING: VALUE}"
        case .list: "[...]"
        case .any(let forms): forms.lazy.compactMap(\.plainSample).first
        case .matching, .null, .bytesSent, .action, .mapping, .named, .step: nil
        }
    }
}

extension ValueForm.NameForm {
    /// A word in place of a name.
    fileprivate var sample: String {
        switch self {
        case .plain, .variable, .any: "NAME"
        case .peer, .party: "PEER"
        case .field: "FIELD"
        }
    }
}
