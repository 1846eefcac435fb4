import Glibc
import SuiteLanguage
import System

/// The suite files that operands name: a file itself, or every suite in a folder and below it.
enum SuiteFiles {
    /// The notation of such operands in usage lines.
    static let operands = "[SUITE|DIR ...]"
    /// The maximum depth of folders that are searched.
    private static let depth = 16

    /// Lists the files in the order of the operands, each folder sorted by name.
    ///
    /// In a folder, catalogues, device profiles and other kinds of files are left out, and below it
    /// all readable files that are not suites, because shared parts are there. Links to folders and hidden folders are not followed,
    /// and pipes, sockets and devices are left out.
    static func expand(_ operands: [String]) throws(UsageError) -> [String] {
        guard !operands.isEmpty else {
            throw UsageError("no suite is named; give a suite file or a folder of suites")
        }
        var files: [String] = []
        for operand in operands {
            guard let folder = try? HeldFolder(operand) else {
                files.append(operand)
                continue
            }
            let prefix = operand.hasSuffix("/") ? operand : operand + "/"
            let found = suites(in: folder, prefix, below: 0)
            guard !found.isEmpty else {
                throw UsageError("\(operand): there is no suite in this folder")
            }
            files += found
        }
        return files
    }

    private static func suites(
        in folder: HeldFolder, _ prefix: String, below level: Int
    ) -> [String] {
        let names = folder.names.filter { !$0.hasPrefix(".") }.sorted()
        let files = names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
            .map { prefix + $0 }.filter { !isSpecial($0) }
        let own = files.filter(level == 0 ? isNoOtherKind : maybeSuite)
        guard level < depth else { return own }
        return own
            + names.flatMap { name -> [String] in
                let path = prefix + name
                var status = stat()
                guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
                    let inner = try? HeldFolder(path)
                else { return [] }
                return suites(in: inner, path + "/", below: level + 1)
            }
    }

    /// Whether a path leads to something that is neither a file nor a folder.
    private static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    /// Returns whether nothing shows that a file is of another kind, such as a device profile.
    private static func isNoOtherKind(_ path: String) -> Bool {
        guard let node = try? YAMLNode.load(path: path) else { return true }
        return FileKind.suite.refusal(of: node) == nil
    }

    /// Returns whether a file is a suite, or may be one because it cannot be read.
    private static func maybeSuite(_ path: String) -> Bool {
        guard let node = try? YAMLNode.load(path: path) else { return true }
        return node["suite"] != nil || node["cases"] != nil
    }
}
