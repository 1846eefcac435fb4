import Files
import Glibc
import Suites

/// The suite files that operands name: a file is itself, a folder every suite in it and below it.
enum SuiteFiles {
    /// How usage lines write such operands.
    static let operands = "[SUITE|DIR ...]"
    /// Folders within one another that are followed.
    private static let depth = 16

    /// Lists the files in the order of the operands, each folder sorted by name.
    ///
    /// Of the folders below one, what is readable and no suite is left out, because catalogues,
    /// device profiles and shared parts are there; links to folders and hidden ones are not
    /// followed.
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
            .map { prefix + $0 }
        let own = level == 0 ? files.filter { !isProject($0) } : files.filter(maybeSuite)
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

    private static func isProject(_ path: String) -> Bool {
        path.hasSuffix("/" + ProjectFile.name)
    }

    /// Whether a file is a suite, or cannot be read: then it may be one.
    private static func maybeSuite(_ path: String) -> Bool {
        guard let node = try? YAMLNode.load(path: path) else { return true }
        return node["suite"] != nil || node["cases"] != nil
    }
}
