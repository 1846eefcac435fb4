/// The values of `defaults`; those of the language where the suite sets none.
struct SuiteDefaults {
    var within: Duration = .seconds(5)
    /// Whether a suite sets it.
    var isWithinNamed = false
    var tolerance = Tolerance()
    var unexpected: UnexpectedPolicy = .fail
    var violations = ViolationPolicy.report
    var quiet: Duration = .milliseconds(200)
    var isQuietToTheEnd = false
    var timeout: Duration = .seconds(60)

    /// Overrides the present values by those of one `defaults` mapping.
    mutating func read(_ node: YAMLNode, scope: VariableScope) {
        guard var reader = scope.mapping(node, as: SuiteVocabulary.defaults) else { return }
        if let named = reader.duration("within") { (within, isWithinNamed) = (named, true) }
        tolerance = reader.tolerance("tolerance") ?? tolerance
        readCaseKeys(&reader)
        reader.finish()
    }

    /// Reads the keys that a case has too.
    mutating func readCaseKeys(_ reader: inout YAMLMappingReader) {
        unexpected =
            reader.word("unexpected", of: UnexpectedPolicy.allCases.map(\.rawValue))
            .flatMap(UnexpectedPolicy.init) ?? unexpected
        violations =
            reader.word("violations", of: ViolationPolicy.allCases.map(\.rawValue))
            .flatMap(ViolationPolicy.init) ?? violations
        switch reader.durationOrEnd("quiet") {
        case .length(let length)?: (quiet, isQuietToTheEnd) = (length, false)
        case .end?: isQuietToTheEnd = true
        case nil: break
        }
        timeout = reader.duration("timeout") ?? timeout
    }
}

/// The names of requirements that `checks` may contain.
struct RequirementNames {
    let known: [String]
    let findings: Findings
    /// Whether all catalogues could be read; otherwise other names are not reported.
    private let isWhole: Bool
    private let lookup: Set<String>

    init(_ known: [String], isWhole: Bool = true, findings: Findings) {
        self.known = known
        self.isWhole = isWhole
        self.findings = findings
        self.lookup = Set(known)
    }

    /// Returns the known names without duplicates; reports the others.
    func check(_ names: [(text: String, position: SourcePosition)]) -> [String] {
        var checked: [String] = []
        for name in names {
            guard lookup.contains(name.text) else {
                guard isWhole else { continue }
                let isList = name.text.contains(",")
                findings.report(
                    "unknown-requirement", "no catalogue has a requirement \"\(name.text)\"",
                    at: name.position,
                    advice: isList
                        ? "write several as a list: [\(name.text)]"
                        : Suggestion.advice(for: name.text, in: known))
                continue
            }
            if !checked.contains(name.text) { checked.append(name.text) }
        }
        return checked
    }
}
