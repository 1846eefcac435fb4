import Wire

/// The content of a catalogue file.
struct Catalogue {
    var requirements: [Requirement] = []
    var ways: [String: [RequirementWay]] = [:]
    var features: [(name: String, sentence: String, position: SourcePosition)] = []
}

/// Reads a catalogue file: the numbered requirements of one document, and features.
struct CatalogueReader {
    let findings: Findings

    /// Reads the root of a catalogue file.
    func read(_ root: YAMLNode) -> Catalogue {
        guard findings.accepts(root, as: .catalogue),
            var reader = YAMLMappingReader(
                root, as: CatalogueVocabulary.catalogue, findings: findings),
            FileVersion.check(&reader, key: "conform-requirements")
        else { return Catalogue() }
        reader.require("document")
        let document = reader.text("document") ?? ""
        _ = reader.text("source")
        var catalogue = Catalogue()
        for entry in reader.mapping("features") ?? [] {
            guard checkName(entry.key, at: entry.keyPosition) else { continue }
            guard let sentence = entry.value.string else {
                findings.report(
                    "wrong-type", "a feature takes a sentence, this is \(entry.value.kindInWords)",
                    at: entry.value.position)
                continue
            }
            catalogue.features.append((entry.key, sentence, entry.keyPosition))
        }
        reader.require("requirements")
        for entry in reader.mapping("requirements") ?? [] {
            read(entry, of: document, into: &catalogue)
        }
        reader.finish()
        return catalogue
    }

    private func read(
        _ entry: YAMLNode.Entry, of document: String, into catalogue: inout Catalogue
    ) {
        guard checkName(entry.key, at: entry.keyPosition),
            var reader = YAMLMappingReader(
                entry.value, as: CatalogueVocabulary.requirement, findings: findings)
        else { return }
        reader.require("text")
        let text = reader.text("text")
        let wire = reader.text("wire") ?? ""
        let section = reader.text("section")
        let basis = basis(in: &reader)
        catalogue.ways[entry.key] = reader.mapping("ways").map { $0.map(way) }
        reader.finish()
        catalogue.requirements.append(
            Requirement(
                id: entry.key, text: text ?? "",
                source: section.map { "\(document), \($0)" } ?? document,
                wire: wire, position: entry.keyPosition, basis: basis))
    }

    private func basis(in reader: inout YAMLMappingReader) -> RequirementBasis? {
        let keys: [(String, RequirementBasis.Kind)] = [
            ("quote", .document), ("derived", .derived), ("ours", .ours),
        ]
        let given = keys.compactMap { key, kind in
            reader.text(key).map { (key: key, basis: RequirementBasis(kind: kind, text: $0)) }
        }
        if let second = given.dropFirst().first {
            findings.report(
                "bad-value", "\"\(second.key)\" together with \"\(given[0].key)\"",
                at: reader.entry(second.key)?.keyPosition,
                advice: "a requirement rests on one of them")
        }
        return given.first?.basis
    }

    private func way(_ entry: YAMLNode.Entry) -> RequirementWay {
        let nodes = entry.value.elements ?? [entry.value]
        let cases = nodes.compactMap { node in
            if let text = node.string, text.contains("/") { return text }
            findings.report(
                "bad-value", "the way \"\(entry.key)\" takes patterns of cases",
                at: node.position, advice: "write suite/case, or [] if no case would notice")
            return nil as String?
        }
        return RequirementWay(text: entry.key, cases: cases, position: entry.keyPosition)
    }

    private func checkName(_ name: String, at position: SourcePosition) -> Bool {
        if PlainName.isValid(name) && !["and", "or", "not"].contains(name) { return true }
        findings.report(
            "bad-name", "\"\(name)\" cannot be a name", at: position, advice: PlainName.advice)
        return false
    }
}

/// The version at the top of each kind of file.
public enum FileVersion {
    /// Checks that the file has version 1; reports it otherwise.
    public static func check(_ reader: inout YAMLMappingReader, key: String) -> Bool {
        guard let entry = reader.entry(key) else {
            reader.require(key, advice: "start the file with \"\(key): 1\"")
            reader.finish()
            return false
        }
        if entry.value.content == .scalar(.integer(1)) { return true }
        reader.findings.report(
            "unsupported-version",
            "version \(entry.value.value.suiteText) of this file format is not known",
            at: entry.value.position,
            advice: entry.value.string == "1"
                ? "write \(key): 1, without quotes" : "this program reads version 1")
        return false
    }
}
