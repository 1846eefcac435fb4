import Glibc
import SuiteLanguage
import Wire

/// The settings in `conform.yaml`, which command lines of a project may leave out.
///
/// The file is looked up in the working directory and in the folders above it. One above is used
/// only if its owner is the user who runs conform, root, or the owner of the working directory,
/// because it names programs that are started.
struct ProjectFile: Sendable {
    /// Its name.
    static let name = "conform.yaml"
    /// The number of folders above the working directory that are searched.
    private static let depth = 64

    /// Its path, relative to the working directory.
    let path: String
    /// The suites that are run if none is named.
    private(set) var suites: [String] = []
    /// The profile of the device.
    private(set) var device: String?
    /// The list of known failures.
    private(set) var known: String?
    /// Folders that are searched for included files.
    private(set) var includes: [String] = []
    /// Values of parameters.
    private(set) var parameters: [String: Value] = [:]
    /// The folder in which each run creates its own.
    private(set) var reports: String?
    /// How many cases run in parallel.
    private(set) var jobs: Int64?

    /// Returns the project file for the working directory; `nil` if there is none.
    static func find() throws(InvalidInput) -> ProjectFile? {
        var here = stat()
        guard stat(".", &here) == 0 else { return nil }
        var (prefix, folder) = ("", here)
        for _ in 0..<depth {
            var file = stat()
            let path = prefix + name
            if stat(path, &file) == 0, file.st_mode & S_IFMT == S_IFREG {
                let isTrusted =
                    prefix.isEmpty || [0, getuid(), here.st_uid].contains(file.st_uid)
                return isTrusted ? try ProjectFile(path: path) : nil
            }
            prefix += "../"
            var above = stat()
            guard stat(prefix, &above) == 0,
                above.st_ino != folder.st_ino || above.st_dev != folder.st_dev
            else { return nil }
            folder = above
        }
        return nil
    }

    /// Reads a file.
    ///
    /// - Throws: `InvalidInput` with all errors in the file.
    init(path: String) throws(InvalidInput) {
        self.path = path
        let findings = Findings()
        let node = try YAMLNode.load(path: path)
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        func place(_ path: String) -> String { path.hasPrefix("/") ? path : folder + path }
        if var keys = YAMLMappingReader(node, as: Self.vocabulary, findings: findings) {
            keys.require("conform")
            _ = keys.integer("conform", in: 1...1)
            suites = (keys.texts("suites") ?? []).map { place($0.text) }
            device = keys.text("device").map {
                $0 == CommonOptions.referenceDevice ? $0 : place($0)
            }
            known = keys.text("known").map(place)
            includes = (keys.texts("include") ?? []).map { place($0.text) }
            reports = keys.text("reports").map(place)
            jobs = keys.integer("jobs", in: 1...4096)
            for entry in keys.mapping("parameters") ?? [] {
                parameters[entry.key] = entry.value.value
            }
            keys.finish()
        }
        try findings.throwErrors()
    }

    /// Adds the settings that a command line leaves out.
    func complete(_ arguments: inout Arguments, for command: Command) {
        arguments.project = self
        let names = Set(command.options.map(\.name))
        func add(_ option: Option, _ values: [String], unless others: [Option] = []) {
            guard names.contains(option.name),
                !([option] + others).contains(where: { arguments.has($0.name) })
            else { return }
            for value in values { arguments.add(value, for: option) }
        }
        if arguments.operands.isEmpty, command.operands == SuiteFiles.operands {
            arguments.setOperands(suites)
        }
        if names.contains(CommonOptions.searchPath.name) {
            for folder in includes { arguments.add(folder, for: CommonOptions.searchPath) }
        }
        add(CommonOptions.jobs, jobs.map { ["\($0)"] } ?? [])
        // In other commands these options mean a device in a capture, or no device at all.
        guard names.contains(CommonOptions.deviceCommand.name) else { return }
        add(CommonOptions.profile, device.map { [$0] } ?? [], unless: CommonOptions.device)
        add(PolicyOptions.known, known.map { [$0] } ?? [])
    }

    /// The keys of the file.
    static let vocabulary = MappingDescription(
        "project",
        summary: "Defaults for command lines of a project; paths are relative to this file.",
        keys: [
            KeyDescription("conform", .version, "Version of the format.", isRequired: true),
            KeyDescription(
                "suites", .texts, "Suites, or folders of them, that are run where none is named."),
            KeyDescription(
                "device", .text, "The device profile, or \"reference\" for the reference device."),
            KeyDescription("known", .text, "The list of known failures."),
            KeyDescription("include", .texts, "Folders that are searched for included files."),
            KeyDescription("parameters", .named(.any, .value), "Values of parameters of suites."),
            KeyDescription("reports", .text, "The folder in which each run makes its own."),
            KeyDescription(
                "jobs", .integer(1...4096), "How many cases run in parallel."),
        ])
}
