import Wire

/// Reads declarations of values that are given elsewhere: parameters, and arguments of fragments.
struct DeclarationReader {
    /// One declaration.
    struct Declaration {
        var name: String
        var position: SourcePosition
        var text: String
        /// The default value, as it is in the file.
        var fallback: YAMLNode?
    }

    let findings: Findings
    /// The keys that the mapping of one declaration may have.
    let description: MappingDescription

    /// Reads the declarations; reports and omits those that cannot be used.
    func read(_ entries: [YAMLNode.Entry]) -> [Declaration] {
        entries.compactMap { entry in
            guard findings.checkName(entry, of: "a \(description.subject)") else { return nil }
            var declaration = Declaration(
                name: entry.key, position: entry.keyPosition, text: "", fallback: nil)
            if entry.value.content == .scalar(.null) { return declaration }
            guard entry.value.entries != nil else {
                findings.report(
                    "wrong-type",
                    "a \(description.subject) is declared by a mapping, "
                        + "this is \(entry.value.kindInWords)", at: entry.value.position,
                    advice: "write {default: \(entry.value.value.suiteText)}")
                return nil
            }
            guard
                var reader = YAMLMappingReader(entry.value, as: description, findings: findings)
            else { return nil }
            declaration.text = reader.text("text") ?? ""
            declaration.fallback = reader.entry("default")?.value
            reader.finish()
            return declaration
        }
    }
}

extension SuiteReader {
    /// Returns the parameters that a suite declares, with the values that were given for them.
    static func parameters(
        _ declarations: [DeclarationReader.Declaration], given: [String: Value],
        protocols: ProtocolRegistry, findings: Findings
    ) -> [DeviceParameter] {
        let plain = VariableScope(findings: findings, protocols: protocols)
        return declarations.map { declaration in
            let fallback = declaration.fallback.flatMap(plain.value)
            let value = given[declaration.name]
            if let value, let fallback, value.kindOfParameter != fallback.kindOfParameter {
                findings.report(
                    "bad-parameter",
                    "the parameter \"\(declaration.name)\" is \(fallback.inWords) by default, "
                        + "and is given \(value.inWords)", at: declaration.position,
                    advice: "give the same kind of value in the device profile or by --parameter")
            }
            return DeviceParameter(
                name: declaration.name, text: declaration.text, defaultValue: fallback,
                value: value ?? fallback, position: declaration.position)
        }
    }
}

extension Value {
    /// The kind of a parameter's value; integers count as numbers.
    fileprivate var kindOfParameter: String { numberValue == nil ? typeName : "number" }
}
