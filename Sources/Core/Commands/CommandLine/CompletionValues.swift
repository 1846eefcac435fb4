import Devices
import Glibc
import Live
import Results
import SuiteLanguage
import System
import Wire

/// The values of options that shells offer, from the available suites, one on a line.
///
/// Files that cannot be read are skipped silently, because nobody looks for errors while typing.
struct CompletionValues {
    private let protocols: ProtocolRegistry

    /// Values for a program with these protocols.
    init(_ protocols: ProtocolRegistry) { self.protocols = protocols }

    /// The command word that the scripts use; it is not in the overview.
    static let command = "complete-values"
    /// The kind of an operand that is a case.
    static let cases = "case"
    /// The options whose values are known.
    static let kinds = [
        CommonOptions.caseFilter, CommonOptions.tag, CommonOptions.checks, Command.mutants,
        DeviceOption.option, CommonOptions.described,
    ].map(\.name)

    /// Prints the values of a kind.
    ///
    /// - Parameter words: The kind, then the words of the command line so far.
    func print(_ words: [String]) {
        guard let kind = words.first else { return }
        for value in Set(values(kind, words.dropFirst())).sorted()
        where !value.contains(where: \.isNewline) {
            StandardOutput.print(value)
        }
    }

    private func values(_ kind: String, _ words: ArraySlice<String>) -> [String] {
        switch kind {
        case Self.cases, CommonOptions.caseFilter.name: suites(words).flatMap(\.cases).map(\.id)
        case CommonOptions.tag.name: suites(words).flatMap(\.cases).flatMap(\.tags)
        case CommonOptions.checks.name: suites(words).flatMap(\.cases).flatMap(\.allChecks)
        case Command.mutants.name: (try? DeviceOption.mutants()) ?? []
        case DeviceOption.option.name:
            [DeviceOption.reference] + DeviceOption.mutantValues(completing: words.last ?? "")
                + files(in: ".", 0) { $0["role"] != nil && $0["name"] != nil }
        case CommonOptions.described.name:
            files(in: ".", -1) { $0["conform-protocol"] != nil }
        default: []
        }
    }

    /// Returns the suites that the words name.
    ///
    /// Without any, these are the suites of the project, or else those in a folder with the usual
    /// name.
    private func suites(_ words: ArraySlice<String>) -> [Suite] {
        let named = words.filter { word in
            var status = stat()
            guard stat(word, &status) == 0 else { return false }
            return status.st_mode & S_IFMT == S_IFDIR || isYAML(word)
        }
        let project = (try? ProjectFile.find())?.suites ?? []
        let operands =
            [Array(named), project, ["suites", "Suites"].filter(isFolder)].first {
                !$0.isEmpty
            } ?? []
        let paths = (try? SuiteFiles.expand(operands)) ?? []
        return paths.compactMap { try? SuiteLoader(protocols).load(path: $0, searchPath: []) }
    }

    /// Returns the files of a kind in a folder at a level and in those below, down to level 2.
    private func files(
        in folder: String, _ level: Int, where isWanted: (YAMLNode) -> Bool
    ) -> [String] {
        let names = ((try? HeldFolder(folder))?.names ?? []).filter { !$0.hasPrefix(".") }
        let prefix = folder == "." ? "" : folder + "/"
        let own = names.filter(isYAML).map { prefix + $0 }.filter { path in
            (try? YAMLNode.load(path: path)).map(isWanted) ?? false
        }
        guard level < 2 else { return own }
        return own
            + names.map { prefix + $0 }.filter(isFolder).flatMap {
                files(in: $0, level + 1, where: isWanted)
            }
    }

    private func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private func isYAML(_ name: String) -> Bool {
        name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    }
}
