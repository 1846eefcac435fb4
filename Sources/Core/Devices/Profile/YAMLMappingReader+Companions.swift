import SuiteLanguage

extension YAMLMappingReader {
    /// Returns the companions of a device, in the order in which they are written.
    ///
    /// - Parameters:
    ///   - isLaunched: Whether `conform` launches the device itself.
    ///   - folder: The folder of the profile.
    mutating func companions(
        isLaunched: Bool, in folder: String
    ) -> [DeviceProfile.Companion] {
        (mapping("companions") ?? []).compactMap { entry in
            companion(entry, isLaunched: isLaunched, in: folder)
        }
    }

    private func companion(
        _ entry: YAMLNode.Entry, isLaunched: Bool, in folder: String
    ) -> DeviceProfile.Companion? {
        guard
            var reader = YAMLMappingReader(
                entry.value, as: ProfileVocabulary.companion, findings: findings)
        else { return nil }
        // The name becomes a part of file names.
        if entry.key.isEmpty || !entry.key.allSatisfy(Self.isPartOfName) {
            findings.report(
                "bad-value", "\"\(entry.key)\" is not a name of a companion", at: entry.keyPosition,
                advice: "write letters, digits, \"-\" and \"_\"")
        }
        reader.require("launch")
        let arguments = reader.command("launch")
        let environment = reader.environment()
        let directory = reader.workingDirectory(in: folder)
        let ready = reader.readiness()
        let begin: DeviceProfile.Companion.Begin? = reader.word("start")
        let exit: DeviceProfile.ExitMeaning? = reader.word("exit")
        let stop = reader.stop()
        if ready?.sign == .firstPacket {
            findings.report(
                "bad-value",
                "packets come from the device, and do not show that a companion is ready",
                at: reader.node("ready")?.position, advice: "write line or port")
        }
        if begin == .after, !isLaunched {
            findings.report(
                "bad-value", "it is not visible when an attached device starts",
                at: reader.node("start")?.position, advice: "leave \"start\" out")
        }
        reader.finish()
        guard let arguments else { return nil }
        return DeviceProfile.Companion(
            name: entry.key, arguments: arguments, environment: environment,
            workingDirectory: directory, readiness: ready?.sign ?? .none,
            readyTimeout: ready?.timeout ?? DeviceProfile.Companion.usualTimeout,
            begin: begin ?? .before, exit: exit ?? .error, stop: stop)
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-_".contains(character))
    }
}
