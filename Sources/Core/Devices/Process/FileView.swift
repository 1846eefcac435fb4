import CSandbox
import Glibc
import System

/// The view that a device has of the files.
///
/// It sees the whole system read-only. The home of the user, `/run`, the folders for temporary
/// files, the reports and the folders of other cases appear empty; `/dev` has only the files that
/// programs expect, and no terminal of the user. Inside these, some things are visible
/// read-only: the program and the files that its command names, what is installed with the programs
/// on its search path, its working directory, and the folder in which the run was started. It may
/// write to its own home and temporary folder. Everything else depends on `files` in the profile.
struct FileView: Sendable, Hashable {
    /// What a device finds at a path.
    enum Kind: Sendable, Hashable {
        case empty
        case scratch
        case read
        case write

        fileprivate var raw: conform_view_kind {
            switch self {
            case .empty: CONFORM_VIEW_EMPTY
            case .scratch: CONFORM_VIEW_SCRATCH
            case .read: CONFORM_VIEW_READ
            case .write: CONFORM_VIEW_WRITE
            }
        }
    }

    /// One path and what the device finds there.
    struct Entry: Sendable, Hashable {
        var kind: Kind
        var path: String
        var isOptional = false
        /// The file that it finds there instead; `nil` for what is there.
        var source: String?
        /// Whether another entry shows what a link at this path leads to.
        var isAlias = false
    }

    /// The paths, parents before children.
    let entries: [Entry]

    /// Creates the view of a device.
    ///
    /// - Parameters:
    ///   - confinement: What is hidden and visible in this run.
    ///   - files: What the profile requests.
    ///   - mentioned: Words of its command and values of its environment; paths among them are
    ///     visible.
    ///   - programs: Its program, and the folders that are searched for programs.
    ///   - directory: Its working directory.
    ///   - home: Its own folders.
    init(
        _ confinement: DeviceConfinement, files: DeviceProfile.Files, mentioned: [String],
        programs: [String], directory: String?, home: DeviceHome
    ) {
        let named =
            files.read.map { Entry(kind: .read, path: FilePath.absolute($0)) }
            + files.write.map { Entry(kind: .write, path: FilePath.absolute($0)) }
        // What a link leads to is shown too, and the link is only a further name of it.
        let requested = named.flatMap { entry -> [Entry] in
            guard let real = FilePath.resolved(entry.path), real != entry.path else {
                return [entry]
            }
            var (target, alias) = (entry, entry)
            target.path = real
            alias.isAlias = true
            return [target, alias]
        }
        let hidden = confinement.hidden.compactMap(FilePath.resolved)
        let wanted = Set(requested.compactMap { FilePath.resolved($0.path) })
        let covers =
            hidden.map { Entry(kind: .empty, path: $0) }
            + (Self.homes + Self.runtime).filter { !wanted.contains($0) }
            .map { Entry(kind: .empty, path: $0) }
            + Self.temporary.filter { !wanted.contains($0) }.map { Entry(kind: .scratch, path: $0) }
        let covered = covers.map(\.path)
        let candidates =
            confinement.shown + [directory ?? FilePath.current] + mentioned.flatMap(Self.paths)
            + programs.flatMap { Self.installations(in: $0, covers: Set(covers.map(\.path))) }
        let shown = Set(candidates.flatMap { [$0, FilePath.resolved($0)].compactMap(\.self) })
            .filter { path in
                !covered.contains(path)
                    && (covered + ["/dev"]).contains { path.isBelow($0) }
            }
        let own =
            [
                Entry(kind: .read, path: home.configurationFile),
                Entry(kind: .write, path: home.home), Entry(kind: .write, path: home.temporary),
            ]
            + (home.keyLog.map { [Entry(kind: .write, path: $0.path)] } ?? [])
            + (confinement.hasOwnNetwork ? home.networkFiles : []).map {
                Entry(kind: .read, path: $0.path, isOptional: true, source: $0.source)
            }
        let all =
            covers + shown.sorted().map { Entry(kind: .read, path: $0, isOptional: true) }
            + requested.filter { !hidden.contains($0.path) } + own
        var latest: [String: Entry] = [:]
        for entry in all { latest[entry.path] = entry }
        entries = latest.values.sorted {
            ($0.isAlias ? 1 : 0, $0.path.depth, $0.path)
                < ($1.isAlias ? 1 : 0, $1.path.depth, $1.path)
        }
    }

    /// The folders that hold the user's files.
    private static var homes: [String] {
        let user = geteuid()
        let named = [getenv("HOME"), getenv("XDG_RUNTIME_DIR"), getpwuid(user)?.pointee.pw_dir]
            .compactMap { $0.map { String(cString: $0) } }
        return (named + ["/run/user/\(user)"]).compactMap(FilePath.resolved).filter { $0 != "/" }
    }

    /// Where programs of the host keep their sockets.
    private static var runtime: [String] { ["/run"].compactMap(FilePath.resolved) }

    private static var temporary: [String] { ["/tmp", "/var/tmp"].compactMap(FilePath.resolved) }

    /// Returns the paths that a word names: itself, or the parts of a list such as a search path.
    ///
    /// For a program this includes its folder.
    private static func paths(in word: String) -> [String] {
        word.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }.flatMap { path in
            guard !FilePath.isFolder(path) else { return [path] }
            let real = FilePath.resolved(path) ?? path
            return [path, FilePath.folder(of: path), FilePath.folder(of: real)]
        }
    }

    /// Returns what is installed with the programs of the folders that a word names.
    ///
    /// An interpreter in `PREFIX/bin` finds its library below `PREFIX`, and the shims of a version
    /// manager find its versions there. A folder that is hidden from devices is not used as a
    /// prefix. Of `.local` and `.cargo`, which contain more than programs, only the libraries are
    /// visible.
    private static func installations(in word: String, covers: Set<String>) -> [String] {
        word.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }.flatMap { path in
            let real = FilePath.resolved(path) ?? path
            return [path, real].flatMap { path -> [String] in
                let folder = FilePath.isFolder(path) ? path : FilePath.folder(of: path)
                guard ["bin", "sbin", "shims"].contains(FilePath.name(of: folder)) else {
                    return []
                }
                let prefix = FilePath.folder(of: folder)
                guard !covers.contains(FilePath.resolved(prefix) ?? prefix) else { return [] }
                return [".local", ".cargo"].contains(FilePath.name(of: prefix))
                    ? ["\(prefix)/lib"] : [prefix]
            }
        }
    }

    /// Calls `body` with the entries in their C form.
    func withEntries<Result>(
        _ body: (UnsafePointer<conform_view_entry>?, Int) -> Result
    ) -> Result {
        var raw = entries.map { entry in
            conform_view_entry(
                kind: entry.kind.raw, path: UnsafePointer(strdup(entry.path)),
                source: entry.source.map { UnsafePointer(strdup($0)) },
                optional: entry.isOptional ? 1 : 0)
        }
        defer {
            for entry in raw {
                free(UnsafeMutableRawPointer(mutating: entry.path))
                free(UnsafeMutableRawPointer(mutating: entry.source))
            }
        }
        return raw.withUnsafeMutableBufferPointer { body(UnsafePointer($0.baseAddress), $0.count) }
    }
}

extension Launch {
    /// Restricts the program as its profile's confinement defines.
    mutating func confine(by profile: DeviceProfile, home: DeviceHome) {
        guard let confinement = profile.confinement else { return }
        user = confinement.user
        guard confinement.hasFileView else { return }
        let folder = workingDirectory.map { FilePath.absolute($0) } ?? FilePath.current
        let words = arguments.filter { $0.contains("/") }.map {
            FilePath.absolute($0, from: folder)
        }
        let programs =
            arguments.prefix(1).compactMap { programPath($0) ?? words.first }
            + environment.filter { $0.hasPrefix("PATH=") }.map { String($0.dropFirst(5)) }
        view = FileView(
            confinement, files: profile.files,
            mentioned: words + programs + Array(profile.environment.values), programs: programs,
            directory: folder, home: home)
    }

    /// Returns the path of a program that is named without a slash.
    private func programPath(_ name: String) -> String? {
        guard !name.contains("/") else { return nil }
        let search = environment.first { $0.hasPrefix("PATH=") }?.dropFirst(5) ?? ""
        return search.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}

extension String {
    fileprivate func isBelow(_ folder: String) -> Bool { hasPrefix(folder + "/") }
    fileprivate var depth: Int { utf8.count { $0 == UInt8(ascii: "/") } }
}
