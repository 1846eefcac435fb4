import Glibc

/// The suite files that operands name: a file is itself, a folder every `.yaml` file in it.
enum SuiteFiles {
    /// Lists the files in the order of the operands, each folder sorted by name; folders within
    /// folders are left alone, because catalogues and shared parts live there.
    static func expand(_ operands: [String]) throws(UsageError) -> [String] {
        guard !operands.isEmpty else {
            throw UsageError("no suite is named; give a suite file or a folder of suites")
        }
        var files: [String] = []
        for operand in operands {
            guard let folder = opendir(operand) else {
                files.append(operand)
                continue
            }
            defer { closedir(folder) }
            var names: [String] = []
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name.hasSuffix(".yaml") || name.hasSuffix(".yml") { names.append(name) }
            }
            guard !names.isEmpty else {
                throw UsageError("\(operand): there is no .yaml file in this folder")
            }
            let prefix = operand.hasSuffix("/") ? operand : operand + "/"
            files += names.sorted().map { prefix + $0 }
        }
        return files
    }
}
