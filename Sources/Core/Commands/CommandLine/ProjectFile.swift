import Glibc
import SuiteLanguage
import System
import Wire

/// The settings in `conform.yaml`, which command lines of a project may leave out.
///
/// The file is looked up in the working directory and in the folders above it. A link in its place
/// is not followed. One above is used only if it and its folder belong to the user who runs conform,
/// to root, or to the owner of the working directory, and others may not write them, because it
/// names programs that are started.
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
    /// How many runs are kept there; `nil` for all.
    private(set) var keptRuns: Int64?
    /// How many cases run in parallel.
    private(set) var jobs: Int64?
    /// The paths of each key, for the check that they exist.
    private var paths: [String: [ProjectPath]] = [:]

    /// Returns the project file for the working directory; `nil` if there is none.
    static func find() throws(InvalidInput) -> ProjectFile? {
        var here = stat()
        guard stat(".", &here) == 0 else { return nil }
        var (prefix, folder) = ("", here)
        for _ in 0..<depth {
            if let file = try OpenFile(name, in: prefix.isEmpty ? "." : prefix) {
                defer { close(file.descriptor) }
                guard prefix.isEmpty || file.isTrusted(besides: here.st_uid) else { return nil }
                let project = try ProjectFile(path: prefix + name, open: file.descriptor)
                if !prefix.isEmpty {
                    StandardError.print("conform: the settings are those of \(project.path)")
                }
                return project
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

    /// A file that was opened without following a link, and what is known of it and its folder.
    private struct OpenFile {
        let descriptor: Int32
        private let status: [stat]

        /// Opens a file; `nil` if the folder has none of that name that is a file.
        ///
        /// - Throws: `InvalidInput` if it cannot be read, or something else is in its place, in the
        ///   working directory.
        init?(_ name: String, in folder: String) throws(InvalidInput) {
            let place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard place >= 0 else { return nil }
            defer { close(place) }
            let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
            descriptor = openat(place, name, flags)
            guard descriptor >= 0 else {
                let fault = errno
                guard fault != ENOENT, folder == "." else { return nil }
                throw fault == ELOOP
                    ? Self.refusal(
                        "linked-project", "it is a link, which is not followed",
                        "put the file itself here")
                    : Self.refusal(
                        "unreadable-file", "it cannot be read: \(errnoText(fault))",
                        "its settings apply to this folder: allow this user to read it")
            }
            var (own, around) = (stat(), stat())
            guard fstat(descriptor, &own) == 0, fstat(place, &around) == 0,
                own.st_mode & S_IFMT == S_IFREG
            else {
                close(descriptor)
                guard folder == "." else { return nil }
                throw Self.refusal(
                    "unreadable-file", "it is not a file", "move it, or write the project file")
            }
            status = [own, around]
        }

        private static func refusal(
            _ code: String, _ what: String, _ advice: String
        ) -> InvalidInput {
            InvalidInput([
                Diagnostic(
                    code, what, at: SourcePosition(file: ProjectFile.name, line: 1, column: 1),
                    advice: advice)
            ])
        }

        /// Whether only the user, root, or the owner of the working directory can have written it.
        func isTrusted(besides owner: uid_t) -> Bool {
            status.allSatisfy {
                [0, getuid(), owner].contains($0.st_uid) && $0.st_mode & S_IWOTH == 0
            }
        }
    }

    /// Reads a file that is open.
    ///
    /// - Throws: `InvalidInput` with all errors in the file.
    private init(path: String, open descriptor: Int32) throws(InvalidInput) {
        self.path = path
        let findings = Findings()
        let text = try SourceFile.text(path: "/proc/self/fd/\(descriptor)")
        let node = try YAMLNode.parse(text: text, file: path)
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        var paths: [String: [ProjectPath]] = [:]
        func place(_ key: String, _ text: String, at position: SourcePosition) -> String? {
            guard !text.isEmpty else {
                findings.report(
                    "bad-value", "\"\(key)\" is a path, and this text is empty", at: position,
                    advice: "name a file or folder, or leave \"\(key)\" out")
                return nil
            }
            let path = text.hasPrefix("/") ? text : folder + text
            paths[key, default: []].append(
                ProjectPath(key: key, text: text, path: path, position: position))
            return path
        }
        func one(_ key: String, _ keys: inout YAMLMappingReader) -> String? {
            let position = keys.node(key)?.position
            guard let text = keys.text(key), let position else { return nil }
            return place(key, text, at: position)
        }
        func all(_ key: String, _ keys: inout YAMLMappingReader) -> [String] {
            (keys.texts(key) ?? []).compactMap { place(key, $0.text, at: $0.position) }
        }
        if findings.accepts(node, as: .project),
            var keys = YAMLMappingReader(node, as: Self.vocabulary, findings: findings),
            FileVersion.check(&keys, key: "conform")
        {
            suites = all("suites", &keys)
            if let node = keys.node("suites"), node.elements?.isEmpty == true {
                findings.report(
                    "bad-value", "\"suites\" is an empty list", at: node.position,
                    advice: "name suites or folders of them, or leave \"suites\" out")
            }
            let word = keys.node("device")?.string.flatMap { DeviceOption.isWord($0) ? $0 : nil }
            device = word ?? one("device", &keys)
            known = one("known", &keys)
            includes = all("include", &keys)
            if let node = keys.node("reports"), node.elements != nil {
                findings.report(
                    "wrong-type", "\"reports\" takes a folder, this is a list", at: node.position,
                    advice: "write reports: DIR, or reports: {folder: DIR, keep: N}")
            } else if keys.node("reports")?.entries == nil {
                reports = one("reports", &keys)
            } else if var own = keys.reader("reports", as: Self.reportsVocabulary) {
                reports = one("folder", &own)
                keptRuns = own.integer("keep", in: 1...100_000)
                own.finish()
            }
            jobs = keys.integer("jobs", in: 1...4096)
            for entry in keys.mapping("parameters") ?? [] {
                parameters[entry.key] = entry.value.value
            }
            keys.finish()
        }
        self.paths = paths
        try findings.throwErrors()
    }

    /// Adds the settings that a command line leaves out.
    ///
    /// - Throws: `InvalidInput` if a path that is used does not exist.
    func complete(_ arguments: inout Arguments, for command: Command) throws(InvalidInput) {
        arguments.project = self
        let names = Set(command.options.map(\.name))
        var used = ["include"]
        if names.contains(RunOptions.reports.name), !arguments.has(RunOptions.reports.name) {
            used += ["reports", "folder"]
        }
        if arguments.operands.isEmpty, command.operands == SuiteFiles.operands {
            arguments.setOperands(suites)
            used.append("suites")
        }
        if let jobs, names.contains(CommonOptions.jobs.name),
            !arguments.has(CommonOptions.jobs.name)
        {
            arguments.set(CommonOptions.jobs, to: ["\(jobs)"])
        }
        // In other commands the option means a device in a capture.
        if command.options.contains(where: {
            $0.name == DeviceOption.option.name && $0.value == DeviceOption.option.value
        }) {
            if let device {
                if DeviceOption.complete(&arguments, with: device) { used.append("device") }
            }
            if let known, names.contains(PolicyOptions.known.name) {
                if !arguments.has(PolicyOptions.known.name) { used.append("known") }
                PolicyOptions.complete(&arguments, withKnown: known)
            }
        }
        let faults = used.flatMap { paths[$0] ?? [] }.compactMap(\.fault)
        guard faults.isEmpty else { throw InvalidInput(faults) }
    }

    private static let reportsVocabulary = MappingDescription(
        "project-reports", subject: "\"reports\" mapping",
        summary: "Where runs make their folders, and how many of them are kept.",
        keys: [
            KeyDescription(
                "folder", .text, "The folder in which each run makes its own (Reports)."),
            KeyDescription(
                "keep", .integer(1...100_000),
                "How many runs are kept there: after a run the oldest ones are removed."),
        ])

    /// The keys of the file.
    static let vocabulary = MappingDescription(
        "project",
        summary: "Defaults for command lines of a project; paths are relative to this file.",
        keys: [
            KeyDescription("conform", .version, "Version of the format.", isRequired: true),
            KeyDescription(
                "suites", .texts, "Suites, or folders of them, that are run where none is named."),
            KeyDescription(
                "device", .text, "The device profile, or another value of --device."),
            KeyDescription("known", .text, "The list of known failures."),
            KeyDescription("include", .texts, "Folders that are searched for included files."),
            KeyDescription("parameters", .named(.any, .value), "Values of parameters of suites."),
            KeyDescription(
                "reports", .any([.text, .mapping(reportsVocabulary)]),
                "The folder in which each run makes its own; as a mapping also how many are kept."),
            KeyDescription(
                "jobs", .integer(1...4096), "How many cases run in parallel."),
        ])
}
