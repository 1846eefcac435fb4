/// A kind of device that a suite is for.
public struct DeviceRole: Sendable, Hashable {
    /// Its name, such as `smtp.client`.
    public let name: String
    /// A description for people.
    public let text: String
    /// The features that such devices may have, each with a sentence.
    public let features: [String: String]

    private static let transports = ["tcp.", "udp.", "websocket.", "http."]

    /// Reports a role that looks like a typing error, and warns of an unknown role.
    ///
    /// - Parameters:
    ///   - role: The role.
    ///   - known: The roles that peers of the program are made for.
    ///   - declared: The roles that suites declare.
    ///   - position: The position of the role.
    ///   - findings: The collector of problems.
    public static func check(
        _ role: String, known: [String], declared: [String] = [], at position: SourcePosition?,
        findings: Findings
    ) {
        guard !known.contains(role), !declared.contains(role) else { return }
        let what = "conform knows no device role \"\(role)\""
        // Roles of users often resemble the names of transports: `smtp.client`, `tcp.client`.
        let specific = known.filter { name in !Self.transports.contains { name.hasPrefix($0) } }
        if let closest = Suggestion.closest(to: role, in: declared + specific) {
            findings.report(
                "unknown-role", what, at: position, advice: "did you mean \"\(closest)\"?")
        } else {
            let near = Suggestion.closest(to: role, in: known)
            findings.warn(
                "unknown-role", what, at: position,
                advice: (near.map { "did you mean \"\($0)\"? Otherwise " } ?? "")
                    + "declare it under \"roles\" of the suite, and let the device profile use the "
                    + "same; known are \((declared + known).joined(separator: ", "))")
        }
    }
}

/// Reads `roles`: the kinds of devices that a suite or a file that it includes declares.
struct RoleReader {
    let findings: Findings
    /// The roles that do not need a declaration.
    let known: [String]

    /// Reads the mapping; reports and omits what cannot be used.
    func read(_ entries: [YAMLNode.Entry]) -> [DeviceRole] { entries.compactMap(role) }

    private func role(_ entry: YAMLNode.Entry) -> DeviceRole? {
        guard PlainName.isValid(entry.key), !known.contains(entry.key) else {
            findings.report(
                "bad-name", "\"\(entry.key)\" cannot be the name of a role of your own",
                at: entry.keyPosition,
                advice: known.contains(entry.key)
                    ? "conform knows it already; remove it" : PlainName.advice)
            return nil
        }
        if case .scalar(.null) = entry.value.content {
            return DeviceRole(name: entry.key, text: "", features: [:])
        }
        guard
            var reader = YAMLMappingReader(
                entry.value, as: SuiteVocabulary.role, findings: findings)
        else { return nil }
        let text = reader.text("text") ?? ""
        var features: [String: String] = [:]
        for feature in reader.mapping("features") ?? [] {
            guard PlainName.isValid(feature.key), let sentence = feature.value.string else {
                findings.report(
                    "bad-value", "a feature has a name and a sentence", at: feature.keyPosition,
                    advice: "write smtp.auth: It authenticates.")
                continue
            }
            features[feature.key] = sentence
        }
        reader.finish()
        return DeviceRole(name: entry.key, text: text, features: features)
    }
}
