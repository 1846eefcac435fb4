import Kaitai
import Wire

/// The described protocols of a suite; each file is read once.
final class DescribedProtocols {
    let files: SuiteFileReader
    /// The protocols of the program.
    let protocols: ProtocolRegistry
    /// The protocols that `protocols` of the suite names, in that order.
    private(set) var own: [NamedProtocol] = []
    private var known: [String: DescribedProtocol] = [:]
    /// Every file that was read.
    private(set) var paths: [String] = []

    init(files: SuiteFileReader, protocols: ProtocolRegistry) {
        self.files = files
        self.protocols = protocols
    }

    /// Creates the protocols of a suite that has been read; further files are not read.
    init(protocols: ProtocolRegistry, own: [NamedProtocol], _ findings: Findings) {
        self.protocols = protocols
        self.own = own
        files = SuiteFileReader(findings: findings, searchPath: []) {
            path throws(InvalidInput) in
            throw InvalidInput([
                Diagnostic("unreadable-file", "cannot read \"\(path)\" here", at: nil)
            ])
        }
    }

    /// Returns the protocol that a file describes; `nil`, after a report, if it cannot be used.
    func named(_ name: String, at position: SourcePosition) -> DescribedProtocol? {
        guard let path = files.path(of: name, namedAt: position, isSearched: true) else {
            return nil
        }
        if let known = known[path] { return known }
        do throws(InvalidInput) {
            let description = try KaitaiDescription.load(
                path: path, searchPaths: files.searchPath, source: files.read)
            description.warnings.forEach(files.findings.add)
            if let reason = description.unsupported {
                files.findings.report(
                    "unsupported", "the description needs what cannot be read: \(reason)",
                    at: position)
            }
            let made = DescribedProtocol(path: path, description: description)
            known[path] = made
            for file in description.sourceFiles where !paths.contains(file.path) {
                paths.append(file.path)
            }
            return made
        } catch {
            files.findings.add(error)
            return nil
        }
    }

    /// Reads a file that `protocols` names and reports what is wrong with it.
    func load(_ name: String, at position: SourcePosition) {
        guard let (path, root) = files.root(of: name, namedAt: position, isSearched: true),
            !own.contains(where: { $0.path == path }), let made = read(root, path: path)
        else { return }
        if let other = own.first(where: { $0.name == made.name }) {
            files.findings.report(
                "duplicate-id", "there is a protocol \"\(made.name)\" already", at: position,
                advice: "\(other.path) describes it")
            return
        }
        paths.append(path)
        own.append(made)
    }

    /// Reads the root of such a file; `nil`, after a report, if it cannot be used.
    func read(_ root: YAMLNode, path: String) -> NamedProtocol? {
        NamedProtocolReader(protocols: self).read(root, path: path)
    }
}
