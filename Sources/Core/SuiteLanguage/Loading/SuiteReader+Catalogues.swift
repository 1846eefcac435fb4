import Wire

/// The catalogues of a suite.
extension SuiteReader {
    mutating func catalogues(
        _ reader: inout YAMLMappingReader
    ) -> (requirements: [Requirement], features: [String: String]) {
        reader.require("requirements", advice: "name the catalogue files")
        var requirements: [Requirement] = []
        var features: [String: String] = [:]
        var places: [String: SourcePosition] = [:]
        for file in reader.texts("requirements") ?? [] {
            guard
                let (path, root) = files.root(
                    of: file.text, namedAt: file.position, isSearched: false)
            else { continue }
            sources.append(SuiteSource(role: .catalogue, path: path))
            let catalogue = CatalogueReader(findings: findings).read(root)
            ways.merge(catalogue.ways) { first, _ in first }
            for requirement in catalogue.requirements {
                if let first = places.updateValue(requirement.position, forKey: requirement.id) {
                    findings.report(
                        "duplicate-id", "requirement \"\(requirement.id)\" exists already",
                        at: requirement.position, advice: "it is at \(first)")
                } else {
                    requirements.append(requirement)
                }
            }
            for feature in catalogue.features {
                if features.updateValue(feature.sentence, forKey: feature.name) != nil {
                    findings.report(
                        "duplicate-id", "feature \"\(feature.name)\" exists already",
                        at: feature.position, advice: "another catalogue declares it")
                }
            }
        }
        return (requirements, features)
    }

    /// Returns the requirements that the suite judges; all of them if it does not select any.
    func judged(
        _ known: [Requirement], isWhole: Bool, _ reader: inout YAMLMappingReader
    ) -> [Requirement] {
        guard reader.has("judges") else { return known }
        let names = RequirementNames(known.map(\.id), isWhole: isWhole, findings: findings)
        let judged = names.check(reader.texts("judges") ?? [])
        return known.filter { judged.contains($0.id) }
    }
}
