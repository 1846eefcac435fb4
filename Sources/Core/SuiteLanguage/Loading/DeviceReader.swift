import Wire

/// Reads `devices`: the devices of a case in addition to the one that every case has.
struct DeviceReader {
    let scope: VariableScope
    /// The role of the suite's device.
    let role: String?
    /// Names that are taken by peers.
    let peers: [String]

    private var findings: Findings { scope.findings }

    /// Reads the mapping; reports and omits what cannot be used.
    func read(_ entries: [YAMLNode.Entry]) -> [DeviceDeclaration] { entries.compactMap(device) }

    private func device(_ entry: YAMLNode.Entry) -> DeviceDeclaration? {
        guard PlainName.isValid(entry.key), !entry.key.contains("."), entry.key != Step.device,
            !peers.contains(entry.key)
        else {
            findings.report(
                "bad-name", "\"\(entry.key)\" cannot be the name of a further device",
                at: entry.keyPosition,
                advice: "use letters, digits, \"-\" and \"_\"; \"device\" and the peers have theirs"
            )
            return nil
        }
        guard var reader = scope.mapping(entry.value, as: SuiteVocabulary.device)
        else { return nil }
        reader.require("role")
        let own = reader.text("role")
        if let own, let role, own != role {
            findings.report(
                "bad-value",
                "\"\(entry.key)\" is of the role \(own), the suite's device of \(role)",
                at: reader.node("role")?.position ?? reader.position,
                advice: "all devices of a case are of one kind; play the other as a peer")
        }
        reader.finish()
        return own == nil
            ? nil : DeviceDeclaration(name: entry.key, position: entry.keyPosition)
    }
}
